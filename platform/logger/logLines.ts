import { pino } from 'pino'
import type { LogEntry } from '../sharedState/logEntry.ts'
import type { LogFanOut } from '../sharedState/port.ts'

/** The size limit of a log line that is sent to readers; a longer one loses its context. */
export const LOG_ENTRY_CHARS_MAX = 16 * 1024

/** A listener that publishes log lines to the readers of the live log. Without readers it costs one check per line. */
export function publishLinesTo(fanOut: LogFanOut, service: string): (line: string) => void {
  return (line) => {
    if (fanOut.hasReaders) fanOut.publish(parseLogLine(line, service))
  }
}

/** Parses a log line, in which secrets are already redacted. */
export function parseLogLine(line: string, service: string): LogEntry {
  const { time, level, msg, ...context } = JSON.parse(line) as Record<string, unknown>
  const isLong = line.length > LOG_ENTRY_CHARS_MAX
  return {
    timestamp: String(time),
    level: pino.levels.labels[Number(level)] ?? String(level),
    message: String(msg ?? '').slice(0, LOG_ENTRY_CHARS_MAX),
    context: isLong ? { omitted: `${line.length} characters exceed the limit of ${LOG_ENTRY_CHARS_MAX}` } : context,
    service,
  }
}
