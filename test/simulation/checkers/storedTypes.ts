import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'

/** Counts the stored events of each type, so that a report shows what a load leads to. */
export function storedTypes({ pglite, counters }: Simulation): Checker {
  return {
    invariant: 'stored events are counted',
    end: () => {
      for (const [type, count] of rowsOf(
        pglite,
        'select type, count(*) from event_store.events group by 1 order by 1',
      )) {
        counters.hit(`${type} is stored`, Number(count))
      }
      return null
    },
  }
}
