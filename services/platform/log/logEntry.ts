import { pino } from 'pino'
import type { LogEntry } from '../sharedState/logEntry.ts'
import type { LogFanOut } from '../sharedState/port.ts'

/** Of one line of a log on its way to readers; a longer one loses its context. */
export const LOG_ENTRY_CHARS_MAX = 16 * 1024

/** A listener for the log's lines that shows them to whoever watches. While nobody does it only looks whether. */
export function toReaders(fanOut: LogFanOut, service: string): (line: string) => void {
  return (line) => {
    if (fanOut.hasReaders) fanOut.publish(logEntryOf(line, service))
  }
}

/** Reads a line that the log wrote; its secrets are blotted out in it already. */
export function logEntryOf(line: string, service: string): LogEntry {
  const { time, level, msg, ...context } = JSON.parse(line) as Record<string, unknown>
  const isLong = line.length > LOG_ENTRY_CHARS_MAX
  return {
    timestamp: String(time),
    level: pino.levels.labels[Number(level)] ?? String(level),
    message: String(msg ?? '').slice(0, LOG_ENTRY_CHARS_MAX),
    context: isLong ? { omitted: `${line.length} characters are more than a reader is sent` } : context,
    service,
  }
}
