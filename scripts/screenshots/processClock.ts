import { systemClock } from '../../platform/clock/clock.ts'
import type { InstallationClock } from '../../platform/clock/installationClock.ts'

/** Replaces `installationClock.ts` and `databaseTime.ts`: services use the clock of their process, wherever it jumps. */
export const CLOCK_SETTLE_MS = 0
export const CLOCK_JUMP_MS = Number.POSITIVE_INFINITY
export const openInstallationClock = async (): Promise<InstallationClock> => ({
  ...systemClock,
  steadyMs: () => Number.POSITIVE_INFINITY,
  stop: () => {},
})
export const databaseNowMs = async (): Promise<number> => systemClock.now()
