import { renameSync, statSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LIMITS } from '../../../contracts/limits.ts'
import { withoutSecrets } from './redact.ts'

export type Log = Logger

const ROTATION_CHECK_MS = 5_000
/** Lines are written in blocks, because a write for each would cost more than the line; and twice a second at the latest. */
const BLOCK_BYTES = 8 * 1024
const FLUSH_MS = 500

export type LogOptions = {
  readonly level: string
  /** A path, or null for standard output. */
  readonly file: string | null
}

export type OpenLog = { readonly log: Log; close(): void }

/** JSON lines. Nothing secret leaves the process. */
export function openLog({ level, file }: LogOptions): OpenLog {
  const destination = pino.destination({
    dest: file ?? 1,
    sync: file === null,
    minLength: file === null ? 0 : BLOCK_BYTES,
    mkdir: true,
  })
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
    },
    destination,
  )
  const timers: NodeJS.Timeout[] = []
  if (file !== null) {
    timers.push(setInterval(() => rotate(file, () => destination.reopen()), ROTATION_CHECK_MS))
    timers.push(setInterval(() => destination.flush(), FLUSH_MS))
    for (const timer of timers) timer.unref()
  }
  return {
    log,
    close: () => {
      for (const timer of timers) clearInterval(timer)
      destination.flushSync()
    },
  }
}

/** Two files at most: the current one, and one of the size limit before it. */
function rotate(file: string, reopen: () => void): void {
  try {
    if (statSync(file).size < LIMITS.logFileBytesMax) return
    renameSync(file, `${file}.1`)
    reopen()
  } catch {
    // Nothing to rotate now; the next check comes soon.
  }
}
