import { getPriority } from 'node:os'
import { answerTasks } from '../../../platform/threads/answerTasks.ts'

/** The program of threads in tests of the thread pool. */
export type TestTask =
  | { readonly type: 'reverse'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'niceness' }
  | { readonly type: 'hang' }
  | { readonly type: 'throw' }
  | { readonly type: 'exit' }

answerTasks<TestTask, Uint8Array<ArrayBuffer>>((task) => {
  switch (task.type) {
    case 'reverse':
      return { result: task.bytes.reverse(), transfer: [task.bytes.buffer] }
    case 'niceness':
      return { result: Uint8Array.of(getPriority()) }
    case 'hang':
      for (;;);
    case 'throw':
      throw new Error('confidential')
    case 'exit':
      process.exit(3)
  }
})
