import { expect, test } from 'vitest'
import type { TopUpEvent } from '../../contracts/events/topUp.ts'
import { streamName } from '../../contracts/streams.ts'
import { COMPANY } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import {
  ATTEMPT,
  topUpDeclined,
  topUpMethodSaved,
  topUpSet,
  topUpStarted,
  topUpSucceeded,
} from '../../test/support/events/topUpEvents.ts'
import { applyEvents } from '../projection.ts'
import { topUps } from './projection.ts'

const rowAfter = (...events: TopUpEvent[]) =>
  [...applyEvents(topUps, history(streamName('topUp', COMPANY), ...events)).values()][0]
const on = [topUpMethodSaved(), topUpSet()]
const off: TopUpEvent = {
  type: 'TopUpSwitchedOff',
  data: { companyId: COMPANY, reason: 'DECLINED', switchedOffBy: null, switchedOffAt: '2026-03-10T10:00:00.000Z' },
}

test('top-up is on once it is set, and off after that', () => {
  expect(rowAfter(topUpMethodSaved())).toMatchObject({ isOn: false, thresholdMicros: null })
  expect(rowAfter(...on)).toMatchObject({ isOn: true, thresholdMicros: '50000000', triedAtMicros: null })
  expect(rowAfter(...on, off)).toMatchObject({ isOn: false, thresholdMicros: '50000000' })
})

test('an attempt is running until it succeeds or fails', () => {
  expect(rowAfter(...on, topUpStarted())).toMatchObject({ runningAttempt: ATTEMPT, triedAtMicros: '100000000' })
  expect(rowAfter(...on, topUpStarted(), topUpSucceeded())).toMatchObject({ runningAttempt: null, lastFailed: false })
  expect(rowAfter(...on, topUpStarted(), topUpDeclined())).toMatchObject({ runningAttempt: null, lastFailed: true })
})

test('a fall may be tried again after a decline and changed settings, until the next attempt', () => {
  const failed = [...on, topUpStarted(), topUpDeclined()]
  expect(rowAfter(...failed)).toMatchObject({ mayRepeat: false })
  expect(rowAfter(...failed, topUpSet())).toMatchObject({ mayRepeat: true })
  expect(rowAfter(...failed, topUpMethodSaved())).toMatchObject({ mayRepeat: true })
  expect(rowAfter(...failed, topUpSet(), topUpStarted())).toMatchObject({ mayRepeat: false })
})

test('a payment that is reported late does not end the attempt that is running now', () => {
  const next = topUpStarted('aaaaaaaa-0000-4000-8000-000000000002')
  const row = rowAfter(...on, topUpStarted(), topUpDeclined(), topUpSet(), next, topUpSucceeded())
  expect(row).toMatchObject({ runningAttempt: 'aaaaaaaa-0000-4000-8000-000000000002' })
})
