import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WireCase } from './wireCase.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** A fault that was found once, with the requests that caused it. */
export type Fixture = { readonly fault: string; readonly cases: readonly WireCase[] }

/** Every finding that was kept, by the name of its file. */
export function readFixtures(): [file: string, fixture: Fixture][] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file, JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))])
}

/** Returns the path of the file. The same cases are kept once. */
export async function keepFixture(target: string, fixture: Fixture): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(fixture.cases)).digest('hex').slice(0, 8)
  const path = join(FOLDER, `${target}-${hash}.json`)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(path, `${JSON.stringify(fixture, null, 2)}\n`)
  return path
}
