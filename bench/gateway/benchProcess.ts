import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { BenchFolder } from '../feed/benchFolder.ts'
import type { Timelines, TimelinesQuestion } from '../processes/recordTimelines.ts'
import type { ProcessUsage, UsageQuestion } from '../processes/reportUsage.ts'

const PROCESSES = join(import.meta.dirname, '..', 'processes')
const REPORT_USAGE = pathToFileURL(join(PROCESSES, 'reportUsage.ts')).href
const RECORD_TIMELINES = pathToFileURL(join(PROCESSES, 'recordTimelines.ts')).href
const READY_MS_MAX = 60_000
const LOOK_EVERY_MS = 100

/** A process that ends with the benchmark and reports when it is ready. */
export async function startHelper(folder: BenchFolder, file: string, ...args: string[]): Promise<ChildProcess> {
  const child = fork(join(PROCESSES, file), args)
  endWith(folder, child)
  await once(child, 'message')
  return child
}

/** A helper's answer to the question. It answers one at a time. */
export async function answerTo<Answer>(helper: ChildProcess, question: object): Promise<Answer> {
  helper.send(question)
  const [answer] = (await once(helper, 'message')) as [Answer]
  return answer
}

export type Program = {
  readonly name: string
  readonly file: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly nodeFlags?: readonly string[]
  /** Where it answers anything at all once it is ready. */
  readonly url: string
  /** Keeps the timelines of its calls once asked to. */
  readonly withTimelines?: boolean
  /** It is asked to stop and awaited, because it has its own processes; otherwise it is killed. */
  readonly drains?: boolean
}

/** A process whose use of the machine is measured. */
export type Measured = {
  usage(question?: UsageQuestion): Promise<ProcessUsage>
  /** From now on it keeps the timelines of its calls, if it was started with them. */
  recordTimelines(): Promise<unknown>
  /** The timelines of its calls since then. */
  timelines(): Promise<Timelines>
}

/** Its output goes to a file in the folder, as on a server without a terminal. */
export async function startMeasured(folder: BenchFolder, program: Program): Promise<Measured> {
  const { name, file, args = [], env = {}, nodeFlags = [], url, withTimelines, drains } = program
  const lines = openSync(join(folder.path, `${name}.log`), 'a')
  const child = fork(file, [...args], {
    execArgv: [
      ...nodeFlags,
      '--expose-gc',
      '--import',
      REPORT_USAGE,
      ...(withTimelines ? ['--import', RECORD_TIMELINES] : []),
    ],
    env: { ...process.env, ...env },
    stdio: ['ignore', lines, 'inherit', 'ipc'],
  })
  closeSync(lines)
  endWith(folder, child, drains ? 'SIGINT' : 'SIGKILL')
  await ready(name, child, url)
  const ask = async <Answer>(question: UsageQuestion | TimelinesQuestion) => {
    child.send(question)
    for (;;) {
      const [message] = (await once(child, 'message')) as [Answer | string]
      // A program of ours may also report that it is ready.
      if (typeof message !== 'string') return message
    }
  }
  return {
    usage: (question = 'usage') => ask<ProcessUsage>(question),
    recordTimelines: () => ask<Timelines>('record timelines'),
    timelines: () => ask<Timelines>('timelines'),
  }
}

function endWith({ closers }: BenchFolder, child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  closers.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  })
}

async function ready(name: string, child: ChildProcess, url: string): Promise<void> {
  const endMs = performance.now() + READY_MS_MAX
  while (child.exitCode === null && performance.now() < endMs) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await delay(LOOK_EVERY_MS)
  }
  throw new Error(`${name} did not start`)
}
