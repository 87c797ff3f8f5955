import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** What the outcome of a seed follows from. */
const FOLDERS =
  'capabilities,check,contracts,domain,platform,projections,services,test/contract,test/simulation,test/support'
/** These only decide which seeds run, and what is written of them. */
const COMMAND = 'test/simulation/command/'
const SOURCES = [`{${FOLDERS}}/**/*.{ts,mjs,sql}`, 'package-lock.json']

/** The same for the same code. A run of seeds counts for one code only. */
export function hashOfSimulatedCode(): string {
  const files = globSync(SOURCES, { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith(COMMAND),
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 32)
}
