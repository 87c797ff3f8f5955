import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { onAbruptExit } from '../processes/exitSteps.ts'

type FeedChild = {
  readonly role: 'relay' | 'projector'
  readonly databaseUrl: string
  readonly addresses: string
  /** Of a relay's leadership; its own default if it is left out. */
  readonly leaseMs?: number
}

/** Resolves when it has started. It is killed at the end of the test at the latest. */
export async function startFeedChild({ role, databaseUrl, addresses, leaseMs }: FeedChild) {
  const script = join(import.meta.dirname, 'feedChild.ts')
  const args = [role, databaseUrl, addresses, ...(leaseMs === undefined ? [] : [String(leaseMs)])]
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const callOff = onAbruptExit(() => child.kill('SIGKILL'))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
    callOff()
  }
  onTestFinished(kill)
  await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error(`the ${role} ended`)))])
  return { kill }
}
