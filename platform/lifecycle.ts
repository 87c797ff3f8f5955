import { systemClock } from './clock/clock.ts'
import { SettingError } from './config/settingError.ts'

/** A second signal within this time is the same Ctrl-C, forwarded by the shell or npm. */
const SAME_SIGNAL_MS = 1_000

/**
 * Resolves at the first SIGINT or SIGTERM. A later, separate one calls `onSecondSignal`: the operator does not want to
 * wait for the drain.
 */
export function untilSignalled(onSecondSignal: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const onSignal = (signal: NodeJS.Signals) => {
      const now = systemClock.monotonicMs()
      if (firstAt === null) {
        firstAt = now
        resolve(signal)
      } else if (now - firstAt > SAME_SIGNAL_MS) {
        onSecondSignal()
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/** Prints one line for an error that the operator can fix, and the stack for any other; exits with code 1. */
export function failStart(error: unknown): never {
  const isPlain = error instanceof SettingError || (error instanceof Error && error.name === 'Error')
  process.stderr.write(`tollgate: ${isPlain ? (error as Error).message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
}
