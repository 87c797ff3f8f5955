import { describe, expect, test } from 'vitest'
import { evolve, PASSAGE_BEGUN, type PassageEvent, passedStream, type StreamPassage } from './streamPassage.ts'

const arrived: PassageEvent = { type: 'bytesArrived' }
const passed = (deliveredChars: number): PassageEvent => ({ type: 'eventsPassed', deliveredChars })
const sorted = (isEnding: boolean, hasUnread = false): PassageEvent => ({ type: 'bytesSorted', isEnding, hasUnread })
const left = (isEnding: boolean, hasUnread = false): PassageEvent => ({
  ...{ type: 'callerLeft', isEnding, hasUnread, drains: false },
})
const leftDraining: PassageEvent = { type: 'callerLeft', isEnding: false, hasUnread: false, drains: true }
const overdue: PassageEvent = { type: 'usageOverdue' }
const fails = (reason: string): PassageEvent => ({ type: 'failed', reason, fault: null })

const passageAfter = (...events: PassageEvent[]): StreamPassage => events.reduce(evolve, PASSAGE_BEGUN)

test.each<[string, PassageEvent[], StreamPassage['status']]>([
  ['a stream begins by waiting for bytes', [], 'waiting'],
  ['bytes that arrive are sorted', [arrived], 'sorting'],
  ['after sorting, the next bytes are awaited', [arrived, sorted(false)], 'waiting'],
  ['a caller that leaves before any finish_reason ends the provider call at once', [left(false)], 'givenUp'],
  ['a caller that leaves a stream that is drained changes nothing for its provider', [leftDraining], 'draining'],
  ['a drained stream goes on after each piece', [arrived, leftDraining, sorted(false), arrived], 'draining'],
  ['a drained stream is given up when its time or length is over', [leftDraining, overdue], 'givenUp'],
  ['bytes that have arrived when a caller leaves are read first', [left(false, true)], 'left'],
  ['bytes that are being sorted when a caller leaves are read first', [arrived, left(false)], 'left'],
  [
    'a finish_reason in what was left is followed by its usage block',
    [arrived, left(false), sorted(true)],
    'awaitingUsage',
  ],
  ['what was left is read to its end', [arrived, left(false), sorted(false, true)], 'left'],
  ['no finish_reason in what was left ends the provider call', [arrived, left(false), sorted(false)], 'givenUp'],
  ['a caller that leaves after a finish_reason has its usage block awaited', [left(true)], 'awaitingUsage'],
  ['so it has while bytes are being sorted', [arrived, left(true)], 'awaitingUsage'],
  ['more bytes do not end that wait', [left(true), arrived, sorted(false)], 'awaitingUsage'],
  ['a usage block that does not come in time ends the provider call', [left(true), overdue], 'givenUp'],
  ['nothing is overdue while the caller is there', [arrived, overdue], 'sorting'],
  ['a provider call that was ended is not awaited again', [left(false), arrived, sorted(true)], 'givenUp'],
])('%s', (_, events, status) => {
  expect(passageAfter(...events).status).toBe(status)
})

describe('a failed stream', () => {
  test.each<[string, PassageEvent[]]>([
    ['while bytes are sorted', [arrived]],
    ['while the usage block is awaited', [left(true)]],
    ['after the provider call was ended', [left(false)]],
  ])('fails %s', (_, events) => {
    expect(passageAfter(...events, fails('provider_cut'))).toMatchObject({ status: 'failed', reason: 'provider_cut' })
  })

  test('keeps its first reason, whatever follows', () => {
    const failed = passageAfter(arrived, passed(3), fails('provider_error'))
    for (const event of [arrived, passed(5), sorted(true), left(true), overdue, fails('client_left')]) {
      expect(evolve(failed, event)).toBe(failed)
    }
  })
})

test('characters count as delivered as long as the caller is there', () => {
  const events = [arrived, passed(3), sorted(false), arrived, passed(4), left(true), passed(5), overdue, passed(6)]
  expect(passageAfter(...events).deliveredChars).toBe(7)
})

describe('the outcome of a stream', () => {
  const usage = { tokensIn: 1, tokensOut: 2, parts: {}, units: {}, serviceTier: null, total: null }
  const whole = { usage, finished: true, sawDone: true }

  test.each<[string, PassageEvent[], Partial<typeof whole>]>([
    ['that did not fail', [], {}],
    ['that did not fail, although nothing finished', [], { finished: false, sawDone: false }],
    ['whose caller left', [left(true)], {}],
    ['that was drained', [leftDraining, arrived, sorted(true)], {}],
    ['whose caller left, and which was not read to its end', [left(true), overdue, fails('client_left')], {}],
    ['that the provider cut after the last finish_reason', [fails('provider_cut')], { sawDone: false }],
    ['that the provider cut after [DONE]', [fails('provider_cut')], { finished: false }],
  ])('a stream %s is charged by its usage block', (_, events, end) => {
    expect(passedStream(passageAfter(...events), { ...whole, ...end })).toEqual({ failure: null, usage })
  })

  test.each<[string, PassageEvent[], object, string]>([
    ['without a usage block', [], { usage: null }, 'no_usage'],
    ['without a usage block that the provider cut', [fails('provider_cut')], { usage: null }, 'provider_cut'],
    [
      'that the provider cut before its end',
      [fails('provider_cut')],
      { finished: false, sawDone: false },
      'provider_cut',
    ],
    ['with an error of the provider, although it seems complete', [fails('provider_error')], {}, 'provider_error'],
    ['that is too large, although it seems complete', [fails('provider_too_large')], {}, 'provider_too_large'],
  ])('a stream %s is a failure', (_, events, end, reason) => {
    const result = passedStream(passageAfter(arrived, passed(9), ...events), { ...whole, ...end })
    expect(result).toMatchObject({ failure: { reason }, deliveredChars: 9 })
  })
})
