import { expect, test } from 'vitest'
import { compareReports, type Known, knownFromAnswer } from './providerReport.ts'

type Facts = { readonly status: string; readonly amount?: string }

const EARLIER = '2026-03-01T09:59:59.000Z'
const THEN = '2026-03-01T10:00:00.000Z'
const LATER = '2026-03-01T10:00:01.000Z'
const isFinal = ({ status }: Facts) => status === 'paid'
const known = (status: string, answered = false): Known<Facts> => ({ facts: { status }, saidAt: THEN, answered })
const compare = (before: Known<Facts> | null, saidAt: string, status: string) =>
  compareReports(before, { facts: { status }, saidAt }, isFinal)

test('the newest report by the time of the provider counts, in whatever order reports arrive', () => {
  expect(compare(null, THEN, 'open')).toBe('newer')
  expect(compare(known('open'), LATER, 'failed')).toBe('newer')
  expect(compare(known('open'), EARLIER, 'failed')).toBe('older')
})

test('a final state stays, and wins even if its report is older', () => {
  expect(compare(known('paid'), LATER, 'failed')).toBe('older')
  expect(compare(known('failed'), EARLIER, 'paid')).toBe('newer')
  expect(compare(known('paid'), THEN, 'failed')).toBe('older')
  expect(compare(known('failed'), THEN, 'paid')).toBe('newer')
})

test('equal reports of the same second do not need an answer', () => {
  expect(compare(known('open'), THEN, 'open')).toBe('older')
})

test('reports of the same second that disagree need an answer of the provider, once', () => {
  expect(compare(known('open'), THEN, 'failed')).toBe('ask')
  expect(compare(known('open', true), THEN, 'failed')).toBe('older')
  expect(compare(known('open', true), LATER, 'failed')).toBe('newer')
})

test.each([
  ['within the second', '2026-03-01T10:00:00.900Z', 'ask'],
  ['after it, by a clock that may be ahead of the provider’s', '2026-03-01T10:00:05.999Z', 'ask'],
  ['well after it', '2026-03-01T10:00:06.000Z', 'older'],
  ['at a time that the first schema version did not record', null, 'older'],
])('a report of a second about which the provider was asked %s', (_, askedAt, verdict) => {
  const answer = knownFromAnswer({ facts: { status: 'open' }, saidAt: THEN, askedAt })
  expect(compare(answer, THEN, 'failed')).toBe(verdict)
  expect(compare(answer, THEN, 'open')).toBe('older')
  expect(compare(answer, LATER, 'failed')).toBe('newer')
})
