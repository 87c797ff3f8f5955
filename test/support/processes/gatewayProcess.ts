import { onTestFinished } from 'vitest'
import type { Installation } from '../harness/installation.ts'
import { type NpmProcess, startNpm } from './npmProcess.ts'

/** A gateway in a separate process on the installation's engines and data folder, killed after the test. */
export async function startGatewayProcess(installation: Installation, port: number | undefined): Promise<NpmProcess> {
  const settings = {
    ...installation.env,
    GATEWAY_PORT: String(port),
    DATABASE_URL: await installation.databaseUrl(),
    SANDBOX: '1',
    DRAIN_TIMEOUT_MS: '3000',
  }
  const service = startNpm(['run', 'start:gateway'], { settings })
  onTestFinished(async () => {
    if (!service.exit) service.signalGroup('SIGKILL')
    await service.exited
  })
  await service.line(/"msg":"ready"/)
  return service
}
