import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LoggedCall } from '../../support/parties/recordingProvider.ts'
import { onAbruptExit } from '../../support/processes/exitSteps.ts'

export type ProviderProcess = {
  readonly providersFile: string
  /** The calls it has answered so far, from its own log. */
  calls(): Promise<LoggedCall[]>
  stop(): Promise<void>
}

const ANSWER_MS_MAX = 30_000

export async function startProviderProcess(): Promise<ProviderProcess> {
  const child = fork(join(import.meta.dirname, 'providerProcess.ts'))
  const callOff = onAbruptExit(() => child.kill('SIGKILL'))
  const providersFile = await messageOf(child)
  return {
    providersFile,
    calls: async () => {
      child.send(join(dirname(providersFile), 'calls.json'))
      return JSON.parse(await readFile(await messageOf(child), 'utf8')) as LoggedCall[]
    },
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      callOff()
      await rm(dirname(providersFile), { recursive: true, force: true })
    },
  }
}

async function messageOf(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  return message as string
}
