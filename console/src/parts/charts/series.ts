/** One of the parts that a stack of bars consists of. */
export type Series = { readonly name: string; readonly micros: readonly bigint[] }

/** As many as there are colours for (`tokens.css`). */
export const SERIES_MAX = 6
