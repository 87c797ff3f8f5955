import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { history } from '../../../test/support/events/history.ts'
import { charged, failed, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { KeySpendView, PERIODS_KEPT_MAX } from './keySpend.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const A = '33333333-3333-4333-8333-333333333333'
const B = '44444444-4444-4444-8444-444444444444'
const NOON = '2026-03-31T12:00:00.000Z'
const recorded = (...events: LedgerEvent[]) => history(streamName('ledger', COMPANY), ...events)
const one = (event: LedgerEvent) => recorded(event)[0] as Recorded<LedgerEvent>
const call = (keyId: string, amountMicros: string, admittedAt = NOON) =>
  charged(COMPANY, { keyId, amountMicros, admittedAt })
const expected = (view: KeySpendView, id: string, micros: bigint, isHeld = false) =>
  view.expect(id, { keyId: A, admittedAt: NOON, micros }, isHeld)

describe('the spend of keys', () => {
  test('is counted by day, by month and in total, for the keys that are asked for', () => {
    const view = new KeySpendView()
    for (const event of recorded(call(A, '5'), call(B, '7'), call(A, '11', '2026-04-01T00:00:00.000Z'))) {
      view.apply(event)
    }
    const of = (period: string) => view.spentMicros([A, B], period)
    expect(['2026-03-31', '2026-04-01', '2026-03', '2026-04', 'total'].map(of)).toEqual([12n, 11n, 12n, 11n, 23n])
    expect(view.spentMicros([A], 'total')).toBe(16n)
    expect(view.spentMicros([COMPANY], 'total')).toBe(0n)
  })

  test('of a day is still known after calls on later days, when the clock is right again', () => {
    const view = new KeySpendView()
    const days = ['2026-03-31', '2026-04-01', '2026-04-02', '2026-07-15']
    for (const [n, day] of days.entries()) view.apply(one(call(A, String(2 ** n), `${day}T12:00:00.000Z`)))
    view.apply(one(call(A, '100', '2026-03-31T13:00:00.000Z')))
    expect(days.map((day) => view.spentMicros([A], day))).toEqual([101n, 2n, 4n, 8n])
    expect(view.spentMicros([A], '2026-03')).toBe(101n)
    // A day that had no calls before those on later days.
    view.apply(one(call(A, '1000', '2026-03-30T12:00:00.000Z')))
    view.apply(one(call(A, '100', '2026-07-15T13:00:00.000Z')))
    const spent = ['2026-03-30', ...days].map((day) => view.spentMicros([A], day))
    expect(spent).toEqual([1_000n, 101n, 2n, 4n, 108n])
  })

  test('is kept for a limited number of days, the newest ones', () => {
    const view = new KeySpendView()
    const day = (n: number) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString()
    for (let n = 0; n <= PERIODS_KEPT_MAX; n++) view.apply(one(call(A, '5', day(n))))
    expect(view.spentMicros([A], day(0).slice(0, 10))).toBe(0n)
    expect(view.spentMicros([A], day(1).slice(0, 10))).toBe(5n)
    view.apply(one(call(A, '5', day(0))))
    expect(view.spentMicros([A], day(0).slice(0, 10))).toBe(0n)
    expect(view.spentMicros([A], 'total')).toBe(BigInt(5 * (PERIODS_KEPT_MAX + 2)))
  })

  test('is given back by a reversal, in the period of the call', () => {
    const view = new KeySpendView()
    const first = call(A, '5')
    for (const event of recorded(first, call(A, '7', '2026-04-01T00:00:00.000Z'), reversed(first))) view.apply(event)
    expect([view.spentMicros([A], '2026-03'), view.spentMicros([A], '2026-04')]).toEqual([0n, 7n])
  })

  test('includes an expected charge once, before and after it is delivered', () => {
    const view = new KeySpendView()
    const event = one(call(A, '5'))
    expected(view, event.id, 5n)
    expect(view.spentMicros([A], 'total')).toBe(5n)
    view.apply(event)
    expect(view.spentMicros([A], 'total')).toBe(5n)
    view.forget(event.id)
    expect(view.spentMicros([A], 'total')).toBe(5n)
  })

  test('drops an expected charge that was not stored or ended as a failure', () => {
    const view = new KeySpendView()
    const failure = one(failed(COMPANY, { keyId: A }))
    expected(view, failure.id, 5n)
    expected(view, 'lost', 7n)
    view.forget('lost')
    view.apply(failure)
    expect(view.spentMicros([A], 'total')).toBe(0n)
  })

  test('without held charges in progress leaves out those of the period only', () => {
    const view = new KeySpendView()
    expected(view, 'held', 5n, true)
    expected(view, 'free', 7n)
    const unheld = (period: string) => view.unheldMicros([A], period)
    expect(['2026-03-31', '2026-03', 'total', '2026-04-01'].map(unheld)).toEqual([7n, 7n, 7n, 0n])
  })

  test('counts an event once if the feed delivers it twice', () => {
    const view = new KeySpendView({ idsAreUnique: false })
    const event = one(call(A, '5'))
    view.apply(event)
    view.apply(event)
    expect(view.spentMicros([A], 'total')).toBe(5n)
  })
})
