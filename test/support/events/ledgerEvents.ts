import { randomUUID } from 'node:crypto'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../../../contracts/events/ledger.ts'

type DataOf<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { type: Type }>['data']
type Changes<Type extends LedgerEvent['type']> = Partial<DataOf<Type>>
type Charged = Extract<LedgerEvent, { type: 'CallCharged' }>
type Anchored = Extract<LedgerEvent, { type: 'PriceBookAnchored' }>

export const AT = '2026-03-01T10:00:30.000Z'
const BOOK_ID = '99999999-9999-4999-8999-999999999999'

/** What is recorded about a call whose label, provider, cost and cached input are not known. */
export const UNATTRIBUTED = {
  label: null,
  provider: null,
  costMicros: null,
  costCurrency: null,
  tokensCached: null,
  tokensCacheWrite: null,
} as const

const aCall = (companyId: string) => ({
  companyId,
  callId: randomUUID(),
  keyId: randomUUID(),
  alias: 'svc/chat-default',
  endpoint: '/chat/completions',
  streamed: false,
  admittedAt: '2026-03-01T10:00:29.000Z',
  finishedAt: AT,
  ...UNATTRIBUTED,
})

export function granted(companyId: string, changes: Changes<'CreditsGranted'> = {}): LedgerEvent {
  const grant = {
    grantId: randomUUID(),
    source: 'ADJUSTMENT',
    amountMicros: '1000000',
    reason: 'a test',
    lot: null,
  } as const
  return { type: 'CreditsGranted', data: { companyId, ...grant, grantedAt: AT, ...changes } }
}

const COUNTED = ['tokensIn', 'tokensOut', 'tokensCached', 'tokensCacheWrite', 'amountMicros', 'price']

/** Like an older charge, it has no lines if what they would count is changed and no other lines are given. */
export function charged(companyId: string, changes: Changes<'CallCharged'> = {}): Charged {
  const rates = { input: '1000000', output: '2000000' }
  const used = { tokensIn: 10, tokensOut: 20, amountMicros: '50', price: { bookId: BOOK_ID, rates } }
  const usual = [
    { kind: 'input', count: 10, rate: rates.input, amountMicros: '10' },
    { kind: 'output', count: 20, rate: rates.output, amountMicros: '40' },
  ]
  const { lines = COUNTED.some((name) => name in changes) ? null : usual } = changes
  const charge = { lines, tierFactor: lines && '1000000', serviceTier: null, abandoned: false }
  return { type: 'CallCharged', data: { ...aCall(companyId), ...used, ...charge, ...changes } }
}

export function failed(companyId: string, changes: Changes<'CallFailed'> = {}): LedgerEvent {
  const reason = 'the provider cut the stream'
  return { type: 'CallFailed', data: { ...aCall(companyId), reason, tokensAbandoned: null, ...changes } }
}

export function reversed(charge: Charged, changes: Changes<'ChargeReversed'> = {}): LedgerEvent {
  const { companyId, callId, keyId, alias, amountMicros, tokensIn, tokensOut, admittedAt, finishedAt } = charge.data
  const { label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite } = charge.data
  const call = {
    ...{ companyId, callId, keyId, alias, amountMicros, tokensIn, tokensOut, admittedAt, finishedAt },
    ...{ label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite },
  }
  return { type: 'ChargeReversed', data: { ...call, reason: 'found late', reversedAt: AT, ...changes } }
}

export function adjusted(companyId: string, changes: Changes<'CreditsAdjusted'> = {}): LedgerEvent {
  const adjustment = { adjustmentId: randomUUID(), amountMicros: '-200', reason: 'granted twice' }
  const by = { adjustedBy: randomUUID(), corrects: null, correction: null }
  return { type: 'CreditsAdjusted', data: { companyId, ...adjustment, ...by, adjustedAt: AT, ...changes } }
}

export const TERMS: DataOf<'MonthClosed'>['terms'] = {
  planId: '55555555-5555-4555-8555-555555555555',
  price: '49',
  currency: 'usd',
  creditsPerPeriodMicros: '5000000000',
  dueDays: 14,
}

export function monthClosed(companyId: string, changes: Changes<'MonthClosed'> = {}): LedgerEvent {
  const data = { companyId, month: '2026-03', terms: TERMS, closedAt: '2026-04-01T00:00:01.000Z', ...changes }
  return { type: 'MonthClosed', data }
}

export function monthBilled(companyId: string, changes: Changes<'MonthBilled'> = {}): LedgerEvent {
  const usage = { kind: 'USAGE', alias: 'svc/chat-default', calls: 1, tokensIn: 10, tokensOut: 20 } as const
  const line = { ...usage, creditsMicros: '5000000', amountMinor: '5' }
  const range = { month: '2026-03', afterRevision: -1, closeRevision: 4, openingMicros: '0', lines: [line] }
  const bill = { creditsMicros: '5000000', amountMinor: '5', currency: 'usd', carriedMicros: '0' }
  const data = { companyId, ...range, ...bill, billedAt: '2026-04-01T00:00:02.000Z', ...changes }
  return { type: 'MonthBilled', data }
}

export function invoiceSettled(companyId: string, changes: Changes<'InvoiceSettled'> = {}): LedgerEvent {
  const invoice = { month: '2026-03', invoiceId: 'in_1', amountMicros: '5000000' }
  return { type: 'InvoiceSettled', data: { companyId, ...invoice, settledAt: '2026-04-10T00:00:00.000Z', ...changes } }
}

/** The book of a company, or of all companies if it is null; by default the one that `charged` calls are priced by. */
export function anchored(bookCompanyId: string | null, changes: Changes<'PriceBookAnchored'> = {}): Anchored {
  const price = { rates: { input: '1000000', output: '2000000' } }
  const book = { bookId: BOOK_ID, bookCompanyId, effectiveFrom: '2026-02-01T00:00:00.000Z' }
  const prices = { 'svc/chat-default': price, 'svc/chat-cheap': price }
  const times = { publishedAt: '2026-01-31T12:00:00.000Z', anchoredAt: '2026-01-31T12:00:01.000Z' }
  const data = { companyId: bookCompanyId ?? COMMON_LEDGER_ID, ...book, prices, retired: [], replacesAll: false }
  return { type: 'PriceBookAnchored', data: { ...data, ...times, ...changes } }
}

export function expired(companyId: string, changes: Changes<'CreditsExpired'> = {}): LedgerEvent {
  const expiry = { grantId: randomUUID(), amountMicros: '300', expiredBeforeMicros: '0' }
  return { type: 'CreditsExpired', data: { companyId, ...expiry, expiredAt: AT, ...changes } }
}

export function withdrawn(companyId: string, changes: Changes<'CreditsWithdrawn'> = {}): LedgerEvent {
  const withdrawal = { grantId: randomUUID(), disputeId: 'dp_1', withdrawal: 1, amountMicros: '300' }
  return { type: 'CreditsWithdrawn', data: { companyId, ...withdrawal, withdrawnAt: AT, ...changes } }
}

export function reinstated(companyId: string, changes: Changes<'CreditsReinstated'> = {}): LedgerEvent {
  const given = { grantId: randomUUID(), disputeId: 'dp_1', amountMicros: '300', reinstatedBeforeMicros: '0' }
  return { type: 'CreditsReinstated', data: { companyId, ...given, reinstatedAt: AT, ...changes } }
}

export function refunded(companyId: string, changes: Changes<'CreditsRefunded'> = {}): LedgerEvent {
  const refund = { refundId: randomUUID(), grantId: null, amountMicros: '300', reason: 'a chargeback' }
  return { type: 'CreditsRefunded', data: { companyId, ...refund, refundedAt: AT, ...changes } }
}
