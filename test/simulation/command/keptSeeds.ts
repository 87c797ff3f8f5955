import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { WorldName } from '../world.ts'

const keptSeeds = z.array(
  z.strictObject({
    world: z.enum(['A', 'B', 'C']),
    seed: z.int().min(0),
    /** What the seed showed when it failed. */
    found: z.string().min(1),
  }),
)

/** Seeds that found a fault of the product. They pass now, and must go on to. */
export function readKeptSeeds(): readonly {
  readonly world: WorldName
  readonly seed: number
  readonly found: string
}[] {
  return keptSeeds.parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'keptSeeds.json'), 'utf8')))
}
