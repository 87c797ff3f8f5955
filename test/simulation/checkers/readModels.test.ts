import { expect, test } from 'vitest'
import type { NewEvent, Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { categoryOf } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import type { Projection } from '../../../projections/projection.ts'
import { appendMixedHistory } from '../../support/events/mixedHistory.ts'
import type { StoredEvent } from './events.ts'
import type { Fold, Row } from './folds/fold.ts'
import { difference, FOLDS } from './readModels.ts'

/** Events of every type, as a store would have them. */
async function everyEvent(): Promise<StoredEvent[]> {
  const stored: StoredEvent[] = []
  const revisions = new Map<string, number>()
  const append = async (stream: string, _expected: unknown, events: readonly NewEvent[]) => {
    for (const event of events) {
      const revision = revisions.get(stream) ?? 0
      revisions.set(stream, revision + 1)
      const recordedAt = new Date(Date.UTC(2026, 2, 10) + 7 * stored.length).toISOString()
      stored.push({ ...event, stream, revision, recordedAt } as unknown as StoredEvent)
    }
  }
  await appendMixedHistory({ append } as unknown as EventStore)
  return stored
}

/** What the product makes of the events, as rows of its table. */
function rowsOfProduct(projection: Projection, events: readonly StoredEvent[]): Row[] {
  const rows = new Map<string, object>()
  for (const event of events as unknown as Recorded<EventOf>[]) {
    if (!(projection.categories as readonly string[]).includes(categoryOf(event.stream))) continue
    for (const key of projection.rowsOf(event)) {
      const name = JSON.stringify(key)
      rows.set(name, projection.evolve(rows.get(name) as never, event, key))
    }
  }
  return [...rows.values()].map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value])),
  )
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function productOf({ table }: Fold, events: readonly StoredEvent[]): Row[] {
  const projection = PROJECTIONS.find((one) => one.table === table)
  if (!projection) throw new Error(`there is no read model ${table}`)
  return rowsOfProduct(projection, events)
}

test('every read model has an independent fold', () => {
  const tables = PROJECTIONS.map(({ table }) => table)
  expect(tables.filter((table) => !FOLDS.some((fold) => fold.table === table))).toEqual([])
})

test.for(FOLDS.map((fold) => [fold.table, fold] as const))(
  '%s is what the product makes of every event',
  async ([, fold]) => {
    const events = await everyEvent()
    const expected = fold.rowsOf(events)
    expect(expected).not.toHaveLength(0)
    expect(difference(fold, expected, productOf(fold, events))).toBeNull()
  },
)

test.for(FOLDS.map((fold) => [fold.table, fold] as const))('%s differs if a row or a value does', async ([, fold]) => {
  const events = await everyEvent()
  const expected = fold.rowsOf(events)
  const stored = productOf(fold, events)
  const [first = {}] = stored
  expect(difference(fold, expected, stored.slice(1))).toContain('has no row')
  expect(difference(fold, expected.slice(1), stored)).toContain('follows from no event')
  expect(difference(fold, expected, [first, ...stored])).toContain('twice')
  for (const name of Object.keys(expected[0] ?? {}).filter((column) => !fold.key.includes(column))) {
    const wrong = stored.map((row) => ({ ...row, [name]: 'wrong' }))
    expect(difference(fold, expected, wrong)).toContain(` ${name} wrong`)
  }
})
