import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { type LotTerms, WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import { streamName } from '../../../contracts/streams.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { ReadModels } from '../../../test/support/databases/readModels.ts'
import { collect } from '../../../test/support/events/events.ts'
import { charged, granted, refunded, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { CALL_AND_SETTLEMENT_MS, createCreditExpiry } from './expireCredits.ts'
import { keepCreditLots } from './keepCreditLots.ts'

const { log } = openLog({ level: process.env.TEST_LOG_LEVEL ?? 'silent', file: null })
const EXPIRES_AT = '2026-03-02T00:00:00.000Z'
const EXPIRING = { ...WITHOUT_EXPIRY, expiresAt: EXPIRES_AT }
const BEFORE = '2026-03-01T10:00:00.000Z'

let models: ReadModels
let clock: ManualClock
let stopping: AbortController
let keeping: Promise<void>
let companyId: string
let round: () => Promise<void>

beforeEach(async () => {
  models = await ReadModels.open()
  clock = new ManualClock()
  companyId = randomUUID()
  round = expiry()
  keep()
})
afterEach(async () => {
  await stop()
  await models.close()
})

function keep(): void {
  stopping = new AbortController()
  keeping = keepCreditLots({ engines: models, clock, log }, randomUUID(), stopping.signal)
}

async function stop(): Promise<void> {
  stopping.abort()
  await keeping
}

function expiry(): () => Promise<void> {
  const { database, store } = models
  const ledger = new LedgerWriter(new PursuingAppender(store, clock))
  return createCreditExpiry({ engines: { database, store, ledger }, clock, log })
}

const stream = () => streamName('ledger', companyId)
const append = (...events: LedgerEvent[]) => models.append(stream(), ...events)
const ledger = () => collect(models.store.readStream(stream()))
const types = async () => (await ledger()).map(({ type }) => type)

type Shown = { readonly lotId: string; readonly leftMicros: string; readonly expiredMicros: string }
const lots = () =>
  models.database.query<Shown>(
    'select lot_id, left_micros, expired_micros from credit_lots.lots where company_id = $1 order by age',
    [companyId],
  )
const left = async () => (await lots()).map(({ leftMicros }) => Number(leftMicros))

/** Waits until the lots include the whole ledger. */
async function folded(): Promise<void> {
  const last = (await ledger()).at(-1)?.revision ?? -1
  await until('the lots include the ledger', async () => {
    await clock.advance(1_000)
    const [row] = await models.database.query<{ revision: string }>(
      'select revision from credit_lots.companies where company_id = $1',
      [companyId],
    )
    return Number(row?.revision ?? -1) >= last
  })
}

/** Two rounds: the first one only sees where the ledger ends. */
async function rounds(): Promise<void> {
  await folded()
  await round()
  await round()
  await folded()
}

const grant = (amountMicros: string, lot: LotTerms = EXPIRING, grantId = randomUUID()) =>
  granted(companyId, { grantId, amountMicros, lot })
const charge = (amountMicros: string, admittedAt = BEFORE, finishedAt = admittedAt) =>
  charged(companyId, { amountMicros, admittedAt, finishedAt })

async function balance(): Promise<number> {
  return Number((await ledger()).reduce((sum, event) => sum + deltaMicros(event as LedgerEvent), 0n))
}

describe('the lots of a company', () => {
  test('follow its ledger: what expires first is used first, and a reversal restores to its lot', async () => {
    const first = charge('30')
    await append(grant('100', WITHOUT_EXPIRY), grant('50'), first, charge('40'))
    await folded()
    expect(await left()).toEqual([80, 0])
    await append(reversed(first))
    await folded()
    expect(await left()).toEqual([80, 30])
  })

  test('are the same after a restart, also for the reversal of a charge from before it', async () => {
    const first = charge('30')
    await append(grant('100', WITHOUT_EXPIRY), grant('50'), first, charge('40'))
    await folded()
    await stop()
    keep()
    await append(reversed(first), charge('5'))
    await folded()
    expect(await left()).toEqual([80, 25])
  })

  test('lose what a refund of their grant takes, and spent credits become a debt that the next lot pays', async () => {
    const grantId = randomUUID()
    await append(
      grant('100', WITHOUT_EXPIRY, grantId),
      charge('60'),
      refunded(companyId, { grantId, amountMicros: '70' }),
    )
    await folded()
    expect(await left()).toEqual([0])
    expect(await balance()).toBe(-30)
    await append(grant('100', WITHOUT_EXPIRY))
    await folded()
    expect(await left()).toEqual([0, 70])
  })

  test('count grants from before lots had terms as one', async () => {
    await append(granted(companyId, { amountMicros: '10' }), granted(companyId, { amountMicros: '5' }), charge('3'))
    await folded()
    expect(await lots()).toEqual([{ lotId: 'unlimited', leftMicros: '12', expiredMicros: '0' }])
  })
})

describe('credits expire', () => {
  const expire = async (afterMs = CALL_AND_SETTLEMENT_MS) => {
    clock.stall(Date.parse(EXPIRES_AT) + afterMs - clock.now())
    await rounds()
  }

  test('once no call that was admitted before can still be charged, and once', async () => {
    await append(grant('50'), charge('20'))
    await expire(CALL_AND_SETTLEMENT_MS - 60_000)
    expect(await types()).not.toContain('CreditsExpired')
    await expire()
    await rounds()
    round = expiry()
    await rounds()
    expect((await ledger()).filter(({ type }) => type === 'CreditsExpired')).toMatchObject([
      { data: { amountMicros: '30', expiredBeforeMicros: '0' } },
    ])
    expect(await balance()).toBe(0)
  })

  test('and are given back to a charge that comes later although it was admitted before', async () => {
    await append(grant('50'))
    await expire()
    await append(charge('20'))
    await rounds()
    await rounds()
    expect((await ledger()).slice(-1)).toMatchObject([
      { type: 'CreditsReinstated', data: { amountMicros: '20', disputeId: null } },
    ])
    expect(await balance()).toBe(0)
    expect(await lots()).toMatchObject([{ leftMicros: '0', expiredMicros: '30' }])
  })

  test('and are given back if their payment is refunded later, so that they are not lost twice', async () => {
    const grantId = randomUUID()
    await append(grant('100', WITHOUT_EXPIRY), grant('50', EXPIRING, grantId))
    await expire()
    await append(refunded(companyId, { grantId, amountMicros: '50' }))
    await rounds()
    await rounds()
    expect((await ledger()).slice(-1)).toMatchObject([
      { type: 'CreditsReinstated', data: { grantId, amountMicros: '50', disputeId: null } },
    ])
    expect([await balance(), await left()]).toEqual([100, [100, 0]])
  })

  test('not while the lots lack a part of the ledger', async () => {
    await append(grant('50'))
    await folded()
    await stop()
    await append(charge('20'))
    clock.stall(Date.parse(EXPIRES_AT) + CALL_AND_SETTLEMENT_MS - clock.now())
    await round()
    await round()
    expect(await types()).not.toContain('CreditsExpired')
    keep()
    await rounds()
    expect(await types()).toContain('CreditsExpired')
    expect(await balance()).toBe(0)
  })

  test('and the share that rolls over is granted again, once', async () => {
    const rollover = { share: '500000', expiresAt: '2026-04-02T00:00:00.000Z' }
    await append(grant('51', { ...EXPIRING, rollover }))
    await expire()
    await rounds()
    round = expiry()
    await rounds()
    const [again, ...more] = (await ledger()).slice(2)
    expect(again).toMatchObject({
      type: 'CreditsGranted',
      data: { source: 'ROLLOVER', amountMicros: '25', lot: { expiresAt: rollover.expiresAt, rollover: null } },
    })
    expect(more).toEqual([])
    expect(await left()).toEqual([0, 25])
  })
})
