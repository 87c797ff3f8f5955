import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { formatCredits } from '../../domain/credits.ts'
import { type ImportedPrices, RATE_NAMES, RATES, type RateName } from './importedPrice.ts'

export type RateChange = { readonly rate: string; readonly before: string | null; readonly after: string | null }
export type DraftEntry = {
  readonly alias: string
  readonly from: string
  readonly price: AliasPrice
  /** In credits; null where there is no such rate. */
  readonly changes: readonly RateChange[]
  readonly left: readonly string[]
}

/** What importing would change, compared with the prices in force. */
export type PriceDraft = {
  readonly changed: readonly DraftEntry[]
  readonly unchanged: readonly string[]
  /** Aliases without a price in the file, and why. */
  readonly missing: readonly { readonly alias: string; readonly reason: string }[]
}

export function draftOf(imported: ImportedPrices, current: ReadonlyMap<string, AliasPrice>): PriceDraft {
  const entries = [...imported.prices].map(([alias, { price, from, left }]) => {
    return { alias, from, price, left, changes: changesOf(current.get(alias), price) }
  })
  return {
    changed: entries.filter(({ changes }) => changes.length > 0),
    unchanged: entries.filter(({ changes }) => changes.length === 0).map(({ alias }) => alias),
    missing: [...imported.missing].map(([alias, reason]) => ({ alias, reason })),
  }
}

function changesOf(before: AliasPrice | undefined, after: AliasPrice): RateChange[] {
  const shown = (price: AliasPrice | undefined, name: RateName) =>
    price?.[name] === undefined ? null : formatCredits(BigInt(price[name]))
  return RATE_NAMES.map((name) => ({
    rate: RATES[name],
    before: shown(before, name),
    after: shown(after, name),
  })).filter(({ before: old, after: changed }) => old !== changed)
}

export function draftText({ changed, unchanged, missing }: PriceDraft): string {
  const lines = changed.flatMap(({ alias, from, changes, left }) => [
    `${alias}, from ${from}`,
    ...changes.map(({ rate, before, after }) => `  ${rate.padEnd(12)} ${before ?? 'none'} → ${after ?? 'none'}`),
    ...(left.length > 0 ? [`  not imported, because there is no such rate: ${left.join(', ')}`] : []),
  ])
  if (unchanged.length > 0) lines.push(`unchanged: ${unchanged.join(', ')}`)
  for (const { alias, reason } of missing) lines.push(`${alias}: no price, ${reason}`)
  return `${lines.join('\n')}\n`
}
