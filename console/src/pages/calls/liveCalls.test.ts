import { expect, test } from 'vitest'
import type { Call } from './callWords.ts'
import { type CallFilters, type CallPages, LIVE_ROWS_MAX, withCalls } from './liveCalls.ts'

const NO_FILTERS: CallFilters = { keyId: null, alias: null, label: null, state: null, from: null }

const callAt = (second: number, changes: Partial<Call> = {}): Call => ({
  id: `call-${second}`,
  state: 'CHARGED',
  alias: 'svc/chat-default',
  keyId: 'key-1',
  label: null,
  endpoint: '/chat/completions',
  streamed: false,
  tokensIn: 1,
  tokensCached: null,
  tokensOut: 1,
  amountMicros: '1',
  admittedAt: '2026-03-01T09:59:59.000Z',
  finishedAt: new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString(),
  reason: null,
  ...changes,
})

const listOf = (...pages: readonly Call[][]): CallPages => ({
  pages: pages.map((nodes) => ({ calls: { nodes, pageInfo: { hasNextPage: true, endCursor: 'end' } } })),
  pageParams: pages.map(() => null),
})

const idsOf = (pages: CallPages | null) => pages?.pages.map((page) => page.calls.nodes.map(({ id }) => id))

test('calls that have just ended are listed first, newest on top', () => {
  const list = withCalls(listOf([callAt(3), callAt(2)], [callAt(1)]), [callAt(4), callAt(5)], NO_FILTERS)
  expect(idsOf(list)).toEqual([['call-5', 'call-4', 'call-3', 'call-2'], ['call-1']])
  expect(list?.pages[0]?.calls.pageInfo).toEqual({ hasNextPage: true, endCursor: 'end' })
})

test('a call that is listed already is not listed again', () => {
  const before = listOf([callAt(3)], [callAt(1)])
  expect(withCalls(before, [callAt(3), callAt(1)], NO_FILTERS)).toBe(before)
})

test('only calls that match the filters are listed', () => {
  const others = [
    callAt(4, { keyId: 'key-2' }),
    callAt(5, { alias: 'svc/other' }),
    callAt(6, { label: null }),
    callAt(7, { state: 'FAILED' }),
    callAt(0),
  ].map((call) => (call.id === 'call-6' ? call : { ...call, label: 'nightly' }))
  const filters: CallFilters = {
    keyId: 'key-1',
    alias: 'svc/chat-default',
    label: 'nightly',
    state: 'CHARGED',
    from: '2026-03-01T10:00:01.000Z',
  }
  const list = withCalls(listOf([]), [...others, callAt(8, { label: 'nightly' })], filters)
  expect(idsOf(list)).toEqual([['call-8']])
})

test('a list that would grow too long is refetched', () => {
  const many = Array.from({ length: LIVE_ROWS_MAX + 1 }, (_, n) => callAt(n))
  expect(withCalls(listOf([callAt(1_000)]), many, NO_FILTERS)).toBeNull()
})
