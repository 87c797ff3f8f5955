import { randomUUID } from 'node:crypto'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'

type DataOf<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { type: Type }>['data']
type Changes<Type extends LedgerEvent['type']> = Partial<DataOf<Type>>
type Charged = Extract<LedgerEvent, { type: 'CallCharged' }>

export const AT = '2026-03-01T10:00:30.000Z'

/** The fields of version 2 for a call without known details. */
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
  const grant = { grantId: randomUUID(), source: 'ADJUSTMENT', amountMicros: '1000000', reason: 'a test' } as const
  return { type: 'CreditsGranted', data: { companyId, ...grant, grantedAt: AT, ...changes } }
}

export function charged(companyId: string, changes: Changes<'CallCharged'> = {}): Charged {
  const price = {
    bookId: '99999999-9999-4999-8999-999999999999',
    inputMicrosPerMillionTokens: '1000000',
    outputMicrosPerMillionTokens: '2000000',
  }
  const used = { tokensIn: 10, tokensOut: 20, amountMicros: '50', price }
  return { type: 'CallCharged', data: { ...aCall(companyId), ...used, ...changes } }
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

export function refunded(companyId: string, changes: Changes<'CreditsRefunded'> = {}): LedgerEvent {
  const refund = { refundId: randomUUID(), amountMicros: '300', reason: 'a chargeback' }
  return { type: 'CreditsRefunded', data: { companyId, ...refund, refundedAt: AT, ...changes } }
}
