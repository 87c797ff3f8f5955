import { randomBytes } from 'node:crypto'
import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../files/atomicFile.ts'
import { readPrivateFile } from '../files/privateFile.ts'

const secretsFile = z.object({
  jwtSecret: z.string().min(32),
  internalToken: z.string().min(16),
  webhookSecret: z.string().min(16),
})

export type Secrets = z.infer<typeof secretsFile>

const WAY_OUT =
  'put a copy of it back, or delete it and start again, which generates new secrets and ends all access tokens'

/** The secrets of a sandbox installation. They are generated at its first start and stored in a file that only its owner can read. */
export async function generatedSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const found = await readPrivateFile(file, secretsFile, WAY_OUT)
  if (found) return found
  await generateSecrets(file)
  const generated = await readPrivateFile(file, secretsFile, WAY_OUT)
  if (!generated) throw new Error(`${file} was deleted while it was generated: start again`)
  return generated
}

/** If several services start at once on a new folder, the first one to link its file wins. */
async function generateSecrets(file: string): Promise<void> {
  const secrets: Secrets = {
    jwtSecret: randomBytes(32).toString('base64url'),
    internalToken: randomBytes(24).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
  }
  await writePrivateFile(file, secrets, (partial) =>
    link(partial, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }),
  )
}
