import { listen } from '../../platform/http/httpServer.ts'
import type { PlannedProcess } from './plan.ts'

/** Throws the error that the service itself would throw if a port is taken, before any process is started. */
export async function requireFreePorts(host: string, processes: readonly PlannedProcess[]): Promise<void> {
  for (const { port, portSetting } of processes) {
    const server = await listen({ handler: () => {}, host, port, portSetting })
    await server.drain(0)
  }
}
