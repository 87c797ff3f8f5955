import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../contracts/position.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { aCharge } from '../benchDatabase.ts'
import type { Company } from './companies.ts'

export const EVENTS_PER_SECOND = 1_000

export type Appended = {
  readonly stream: string
  readonly position: Position
  /** The due time and the time of the acknowledgement, from `performance.now()`. */
  readonly dueMs: number
  readonly acknowledgedMs: number
}

/**
 * Appends charges at a steady rate, each when it is due, even if earlier ones are not acknowledged. Times count from
 * the due time, which avoids coordinated omission.
 */
export async function appendSteadily(
  store: EventStore,
  companies: readonly Company[],
  ms: number,
  onAppended: (appended: Appended) => void,
): Promise<void> {
  const count = (ms * EVENTS_PER_SECOND) / 1000
  const beganMs = performance.now()
  const dueMsOf = (n: number) => beganMs + (n * 1000) / EVENTS_PER_SECOND
  const append = async (n: number) => {
    const company = companies[n % companies.length] as Company
    const charge = aCharge(company.id, company.keyId, n)
    const { position } = await store.append(company.stream, 'any', [charge])
    onAppended({ stream: company.stream, position, dueMs: dueMsOf(n), acknowledgedMs: performance.now() })
  }
  const appends: Promise<void>[] = []
  while (appends.length < count) {
    while (appends.length < count && dueMsOf(appends.length) <= performance.now()) appends.push(append(appends.length))
    await delay(1)
  }
  await Promise.all(appends)
}
