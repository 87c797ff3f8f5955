import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { World, WorldName } from './world.ts'

const FOLDER = join(import.meta.dirname, 'worlds')

/** The worlds that exist: those with a file of their own, named by one letter. Nothing of them is loaded. */
export const WORLD_NAMES: readonly WorldName[] = readdirSync(FOLDER)
  .flatMap((file) => /^([a-c])\.ts$/.exec(file)?.[1]?.toUpperCase() ?? [])
  .toSorted() as WorldName[]

/** Loads one world and no other: a world without a database does not load one. */
export async function loadWorld(name: WorldName): Promise<World> {
  const module = (await import(`./worlds/${name.toLowerCase()}.ts`)) as Record<string, World | undefined>
  const world = module[`world${name}`]
  if (!world) throw new Error(`worlds/${name.toLowerCase()}.ts exports no world${name}`)
  return world
}
