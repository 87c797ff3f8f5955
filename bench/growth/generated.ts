import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../platform/files/atomicFile.ts'

const schema = z.object({
  untilMs: z.number(),
  /** The numbers below it are appended. */
  appended: z.number(),
  isProjected: z.boolean(),
  isSealed: z.boolean(),
  isVacuumed: z.boolean(),
  /** Dropped indexes of read models, to be recreated once everything is projected; null if there are none. */
  indexes: z.array(z.object({ name: z.string(), definition: z.string() })).nullable(),
})

/** The progress of generating an installation, so that the next run continues there. */
export type Generated = z.infer<typeof schema>

export const dataDirOf = (folder: string, size: number): string => join(folder, `events-${size}`)
const fileOf = (dataDir: string) => join(dataDir, 'growth.json')

/** null if nothing was generated. */
export async function readGenerated(dataDir: string): Promise<Generated | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : schema.parse({ indexes: null, ...JSON.parse(text) })
}

export function isWhole(generated: Generated | null): boolean {
  return generated?.isVacuumed === true
}

/** The file that a run keeps up to date. */
export class GenerationState {
  readonly dataDir: string
  #generated: Generated

  constructor(dataDir: string, untilMs: number, before: Generated | null) {
    const nothing = { appended: 0, isProjected: false, isSealed: false, isVacuumed: false, indexes: null }
    this.dataDir = dataDir
    this.#generated = before ?? { untilMs, ...nothing }
  }

  get now(): Generated {
    return this.#generated
  }

  async keep(changes: Partial<Generated>): Promise<void> {
    this.#generated = { ...this.#generated, ...changes }
    await writePrivateFile(fileOf(this.dataDir), this.#generated)
  }
}
