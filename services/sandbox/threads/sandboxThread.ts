import { answerTasks } from '../../platform/threads/answerTasks.ts'
import { readMail } from '../mailbox/readMail.ts'
import type { SandboxTask } from './sandboxThreads.ts'

answerTasks<SandboxTask, unknown>(async ({ given }) => ({ result: await readMail(given) }))
