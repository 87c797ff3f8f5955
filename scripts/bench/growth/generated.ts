import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../../services/platform/files/atomicFile.ts'

const schema = z.object({
  untilMs: z.number(),
  /** The numbers below it are appended. */
  appended: z.number(),
  isProjected: z.boolean(),
  isSealed: z.boolean(),
  isVacuumed: z.boolean(),
})

/** How far the generation of an installation has come, so that the next run continues there. */
export type Generated = z.infer<typeof schema>

export const dataDirOf = (folder: string, size: number): string => join(folder, `events-${size}`)
const fileOf = (dataDir: string) => join(dataDir, 'growth.json')

/** null if nothing was generated. */
export async function readGenerated(dataDir: string): Promise<Generated | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : schema.parse(JSON.parse(text))
}

export function writeGenerated(dataDir: string, generated: Generated): Promise<void> {
  return writePrivateFile(fileOf(dataDir), generated)
}

export function isWhole(generated: Generated | null): boolean {
  return generated?.isVacuumed === true
}
