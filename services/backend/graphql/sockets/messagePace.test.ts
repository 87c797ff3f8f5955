import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/clock/clock.ts'
import {
  GRAPHQL_MESSAGES_PER_WINDOW,
  GRAPHQL_MESSAGES_WAITING_MAX,
  GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW,
  MessagePace,
} from './messagePace.ts'

let isIdentified: boolean
let isPaused: boolean
let excesses: number
let handled: number[]
let nextWindow: () => void
let pace: MessagePace
beforeEach(() => {
  isIdentified = false
  isPaused = false
  excesses = 0
  handled = []
  const after = (_ms: number, callback: () => void) => {
    nextWindow = callback
    return { cancel: () => {} }
  }
  pace = new MessagePace({
    socket: {
      pause: () => {
        isPaused = true
      },
      resume: () => {
        isPaused = false
      },
    },
    clock: { ...systemClock, after },
    isIdentified: () => isIdentified,
    onExcess: () => {
      excesses++
    },
  })
})

function send(count: number, from = 0): void {
  for (let n = from; n < from + count; n++) pace.take(() => handled.push(n))
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('messages beyond the pace wait for the next window, in their order, and the socket is not read meanwhile', () => {
  send(GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW)
  expect(isPaused).toBe(false)
  send(2, GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW)
  expect({ handled, isPaused }).toEqual({ handled: numbers(GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW), isPaused: true })
  nextWindow()
  expect({ handled, isPaused }).toEqual({
    handled: numbers(GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW + 2),
    isPaused: false,
  })
})

test('delayed messages count in the window in which they are handled', () => {
  send(2 * GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW)
  nextWindow()
  send(1, 100)
  expect(handled).not.toContain(100)
  nextWindow()
  expect(handled).toContain(100)
})

test('a socket that has shown its token may send more', () => {
  isIdentified = true
  send(GRAPHQL_MESSAGES_PER_WINDOW + 1)
  expect(handled).toHaveLength(GRAPHQL_MESSAGES_PER_WINDOW)
})

test('a socket is closed once if too many of its messages wait, and none of them is handled', () => {
  send(GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW + GRAPHQL_MESSAGES_WAITING_MAX)
  expect(excesses).toBe(0)
  send(10)
  expect(excesses).toBe(1)
  nextWindow()
  expect(handled).toHaveLength(GRAPHQL_UNIDENTIFIED_MESSAGES_PER_WINDOW)
})

test('a socket that sends many bytes is not read until the next window', () => {
  pace.read(256 * 1024)
  expect(isPaused).toBe(false)
  pace.read(1)
  expect(isPaused).toBe(true)
  nextWindow()
  expect(isPaused).toBe(false)
  pace.read(256 * 1024)
  expect(isPaused).toBe(false)
})
