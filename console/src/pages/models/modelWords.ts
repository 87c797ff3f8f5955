import type { MarginQuery, ModelsQuery, TestModelMutation } from '../../graphql/generated.ts'
import type { Tone } from '../../parts/Badge.tsx'
import { plainCredits } from '../../parts/values/credits.ts'

export type Model = ModelsQuery['models'][number]
export type Provider = Model['providers'][number]
export type Test = TestModelMutation['testModel']
type MarginEntry = MarginQuery['margin'][number]

export const BREAKERS: Readonly<Record<Provider['breaker'], { readonly name: string; readonly tone: Tone }>> = {
  CLOSED: { name: 'Closed', tone: 'good' },
  HALF_OPEN: { name: 'Half open', tone: 'warning' },
  OPEN: { name: 'Open', tone: 'danger' },
}

/** The revenue and cost of an alias's calls. */
export type Margin = {
  readonly calls: number
  readonly failures: number
  readonly chargedMicros: bigint
  /** By currency. */
  readonly costMicros: ReadonlyMap<string, bigint>
  /** Charged calls whose cost is not known. */
  readonly unknownCalls: number
}

const NO_MARGIN: Margin = { calls: 0, failures: 0, chargedMicros: 0n, costMicros: new Map(), unknownCalls: 0 }

/** One entry per alias: the API returns one per alias and currency. */
export function marginByAlias(entries: readonly MarginEntry[]): ReadonlyMap<string, Margin> {
  const byAlias = new Map<string, Margin>()
  for (const entry of entries) {
    const alias = entry.group ?? ''
    byAlias.set(alias, plus(byAlias.get(alias) ?? NO_MARGIN, entry))
  }
  return byAlias
}

function plus(before: Margin, { calls, failures, amountMicros, currency, costMicros }: MarginEntry): Margin {
  const isKnown = currency !== null && costMicros !== null
  const costs = new Map(before.costMicros)
  if (isKnown) costs.set(currency, (costs.get(currency) ?? 0n) + BigInt(costMicros))
  return {
    calls: before.calls + calls,
    failures: before.failures + failures,
    chargedMicros: before.chargedMicros + BigInt(amountMicros),
    costMicros: costs,
    unknownCalls: before.unknownCalls + (isKnown ? 0 : calls),
  }
}

/** The share of calls that a provider did not answer; null if there were no calls. */
export function errorShare({ answers, errors }: Pick<Provider, 'answers' | 'errors'>): number | null {
  return answers + errors === 0 ? null : errors / (answers + errors)
}

/** The common names of the APIs. */
export const WIRES: Readonly<Record<string, string>> = {
  chat: 'Chat completions',
  completions: 'Completions',
  embeddings: 'Embeddings',
  responses: 'Responses',
  messages: 'Messages',
}

/** What the provider charges for a trial call. */
export function costOf({ costMicros, costCurrency, tokensIn }: Test): string {
  if (costMicros !== null && costCurrency !== null) {
    return `${plainCredits(BigInt(costMicros))} ${costCurrency.toUpperCase()}`
  }
  return tokensIn === null ? 'Unknown' : 'Unknown: the providers file has no cost for it'
}
