import { BEGINNING } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import type { Projection } from '../../projections/projection.ts'
import { CATCH_UP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { lowestPositions } from '../../projections/runner/checkpoints.ts'

/**
 * A note for the reader if these models lack events; empty if they are close to the event store. After a restore that
 * left them to the next start, they have no events at all.
 */
export async function noteBehind(
  { database, store }: Pick<Engines, 'database' | 'store'>,
  projections: readonly Projection[],
): Promise<string> {
  if ((await store.head()) === BEGINNING) return ''
  const reached = await lowestPositions(database, projections)
  const empty: string[] = []
  const behind: string[] = []
  for (const { name } of projections) {
    // Without one, the projector has not started yet, or not since an update that changed the model.
    const position = reached.get(name) ?? BEGINNING
    if (position === BEGINNING) empty.push(name)
    else if ((await store.eventsAfter(position)) >= CATCH_UP_EVENTS_MIN) behind.push(name)
  }
  return [
    empty.length > 0 ? `not built yet: ${empty.join(', ')}` : '',
    behind.length > 0 ? `far behind the event store: ${behind.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .map((part) => `Read models that are ${part}. "npm start" or the projector builds them.\n`)
    .join('')
}
