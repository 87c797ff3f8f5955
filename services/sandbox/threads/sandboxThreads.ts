import type { TransferListItem } from 'node:worker_threads'
import type { Clock } from '../../../platform/clock/clock.ts'
import { ThreadPool } from '../../../platform/threads/threadPool.ts'
import type { ReadMail } from '../mailbox/readMail.ts'
import type { ModelTask, ModelTaskResult } from '../modelProvider/answerModelTask.ts'

/** A mail or a request that takes longer is refused. */
const TASK_MS = 15_000

/** What the threads of the sandbox do, by the name of the task. */
export type SandboxTasks = {
  readonly mail: { readonly given: Uint8Array; readonly result: ReadMail }
  readonly model: { readonly given: ModelTask; readonly result: ModelTaskResult }
}

export type SandboxTask = {
  [Name in keyof SandboxTasks]: { readonly name: Name; readonly given: SandboxTasks[Name]['given'] }
}[keyof SandboxTasks]

/** The sandbox may share its event loop with a gateway, so what takes long is done on threads. */
export class SandboxThreads {
  readonly #threads: ThreadPool<SandboxTask, unknown>

  constructor(clock: Clock) {
    this.#threads = new ThreadPool({ program: new URL('./sandboxThread.ts', import.meta.url), clock, taskMs: TASK_MS })
  }

  run<Name extends keyof SandboxTasks>(
    name: Name,
    given: SandboxTasks[Name]['given'],
    transfer: readonly TransferListItem[] = [],
  ): Promise<SandboxTasks[Name]['result']> {
    const task = { name, given } as SandboxTask
    return this.#threads.run(task, { owner: name, transfer }) as Promise<SandboxTasks[Name]['result']>
  }

  close(): Promise<void> {
    return this.#threads.close()
  }
}
