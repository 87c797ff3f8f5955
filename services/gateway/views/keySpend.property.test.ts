import fc from 'fast-check'
import { expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { keySpend } from '../../../projections/keySpend/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { history } from '../../../test/support/events/history.ts'
import { charged, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { KeySpendView } from './keySpend.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const A = '33333333-3333-4333-8333-333333333333'

test('a seeded view and one that followed all events agree on the two newest days and months', () => {
  const day = fc.integer({ min: 0, max: 40 }).map((n) => new Date(Date.UTC(2026, 2, 1 + n, 5)).toISOString())
  const calls = fc.array(fc.record({ at: day, micros: fc.nat(99), isBack: fc.boolean() }), { maxLength: 30 })
  fc.assert(
    fc.property(calls, fc.nat(30), (made, cut) => {
      const events = history(
        streamName('ledger', COMPANY),
        ...made
          .toSorted((x, y) => (x.at < y.at ? -1 : 1))
          .flatMap(({ at, micros, isBack }) => {
            const charge = charged(COMPANY, { keyId: A, amountMicros: String(micros), admittedAt: at })
            return isBack ? [charge, reversed(charge)] : [charge]
          }),
      )
      const followed = new KeySpendView()
      for (const event of events) followed.apply(event)
      const seeded = new KeySpendView()
      const rows = [...applyEvents(keySpend, events.slice(0, cut)).values()]
      seeded.seed(rows.toSorted((x, y) => (x.period < y.period ? -1 : 1)))
      for (const event of events.slice(cut)) seeded.apply(event)
      const last =
        made
          .map(({ at }) => at)
          .toSorted()
          .at(-1) ?? '2026-03-31T12:00:00.000Z'
      for (const period of [last.slice(0, 10), last.slice(0, 7), 'total']) {
        expect(seeded.spentMicros([A], period)).toBe(followed.spentMicros([A], period))
      }
    }),
    { numRuns: propertyRuns({ few: 50, many: 300 }) },
  )
})
