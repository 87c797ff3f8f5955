import { renameSync, statSync } from 'node:fs'
import { type Logger, type LoggerOptions, pino } from 'pino'
import { type Clock, isoTime, systemClock, type Timer } from '../clock/clock.ts'
import { SettingError } from '../config/settingError.ts'
import { activeSpan } from '../tracing/activeSpan.ts'
import { withoutSecrets, withoutSecretTexts } from './redact.ts'

export const LOG_FILE_BYTES_MAX = 64 * 1024 * 1024

export type Log = Logger

const ROTATION_CHECK_MS = 5_000
/** Lines are written in blocks, because one write per line costs more than the line; at least twice a second. */
const BLOCK_BYTES = 8 * 1024
const FLUSH_MS = 500
/** How many lines may wait for a full disk; further lines are dropped. */
const WAITING_BYTES_MAX = 1024 * 1024

export type LogOptions = {
  readonly level: string
  /** A path, or null for standard output. */
  readonly file: string | null
  /** The log opens before there is a runtime, so the clock has a default. */
  readonly clock?: Clock
}

export type OpenLog = {
  readonly log: Log
  /** Writes a line that comes from a forwardingLog. */
  write(line: string): void
  /** Also passes each further line to this listener, which must neither block nor throw. */
  tap(listener: (line: string) => void): void
  close(): void
}

/** Writes JSON lines with secrets redacted. A full disk loses lines but never fails a call. */
export function openLog({ level, file, clock = systemClock }: LogOptions): OpenLog {
  const destination = openDestination(file)
  destination.on('error', () => {})
  let onLine: ((line: string) => void) | null = null
  let block = ''
  const writeBlock = () => {
    if (block !== '') destination.write(block)
    block = ''
  }
  const write = (line: string) => {
    // People watch standard output, so lines are written at the end of each turn of the event loop.
    if (file === null && block === '') setImmediate(writeBlock)
    block += line
    if (block.length >= BLOCK_BYTES) writeBlock()
    onLine?.(line)
  }
  const tap = (listener: (line: string) => void) => {
    onLine = listener
  }
  const log = forwardingLog(level, write, clock)
  if (file === null) {
    process.on('exit', writeBlock)
    const close = () => {
      process.off('exit', writeBlock)
      writeBlock()
    }
    return { log, write, tap, close }
  }
  const flush = () => {
    writeBlock()
    destination.flush()
  }
  const timers: readonly Timer[] = [
    clock.every(ROTATION_CHECK_MS, () => rotate(file, () => destination.reopen())),
    clock.every(FLUSH_MS, flush),
  ]
  process.on('exit', flush)
  return {
    log,
    write,
    tap,
    close: () => {
      for (const timer of timers) timer.cancel()
      process.off('exit', flush)
      flush()
    },
  }
}

/** The log of a thread whose lines another thread writes: the log file has only one writer, which also rotates it. */
export function forwardingLog(level: string, write: (line: string) => void, clock: Clock = systemClock): Log {
  return pino(lineOptions(level, clock), { write: (line: string) => write(withoutSecretTexts(line)) })
}

function lineOptions(level: string, clock: Clock): LoggerOptions {
  const timestamp = () => `,"time":"${isoTime(clock.now())}"`
  return {
    level,
    base: null,
    timestamp,
    mixin: traceFields,
    mixinMergeStrategy: merged,
    formatters: { log: withoutSecrets },
  }
}

const NO_FIELDS = Object.freeze({})

/** Lines logged inside a span name its trace. */
function traceFields(): object {
  const span = activeSpan()
  return span === undefined ? NO_FIELDS : { traceId: span.traceId }
}

/** The default would mix the fields of a line into those of the trace. */
function merged(fields: object, trace: object): object {
  return trace === NO_FIELDS ? fields : { ...trace, ...fields }
}

/**
 * Writes synchronously, a block at a time: an asynchronous destination that is closed on a full disk retries for ever,
 * and the process never exits.
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

/** Keeps at most two files: the current one and the previous one. */
function rotate(file: string, reopen: () => void): void {
  try {
    if (statSync(file).size < LOG_FILE_BYTES_MAX) return
    renameSync(file, `${file}.1`)
    reopen()
  } catch {
    // The next check tries again.
  }
}
