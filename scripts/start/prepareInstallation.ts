import type { Runtime } from '../../services/platform/runtime.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { type DemoIdentity, demoIdentityOf } from './demoFile.ts'
import { seedDemo } from './seedDemo.ts'

/** What has to be there before any service runs: the read models' tables and, in a sandbox installation, the demo. */
export async function prepareInstallation(runtime: Runtime): Promise<DemoIdentity | null> {
  await prepareReadModels(runtime)
  if (!runtime.config.sandbox) return null
  const demo = await demoIdentityOf(runtime.config.DATA_DIR)
  await seedDemo(runtime, demo)
  return demo
}
