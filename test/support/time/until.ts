import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 10

/** Polls until the condition holds, and resolves with its result. Throws after msMax. */
export async function until<Found>(
  what: string,
  condition: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
  msMax = 28_000,
): Promise<Found> {
  for (const endMs = performance.now() + msMax; ; await wait(POLL_MS)) {
    const found = await condition()
    if (found) return found
    if (performance.now() > endMs) throw new Error(`not within ${msMax} ms: ${what}`)
  }
}
