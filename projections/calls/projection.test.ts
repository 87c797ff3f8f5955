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
  const call = charged(COMPANY, { label: 'team-a', tokensIn: 7, tokensCached: 3, tokensOut: 5, amountMicros: '17' })
  const { callId, keyId, alias, endpoint, streamed, admittedAt, finishedAt } = call.data
  expect(rowsAfter(call)).toEqual([
    {
      companyId: COMPANY,
      callId,
      keyId,
      state: 'CHARGED',
      ...{ alias, endpoint, streamed, label: 'team-a' },
      ...{ tokensIn: '7', tokensCached: '3', tokensOut: '5', chargedMicros: '17' },
      ...{ admittedAt, finishedAt, reason: null },
    },
  ])
})

test('a failed call costs nothing and has its reason', () => {
  expect(rowsAfter(failed(COMPANY, { reason: 'no_usage' }))).toMatchObject([
    { state: 'FAILED', chargedMicros: '0', tokensIn: '0', reason: 'no_usage' },
  ])
})

test('a reversed call keeps its tokens, costs nothing and has the reason of the reversal', () => {
  const call = charged(COMPANY, { tokensIn: 7 })
  expect(rowsAfter(call, reversed(call, { reason: 'found late' }))).toMatchObject([
    { callId: call.data.callId, state: 'REVERSED', tokensIn: '7', chargedMicros: '0', reason: 'found late' },
  ])
})

test('grants and refunds are not calls', () => {
  expect(rowsAfter(granted(COMPANY), refunded(COMPANY))).toEqual([])
})
