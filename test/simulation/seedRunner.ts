import { createRequire } from 'node:module'
import { prepareDatabase } from './database/prepare.ts'
import { type Outcome, simulate } from './simulate.ts'
import type { World, WorldName } from './world.ts'
import { loadWorld } from './worldNames.ts'

// undici keeps its coarse clock and its timers in a module, so they would outlive a run.
const undiciTimers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { reset(): void }

export type SeedRunner = {
  readonly world: World
  run(seed: number, onStep?: (line: string) => void): Promise<Outcome>
}

/** Runs seeds of one world, one after the other, on one database. The globals must have been replaced before. */
export async function openSeedRunner(name: WorldName): Promise<SeedRunner> {
  const world = await loadWorld(name)
  const { pglite, reset } = world.usesDatabase ? await openDatabaseOnce() : { pglite: null, reset: async () => {} }
  const run = async (seed: number, onStep?: (line: string) => void) => {
    await reset()
    undiciTimers.reset()
    return simulate(world, seed, { pglite, onStep })
  }
  return { world, run }
}

async function openDatabaseOnce() {
  const { openTemplate } = await import('./database/template.ts')
  const { templateFile } = await import('./database/templateFile.ts')
  const { rememberColumnTypes } = await import('./database/columnTypes.ts')
  const { DatabaseReset } = await import('./database/reset.ts')
  const pglite = await openTemplate(templateFile(), prepareDatabase)
  const database = await DatabaseReset.of(pglite)
  await rememberColumnTypes(pglite)
  return { pglite, reset: () => database.run() }
}
