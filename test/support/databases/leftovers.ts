import { tmpdir } from 'node:os'
import { listProcesses } from '../../../platform/postgres/embedded/processTable.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'

/**
 * Ends the servers of test runs that were killed. The first group of the expression is the folder of a server, whose
 * name contains the id of the process that started it.
 */
export async function endLeftovers(command: RegExp): Promise<void> {
  const processes = await listProcesses()
  const alive = new Set(processes.map(({ pid }) => pid))
  for (const process of processes) {
    const folder = command.exec(process.command)?.[1]
    const owner = Number(/^.*\/tollgate-test-(\d+)-/.exec(folder ?? '')?.[1])
    if (folder?.includes(tmpdir()) && owner && !alive.has(owner)) sendSignal(process.pid, 'SIGKILL')
  }
}
