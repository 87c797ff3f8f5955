import { randomBytes } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const secretsFile = z.object({
  jwtSecret: z.string().min(32),
  internalToken: z.string().min(16),
  webhookSecret: z.string().min(16),
})

export type Secrets = z.infer<typeof secretsFile>

/** The secrets of a sandbox installation. They are generated at its first start and stored in a file that only its owner can read. */
export async function generatedSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const found = (await readSecrets(file)) ?? (await generateSecrets(file))
  return secretsFile.parse(JSON.parse(found))
}

function readSecrets(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null)
}

/** If several services start at once on a new folder, the first one to link its file wins. */
async function generateSecrets(file: string): Promise<string> {
  const secrets: Secrets = {
    jwtSecret: randomBytes(32).toString('base64url'),
    internalToken: randomBytes(24).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
  }
  const own = `${file}.${process.pid}`
  await writePrivateFile(own, secrets)
  await link(own, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(own)
  return readFile(file, 'utf8')
}

/** Writes the file atomically, with access for its owner only. */
export async function writePrivateFile(file: string, content: unknown): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  await writeFile(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(partial, file)
}
