import { setTimeout as wait } from 'node:timers/promises'

const lookEveryMs = 10

/** Waits for a condition, not for a guess of how long it takes. Resolves with what the condition answered. */
export async function until<Found>(
  what: string,
  condition: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
  msMax = 28_000,
): Promise<Found> {
  for (const endMs = performance.now() + msMax; ; await wait(lookEveryMs)) {
    const found = await condition()
    if (found) return found
    if (performance.now() > endMs) throw new Error(`not within ${msMax} ms: ${what}`)
  }
}
