import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measuredIn } from './results.ts'
import { scaleTables } from './tables.ts'

export const SCALE_DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'scale.md')

/** The document with the tables computed from the results. Each is between two comments that name it. */
export function withTables(document: string, tables: Readonly<Record<string, string>>): string {
  let text = document
  for (const [name, table] of Object.entries(tables)) {
    const [begin, end] = [`<!-- table: ${name} -->`, '<!-- end -->']
    const from = text.indexOf(begin)
    const to = text.indexOf(end, from)
    if (from === -1 || to === -1) throw new Error(`docs/scale.md has no place for the table ${JSON.stringify(name)}`)
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`
  }
  return text
}

/** Writes the tables into docs/scale.md. */
export async function updateScaleDocument(): Promise<void> {
  const document = await readFile(SCALE_DOCUMENT, 'utf8')
  await writeFile(SCALE_DOCUMENT, withTables(document, scaleTables(await measuredIn())))
}
