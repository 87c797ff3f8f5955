import type { LogStreamSubscription } from '../../graphql/generated.ts'

export type LogEntry = LogStreamSubscription['logStream']
/** An entry with its sequence number, which serves as its key. */
export type LogLine = LogEntry & { readonly number: number }

/** Entries kept in memory; the oldest are dropped first. */
export const LINES_MAX = 500

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]

/** The newest first. */
export function received(lines: readonly LogLine[], entry: LogEntry): readonly LogLine[] {
  return [{ ...entry, number: (lines[0]?.number ?? 0) + 1 }, ...lines.slice(0, LINES_MAX - 1)]
}

export type LogFilter = { readonly level: Level; readonly text: string }

/** Entries at or above the level that contain the text in the message or a field. */
export function matches(entry: LogEntry, { level, text }: LogFilter): boolean {
  if (rankOf(entry.level) < LEVELS.indexOf(level)) return false
  const wanted = text.trim().toLowerCase()
  return wanted === '' || `${entry.message} ${JSON.stringify(entry.context)}`.toLowerCase().includes(wanted)
}

function rankOf(level: string): number {
  if (level === 'fatal') return LEVELS.length
  return (LEVELS as readonly string[]).indexOf(level)
}

/** The fields of an entry as one line, without the service, which has a column of its own. */
export function fieldsOf({ context }: LogEntry): string {
  return Object.entries(context)
    .filter(([name]) => name !== 'service')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
