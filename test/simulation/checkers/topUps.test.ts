import { expect, test } from 'vitest'
import type { TopUpEvent } from '../../../contracts/events/topUp.ts'
import {
  COMPANY,
  disputeFacts,
  disputeOpened,
  PURCHASE,
  purchaseCompleted,
} from '../../support/events/billingEvents.ts'
import { resumed, suspended } from '../../support/events/controlEvents.ts'
import {
  ATTEMPT,
  topUpDeclined,
  topUpMethodSaved,
  topUpSet,
  topUpStarted,
  topUpSucceeded,
} from '../../support/events/topUpEvents.ts'
import type { StoredEvent } from './events.ts'
import { storedStream } from './storedStream.ts'
import { paymentsWrong, type TopUpPayment } from './topUpPayments.ts'
import { topUpsWrong } from './topUps.ts'

const attemptId = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`
/** The nth attempt, of the nth fall. */
function started(n: number, changes: Partial<Extract<TopUpEvent, { type: 'TopUpStarted' }>['data']> = {}): TopUpEvent {
  const event = topUpStarted(attemptId(n)) as Extract<TopUpEvent, { type: 'TopUpStarted' }>
  return { ...event, data: { ...event.data, grantsMicros: `${n}00000000`, ...changes } }
}
const off = (reason: 'ADMIN' | 'DECLINED'): TopUpEvent => ({
  type: 'TopUpSwitchedOff',
  data: { companyId: COMPANY, reason, switchedOffBy: null, switchedOffAt: '2026-03-10T10:00:00.000Z' },
})
const on = [topUpMethodSaved(), topUpSet()]
const wrongOf = (...events: readonly TopUpEvent[]) => topUpsWrong(storedStream(`topUp-${COMPANY}`, ...events))
const failed = (n: number) => [started(n), topUpDeclined(attemptId(n))]

test('attempts follow each other within the ceiling', () => {
  expect(wrongOf(...on, started(1), topUpSucceeded(), started(2), topUpSucceeded(attemptId(2)))).toBeNull()
  const paid = [1, 2].flatMap((n) => [started(n), topUpSucceeded(attemptId(n))])
  expect(wrongOf(...on, ...paid, ...failed(3))).toContain('3000 exceed the ceiling of 2500')
  expect(wrongOf(...on, ...failed(1), ...failed(2), started(3), topUpSucceeded(attemptId(3)))).toBeNull()
})

test('an attempt beside another one, while top-up is off, or above the threshold is found', () => {
  expect(wrongOf(...on, started(1), started(2))).toContain('starts beside')
  expect(wrongOf(...on, off('ADMIN'), started(1))).toContain('off')
  expect(wrongOf(...on, started(1, { balanceMicros: '50000000' }))).toContain('not below the threshold')
})

test('a fall is tried again only after a failure and a change', () => {
  const again = started(2, { grantsMicros: '100000000' })
  expect(wrongOf(...on, ...failed(1), again)).toContain('tried again')
  expect(wrongOf(...on, ...failed(1), topUpSet(), again, topUpSucceeded(attemptId(2)))).toBeNull()
  expect(wrongOf(...on, started(1), topUpSucceeded(), topUpSet(), again)).toContain('tried again')
})

test('an attempt ends once, and a payment counts also after a decline', () => {
  expect(wrongOf(...on, started(1))).toContain('has not ended')
  expect(wrongOf(...on, ...failed(1), topUpSucceeded())).toBeNull()
  expect(wrongOf(...on, started(1), topUpSucceeded(), topUpSucceeded())).toContain('was paid before')
})

test('three declines in a row switch top-up off', () => {
  const declines = [1, 2, 3].flatMap(failed)
  expect(wrongOf(...on, ...declines, off('DECLINED'))).toBeNull()
  expect(wrongOf(...on, ...declines)).toContain('stays on after 3 declines')
  expect(wrongOf(...on, ...failed(1), off('DECLINED'))).toContain('after 1 declines')
})

const payment: TopUpPayment = {
  ...{ id: 'pi_1', attemptId: ATTEMPT, companyId: COMPANY, isPaid: true, minor: 1_000 },
  atMs: Date.parse('2026-03-10T10:02:00.000Z'),
}
const at = (recordedAt: string, events: readonly StoredEvent[]) => events.map((event) => ({ ...event, recordedAt }))
const early = '2026-03-10T10:00:00.000Z'
const known = [
  ...storedStream(`topUp-${COMPANY}`, ...on, topUpStarted(), topUpSucceeded()),
  ...storedStream(`purchase-${PURCHASE}`, purchaseCompleted()),
]

test('an attempt has one payment, which is known and buys one pack', () => {
  expect(paymentsWrong(known, [payment])).toBeNull()
  expect(paymentsWrong(known, [payment, { ...payment, id: 'pi_2' }])).toContain('has 2 payments')
  expect(paymentsWrong(known, [])).toContain('is paid 0 times, known as paid 1 times')
  expect(paymentsWrong(known.slice(0, -1), [payment])).toContain('bought 0 packs')
  expect(paymentsWrong(known, [{ ...payment, minor: 900 }])).toContain('another price')
  expect(paymentsWrong([], [payment])).toContain('was not started')
})

test('a payment long after a suspension or a dispute began is found, unless that has ended', () => {
  const stop = at(early, storedStream(`company-${COMPANY}`, suspended(COMPANY)))
  const go = at('2026-03-10T10:01:00.000Z', storedStream(`company-${COMPANY}`, resumed(COMPANY)))
  expect(paymentsWrong([...known, ...stop], [payment])).toContain('120 s after')
  expect(paymentsWrong([...known, ...stop, ...go], [payment])).toBeNull()
  const opened = disputeOpened()
  const dispute = at(early, storedStream('dispute-du_1', opened))
  expect(paymentsWrong([...known, ...dispute], [payment])).toContain('was disputed')
  const won = { ...opened, data: { ...opened.data, facts: disputeFacts({ status: 'WON' }) } }
  expect(paymentsWrong([...known, ...at(early, storedStream('dispute-du_1', won))], [payment])).toBeNull()
})
