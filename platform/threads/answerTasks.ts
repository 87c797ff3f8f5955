import { setPriority } from 'node:os'
import { parentPort, type TransferListItem } from 'node:worker_threads'
import type { ThreadAnswer } from './taskThread.ts'

export type Answered<Result> = { readonly result: Result; readonly transfer?: readonly TransferListItem[] }

/** The thread's niceness: from 0, like the rest of the process, to 19, which runs only when nothing else wants to. */
const NICENESS = { ofRequests: 10, ofTools: 19 } as const

/** Makes the calling module the program of a ThreadPool's threads. */
export function answerTasks<Task, Result>(
  answer: (task: Task) => Answered<Result> | Promise<Answered<Result>>,
  niceness: keyof typeof NICENESS = 'ofRequests',
): void {
  giveWay(NICENESS[niceness])
  parentPort?.on('message', async (task: Task) => {
    try {
      const { result, transfer = [] } = await answer(task)
      post({ result }, transfer)
    } catch (error) {
      post({ fault: faultOf(error) })
    }
  })
}

/** If tasks take up all of the machine, requests come first. On other systems this would affect the whole process. */
function giveWay(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}

function post<Result>(answer: ThreadAnswer<Result>, transfer: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(answer, [...transfer])
}

/** Where the error was thrown. Its message may quote the task, which must not be logged. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an error was thrown'
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...frames].join('\n')
}
