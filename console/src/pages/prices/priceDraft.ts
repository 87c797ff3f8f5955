import type { AliasPriceInput, InputTierInput, PriceBookInput, PriceFieldsFragment } from '../../graphql/generated.ts'
import { plainDecimal } from '../../parts/values/credits.ts'
import { type FieldId, OTHER_RATES, RATES, type RateId, unitWords } from './priceKinds.ts'

export type Price = PriceFieldsFragment

type RateCells = Readonly<Record<RateId, string>>
type Cells = Readonly<Record<FieldId, string>>
/** Rates for input above a size, complete in themselves. */
export type TierEdit = { readonly tokens: string; readonly inclusive: boolean; readonly cells: RateCells }
/** A unit with its credits, or a service tier with its factor. */
export type NamedNumber = { readonly name: string; readonly number: string }

/** The whole price of an alias as texts, so that no dimension is lost when another one is edited; or its retirement. */
export type Edit = {
  readonly cells: Cells
  readonly inputTiers: readonly TierEdit[]
  readonly units: readonly NamedNumber[]
  readonly serviceTiers: readonly NamedNumber[]
  readonly isRetired: boolean
}
/** Only the edited aliases: a book is a difference, so two people can edit different aliases. */
export type Draft = ReadonlyMap<string, Edit>

/** A price as the API shows it or takes it. */
type AnyPrice = Price | AliasPriceInput

export function editOf(price: AnyPrice | undefined): Edit {
  return {
    cells: { ...rateCellsOf(price), perCall: textOf(price?.perCall) },
    inputTiers: (price?.inputTiers ?? []).map((tier) => ({
      ...{ tokens: textOf(tier.tokens), inclusive: tier.inclusive ?? false, cells: rateCellsOf(tier) },
    })),
    units: (price?.units ?? []).map(({ unit, credits }) => ({ name: unit, number: textOf(credits) })),
    serviceTiers: (price?.serviceTiers ?? []).map(({ tier, factor }) => ({ name: tier, number: textOf(factor) })),
    isRetired: false,
  }
}

export function rateCellsOf(rates: { readonly [Id in RateId]?: number | null | undefined } | undefined): RateCells {
  return Object.fromEntries(RATES.map(({ id }) => [id, textOf(rates?.[id])])) as RateCells
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : plainDecimal(value)
}

/** Applies an edit of one alias to the draft. An edit that equals the price in force is dropped. */
export function edited(draft: Draft, alias: string, edit: Edit, price: Price | undefined): Draft {
  const next = new Map(draft)
  if (isSame(edit, editOf(price))) next.delete(alias)
  else next.set(alias, edit)
  return next
}

function isSame(a: Edit, b: Edit): boolean {
  return JSON.stringify(trimmed(a)) === JSON.stringify(trimmed(b))
}

function trimmed(edit: Edit): Edit {
  return JSON.parse(JSON.stringify(edit), (_, value) => (typeof value === 'string' ? value.trim() : value))
}

/** The fields without a valid value: a field of the price, or a field of a row as `inputTiers.0.tokens`. */
export function faultsIn(edit: Edit): ReadonlySet<string> {
  const { cells, inputTiers, units, serviceTiers, isRetired } = edit
  if (isRetired) return new Set()
  return new Set([
    ...rateFaults(cells),
    ...(cells.perCall.trim() === '' || isDecimal(cells.perCall, 6) ? [] : ['perCall']),
    ...inputTiers.flatMap((tier, n) => [
      ...(/^[1-9]\d{0,15}$/.test(tier.tokens.trim()) ? [] : [`inputTiers.${n}.tokens`]),
      ...rateFaults(tier.cells).map((id) => `inputTiers.${n}.${id}`),
    ]),
    ...rowFaults('units', units, 12),
    ...rowFaults('serviceTiers', serviceTiers, 6),
  ])
}

function rateFaults(cells: RateCells): RateId[] {
  return RATES.filter(({ id, empty }) => (cells[id].trim() === '' ? empty === null : !isDecimal(cells[id], 6))).map(
    ({ id }) => id,
  )
}

function rowFaults(list: 'units' | 'serviceTiers', rows: readonly NamedNumber[], decimals: number): string[] {
  const names = rows.map(({ name }) => name.trim())
  return rows.flatMap(({ number }, n) => [
    ...(names[n] === '' || names.indexOf(names[n] ?? '') < n ? [`${list}.${n}.name`] : []),
    ...(isDecimal(number, decimals) ? [] : [`${list}.${n}.number`]),
  ])
}

function isDecimal(text: string, decimals: number): boolean {
  return new RegExp(`^\\d+(\\.\\d{1,${decimals}})?$`).test(text.trim())
}

export function bookOf(draft: Draft, companyId: string | null): PriceBookInput {
  const edits = [...draft].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    prices: edits.filter(([, { isRetired }]) => !isRetired).map(([alias, edit]) => priceOf(alias, edit)),
    retire: edits.filter(([, { isRetired }]) => isRetired).map(([alias]) => alias),
    ...(companyId !== null && { companyId }),
  }
}

function priceOf(alias: string, { cells, inputTiers, units, serviceTiers }: Edit): AliasPriceInput {
  return {
    alias,
    ...ratesOf(cells),
    ...(cells.perCall.trim() !== '' && { perCall: Number(cells.perCall) }),
    ...(inputTiers.length > 0 && {
      inputTiers: inputTiers
        .map(({ tokens, inclusive, cells: own }) => ({ tokens: Number(tokens), inclusive, ...ratesOf(own) }))
        .toSorted((a, b) => a.tokens - b.tokens),
    }),
    ...(units.length > 0 && {
      units: units.map(({ name, number }) => ({ unit: name.trim(), credits: Number(number) })),
    }),
    ...(serviceTiers.length > 0 && {
      serviceTiers: serviceTiers.map(({ name, number }) => ({ tier: name.trim(), factor: Number(number) })),
    }),
  }
}

function ratesOf(cells: RateCells): Omit<InputTierInput, 'tokens' | 'inclusive'> {
  const given = RATES.filter(({ id }) => cells[id].trim() !== '').map(({ id }) => [id, Number(cells[id])])
  return Object.fromEntries(given) as Omit<InputTierInput, 'tokens' | 'inclusive'>
}

/** What a price has besides the columns of the grid, in words. */
export function othersIn({ cells, inputTiers, units, serviceTiers }: Edit): readonly string[] {
  return [
    ...OTHER_RATES.filter(({ id }) => cells[id].trim() !== '').map(({ header }) => header.toLowerCase()),
    ...inputTiers.map(({ tokens, inclusive }) => `input ${inclusive ? 'from' : 'above'} ${grouped(tokens)} tokens`),
    ...units.map(({ name }) => unitWords(name)),
    ...serviceTiers.map(({ name, number }) => `${name} × ${number}`),
  ]
}

function grouped(tokens: string): string {
  return /^\d+$/.test(tokens) ? Number(tokens).toLocaleString() : tokens
}
