import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { history } from '../../test/support/events/history.ts'
import { adjusted, charged, granted, reversed } from '../../test/support/events/ledgerEvents.ts'
import { wrongCorrection } from './corrections.ts'
import { Replay } from './replay.ts'

const companyId = randomUUID()
const grantId = randomUUID()
const charge = charged(companyId, { amountMicros: '50' })
const grant = granted(companyId, { amountMicros: '100' })
const corrects = (entry: string, amountMicros: string) => adjusted(companyId, { amountMicros, corrects: entry })

/** Checks the events as a ledger: charges have the id of their call, and the grant has its own. */
function check(...events: LedgerEvent[]) {
  const recorded = history(streamName('ledger', companyId), ...events).map((event): Recorded<LedgerEvent> => {
    if (event.type === 'CreditsGranted') return { ...event, id: grantId }
    return event.type === 'CallCharged' ? { ...event, id: event.data.callId } : event
  })
  const replay = new Replay()
  for (const event of recorded) replay.add(event)
  const store = {
    readStream: async function* () {
      yield* recorded
    },
  } as unknown as TypedEventStore
  return wrongCorrection(store, companyId, null, replay)
}

test('corrections that leave an entry worth between nothing and its amount are correct', async () => {
  expect(await check(grant, adjusted(companyId, { amountMicros: '-900' }))).toBeNull()
  expect(await check(grant, corrects(grantId, '-60'), corrects(grantId, '-40'), corrects(grantId, '100'))).toBeNull()
  expect(await check(grant, charge, corrects(charge.data.callId, '50'))).toBeNull()
  expect(await check(charge, reversed(charge))).toBeNull()
})

test('an entry that is corrected by more than it was worth is found, with the event that did it', async () => {
  expect(await check(grant, corrects(grantId, '-60'), corrects(grantId, '-41'))).toMatchObject({
    what: `entry ${grantId} is corrected by more than it was worth`,
    event: { revision: 2 },
    micros: '-41',
  })
  expect(await check(grant, corrects(grantId, '1'))).toMatchObject({ event: { revision: 1 } })
})

test('a charge that is reversed after it was corrected is found', async () => {
  const { callId } = charge.data
  expect(await check(charge, corrects(callId, '50'), reversed(charge))).toMatchObject({
    event: { type: 'ChargeReversed' },
  })
  expect(await check(charge, reversed(charge), corrects(callId, '1'))).toMatchObject({
    event: { type: 'CreditsAdjusted' },
  })
})

test('a correction of an entry that is not on the ledger is found', async () => {
  expect((await check(grant, corrects(randomUUID(), '-1')))?.what).toMatch(/no earlier entry/)
})
