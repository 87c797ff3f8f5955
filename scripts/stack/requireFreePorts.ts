import { listen } from '../../services/platform/http/httpServer.ts'
import type { PlannedProcess } from './plan.ts'

/** Refuses before anything is started, with the line that the service itself would give. */
export async function requireFreePorts(host: string, processes: readonly PlannedProcess[]): Promise<void> {
  for (const { port, portSetting } of processes) {
    const server = await listen({ handler: () => {}, host, port, portSetting })
    await server.drain(0)
  }
}
