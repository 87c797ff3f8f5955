import type { Runtime } from '../../capabilities/installation.ts'
import { newSignInLink } from '../../capabilities/sessions/signInLinks.ts'
import { isLoopback } from '../../platform/config/sandboxParties.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { type DemoIdentity, newDemoIdentity, readDemoFile, writeDemoFile } from './demoFile.ts'
import { type DemoUsers, tokenVersionsOf } from './demoUsers.ts'
import { completeDemo, recoverDemo } from './recoverDemo.ts'
import { seedDemo } from './seedDemo.ts'

/**
 * Creates what the services need before they run: the read models in the version of this program and, in a sandbox, the demo
 * data.
 */
export async function prepareInstallation(runtime: Runtime, signal?: AbortSignal): Promise<DemoUsers | null> {
  await prepareReadModels(runtime, { ...(signal && { signal }), onRebuild: announceRebuild })
  return prepareDemo(runtime)
}

export function announceRebuild([model, ...others]: readonly string[]): void {
  const left = others.length === 0 ? '' : `, then ${others.length} more`
  process.stderr.write(`Rebuilding the read model ${model} for this version${left}.\n`)
}

/** Writes the demo data of a sandbox installation; null outside of a sandbox. */
export async function prepareDemo(runtime: Runtime): Promise<DemoUsers | null> {
  if (!runtime.config.sandbox) return null
  const stored = await readDemoFile(runtime.config.DATA_DIR)
  const known = stored ? await completeDemo(runtime, stored) : await recoverDemo(runtime)
  const demo = known ?? (await newDemo(runtime))
  await seedDemo(runtime, demo)
  const tokenVersions = await tokenVersionsOf(runtime.engines.store, demo)
  const tokenVersion = tokenVersions.get(demo.adminId) ?? 0
  return { ...demo, tokenVersions, signInToken: await signInTokenOf(runtime, { userId: demo.adminId, tokenVersion }) }
}

/** A sandbox that other machines can reach has no such link, because anybody could open it and become the admin. */
async function signInTokenOf(
  { config, engines, clock }: Runtime,
  subject: { readonly userId: string; readonly tokenVersion: number },
): Promise<string | null> {
  return isLoopback(config.HOST) ? newSignInLink(engines.database, subject, clock.now()) : null
}

/** Written before anything is seeded, so that a restart after a kill continues with it. */
async function newDemo({ config }: Runtime): Promise<DemoIdentity> {
  const demo = newDemoIdentity()
  await writeDemoFile(config.DATA_DIR, demo)
  return demo
}
