type Book = {
  readonly companyId: string | null
  readonly effectiveFrom: string
  readonly prices: readonly { readonly alias: string }[]
}

export type LaterPrice = { readonly alias: string; readonly from: string }

/** The aliases among those without a price that get one later, with the moment when it begins; the first one first. */
export function laterPrices(
  books: readonly Book[],
  { aliases, companyId, nowMs }: { aliases: readonly string[]; companyId: string | null; nowMs: number },
): LaterPrice[] {
  const later = books
    .filter((book) => book.companyId === null || book.companyId === companyId)
    .filter(({ effectiveFrom }) => Date.parse(effectiveFrom) > nowMs)
    .toSorted((a, b) => Date.parse(a.effectiveFrom) - Date.parse(b.effectiveFrom))
  return aliases
    .flatMap((alias) => {
      const book = later.find(({ prices }) => prices.some((price) => price.alias === alias))
      return book ? [{ alias, from: book.effectiveFrom }] : []
    })
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
}
