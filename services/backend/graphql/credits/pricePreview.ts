import type { Runtime } from '../../../../capabilities/installation.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { creditsNumber } from '../../../../domain/credits.ts'
import { type PriceChanges, type PriceLists, repricedMicros } from '../../../../domain/pricing/preview.ts'
import { priceListOf } from '../../../../domain/pricing/priceBook.ts'
import { type ChargedSpan, chargedSpans } from '../../../../projections/creditTransactions/queries.ts'
import { allPriceBooks, priceBookOf } from '../../../../projections/priceBooks/queries.ts'
import { apiError } from '../apiError.ts'
import type { PricePreview, PricePreviewEntry } from '../generated.ts'

/** Ledger events that one preview may read: about as many as a store returns in a few seconds. */
export const PREVIEW_EVENTS_MAX = 50_000
const PREVIEW_TIME_MS = 15_000

/** The two parts of a runtime that a preview needs, so that commands can compute one, too. */
export type PreviewRuntime = {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store'>
  readonly clock: Pick<Runtime['clock'], 'monotonicMs'>
}

type Sums = { calls: number; refusedCalls: number; oldMicros: bigint; newMicros: bigint }
type Repriced = { readonly alias: string; readonly oldMicros: bigint; readonly newMicros: bigint | null }

/**
 * The cost of a period's calls with other prices, computed call by call from the ledgers. Reversed calls are
 * left out. The events are read as a stream, and their number is limited.
 */
export async function previewOf(
  { engines, clock }: PreviewRuntime,
  changes: PriceChanges,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PricePreview> {
  const deadlineMs = clock.monotonicMs() + PREVIEW_TIME_MS
  const spans = await chargedSpans(engines.database, changes.companyId, from, to)
  requireFew(spans)
  const lists = await priceLists(engines.database)
  const sums = new Map<string, Sums>()
  for (const { companyId, first, last } of spans) {
    const calls = new Map<string, Repriced>()
    const range = { from: Number(first), limit: Number(last) - Number(first) + 1 }
    for await (const event of engines.store.readStream(streamName('ledger', companyId), range)) {
      if (event.type === 'ChargeReversed') calls.delete(event.data.callId)
      if (event.type !== 'CallCharged' || event.data.finishedAt < from || event.data.finishedAt >= to) continue
      const { callId, alias, amountMicros } = event.data
      const oldMicros = BigInt(amountMicros)
      calls.set(callId, { alias, oldMicros, newMicros: repricedMicros(changes, event.data, lists) })
      if (clock.monotonicMs() > deadlineMs) throw tooMuch(`could not be read within ${PREVIEW_TIME_MS / 1_000} s`)
    }
    for (const call of calls.values()) add(sums, call)
  }
  const total = [...sums.values()].reduce(plus, NOTHING)
  const aliases = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([alias, sum]) => ({ alias, ...shown(sum) }))
  return { from, to, ...shown(total), aliases }
}

function requireFew(spans: readonly ChargedSpan[]): void {
  const events = spans.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0)
  if (events > PREVIEW_EVENTS_MAX) throw tooMuch(`has ${events} ledger events, more than ${PREVIEW_EVENTS_MAX}`)
}

function tooMuch(what: string): Error {
  return apiError('BAD_USER_INPUT', `the time ${what}: choose a shorter one`)
}

async function priceLists(database: PreviewRuntime['engines']['database']): Promise<PriceLists> {
  const byCompany = Map.groupBy(await allPriceBooks(database), ({ companyId }) => companyId)
  const lists = new Map([...byCompany].map(([companyId, rows]) => [companyId, priceListOf(rows.map(priceBookOf))]))
  return { common: lists.get(null) ?? new Map(), ofCompany: (companyId) => lists.get(companyId) }
}

const NOTHING: Sums = { calls: 0, refusedCalls: 0, oldMicros: 0n, newMicros: 0n }

function add(sums: Map<string, Sums>, { alias, oldMicros, newMicros }: Repriced): void {
  const one = { calls: 1, refusedCalls: newMicros === null ? 1 : 0, oldMicros, newMicros: newMicros ?? 0n }
  sums.set(alias, plus(sums.get(alias) ?? NOTHING, one))
}

function plus(a: Sums, b: Sums): Sums {
  return {
    calls: a.calls + b.calls,
    refusedCalls: a.refusedCalls + b.refusedCalls,
    oldMicros: a.oldMicros + b.oldMicros,
    newMicros: a.newMicros + b.newMicros,
  }
}

function shown({ calls, refusedCalls, oldMicros, newMicros }: Sums): Omit<PricePreviewEntry, 'alias'> {
  return {
    ...{ calls, refusedCalls },
    ...{ oldCredits: creditsNumber(oldMicros), oldAmountMicros: oldMicros.toString() },
    ...{ newCredits: creditsNumber(newMicros), newAmountMicros: newMicros.toString() },
  }
}
