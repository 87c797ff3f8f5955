import { expect, test } from 'vitest'
import {
  isOver,
  isRenewalDue,
  SESSION_IDLE_MS,
  SESSION_MS_MAX,
  SESSION_RENEWAL_MS,
  sessionTimes,
} from './sessionTimes.ts'

const NOW = Date.UTC(2026, 5, 1)
const opened = sessionTimes(NOW, NOW + SESSION_MS_MAX)

test('a use moves the expiry, and never beyond the end of the session', () => {
  expect(opened.expiresAtMs).toBe(NOW + SESSION_IDLE_MS)
  expect(sessionTimes(NOW + 1_000, opened.endsAtMs).expiresAtMs).toBe(NOW + 1_000 + SESSION_IDLE_MS)
  expect(sessionTimes(opened.endsAtMs - 1, opened.endsAtMs).expiresAtMs).toBe(opened.endsAtMs)
  expect(isOver(opened, opened.expiresAtMs - 1)).toBe(false)
  expect(isOver(opened, opened.expiresAtMs)).toBe(true)
})

test('a session opened while the clock was ahead lasts no longer than any other from its next use on', () => {
  const correctedMs = NOW - 365 * 24 * 60 * 60_000
  expect(isRenewalDue(opened, correctedMs)).toBe(true)
  expect(sessionTimes(correctedMs, opened.endsAtMs)).toEqual({
    lastUsedAtMs: correctedMs,
    expiresAtMs: correctedMs + SESSION_IDLE_MS,
    endsAtMs: correctedMs + SESSION_MS_MAX,
  })
})

test('uses within a few minutes are written once', () => {
  expect(isRenewalDue(opened, NOW + SESSION_RENEWAL_MS - 1)).toBe(false)
  expect(isRenewalDue(opened, NOW + SESSION_RENEWAL_MS)).toBe(true)
})
