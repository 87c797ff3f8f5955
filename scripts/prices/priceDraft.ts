import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'
import { formatCredits } from '../../domain/credits.ts'
import { decimalText } from './decimal.ts'
import {
  FACTOR_EXPONENT,
  type ImportedPrices,
  type LeftOut,
  PER_UNIT_EXPONENT,
  RATE_LABELS,
  RATE_NAMES,
} from './importedPrice.ts'

export type RateChange = { readonly rate: string; readonly before: string | null; readonly after: string | null }
export type DraftEntry = {
  readonly alias: string
  readonly from: string
  readonly price: AliasPrice
  /** In credits; null where there is no such rate. */
  readonly changes: readonly RateChange[]
  readonly left: readonly LeftOut[]
}

/** What importing would change, compared with the prices in force. */
export type PriceDraft = {
  readonly changed: readonly DraftEntry[]
  readonly unchanged: readonly string[]
  /** Aliases without a price in the file, and why. */
  readonly missing: readonly { readonly alias: string; readonly reason: string }[]
}

const LABEL_CHARS_MIN = 12

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
  const old = before === undefined ? new Map<string, string>() : amountsOf(before)
  const changed = amountsOf(after)
  return [...new Set([...changed.keys(), ...old.keys()])]
    .map((rate) => ({ rate, before: old.get(rate) ?? null, after: changed.get(rate) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** Each amount of a price by what it is for, in credits; those of tokens are for a million. */
function amountsOf({ rates, inputTiers = [], unitRates = {}, tierFactors = {}, callMicros }: AliasPrice) {
  const amounts = new Map(ratesOf(rates, ''))
  if (callMicros !== undefined) amounts.set('per call', formatCredits(BigInt(callMicros)))
  for (const { tokens, inclusive, rates } of inputTiers) {
    const size = ` ${inclusive ? 'from' : 'above'} ${tokens} tokens of input`
    for (const [rate, amount] of ratesOf(rates, size)) amounts.set(rate, amount)
  }
  for (const [unit, rate] of Object.entries(unitRates)) amounts.set(`per ${unit}`, decimalText(rate, PER_UNIT_EXPONENT))
  for (const [tier, factor] of Object.entries(tierFactors))
    amounts.set(`factor of ${tier}`, decimalText(factor, FACTOR_EXPONENT))
  return amounts
}

function ratesOf(rates: Rates, size: string): [string, string][] {
  return RATE_NAMES.flatMap((name): [string, string][] => {
    const rate = rates[name]
    return rate === undefined ? [] : [[`${RATE_LABELS[name]}${size}`, formatCredits(BigInt(rate))]]
  })
}

export function draftText({ changed, unchanged, missing }: PriceDraft): string {
  const lines = changed.flatMap(({ alias, from, changes, left }) => {
    const labelChars = Math.max(LABEL_CHARS_MIN, ...changes.map(({ rate }) => rate.length))
    return [
      `${alias}, from ${from}`,
      ...changes.map(
        ({ rate, before, after }) => `  ${rate.padEnd(labelChars)} ${before ?? 'none'} → ${after ?? 'none'}`,
      ),
      ...leftLines(left),
    ]
  })
  if (unchanged.length > 0) lines.push(`unchanged: ${unchanged.join(', ')}`)
  for (const { alias, reason } of missing) lines.push(`${alias}: no price, ${reason}`)
  return `${lines.join('\n')}\n`
}

function leftLines(left: readonly LeftOut[]): string[] {
  const byReason = Map.groupBy(left, ({ reason }) => reason)
  return [...byReason].map(
    ([reason, fields]) => `  not imported, because ${reason}: ${fields.map(({ field }) => field).join(', ')}`,
  )
}
