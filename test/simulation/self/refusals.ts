import { spawn } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as realTimer } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import { FaultPlan } from '../faults/faultPlan.ts'
import { enterRun, leaveRun } from '../scheduler/currentRun.ts'
import { SimulatedFiles } from '../scheduler/files.ts'
import { Random } from '../scheduler/random.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'

type Process = { readonly owner: SimulatedProcess }

/** What a simulated process may try. Each ends its run with a failure, except for those of the last group. */
const ATTEMPTS: Readonly<Record<string, (process: Process) => unknown>> = {
  'a thread': () => new Worker('', { eval: true }),
  'a child process': () => spawn('true'),
  'a real connection': () => connect(1),
  'compression in a thread': () => gzip('', () => {}),
  'AbortSignal.timeout': () => AbortSignal.timeout(1),
  'process.exit': () => process.exit(1),
  'an unknown file call': () => symlink('/simulated/a', '/simulated/b'),
  'a file outside of the data folder': () => writeFile('/tmp/simulated', ''),
  'a late import': () => import(`../faults/faultPlan.ts?${'late'}`),
  'a rejection that nobody handles': () => void Promise.reject(new Error('unhandled')),
  'an error in a timer': () => void setTimeout(raise, 1),
  'an error in a tick': () => process.nextTick(raise),
  'a real timer': () => realTimer(() => {}, 60_000),

  nothing: () => {},
  'a known file call': () => mkdir('/simulated/unsettled', { recursive: true }),
  'a rejection of a killed process': ({ owner }) => {
    void Promise.reject(new Error('unhandled'))
    owner.kill()
  },
}

function raise(): never {
  throw new Error('nobody catches this')
}

/** Prints what each attempt leads to. */
export async function run(): Promise<void> {
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    const [failure = 'fine'] = await failuresOf(attempt)
    process.stdout.write(`${name}: ${failure.split('\n')[0]}\n`)
  }
}

/** The run takes enough steps for the real event loop to be looked at. */
async function failuresOf(attempt: (process: Process) => unknown): Promise<string[]> {
  const scheduler = new Scheduler(1, Date.UTC(2026, 2, 1))
  const failures: string[] = []
  const files = new SimulatedFiles({ scheduler, faults: new FaultPlan(1), random: new Random(1) })
  enterRun(scheduler, { failures, files })
  const owner = new SimulatedProcess('gateway')
  // The product may catch the error: the run fails all the same.
  scheduler.processes.run(owner, () => (async () => attempt({ owner }))().catch(() => {}))
  setInterval(() => {}, 1)
  await scheduler.runUntil(() => scheduler.elapsedMs > 1_500)
  leaveRun()
  return failures
}
