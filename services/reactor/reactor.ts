import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { expireKeys } from './expireKeys.ts'

const ROUND_MS = 1_000

/** Policies: what follows from what happened, or from time passing, sent as commands. */
export async function startReactor(runtime: Pick<Runtime, 'engines' | 'clock' | 'log'>): Promise<RunningService> {
  const { clock, log } = runtime
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await expireKeys(runtime).catch((error: unknown) => log.warn({ err: error }, 'keys could not be expired now'))
      await clock.delay(ROUND_MS, stopping.signal)
    }
  }
  const running = run()
  return {
    name: 'reactor',
    url: null,
    drain: async () => {
      stopping.abort()
      await running
    },
  }
}
