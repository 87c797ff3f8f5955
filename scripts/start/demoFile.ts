import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../platform/files/atomicFile.ts'
import { readPrivateFile } from '../../platform/files/privateFile.ts'
import { mintRawKey } from '../../platform/secrets/rawKeys.ts'

/** The part of demo.json that is generated once: the ids and secrets of the demo. */
const demoIdentity = z.object({
  companyId: z.uuid(),
  companyName: z.string(),
  adminId: z.uuid(),
  superAdminId: z.uuid(),
  auditorId: z.uuid(),
  keyId: z.uuid(),
  apiKey: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
  superAdminEmail: z.string(),
  superAdminPassword: z.string(),
  auditorEmail: z.string(),
  auditorPassword: z.string(),
})

export type DemoIdentity = z.infer<typeof demoIdentity>

/** Files of earlier versions have no auditor. */
const storedIdentity = demoIdentity.partial({ auditorId: true, auditorEmail: true, auditorPassword: true })
export type StoredDemo = z.infer<typeof storedIdentity>

export function isWhole(demo: StoredDemo): demo is DemoIdentity {
  return demoIdentity.safeParse(demo).success
}

const WAY_OUT = 'delete it and start again, which sets new passwords for the demo users and mints another demo key'

export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** null if there is no file. */
export function readDemoFile(dataDir: string): Promise<StoredDemo | null> {
  return readPrivateFile(demoFilePath(dataDir), storedIdentity, WAY_OUT)
}

/** A new identity, except for the known parts. */
export function newDemoIdentity(known: Partial<DemoIdentity> = {}): DemoIdentity {
  return {
    companyId: randomUUID(),
    companyName: 'Demo Hiring Ltd',
    adminId: randomUUID(),
    superAdminId: randomUUID(),
    auditorId: randomUUID(),
    keyId: randomUUID(),
    apiKey: mintRawKey().raw,
    adminEmail: 'admin@demo.example',
    adminPassword: randomBytes(12).toString('base64url'),
    superAdminEmail: 'root@demo.example',
    superAdminPassword: randomBytes(12).toString('base64url'),
    auditorEmail: 'auditor@demo.example',
    auditorPassword: randomBytes(12).toString('base64url'),
    ...known,
  }
}

export async function writeDemoFile(
  dataDir: string,
  demo: DemoIdentity | (DemoIdentity & Record<string, string>),
): Promise<void> {
  await writePrivateFile(demoFilePath(dataDir), demo)
}
