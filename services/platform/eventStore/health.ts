import type { EventStore } from './port.ts'

export type EventStoreHealth = { readonly status: 'healthy' | 'degraded'; readonly latency_ms: number | null }

const ANSWER_MS_MAX = 2_000

/** Asks the store where it stands. One that does not answer in time counts as degraded. */
export async function eventStoreHealth(store: EventStore): Promise<EventStoreHealth> {
  const began = performance.now()
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_MS_MAX)
  try {
    await Promise.race([store.head(), timeIsUp])
    return { status: 'healthy', latency_ms: Math.round((performance.now() - began) * 100) / 100 }
  } catch {
    return { status: 'degraded', latency_ms: null }
  } finally {
    clearTimeout(timer)
  }
}
