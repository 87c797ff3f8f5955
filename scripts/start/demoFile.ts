import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../services/platform/secrets/generatedSecrets.ts'
import { mintRawKey } from '../../services/platform/secrets/rawKeys.ts'

/** The part of demo.json that is generated once: the ids and secrets of the demo. */
const demoIdentity = z.object({
  companyId: z.uuid(),
  companyName: z.string(),
  adminId: z.uuid(),
  superAdminId: z.uuid(),
  keyId: z.uuid(),
  apiKey: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
  superAdminEmail: z.string(),
  superAdminPassword: z.string(),
})

export type DemoIdentity = z.infer<typeof demoIdentity>

export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** Reads or generates the identity. It is written before anything is seeded, so that a killed start continues with it. */
export async function demoIdentityOf(dataDir: string): Promise<DemoIdentity> {
  const file = demoFilePath(dataDir)
  const found = await readFile(file, 'utf8').catch(() => null)
  if (found !== null) return demoIdentity.parse(JSON.parse(found))
  const identity: DemoIdentity = {
    companyId: randomUUID(),
    companyName: 'Demo Hiring Ltd',
    adminId: randomUUID(),
    superAdminId: randomUUID(),
    keyId: randomUUID(),
    apiKey: mintRawKey().raw,
    adminEmail: 'admin@demo.example',
    adminPassword: randomBytes(12).toString('base64url'),
    superAdminEmail: 'root@demo.example',
    superAdminPassword: randomBytes(12).toString('base64url'),
  }
  await writePrivateFile(file, identity)
  return identity
}

export async function writeDemoFile(dataDir: string, demo: DemoIdentity & Record<string, string>): Promise<void> {
  await writePrivateFile(demoFilePath(dataDir), demo)
}
