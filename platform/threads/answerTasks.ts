import { setPriority } from 'node:os'
import { parentPort, type TransferListItem } from 'node:worker_threads'
import type { ThreadAnswer } from './taskThread.ts'

export type Answered<Result> = { readonly result: Result; readonly transfer?: readonly TransferListItem[] }

/** How much a thread gives way: from 0, as the rest of the process, to 19, only when nothing else wants to run. */
const NICENESS = { ofRequests: 10, ofTools: 19 } as const

/** Makes the module that calls this the program of a ThreadPool's threads. */
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

/** Where the tasks take all of the machine's time, requests come first. Elsewhere this would be the whole process's. */
function giveWay(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}

function post<Result>(answer: ThreadAnswer<Result>, transfer: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(answer, [...transfer])
}

/** Where the error was thrown. Its message may quote the task, which does not belong into a log. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an error was thrown'
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...frames].join('\n')
}
