import { spawn } from 'node:child_process'
import { get } from 'node:http'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'

/** Longer lines are cut off. */
const LINE_CHARS_MAX = 1024 * 1024

export type Program = {
  readonly name: string
  /** A TypeScript file. */
  readonly main: string
  readonly env: Readonly<Record<string, string>>
  /** Where it answers when it is ready. */
  readonly url: string
}

export type ServiceProcess = {
  readonly pid: number
  /** Resolves with a description of how it ended. */
  readonly ended: Promise<string>
  /** Waits until it answers; false if it ended or took too long. */
  isReady(signal: AbortSignal): Promise<boolean>
  signal(signal: NodeJS.Signals): void
}

/**
 * As in package.json: a larger young generation for calls in flight, which one thread collects, because several of them wait
 * for each other when there are fewer cores; and no warning about negative timers of kafkajs.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=64',
  '--no-parallel-scavenge',
  '--disable-warning=TimeoutNegativeWarning',
]
const READY_MS_MAX = 60_000
const POLL_MS = 100
const ANSWER_MS_MAX = 2_000
const preload = pathToFileURL(`${import.meta.dirname}/endWithSupervisor.ts`).href

/** Starts a process in its own session, so that Ctrl-C reaches only the supervisor, which drains in order. */
export function startProcess(program: Program, onLine: (line: string) => void): ServiceProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', preload, program.main], {
    detached: true,
    env: { ...process.env, ...program.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let lastError = ''
  let hasEnded = false
  eachLine(child.stdout as NonNullable<typeof child.stdout>, onLine)
  eachLine(child.stderr as NonNullable<typeof child.stderr>, (line) => {
    // A service prints the reason for a failed start in this form.
    if (line.startsWith('tollgate: ')) lastError = line.slice('tollgate: '.length)
    onLine(line)
  })
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      hasEnded = true
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    // After 'close', unlike after 'exit', all its output has been read.
    child.once('close', (code, signal) => end(lastError || (signal ?? `exit code ${code}`)))
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isReady: async (signal) => {
      const end = systemClock.monotonicMs() + READY_MS_MAX
      while (!hasEnded && !signal.aborted && systemClock.monotonicMs() < end) {
        if (await answers(program.url)) return !hasEnded
        await settlesWithin(ended, POLL_MS, systemClock)
      }
      return false
    },
    signal: (signal) => {
      // SIGKILL goes to the whole group, in case it has started processes.
      if (!hasEnded && child.pid !== undefined) sendSignal(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    },
  }
}

/** Every service has this route. Without the internal token it refuses, which also shows that it answers. */
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

/** Calls back with every line of a stream, without its newline. */
function eachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let partial = ''
  stream.on('data', (bytes: Buffer) => {
    const lines = (partial + decoder.write(bytes)).split('\n')
    partial = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX)
    for (const line of lines) if (line !== '') onLine(line)
  })
  stream.on('end', () => {
    if (partial !== '') onLine(partial)
  })
  stream.on('error', () => {})
}
