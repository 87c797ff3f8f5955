import type { AliasPriceInput, PriceBookInput, PriceFieldsFragment } from '../../graphql/generated.ts'

export type Price = PriceFieldsFragment

/** The columns of the grid. Optional prices say what an empty cell means. */
export const FIELDS = [
  { id: 'inputPerMillionTokens', header: 'Input', empty: null },
  { id: 'cachedInputPerMillionTokens', header: 'Cached input', empty: 'as input' },
  { id: 'cacheWritePerMillionTokens', header: 'Cache write', empty: 'as input' },
  { id: 'outputPerMillionTokens', header: 'Output', empty: null },
  { id: 'perCall', header: 'A call', empty: 'no fee' },
] as const
export type FieldId = (typeof FIELDS)[number]['id']

export type Cells = Readonly<Record<FieldId, string>>
/** An edit of an alias: changed cells, or its retirement. */
export type Edit = { readonly cells: Cells; readonly isRetired: boolean }
/** Only the edited aliases: a book is a difference, so two people can edit different aliases. */
export type Draft = ReadonlyMap<string, Edit>

export function cellsOf(price: Price | undefined): Cells {
  return Object.fromEntries(FIELDS.map(({ id }) => [id, textOf(price?.[id])])) as Cells
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

/** Applies an edit of one alias to the draft. An edit that equals the price in force is dropped. */
export function edited(draft: Draft, alias: string, edit: Edit, price: Price | undefined): Draft {
  const next = new Map(draft)
  if (!edit.isRetired && isSame(edit.cells, cellsOf(price))) next.delete(alias)
  else next.set(alias, edit)
  return next
}

function isSame(a: Cells, b: Cells): boolean {
  return FIELDS.every(({ id }) => a[id].trim() === b[id])
}

/** The cells without a valid price. */
export function faultyCells({ cells, isRetired }: Edit): readonly FieldId[] {
  if (isRetired) return []
  return FIELDS.filter(({ id, empty }) => !isPrice(cells[id].trim(), empty !== null)).map(({ id }) => id)
}

function isPrice(text: string, mayBeEmpty: boolean): boolean {
  return text === '' ? mayBeEmpty : /^\d+(\.\d{1,6})?$/.test(text)
}

export function bookOf(draft: Draft, companyId: string | null): PriceBookInput {
  const edits = [...draft].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    prices: edits.filter(([, { isRetired }]) => !isRetired).map(([alias, { cells }]) => priceOf(alias, cells)),
    retire: edits.filter(([, { isRetired }]) => isRetired).map(([alias]) => alias),
    ...(companyId !== null && { companyId }),
  }
}

function priceOf(alias: string, cells: Cells): AliasPriceInput {
  const given = FIELDS.filter(({ id }) => cells[id].trim() !== '').map(({ id }) => [id, Number(cells[id])])
  return { alias, ...(Object.fromEntries(given) as Omit<AliasPriceInput, 'alias'>) }
}
