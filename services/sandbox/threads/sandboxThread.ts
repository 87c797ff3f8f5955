import { answerTasks } from '../../../platform/threads/answerTasks.ts'
import { readMail } from '../mailbox/readMail.ts'
import { answerModelTask } from '../modelProvider/answerModelTask.ts'
import type { SandboxTask } from './sandboxThreads.ts'

answerTasks<SandboxTask, unknown>(async (task) => {
  switch (task.name) {
    case 'mail':
      return { result: await readMail(task.given) }
    case 'model': {
      const result = answerModelTask(task.given)
      const bytes = 'whole' in result ? result.whole : 'events' in result ? result.events : null
      return { result, transfer: bytes ? [bytes.buffer] : [] }
    }
  }
}, 'ofTools')
