type Book = {
  readonly companyId: string | null
  readonly effectiveFrom: string
  readonly prices: readonly { readonly alias: string }[]
}

/** The time until the next price change; null if none is scheduled. */
export function msUntilNextBook(books: readonly Book[], companyId: string | null, nowMs: number): number | null {
  const [next] = laterBooks(books, companyId, nowMs)
  return next ? Date.parse(next.effectiveFrom) - nowMs : null
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
