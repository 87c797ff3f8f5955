import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { calls } from './projection.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(calls, history(streamName('ledger', COMPANY), ...events)).values(),
]

test('a charged call has its tokens and what it cost', () => {
  const counts = { tokensIn: 7, tokensCached: 3, tokensOut: 5, amountMicros: '17' }
  const call = charged(COMPANY, { label: 'team-a', ...counts })
  const { callId, keyId, alias, endpoint, streamed, admittedAt, finishedAt } = call.data
  expect(rowsAfter(call)).toEqual([
    {
      companyId: COMPANY,
      callId,
      keyId,
      state: 'CHARGED',
      ...{ alias, endpoint, streamed, label: 'team-a' },
      ...{ tokensIn: '7', tokensCached: '3', tokensOut: '5', chargedMicros: '17' },
      ...{ admittedAt, finishedAt, abandoned: false, reason: null, revision: '0' },
    },
  ])
})

test('a failed call costs nothing and has its reason', () => {
  expect(rowsAfter(failed(COMPANY, { reason: 'no_usage' }))).toMatchObject([
    { state: 'FAILED', chargedMicros: '0', tokensIn: '0', reason: 'no_usage' },
  ])
})

test('a call whose caller had left is abandoned, whether it was charged or failed', () => {
  expect(rowsAfter(charged(COMPANY, { abandoned: true }))).toMatchObject([{ state: 'CHARGED', abandoned: true }])
  expect(rowsAfter(failed(COMPANY, { reason: 'client_left' }))).toMatchObject([{ state: 'FAILED', abandoned: true }])
  expect(rowsAfter(failed(COMPANY))).toMatchObject([{ state: 'FAILED', abandoned: false }])
})

test('a reversed call keeps its tokens and the place of its charge, costs nothing and has the reason of the reversal', () => {
  const call = charged(COMPANY, { tokensIn: 7 })
  const end = { state: 'REVERSED', tokensIn: '7', chargedMicros: '0', reason: 'found late', revision: '1' }
  expect(rowsAfter(granted(COMPANY), call, reversed(call, { reason: 'found late' }))).toMatchObject([
    { callId: call.data.callId, ...end },
  ])
})

test('grants and refunds are not calls', () => {
  expect(rowsAfter(granted(COMPANY), refunded(COMPANY))).toEqual([])
})
