import { Unanswered } from './client.ts'

const PAUSE_MS = 500

/** Tries until there is an answer, as long as the load lasts. null if it ended before. */
export async function patiently<Result>(
  isOn: () => boolean,
  work: () => Promise<Result | null>,
): Promise<Result | null> {
  while (isOn()) {
    try {
      const result = await work()
      if (result !== null) return result
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
    }
    await pause(PAUSE_MS)
  }
  return null
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
