type Book = {
  readonly companyId: string | null
  readonly effectiveFrom: string
  readonly prices: readonly { readonly alias: string }[]
}

/** A change of prices is watched this long before and after it. */
const WATCHED_MS = 60_000
const AGAIN_MS = 2_000
const AFTER_START_MS = 500

/**
 * When the prices in force are read again; false if no change is near. After a change they are read several times, because the
 * clock of the server is known to a second or so only, and may be behind.
 */
export function msUntilPricesChange(books: readonly Book[], companyId: string | null, nowMs: number): number | false {
  const waits = books
    .filter((book) => book.companyId === null || book.companyId === companyId)
    .map(({ effectiveFrom }) => Date.parse(effectiveFrom) - nowMs)
    .filter((waitMs) => Math.abs(waitMs) < WATCHED_MS)
  if (waits.length === 0) return false
  return waits.some((waitMs) => waitMs <= 0) ? AGAIN_MS : Math.min(...waits) + AFTER_START_MS
}

function laterBooks(books: readonly Book[], companyId: string | null, nowMs: number): Book[] {
  return books
    .filter((book) => book.companyId === null || book.companyId === companyId)
    .filter(({ effectiveFrom }) => Date.parse(effectiveFrom) > nowMs)
    .toSorted((a, b) => Date.parse(a.effectiveFrom) - Date.parse(b.effectiveFrom))
}

export type LaterPrice = { readonly alias: string; readonly from: string }

/** The aliases without a price that get one later, with its start, earliest first. */
export function laterPrices(
  books: readonly Book[],
  { aliases, companyId, nowMs }: { aliases: readonly string[]; companyId: string | null; nowMs: number },
): LaterPrice[] {
  const later = laterBooks(books, companyId, nowMs)
  return aliases
    .flatMap((alias) => {
      const book = later.find(({ prices }) => prices.some((price) => price.alias === alias))
      return book ? [{ alias, from: book.effectiveFrom }] : []
    })
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
}
