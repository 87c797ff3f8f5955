import { pino } from 'pino'
import { LIMITS } from '../../../contracts/limits.ts'
import type { LogEntry } from '../sharedState/logEntry.ts'
import type { LogFanOut } from '../sharedState/port.ts'

/** A listener for the log's lines that shows them to whoever watches. While nobody does it only looks whether. */
export function toReaders(fanOut: LogFanOut, service: string): (line: string) => void {
  return (line) => {
    if (fanOut.hasReaders) fanOut.publish(logEntryOf(line, service))
  }
}

/** Reads a line that the log wrote; its secrets are blotted out in it already. */
export function logEntryOf(line: string, service: string): LogEntry {
  const { time, level, msg, ...context } = JSON.parse(line) as Record<string, unknown>
  const isLong = line.length > LIMITS.logEntryCharsMax
  return {
    timestamp: String(time),
    level: pino.levels.labels[Number(level)] ?? String(level),
    message: String(msg ?? '').slice(0, LIMITS.logEntryCharsMax),
    context: isLong ? { omitted: `${line.length} characters are more than a reader is sent` } : context,
    service,
  }
}
