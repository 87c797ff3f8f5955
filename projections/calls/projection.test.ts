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

const LINES = [
  { kind: 'input', count: 4, rate: '2000000', amountMicros: '16' },
  { kind: 'image', count: 1, rate: '3000000', amountMicros: '3' },
  { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-2' },
]

test('a charged call has its tokens and what it cost', () => {
  const amounts = { amountMicros: '17', lines: LINES, serviceTier: 'priority', tierFactor: '2000000' }
  const call = charged(COMPANY, { label: 'team-a', tokensIn: 7, tokensCached: 3, tokensOut: 5, ...amounts })
  const { callId, keyId, alias, endpoint, streamed, admittedAt, finishedAt } = call.data
  expect(rowsAfter(call)).toEqual([
    {
      companyId: COMPANY,
      callId,
      keyId,
      state: 'CHARGED',
      ...{ alias, endpoint, streamed, label: 'team-a' },
      ...{ tokensIn: '7', tokensCached: '3', tokensOut: '5', chargedMicros: '17' },
      ...{ lines: LINES, serviceTier: 'priority', tierFactor: '2000000', abandoned: false },
      ...{ admittedAt, finishedAt, reason: null },
    },
  ])
})

test('a failed call costs nothing and has its reason', () => {
  expect(rowsAfter(failed(COMPANY, { reason: 'no_usage' }))).toMatchObject([
    { state: 'FAILED', chargedMicros: '0', tokensIn: '0', reason: 'no_usage' },
  ])
})

test('a charge from before charges had lines has none', () => {
  const rows = rowsAfter(charged(COMPANY, { lines: null, tierFactor: null }))
  expect(rows).toMatchObject([{ state: 'CHARGED', lines: null, serviceTier: null, tierFactor: null }])
})

test('a call whose caller had left is abandoned, whether it was charged or failed', () => {
  expect(rowsAfter(charged(COMPANY, { abandoned: true }))).toMatchObject([{ state: 'CHARGED', abandoned: true }])
  expect(rowsAfter(failed(COMPANY, { reason: 'client_left' }))).toMatchObject([{ state: 'FAILED', abandoned: true }])
  expect(rowsAfter(failed(COMPANY))).toMatchObject([{ state: 'FAILED', abandoned: false, lines: null }])
})

test('a reversed call keeps its tokens and lines, costs nothing and has the reason of the reversal', () => {
  const call = charged(COMPANY, { tokensIn: 7, lines: LINES })
  expect(rowsAfter(call, reversed(call, { reason: 'found late' }))).toMatchObject([
    {
      callId: call.data.callId,
      state: 'REVERSED',
      tokensIn: '7',
      chargedMicros: '0',
      reason: 'found late',
      lines: LINES,
    },
  ])
})

test('grants and refunds are not calls', () => {
  expect(rowsAfter(granted(COMPANY), refunded(COMPANY))).toEqual([])
})
