import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { history } from '../../../test/support/events/history.ts'
import { charged, expired, granted } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { BalanceView } from './balances.ts'
import { LapsingCredits } from './lapsingCredits.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const lotId = '22222222-2222-4222-8222-222222222222'
const lot = { companyId, lotId, expiresAtMs: 1_000, lapsingMicros: 30n, bookedMicros: 0n }

function viewAfter(...events: LedgerEvent[]) {
  const clock = new ManualClock(0)
  const lapsing = new LapsingCredits(clock)
  const view = new BalanceView({ lapsing })
  const apply = (...more: LedgerEvent[]) => {
    for (const event of history(`ledger-${companyId}`, ...more)) view.apply(event)
  }
  apply(...events)
  return { clock, lapsing, apply, balance: () => Number(view.balanceMicros(companyId)) }
}

test('expired credits no longer count from their time on, before the ledger says so', () => {
  const { clock, lapsing, balance } = viewAfter(granted(companyId, { amountMicros: '50' }))
  lapsing.replace([lot])
  expect(balance()).toBe(50)
  clock.stall(1_000)
  expect(balance()).toBe(20)
})

test('what the ledger books is not taken a second time, however late the lots follow', () => {
  const { clock, lapsing, apply, balance } = viewAfter(granted(companyId, { amountMicros: '50' }))
  lapsing.replace([lot])
  clock.stall(1_000)
  apply(expired(companyId, { grantId: lotId, amountMicros: '30', expiredBeforeMicros: '0' }))
  expect(balance()).toBe(20)
  lapsing.replace([lot])
  expect(balance()).toBe(20)
  lapsing.replace([{ ...lot, lapsingMicros: 5n, bookedMicros: 30n }])
  expect(balance()).toBe(15)
})

test('a charge of the last calls lowers what lapses once the lots have followed', () => {
  const { clock, lapsing, apply, balance } = viewAfter(granted(companyId, { amountMicros: '50' }))
  lapsing.replace([lot])
  clock.stall(1_000)
  apply(charged(companyId, { amountMicros: '10' }))
  expect(balance()).toBe(10)
  lapsing.replace([{ ...lot, lapsingMicros: 20n }])
  expect(balance()).toBe(20)
})
