import { setTimeout as wait } from 'node:timers/promises'
import { PATIENCE } from './patience.ts'

const POLL_MS = 10

/** Polls until the condition holds, and resolves with its result. Throws after msMax, or later with more patience. */
export async function until<Found>(
  what: string,
  condition: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
  msMax = 28_000,
): Promise<Found> {
  const waitedMsMax = msMax * PATIENCE
  for (const endMs = performance.now() + waitedMsMax; ; await wait(POLL_MS)) {
    const found = await condition()
    if (found) return found
    if (performance.now() > endMs) throw new Error(`not within ${waitedMsMax} ms: ${what}`)
  }
}
