import type { PGlite } from '@electric-sql/pglite'
import { query } from './messages.ts'
import { ask } from './session.ts'

/** The rows of a query as text, without the driver and without the product. Only between transactions. */
export function rowsOf(pglite: PGlite, text: string): (string | null)[][] {
  const answer = ask(pglite, query(text))
  const rows: (string | null)[][] = []
  for (let at = 0; at < answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    if (answer[at] === 'E'.charCodeAt(0)) throw new Error(answer.toString('utf8', at))
    if (answer[at] !== 'D'.charCodeAt(0)) continue
    rows.push(rowAt(answer, at))
  }
  return rows
}

function rowAt(answer: Buffer, at: number): (string | null)[] {
  const row: (string | null)[] = []
  let next = at + 7
  for (let left = answer.readInt16BE(at + 5); left > 0; left -= 1) {
    const bytes = answer.readInt32BE(next)
    next += 4
    row.push(bytes < 0 ? null : answer.toString('utf8', next, next + bytes))
    next += Math.max(0, bytes)
  }
  return row
}
