import childProcess from 'node:child_process'
import dns from 'node:dns'
import { registerHooks } from 'node:module'
import net from 'node:net'
import threads from 'node:worker_threads'
import zlib from 'node:zlib'
import { currentRun } from './currentRun.ts'
import { refuse } from './failures.ts'
import { replace } from './replace.ts'

type Call = (...values: unknown[]) => unknown

const CHILDREN = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']
const IN_THREADS = ['gzip', 'gunzip', 'deflate', 'inflate', 'deflateRaw', 'inflateRaw', 'unzip', 'brotliCompress']

/** What leaves the process or works in a thread: during a run each is a failure that names it. */
export function installRefusals(): void {
  refuseCalls(childProcess, CHILDREN, 'child process')
  hideSystemName()
  refuseCalls(zlib, IN_THREADS, 'compression in a thread')
  refuseCalls(net.Socket.prototype, ['connect'], 'real connection')
  refuseCalls(net.Server.prototype, ['listen'], 'real server')
  refuseCalls(dns, ['lookup', 'resolve'], 'real name server')
  refuseCalls(AbortSignal, ['timeout'], 'real timer')
  replace(AbortSignal, { any: anyOf })
  refuseClass(threads, 'Worker', 'a thread')
  refuseClass(threads, 'BroadcastChannel', 'a channel between threads')
  refuseImports()
}

/** The SDK of the payment provider asks a child process for the name of the system, and does without it. */
function hideSystemName(): void {
  const refused = childProcess.exec as unknown as Call
  const exec = (command: string, ...values: unknown[]): unknown => {
    const done = values.at(-1)
    if (!currentRun() || command !== 'uname -a' || typeof done !== 'function') return refused(command, ...values)
    queueMicrotask(() => done(new Error('the system has no name')))
  }
  replace(childProcess, { exec: Object.assign(exec, refused) })
}

/** Node keeps signals of `AbortSignal.any` that have listeners for as long as it runs, and with them killed processes. */
function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }
  return controller.signal
}

function refuseCalls(target: object, names: readonly string[], what: string): void {
  for (const name of names) {
    const real = Reflect.get(target, name) as Call
    const call = function (this: unknown, ...values: unknown[]): unknown {
      return currentRun() ? refuse(`${name}, a ${what},`) : real.apply(this, values)
    }
    replace(target, { [name]: Object.assign(call, real) })
  }
}

function refuseClass(target: object, name: string, what: string): void {
  const real = Reflect.get(target, name) as new (...values: unknown[]) => object
  const guarded = new Proxy(real, {
    construct: (Real, values, newTarget) => (currentRun() ? refuse(what) : Reflect.construct(Real, values, newTarget)),
  })
  replace(target, { [name]: guarded })
}

/** A module that is imported the first time is read in real time: those that the product imports late are preloaded. */
function refuseImports(): void {
  registerHooks({
    load: (url, context, next) => {
      if (currentRun() && context.conditions.includes('import')) refuse(`the late import of ${url}`)
      return next(url, context)
    },
  })
}
