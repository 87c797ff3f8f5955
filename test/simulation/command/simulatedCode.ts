import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { WorldName } from '../world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** What runs a seed, besides the world itself. */
const RUNNER = 'test/simulation/worker.ts'
/** What is read as files instead of being imported. */
const READ = ['{platform,projections}/**/*.sql', 'check/*.mjs', 'package-lock.json']
const IMPORTS = /(?:^|\n)(?:import|export)(?! type)[^'"`;]*?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|new URL\('(\.[^']+)'/g

/** The same for the same code of a world: of every file that it loads. A run of seeds counts for one code only. */
export function hashOfSimulatedCode(world: WorldName): string {
  const files = new Set([...filesOf(world), ...globSync(READ, { cwd: ROOT })])
  const hash = createHash('sha256')
  for (const file of [...files].toSorted()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 32)
}

/** The files that a world imports, directly or through others. Imports of types only do nothing. */
export function filesOf(world: WorldName): ReadonlySet<string> {
  const files = new Set([RUNNER, `test/simulation/worlds/${world.toLowerCase()}.ts`])
  // A set goes on with what is added to it meanwhile.
  for (const file of files) {
    if (!/\.(ts|mjs)$/.test(file)) continue
    for (const [, ...named] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTS)) {
      const target = named.find((name) => name !== undefined)
      const path = target && normalize(join(dirname(file), target))
      if (path && existsSync(join(ROOT, path)) && /\.\w+$/.test(path)) files.add(path)
    }
  }
  return files
}
