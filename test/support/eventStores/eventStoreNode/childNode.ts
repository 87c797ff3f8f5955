import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FaultPlan } from './faults.ts'
import type { NodeRequest } from './main.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

type Request = NodeRequest extends infer One ? (One extends unknown ? Omit<One, 'request'> : never) : never

/** The node as a separate process, which can be killed and restarted on the same file and port. */
export class ChildNode {
  readonly #file: string
  #child: ChildProcess | null = null
  #requests = 0
  url = ''

  constructor(file: string) {
    this.#file = file
  }

  async start(): Promise<void> {
    const port = this.url === '' ? [] : ['--port', new URL(this.url).port]
    const child = fork(MAIN, [...port, '--file', this.#file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#child = child
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    this.url = url
  }

  arm(plan: FaultPlan): Promise<void> {
    return this.#ask({ do: 'arm', plan })
  }

  ask(what: Exclude<Request['do'], 'arm'>): Promise<void> {
    return this.#ask({ do: what })
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  /** Suspends the process; its connections stay open. */
  stopForAWhile(): void {
    this.#child?.kill('SIGSTOP')
  }

  goOn(): void {
    this.#child?.kill('SIGCONT')
  }

  async #ask(what: Request): Promise<void> {
    const child = this.#child
    if (!child) throw new Error('the node does not run')
    const request = ++this.#requests
    const answered = new Promise<void>((resolve) => {
      const listen = (message: { request?: number }) => {
        if (message.request !== request) return
        child.off('message', listen)
        resolve()
      }
      child.on('message', listen)
    })
    child.send({ request, ...what })
    await answered
  }
}
