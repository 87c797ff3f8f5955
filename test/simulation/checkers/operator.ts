import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { grouped, ofCategory, only, type StoredEvent, storedEvents } from './events.ts'

/** Nothing waits for an operator: no task is parked, and no payment event has failed. */
export function operator({ pglite }: Simulation): Checker {
  return {
    invariant: 'no operator is needed',
    end: () => waitingForOperator(storedEvents(pglite)),
  }
}

export function waitingForOperator(events: readonly StoredEvent[]): string | null {
  for (const [stream, own] of grouped(ofCategory(events, 'task'), (event) => event.stream)) {
    const last = only(own, 'TaskParked', 'TaskRequeued', 'TaskCompleted').at(-1)
    if (last?.type === 'TaskParked') return `${stream} is parked: ${last.data.error}`
  }
  for (const [stream, own] of grouped(ofCategory(events, 'webhook'), (event) => event.stream)) {
    const last = own.at(-1)
    if (last?.type === 'WebhookFailed') return `${stream} has failed: ${last.data.error}`
  }
  return null
}
