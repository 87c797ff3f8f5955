import { setPriority } from 'node:os'
import { parentPort, type TransferListItem } from 'node:worker_threads'
import type { ThreadAnswer } from './taskThread.ts'

export type Answered<Result> = { readonly result: Result; readonly transfer?: readonly TransferListItem[] }

/** Between 0, as the rest of the process, and 19. */
const TASKS_NICENESS = 10

/** Makes the module that calls this the program of a ThreadPool's threads. */
export function answerTasks<Task, Result>(answer: (task: Task) => Answered<Result> | Promise<Answered<Result>>): void {
  giveWay()
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
function giveWay(): void {
  if (process.platform === 'linux') setPriority(TASKS_NICENESS)
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
