/** Whose prices the page shows: those of a company, or the common ones. */
export type PricesSearch = { readonly of?: string }

export function pricesSearch({ of }: Record<string, unknown>): PricesSearch {
  return typeof of === 'string' && of !== '' ? { of } : {}
}
