import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { onAbruptExit } from '../processes/exitSteps.ts'

/** Resolves when it has started. It is killed at the end of the test at the latest. */
export async function startFeedChild(role: 'relay' | 'projector', databaseUrl: string, addresses: string) {
  const script = join(import.meta.dirname, 'feedChild.ts')
  const child = spawn(process.execPath, [script, role, databaseUrl, addresses], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
