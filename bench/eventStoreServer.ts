import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serverArguments, serverEnvironment } from '../scripts/eventStore/serverProgram.ts'
import type { BenchFolder } from './feed/benchFolder.ts'
import { freePorts } from './freePorts.ts'

const READY_MS_MAX = 60_000
const LOOK_EVERY_MS = 100

/** Why no server can be started here; null if ESDB_SERVER names one. */
export function missingEventStoreServer(): string | null {
  return process.env.ESDB_SERVER ? null : "ESDB_SERVER must be the path of EventStoreDB's program"
}

/** Starts an empty EventStoreDB that is as durable as a real one and ends with the benchmark. Returns its address. */
export async function startEventStoreServer({ path, closers }: BenchFolder): Promise<string> {
  const [port, replicationPort] = await freePorts(2)
  const args = serverArguments(join(path, 'eventstoredb'), port ?? 0, replicationPort ?? 0)
  const env = serverEnvironment()
  const child = spawn(process.env.ESDB_SERVER ?? '', [...args, '--insecure'], { env, stdio: 'ignore' })
  const failed = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  closers.push(async () => {
    process.off('exit', kill)
    kill()
    await failed
  })
  const endMs = performance.now() + READY_MS_MAX
  while (child.exitCode === null && performance.now() < endMs) {
    if (await serves(`http://127.0.0.1:${port}/health/live`)) return `esdb://127.0.0.1:${port}?tls=false`
    await delay(LOOK_EVERY_MS)
  }
  throw new Error(`${process.env.ESDB_SERVER} did not start`)
}

async function serves(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
