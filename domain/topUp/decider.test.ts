import { describe, expect, test } from 'vitest'
import type { TopUpEvent, TopUpOffReason } from '../../contracts/events/topUp.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { COMPANY, PACK, PURCHASE, USER } from '../../test/support/events/billingEvents.ts'
import { fold } from '../decider.ts'
import { type TopUpCommand, topUpDecider } from './decider.ts'
import { spentInMonth } from './state.ts'

const given = specificationOf(topUpDecider)
const AT = '2026-03-10T10:00:00.000Z'
const ATTEMPT = 'aaaaaaaa-0000-4000-8000-000000000001'
const NEXT_ATTEMPT = 'aaaaaaaa-0000-4000-8000-000000000002'
const about = { companyId: COMPANY, attemptId: ATTEMPT }
const CREDIT = 1_000_000n

const pack = { packId: PACK, creditsMicros: '100000000', price: '10', currency: 'usd', validDays: null }
const saved = {
  type: 'TopUpMethodSaved',
  data: {
    companyId: COMPANY,
    methodId: 'pm_1',
    customerId: 'cus_1',
    purchaseId: PURCHASE,
    agreedBy: USER,
    savedAt: AT,
  },
} as const satisfies TopUpEvent
const settingsOf = (ceilingMinor = '2500'): TopUpEvent => ({
  type: 'TopUpSet',
  data: {
    companyId: COMPANY,
    thresholdMicros: '50000000',
    packId: PACK,
    ceilingMinor,
    currency: 'usd',
    setBy: USER,
    setAt: AT,
  },
})
const on = [saved, settingsOf()]

const attemptAt = (startedAt: string, grantsMicros: bigint, attemptId = ATTEMPT): TopUpEvent => ({
  type: 'TopUpStarted',
  data: {
    ...{ companyId: COMPANY, attemptId, purchaseId: PURCHASE, methodId: 'pm_1', customerId: 'cus_1', userId: USER },
    ...{ grantsMicros: grantsMicros.toString(), balanceMicros: '-5', month: startedAt.slice(0, 7), startedAt },
    ...{ ...pack, amountMinor: '1000' },
  },
})
const started = attemptAt(AT, 100n * CREDIT)
const succeeded = (attemptId = ATTEMPT): TopUpEvent => ({
  type: 'TopUpSucceeded',
  data: { companyId: COMPANY, attemptId, paymentIntentId: 'pi_1', succeededAt: AT },
})
const declined = (attemptId = ATTEMPT): TopUpEvent => ({
  type: 'TopUpDeclined',
  data: {
    ...{ companyId: COMPANY, attemptId, amountMinor: '1000', currency: 'usd', paymentIntentId: 'pi_1' },
    ...{ reason: 'Your card was declined.', declinedAt: AT },
  },
})
const givenUp: TopUpEvent = { type: 'TopUpGivenUp', data: { ...about, reason: 'not confirmed', givenUpAt: AT } }
const switchedOff = (reason: TopUpOffReason): TopUpEvent => ({
  type: 'TopUpSwitchedOff',
  data: { companyId: COMPANY, reason, switchedOffBy: reason === 'ADMIN' ? USER : null, switchedOffAt: AT },
})

const start = (changes: Partial<Extract<TopUpCommand, { type: 'StartAttempt' }>> = {}): TopUpCommand => ({
  type: 'StartAttempt',
  ...{ companyId: COMPANY, attemptId: ATTEMPT, purchaseId: PURCHASE, changes: 2 },
  ...{ grantsMicros: 100n * CREDIT, balanceMicros: -5n, pack, at: AT },
  ...changes,
})
const set = (changes: Partial<Extract<TopUpCommand, { type: 'SetTopUp' }>> = {}): TopUpCommand => ({
  type: 'SetTopUp',
  ...{ companyId: COMPANY, thresholdMicros: 50n * CREDIT, pack, monthlyCeiling: '25', userId: USER, at: AT },
  ...changes,
})
const decline: TopUpCommand = {
  type: 'DeclineAttempt',
  ...{ ...about, paymentIntentId: 'pi_1', reason: 'Your card was declined.', at: AT },
}

describe('settings', () => {
  test('top-up needs a payment method that was saved with consent', () => {
    given()
      .when(set())
      .thenThrows('INVALID', /no saved payment method/)
    given(saved).when(set()).then(settingsOf())
  })

  test('the ceiling must allow at least one pack', () => {
    given(saved)
      .when(set({ monthlyCeiling: '9.99' }))
      .thenThrows('INVALID', /at least 10 usd/)
  })

  test('the same settings again change nothing, unless top-up was off', () => {
    given(...on)
      .when(set())
      .thenNothing()
    given(...on, switchedOff('ADMIN'))
      .when(set())
      .then(settingsOf())
  })

  test('switching off is recorded once', () => {
    const off: TopUpCommand = { type: 'SwitchOffTopUp', companyId: COMPANY, userId: USER, at: AT }
    given(...on)
      .when(off)
      .then(switchedOff('ADMIN'))
    given(...on, switchedOff('ADMIN'))
      .when(off)
      .thenNothing()
  })
})

describe('a payment that was given back', () => {
  const stop = (purchaseId = PURCHASE): TopUpCommand => ({
    type: 'StopAfterReturn',
    ...{ companyId: COMPANY, purchaseId, at: AT },
  })

  test('switches top-up off if top-up made it', () => {
    given(...on, started, succeeded())
      .when(stop())
      .then(switchedOff('PAYMENT_RETURNED'))
    given(...on, started, succeeded())
      .when(stop(NEXT_ATTEMPT))
      .thenNothing()
  })

  test('changes nothing if top-up is off', () => {
    given(...on, started, succeeded(), switchedOff('ADMIN'))
      .when(stop())
      .thenNothing()
  })
})

describe('removing the payment method', () => {
  const remove = (methodId = 'pm_1'): TopUpCommand => ({
    type: 'RemoveMethod',
    ...{ companyId: COMPANY, methodId, userId: USER, at: AT },
  })
  const data = { companyId: COMPANY, methodId: 'pm_1', removedBy: USER, removedAt: AT }
  const removed: TopUpEvent = { type: 'TopUpMethodRemoved', data }

  test('switches top-up off, and a new consent is needed', () => {
    given(saved).when(remove()).then(removed)
    given(...on)
      .when(remove())
      .then(switchedOff('ADMIN'), removed)
    given(...on, switchedOff('ADMIN'), removed)
      .when(set())
      .thenThrows('INVALID', /no saved payment method/)
  })

  test('happens once, and not to a method that was saved since', () => {
    given(saved, removed).when(remove()).thenNothing()
    given(saved).when(remove('pm_0')).thenNothing()
  })

  test('is not undone when the checkout that saved it is looked at again', () => {
    const { agreedBy: userId, savedAt: at, ...consent } = saved.data
    const again: TopUpCommand = { type: 'SaveMethod', ...consent, userId, at }
    given(saved, removed).when(again).thenNothing()
    const purchaseId = NEXT_ATTEMPT
    given(saved, removed)
      .when({ ...again, purchaseId })
      .then({ ...saved, data: { ...saved.data, purchaseId } })
  })
})

describe('starting an attempt', () => {
  test('a balance below the threshold starts one attempt with all that the payment needs', () => {
    given(...on)
      .when(start())
      .then(started)
  })

  test('nothing starts while top-up is off, or on a balance that is not below the threshold', () => {
    given(...on, switchedOff('ADMIN'))
      .when(start())
      .thenNothing()
    given(...on)
      .when(start({ balanceMicros: 50n * CREDIT }))
      .thenNothing()
  })

  test('settings that have changed since they were read start nothing', () => {
    given(...on)
      .when(start({ changes: 1 }))
      .thenNothing()
  })

  test('while an attempt is running no other one starts', () => {
    given(...on, started)
      .when(start({ attemptId: NEXT_ATTEMPT, grantsMicros: 200n * CREDIT }))
      .thenNothing()
  })

  test('a fall is paid for once, however late the balance is read, and the fall after the next grant again', () => {
    const later = { attemptId: NEXT_ATTEMPT, grantsMicros: 200n * CREDIT }
    given(...on, started, succeeded())
      .when(start())
      .thenNothing()
    given(...on, started, succeeded())
      .when(start({ grantsMicros: 90n * CREDIT }))
      .thenNothing()
    given(...on, started, succeeded())
      .when(start(later))
      .then(attemptAt(AT, 200n * CREDIT, NEXT_ATTEMPT))
  })

  test('after a decline the same fall is tried again only with changed settings or another payment method', () => {
    const repeat = start({ attemptId: NEXT_ATTEMPT, changes: 3 })
    given(...on, started, declined())
      .when(start())
      .thenNothing()
    given(...on, started, declined(), settingsOf())
      .when(repeat)
      .then(attemptAt(AT, 100n * CREDIT, NEXT_ATTEMPT))
    given(...on, started, succeeded(), settingsOf())
      .when(repeat)
      .thenNothing()
  })
})

describe('the ceiling of a month', () => {
  const next = (at: string, changes = {}) =>
    start({ attemptId: NEXT_ATTEMPT, grantsMicros: 300n * CREDIT, at, ...changes })
  const second = attemptAt(AT, 200n * CREDIT, NEXT_ATTEMPT)

  test('it counts started and succeeded attempts, and begins anew with the month in UTC', () => {
    const twice = [...on, started, succeeded(), second, succeeded(NEXT_ATTEMPT)]
    given(...twice)
      .when(next('2026-03-31T23:59:59.999Z'))
      .thenNothing()
    given(...twice)
      .when(next('2026-04-01T00:00:00.000Z'))
      .then(attemptAt('2026-04-01T00:00:00.000Z', 300n * CREDIT, NEXT_ATTEMPT))
  })

  test('it does not count declined attempts and those given up, and counts one that is paid late', () => {
    const spent = (...events: TopUpEvent[]) => spentInMonth(fold(topUpDecider, [...on, ...events]), '2026-03')
    expect(spent(started)).toBe(1000n)
    expect(spent(started, declined())).toBe(0n)
    expect(spent(started, givenUp)).toBe(0n)
    expect(spent(started, givenUp, succeeded())).toBe(1000n)
  })

  test('an attempt of the month before that is declined now leaves the new month as it is', () => {
    const april = attemptAt('2026-04-01T00:00:00.000Z', 200n * CREDIT, NEXT_ATTEMPT)
    const state = fold(topUpDecider, [...on, started, givenUp, april, succeeded()])
    expect(spentInMonth(state, '2026-04')).toBe(1000n)
  })

  test('a pack in another currency than that of the ceiling starts nothing', () => {
    given(...on)
      .when(start({ pack: { ...pack, currency: 'eur' } }))
      .thenNothing()
  })
})

describe('the end of an attempt', () => {
  test('three declines in a row switch top-up off', () => {
    const nth = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`
    const tried = [1, 2].flatMap((n) => [attemptAt(AT, BigInt(n) * CREDIT, nth(n)), declined(nth(n))])
    const third = attemptAt(AT, 3n * CREDIT, nth(3))
    const last = { ...decline, attemptId: nth(3) } as TopUpCommand
    given(...on, ...tried, third)
      .when(last)
      .then(declined(nth(3)), switchedOff('DECLINED'))
    given(...on, ...tried, settingsOf(), third)
      .when(last)
      .then(declined(nth(3)))
    const fourth = attemptAt(AT, 4n * CREDIT, nth(4))
    given(...on, ...tried, third, succeeded(nth(3)), fourth)
      .when({ ...last, attemptId: nth(4) } as TopUpCommand)
      .then(declined(nth(4)))
  })

  test('an attempt ends once, but a payment counts whenever it arrives', () => {
    const succeed: TopUpCommand = { type: 'SucceedAttempt', ...about, paymentIntentId: 'pi_1', at: AT }
    given(...on, started, succeeded())
      .when(decline)
      .thenNothing()
    given(...on, started, succeeded())
      .when(succeed)
      .thenNothing()
    given(...on, started, givenUp)
      .when(decline)
      .thenNothing()
    given(...on, started, givenUp)
      .when(succeed)
      .then(succeeded())
  })

  test('a bank asks for confirmation once, within 24 hours, and then the attempt is given up or succeeds', () => {
    const confirmUrl = 'https://pay.example/confirm/pi_1'
    const ask: TopUpCommand = { type: 'AskForConfirmation', ...about, paymentIntentId: 'pi_1', confirmUrl, at: AT }
    const confirmBy = '2026-03-11T10:00:00.000Z'
    const amount = { amountMinor: '1000', currency: 'usd' }
    const needed: TopUpEvent = {
      type: 'TopUpConfirmationNeeded',
      data: { ...about, ...amount, paymentIntentId: 'pi_1', confirmUrl, confirmBy, askedAt: AT },
    }
    given(...on, started)
      .when(ask)
      .then(needed)
    given(...on, started, needed)
      .when(ask)
      .thenNothing()
    given(...on, started, needed)
      .when({ type: 'GiveUpAttempt', ...about, reason: 'not confirmed', at: AT })
      .then(givenUp)
    given(...on, started, needed)
      .when({ type: 'SucceedAttempt', ...about, paymentIntentId: 'pi_1', at: AT })
      .then(succeeded())
  })
})
