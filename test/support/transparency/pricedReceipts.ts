import { check } from '../../../check/check.mjs'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { decide } from '../../../domain/ledger/decider.ts'
import { anchored, charged, UNATTRIBUTED } from '../events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from './sampleTransparencyLog.ts'

export const COMPANY = '11111111-1111-4111-8111-111111111111'
export const BOOK = '99999999-9999-4999-8999-999999999999'
export const ALIAS = 'svc/chat-default'
export const ADMITTED_AT = '2026-03-01T10:00:29.000Z'

/** Every dimension of a price. */
export const PRICE = {
  rates: { input: '3000000', cachedInput: '300000', output: '15000000', reasoning: '20000000' },
  inputTiers: [
    { tokens: 200, inclusive: false, rates: { input: '6000000', cacheWrite: '7500000', output: '22500000' } },
    { tokens: 300, inclusive: true, rates: { input: '7000000', output: '30000000' } },
  ],
  unitRates: { search: '10000000000', image: '40000000000' },
  tierFactors: { priority: '2000000', flex: '500000' },
  callMicros: '7',
}
export const USAGE = {
  ...{ tokensIn: 250, tokensOut: 40 },
  parts: { cachedInput: 30, cacheWrite1h: 20, reasoning: 15 },
  ...{ units: { search: 2, image: 1 }, serviceTier: 'priority' },
}
export type Charged = ReturnType<typeof charged>
type Anchored = ReturnType<typeof anchored>

export function chargeOf({
  usage = USAGE,
  requestedTier = 'priority',
  mostMicros = null as bigint | null,
} = {}): Charged {
  const { companyId, callId, keyId, endpoint, streamed, finishedAt } = charged(COMPANY).data
  const call = { companyId, callId, keyId, alias: ALIAS, endpoint, streamed, admittedAt: ADMITTED_AT, finishedAt }
  const bounds = { requestedTier, mostMicros, abandoned: false }
  const price = { ...PRICE, bookId: BOOK }
  const [event] = decide({ type: 'ChargeCall', call: { ...call, ...UNATTRIBUTED }, usage, price, ...bounds })
  return event as Charged
}
export const bookOf = (owner: string | null, changes: Partial<Anchored['data']> = {}) =>
  anchored(owner, { bookId: BOOK, prices: { [ALIAS]: PRICE }, ...changes })

/** What an operator who signs these events could show. */
export async function receiptOf(charge: Charged, book: LedgerEvent) {
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(book.data.companyId, book)
  transparencyLog.append(COMPANY, charge)
  transparencyLog.checkpoint()
  const receipt = await transparencyLog.receipt(1)
  if (receipt.book !== null) return receipt
  const { version: _, book: __, ...entry } = await transparencyLog.receipt(0)
  return { ...receipt, book: entry }
}

export async function faultsOf(receipt: unknown): Promise<string[]> {
  const { ok, checks } = await check(JSON.stringify(receipt), { vkeys: [KEY.vkey] })
  const faults = checks.flatMap((done) => (done.ok ? [] : [`${done.name}: ${done.detail}`]))
  if (ok !== (faults.length === 0)) throw new Error(`the checker says ok: ${ok}, and finds ${faults.length} faults`)
  return faults
}
export const withData = ({ data }: Charged, changes: object): Charged =>
  ({ type: 'CallCharged', data: { ...data, ...changes } }) as Charged
export const withLines = (charge: Charged, change: (lines: readonly object[]) => readonly object[]): Charged =>
  withData(charge, { lines: change(charge.data.lines ?? []) })
export const withLine = (charge: Charged, at: number, changes: object): Charged =>
  withLines(charge, (lines) => lines.map((line, n) => (n === at ? { ...line, ...changes } : line)))
