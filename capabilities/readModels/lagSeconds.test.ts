import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { ConsumerLags } from './consumerLags.ts'
import { lagSeconds } from './lagSeconds.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
/** Positions of events with their age in seconds. */
const STORED: readonly [string, number][] = [
  ['1', 7_200],
  ['2', 60],
  ['3', 4],
]
const at = (text: string) => text as Position

const store = {
  readAll: async ({ after }: { after: Position }) => {
    const next = STORED.find(([position]) => position > after)
    const recordedAt = new Date(NOW - (next?.[1] ?? 0) * 1000).toISOString()
    return { events: next ? [{ recordedAt }] : [], position: after }
  },
} as unknown as Pick<EventStore, 'readAll'>

const projection = (partitions: [string, string, number][]) => ({
  name: 'usage',
  version: 1,
  lagEvents: 0,
  partitions: partitions.map(([partition, position, lagEvents]) => ({ partition, position: at(position), lagEvents })),
})
const lags = (given: Partial<ConsumerLags>): ConsumerLags => ({ head: at('3'), relay: null, projections: [], ...given })

test('the lag of a consumer is the age of the first event that it has not processed', async () => {
  const { length } = STORED
  for (const [position, behind, seconds] of [
    [BEGINNING, length, 7_200],
    ['1', 2, 60],
    ['3', 0, 0],
  ] as const) {
    const ages = await lagSeconds(lags({ projections: [projection([['all', position, behind]])] }), store, NOW)
    expect(ages).toEqual([{ consumer: 'projector-usage', seconds }])
  }
})

test('a partition that has read all its messages is as old as the relay, however old its last message is', async () => {
  const relay = { feedId: '', epoch: 1, updatedAt: '', position: at('2'), partitions: { 'ledger-0': at('1') } }
  const given = { relay: { ...relay, lagEvents: 1 }, projections: [projection([['ledger-0', '1', 1]])] }
  expect(await lagSeconds(lags(given), store, NOW)).toEqual([
    { consumer: 'relay', seconds: 4 },
    { consumer: 'projector-usage', seconds: 4 },
  ])
})

test('a read model that is not built yet has no lag', async () => {
  expect(await lagSeconds(lags({ projections: [projection([])] }), store, NOW)).toEqual([])
})
