import type { Runtime } from '../../services/platform/runtime.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { demoIdentityOf } from './demoFile.ts'
import { type DemoUsers, demoUsersOf } from './demoUsers.ts'
import { seedDemo } from './seedDemo.ts'

/** Creates what the services need before they run: the read models' tables and, in a sandbox, the demo data. */
export async function prepareInstallation(runtime: Runtime): Promise<DemoUsers | null> {
  await prepareReadModels(runtime)
  return prepareDemo(runtime)
}

/** Writes the demo data of a sandbox installation; null outside of a sandbox. */
export async function prepareDemo(runtime: Runtime): Promise<DemoUsers | null> {
  if (!runtime.config.sandbox) return null
  const demo = await demoIdentityOf(runtime.config.DATA_DIR)
  await seedDemo(runtime, demo)
  return demoUsersOf(runtime.engines.store, demo)
}
