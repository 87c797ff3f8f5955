import type { PGlite } from '@electric-sql/pglite'
import { atDatabaseTime } from '../scheduler/currentRun.ts'

/**
 * Sends messages to the session and returns its answers, at the time of the database. The stream of raw data is used
 * because `execProtocolRawSync` parses all answers and keeps them. It does everything before it returns its promise, so
 * nothing of a statement ends in real order.
 */
export function ask(pglite: PGlite, bytes: Uint8Array): Buffer {
  const parts: Buffer[] = []
  // The data is a part of the memory of the database, which the next statement changes.
  const onRawData = (part: Uint8Array) => void parts.push(Buffer.from(part))
  void atDatabaseTime(() => pglite.execProtocolRawStream(bytes, { syncToFs: false, onRawData }))
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
