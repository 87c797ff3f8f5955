import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { expireKeys } from './expireKeys.ts'
import { removeOldAnswers } from './removeOldAnswers.ts'

const ROUND_MS = 1_000
const REMOVAL_MS = 60_000

/** Policies: what follows from what happened, or from time passing, sent as commands. */
export async function startReactor(runtime: Pick<Runtime, 'engines' | 'clock' | 'log'>): Promise<RunningService> {
  const { clock, log } = runtime
  const stopping = new AbortController()
  const inRounds = async (work: () => Promise<unknown>, roundMs: number, failed: string) => {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error }, failed))
      await clock.delay(roundMs, stopping.signal)
    }
  }
  const running = Promise.all([
    inRounds(() => expireKeys(runtime), ROUND_MS, 'keys could not be expired now'),
    inRounds(() => removeOldAnswers(runtime), REMOVAL_MS, 'old answers could not be removed now'),
  ])
  return {
    name: 'reactor',
    url: null,
    drain: async () => {
      stopping.abort()
      await running
    },
  }
}
