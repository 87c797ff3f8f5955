import type { Row } from '../projection.ts'

const TO_ESCAPE = /[\\\t\n\r]/
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A row in the text format of PostgreSQL's `copy`, with the line break at its end; objects and lists become JSON. */
export function copyLine(fields: readonly string[], row: Row): string {
  let line = ''
  for (let n = 0; n < fields.length; n++) line += (n === 0 ? '' : '\t') + textOf(row[fields[n] as string])
  return `${line}\n`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return TO_ESCAPE.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => ESCAPED[found] ?? found) : text
}
