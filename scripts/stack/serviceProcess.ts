import { spawn } from 'node:child_process'
import { get } from 'node:http'
import { pathToFileURL } from 'node:url'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'
import { eachLine } from './eachLine.ts'

export type Program = {
  readonly name: string
  /** A TypeScript file. */
  readonly main: string
  readonly env: Readonly<Record<string, string>>
  /** Where it answers once it is ready. */
  readonly url: string
}

export type ServiceProcess = {
  readonly pid: number
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>
  /** Whether it answers; false once it has ended, or when it took too long. */
  isReady(signal: AbortSignal): Promise<boolean>
  signal(signal: NodeJS.Signals): void
}

/** As in package.json: room for what calls in flight keep alive, and no word of a harmless slip of kafkajs. */
export const NODE_FLAGS = ['--max-semi-space-size=64', '--disable-warning=TimeoutNegativeWarning']
const READY_MS_MAX = 60_000
const LOOK_EVERY_MS = 100
const ANSWER_MS_MAX = 2_000
const preload = pathToFileURL(`${import.meta.dirname}/endWithSupervisor.ts`).href

/** In a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone, which drains in order. */
export function startProcess(program: Program, onLine: (line: string) => void): ServiceProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', preload, program.main], {
    detached: true,
    env: { ...process.env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let lastWords = ''
  let hasEnded = false
  eachLine(child.stdout as NonNullable<typeof child.stdout>, onLine)
  eachLine(child.stderr as NonNullable<typeof child.stderr>, (line) => {
    // As a service says why it cannot start; a stack of ours is in the log.
    if (line.startsWith('tollgate: ')) lastWords = line.slice('tollgate: '.length)
    onLine(line)
  })
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      hasEnded = true
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    // close and not exit: only then have its last words been read.
    child.once('close', (code, signal) => end(lastWords || (signal ?? `exit code ${code}`)))
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isReady: async (signal) => {
      const end = performance.now() + READY_MS_MAX
      while (!hasEnded && !signal.aborted && performance.now() < end) {
        if (await answers(program.url)) return !hasEnded
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))])
      }
      return false
    },
    signal: (signal) => {
      // Its whole group, should it have started processes of its own.
      if (!hasEnded && child.pid !== undefined) sendSignal(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    },
  }
}

/** Every service has this route and refuses it without the internal token, which is answer enough. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${url}/metrics`, { agent: false, timeout: ANSWER_MS_MAX }, (response) => {
      response.resume()
      resolve((response.statusCode ?? 500) < 500)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
