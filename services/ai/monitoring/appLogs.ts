import { open, stat } from 'node:fs/promises'
import { parseLogLine } from '../../../platform/logger/logLines.ts'
import type { LogEntry } from '../../../platform/sharedState/logEntry.ts'
import type { LogFanOut, LogSubscription } from '../../../platform/sharedState/port.ts'

/** The log viewer searches the end of the file, or the entries kept in memory. */
export const LOG_TAIL_BYTES_MAX = 8 * 1024 * 1024
const LOG_ENTRIES_KEPT_MAX = 5_000

/** From the least to the most severe. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type LogFilter = {
  /** This level and higher ones. */
  readonly level?: LogLevel
  readonly service?: string
  /** A text in the message or its context, ignoring case. */
  readonly text?: string
  readonly sinceMs?: number
  readonly limit: number
}

export type FoundLogs = { readonly source: 'file' | 'memory'; readonly entries: LogEntry[] }

/**
 * The log entries of the services, the newest first. They come from the log file if the installation writes one, because a
 * reader of the live log slows down every call of the gateway; otherwise from entries seen since this process started.
 */
export class AppLogs {
  readonly #file: string
  readonly #defaultService: string
  #live: LogSubscription | null = null
  #kept: LogEntry[] = []

  /** `defaultService` is the service of lines that name none. */
  constructor(file: string, defaultService: string) {
    this.#file = file
    this.#defaultService = defaultService
  }

  /** Starts to collect entries in memory, if there is no log file. */
  async start(fanOut: LogFanOut): Promise<void> {
    if ((await stat(this.#file).catch(() => null)) !== null) return
    this.#live = fanOut.subscribe()
    void this.#keep(this.#live)
  }

  async find(filter: LogFilter): Promise<FoundLogs> {
    if (this.#live) return { source: 'memory', entries: newestFirst(this.#kept.values(), filter) }
    return { source: 'file', entries: newestFirst(this.#entriesOf(await tailOf(this.#file)), filter) }
  }

  close(): void {
    this.#live?.close()
  }

  async #keep(live: LogSubscription): Promise<void> {
    for await (const { entry } of live) {
      this.#kept.unshift(entry)
      if (this.#kept.length > LOG_ENTRIES_KEPT_MAX) this.#kept.length = LOG_ENTRIES_KEPT_MAX
    }
  }

  *#entriesOf(lines: readonly string[]): Iterable<LogEntry> {
    for (const line of lines.toReversed()) {
      const entry = parseEntry(line, this.#defaultService)
      if (entry) yield entry
    }
  }
}

function newestFirst(entries: Iterable<LogEntry>, { limit, ...filter }: LogFilter): LogEntry[] {
  const found: LogEntry[] = []
  for (const entry of entries) {
    // Lines are in order of time, so the first one that is too old ends the search.
    if (filter.sinceMs !== undefined && Date.parse(entry.timestamp) < filter.sinceMs) break
    if (matches(entry, filter)) found.push(entry)
    if (found.length === limit) break
  }
  return found
}

function matches(entry: LogEntry, { level, service, text }: Omit<LogFilter, 'limit'>): boolean {
  if (level !== undefined && LOG_LEVELS.indexOf(entry.level as LogLevel) < LOG_LEVELS.indexOf(level)) return false
  if (service !== undefined && entry.service !== service) return false
  if (text === undefined) return true
  return `${entry.message} ${JSON.stringify(entry.context)}`.toLowerCase().includes(text.toLowerCase())
}

function parseEntry(line: string, defaultService: string): LogEntry | null {
  try {
    const { context, ...entry } = parseLogLine(line, defaultService)
    const { service, ...rest } = context as { service?: unknown }
    return { ...entry, service: typeof service === 'string' ? service : defaultService, context: rest }
  } catch {
    return null
  }
}

/** The last lines of the file, up to the limit. */
async function tailOf(path: string): Promise<string[]> {
  const file = await open(path).catch(() => null)
  if (!file) return []
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, LOG_TAIL_BYTES_MAX))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
    const lines = bytes.subarray(0, bytesRead).toString().split('\n')
    // If the file is longer, the first line is incomplete.
    return size > bytes.length ? lines.slice(1) : lines
  } finally {
    await file.close()
  }
}
