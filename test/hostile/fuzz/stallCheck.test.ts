import { expect, test } from 'vitest'
import type { WireCase } from '../wireCase.ts'
import { findStall } from './stallCheck.ts'

const GOOD: WireCase = { name: 'good', service: 'gateway', head: '' }
const BAD: WireCase = { name: 'bad', service: 'gateway', head: '' }
const SHORT_MS = 10
const LONG_MS = 80

/** Reports these stalls one after the other, and short ones from then on. */
function chance(...stallsMs: number[]) {
  return async () => stallsMs.shift() ?? SHORT_MS
}

test('a stall that occurs once or twice is attributed to chance', async () => {
  expect(await findStall([GOOD, BAD], chance(LONG_MS))).toBeNull()
  expect(await findStall([GOOD, BAD], chance(LONG_MS, SHORT_MS, LONG_MS))).toBeNull()
})

test('a case that stalls on its own is reported, even if not every time', async () => {
  let sent = 0
  const send = async (cases: readonly WireCase[]) => (cases.includes(BAD) && ++sent % 4 !== 0 ? LONG_MS : SHORT_MS)
  expect(await findStall([GOOD, BAD], send)).toEqual({ stallMs: LONG_MS, cases: [BAD] })
})

test('cases that stall only together are reported together', async () => {
  const send = async (cases: readonly WireCase[]) => (cases.length > 1 ? LONG_MS : SHORT_MS)
  expect(await findStall([GOOD, BAD], send)).toEqual({ stallMs: LONG_MS, cases: [GOOD, BAD] })
})
