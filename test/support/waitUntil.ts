import { vi } from 'vitest'

/** Shorter than a test's own limit, so that this message is the one that is read. */
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 5

/** Waits for a condition, not for a guess of how long it takes. Resolves with what the condition answered. */
export function waitUntil<Found>(
  what: string,
  condition: () => Promise<Found | false | null | undefined> | Found | false | null | undefined,
): Promise<Found> {
  return vi.waitFor(
    async () => {
      const found = await condition()
      if (!found) throw new Error(`it did not come to pass that ${what}`)
      return found
    },
    { interval: LOOK_EVERY_MS, timeout: WAIT_MS },
  )
}
