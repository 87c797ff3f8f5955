import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { withUpcasting } from '../../../platform/eventStore/upcasting.ts'
import { calls } from '../../../projections/calls/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { collect } from '../../../test/support/events/events.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { AT, charged, failed, granted, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import type { Call } from './generated.ts'
import { shownCall, shownCalls } from './shownCall.ts'

const companyId = randomUUID()
const charge = charged(companyId)
const { eventId, event: reversal } = new LedgerWriter(
  new PursuingAppender(new MemoryEventStore(), new ManualClock()),
).draft({ type: 'ReverseCharge', charge: charge.data, reason: 'told 503', at: AT })

const callAfter = async (...events: LedgerEvent[]) => {
  const ledgers = withUpcasting(new MemoryEventStore())
  const stream = streamName('ledger', companyId)
  await ledgers.append(
    stream,
    'none',
    events.map((event) => anEventOf(event)),
  )
  const stored = await collect(ledgers.readStream(stream))
  const [row] = applyEvents(calls, stored).values()
  if (!row) throw new Error('the events have no call')
  const { lines, serviceTier, tierFactor, ...call } = shownCall(row, ledgers) as unknown as Shown
  return { ...call, lines: await lines(), serviceTier: await serviceTier(), tierFactor: await tierFactor() }
}

type OnRequest = { [Field in 'lines' | 'serviceTier' | 'tierFactor']: () => Promise<Call[Field]> }
type Shown = Omit<Call, keyof OnRequest> & OnRequest

test('a call names its charge, and the reversal of it, by the ids that the ledger gives them', async () => {
  expect((await callAfter(charge)).eventIds).toEqual([charge.data.callId])
  expect((await callAfter(charge, reversal)).eventIds).toEqual([charge.data.callId, eventId])
})

test('a charge has its lines with credits and exact amounts, and the factor of its service tier', async () => {
  const lines = [
    { kind: 'input', count: 10, rate: '2500000', amountMicros: '50' },
    { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-20' },
  ]
  const tier = { serviceTier: 'priority', tierFactor: '2000000' }
  const charge = charged(companyId, { lines, amountMicros: '30', ...tier, abandoned: true })
  const shown = {
    lines: [
      { kind: 'input', count: 10, rateCredits: 2.5, rateMicros: '2500000', credits: 0.00005, amountMicros: '50' },
      { kind: 'beyondBound', count: 0, rateCredits: 0, rateMicros: '0', credits: -0.00002, amountMicros: '-20' },
    ],
    ...{ serviceTier: 'priority', tierFactor: 2, abandoned: true },
  }
  expect(await callAfter(granted(companyId), charge)).toMatchObject(shown)
  expect(await callAfter(granted(companyId), charge, reversed(charge))).toMatchObject({ ...shown, state: 'REVERSED' })
})

test('a call without lines shows none', async () => {
  const none = { lines: null, serviceTier: null, tierFactor: null, abandoned: false }
  expect(await callAfter(charged(companyId, none))).toMatchObject(none)
  expect(await callAfter(failed(companyId))).toMatchObject(none)
})

test('the charges of a page are read one after the other, each once, and only if they are asked for', async () => {
  const ledgers = withUpcasting(new MemoryEventStore())
  const stream = streamName('ledger', companyId)
  await ledgers.append(
    stream,
    'none',
    Array.from({ length: 3 }, () => anEventOf(charged(companyId))),
  )
  const rows = [...applyEvents(calls, await collect(ledgers.readStream(stream))).values()]
  const [reads, open] = [[] as number[], { now: 0, most: 0 }]
  const watched = {
    async *readStream(...args: Parameters<typeof ledgers.readStream>) {
      reads.push(args[1]?.from ?? -1)
      open.most = Math.max(open.most, ++open.now)
      try {
        yield* ledgers.readStream(...args)
      } finally {
        open.now -= 1
      }
    },
  } as unknown as Pick<TypedEventStore, 'readStream'>
  const shown = shownCalls(rows, watched) as unknown as Shown[]
  expect(reads).toEqual([])
  await Promise.all(shown.flatMap(({ lines, serviceTier }) => [lines(), serviceTier()]))
  expect([reads, open.most]).toEqual([[0, 1, 2], 1])
})
