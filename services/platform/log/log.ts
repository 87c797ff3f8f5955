import { renameSync, statSync } from 'node:fs'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { isoTime } from '../clock/clock.ts'
import { SettingError } from '../config/settingError.ts'
import { withoutSecrets, withoutSecretTexts } from './redact.ts'

export const LOG_FILE_BYTES_MAX = 64 * 1024 * 1024

export type Log = Logger

const ROTATION_CHECK_MS = 5_000
/** Lines are written in blocks, because a write for each would cost more than the line; and twice a second at the latest. */
const BLOCK_BYTES = 8 * 1024
const FLUSH_MS = 500
/** Lines that wait for a disk that takes none; beyond this they are dropped. */
const WAITING_BYTES_MAX = 1024 * 1024

export type LogOptions = {
  readonly level: string
  /** A path, or null for standard output. */
  readonly file: string | null
}

export type OpenLog = {
  readonly log: Log
  /** Adds a line that a log elsewhere has made: see forwardingLog. */
  write(line: string): void
  /** From now on also gives each line to this listener, which must neither wait nor throw. */
  tap(listener: (line: string) => void): void
  close(): void
}

/** JSON lines. Nothing secret leaves the process, and a disk that is full costs lines but never a call. */
export function openLog({ level, file }: LogOptions): OpenLog {
  const destination = openDestination(file)
  destination.on('error', () => {})
  let onLine: ((line: string) => void) | null = null
  let block = ''
  const handOver = () => {
    if (block !== '') destination.write(block)
    block = ''
  }
  const write = (line: string) => {
    // Standard output is often watched: it gets what one turn of the event loop has to say, with one write.
    if (file === null && block === '') setImmediate(handOver)
    block += line
    if (block.length >= BLOCK_BYTES) handOver()
    onLine?.(line)
  }
  const tap = (listener: (line: string) => void) => {
    onLine = listener
  }
  const log = forwardingLog(level, write)
  if (file === null) {
    process.on('exit', handOver)
    const close = () => {
      process.off('exit', handOver)
      handOver()
    }
    return { log, write, tap, close }
  }
  const flush = () => {
    handOver()
    destination.flush()
  }
  const timers = [
    setInterval(() => rotate(file, () => destination.reopen()), ROTATION_CHECK_MS),
    setInterval(flush, FLUSH_MS),
  ]
  for (const timer of timers) timer.unref()
  process.on('exit', flush)
  return {
    log,
    write,
    tap,
    close: () => {
      for (const timer of timers) clearInterval(timer)
      process.off('exit', flush)
      flush()
    },
  }
}

/** The log of a thread whose lines another one writes: a file has one writer, who also rotates it. */
export function forwardingLog(level: string, write: (line: string) => void): Log {
  return pino(lineOptions(level), { write: (line: string) => write(withoutSecretTexts(line)) })
}

function lineOptions(level: string): LoggerOptions {
  return { level, base: null, timestamp: () => `,"time":"${isoTime(Date.now())}"`, formatters: { log: withoutSecrets } }
}

/**
 * Written by this thread, a block at a time: at its end a destination that writes in the background tries again for ever
 * what a full disk refuses, and the process never ends.
 */
function openDestination(file: string | null) {
  if (file === null) return pino.destination({ dest: 1, sync: true })
  try {
    return pino.destination({
      dest: file,
      sync: true,
      minLength: BLOCK_BYTES,
      maxLength: WAITING_BYTES_MAX,
      mkdir: true,
    })
  } catch (error) {
    throw new SettingError(`DATA_DIR: the log ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Two files at most: the current one, and one of the size limit before it. */
function rotate(file: string, reopen: () => void): void {
  try {
    if (statSync(file).size < LOG_FILE_BYTES_MAX) return
    renameSync(file, `${file}.1`)
    reopen()
  } catch {
    // Nothing to rotate now; the next check comes soon.
  }
}
