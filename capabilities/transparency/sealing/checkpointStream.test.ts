import { expect, test } from 'vitest'
import type { ForeignEvent } from '../../../platform/eventStore/port.ts'
import { removedEvents } from './checkpointStream.ts'

const storeWith = (...revisions: number[]) => ({
  foreignEvents: async function* () {
    for (const revision of revisions) yield { revision } as ForeignEvent
  },
})

test('a gap in the stream of checkpoints means removed events, except for events of other applications', async () => {
  expect(await removedEvents(storeWith(), 3, 3)).toBe(0)
  expect(await removedEvents(storeWith(), 3, 5)).toBe(2)
  expect(await removedEvents(storeWith(2, 3, 4, 5), 3, 5)).toBe(0)
  expect(await removedEvents(storeWith(4), 3, 5)).toBe(1)
})
