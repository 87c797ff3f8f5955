import { SettingError } from './config/settingError.ts'

/** A second signal within this time is the same Ctrl-C, arriving through the shell or npm as well. */
const SAME_SIGNAL_MS = 1_000

/**
 * Resolves at the first SIGINT or SIGTERM. A later, separate one means that the person will not wait for the drain:
 * `onImpatience` is called.
 */
export function untilSignalled(onImpatience: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt = 0
    const onSignal = (signal: NodeJS.Signals) => {
      const now = Date.now()
      if (firstAt === 0) {
        firstAt = now
        resolve(signal)
      } else if (now - firstAt > SAME_SIGNAL_MS) {
        onImpatience()
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/** One clear line for what a person can mend, the whole error for what only we can; exit code 1 for both. */
export function failStart(error: unknown): never {
  const isPlain = error instanceof SettingError || (error instanceof Error && error.name === 'Error')
  process.stderr.write(`tollgate: ${isPlain ? (error as Error).message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
}
