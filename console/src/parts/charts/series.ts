/** One series of a stacked chart. */
export type Series = { readonly name: string; readonly micros: readonly bigint[] }

/** The number of series colours in `tokens.css`. */
export const SERIES_MAX = 6
