import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'tollgate-simulation')
const DATABASE_PACKAGE = join(ROOT, 'node_modules', '@electric-sql', 'pglite', 'package.json')
/** What the contents of the template follow from, besides the database itself. */
const SOURCES = ['platform/postgres/**/*.{ts,sql}', 'projections/**/*.{ts,sql}', 'test/simulation/database/*.ts']
/** A template has 44 MB, and patched copies of the tree have templates of their own. */
const KEPT_MAX = 4

/** Where the template of this version of the schema is, or is to be written. */
export function templateFile(): string {
  const hash = createHash('sha256').update(readFileSync(DATABASE_PACKAGE))
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  mkdirSync(CACHE, { recursive: true })
  return join(CACHE, `${hash.digest('hex').slice(0, 32)}.tar`)
}

/** Removes templates that were written long ago, so that the cache does not grow with every change of the schema. */
export function removeOldTemplates(): void {
  const files = readdirSync(CACHE)
    .filter((file) => file.endsWith('.tar'))
    .map((file) => ({ path: join(CACHE, file), writtenMs: statSync(join(CACHE, file)).mtimeMs }))
  for (const { path } of files.toSorted((a, b) => b.writtenMs - a.writtenMs).slice(KEPT_MAX))
    rmSync(path, { force: true })
}
