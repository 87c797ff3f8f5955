import { unexpected } from '../../domain/decider.ts'
import { documentDecider } from '../../domain/document/decider.ts'
import { meetingDecider } from '../../domain/meeting/decider.ts'
import { taskDecider } from '../../domain/task/decider.ts'
import { second } from '../support/events/billingEvents.ts'
import { type StepParts, sending } from './sending.ts'

export const WORK_ACTS = [
  'upload',
  'completeDocument',
  'failDocument',
  'createRoom',
  'destroyRoom',
  'generateInsight',
  'park',
  'requeue',
  'completeTask',
] as const
export type WorkAct = (typeof WORK_ACTS)[number]

/** Commands of the backend, the meeting server and the workers, about few things. */
export async function carryOutWork(parts: StepParts, act: WorkAct): Promise<void> {
  const { companyId, number, id } = parts
  const handle = sending(parts)
  const at = second(number)
  const documentId = id('document', companyId, number)
  const room = `room ${id('room', companyId)}`
  const roomId = id('room', companyId)
  const task = { taskId: id('task', companyId, number), worker: 'cv_worker', at } as const

  switch (act) {
    case 'upload': {
      const kind = number % 2 === 0 ? 'CV' : 'JOB_DOCUMENT'
      const file = { filename: `${number}.pdf`, bytes: 1 + number, becomesId: id('becomes', documentId) }
      return handle('document', documentId, documentDecider, {
        type: 'UploadDocument',
        ...{ documentId, companyId, kind, at },
        ...file,
      })
    }
    case 'completeDocument':
      return handle('document', documentId, documentDecider, { type: 'CompleteDocument', documentId, text: 'CV', at })
    case 'failDocument':
      return handle('document', documentId, documentDecider, { type: 'FailDocument', documentId, error: 'no', at })
    case 'createRoom':
      return handle('meeting', roomId, meetingDecider, { type: 'CreateRoom', room, happenedAt: second(2 * number) })
    case 'destroyRoom':
      return handle('meeting', roomId, meetingDecider, {
        type: 'DestroyRoom',
        room,
        happenedAt: second(2 * number + 1),
      })
    case 'generateInsight': {
      const meeting = { startedAt: second(2 * number), endedAt: second(2 * number + 1) }
      const insight = { insightId: id('insight', companyId, number), companyId, jobId: null, talentId: null }
      const words = { summary: `Meeting ${number}.`, summaryBy: 'RULE' } as const
      const command = { type: 'GenerateInsight', room, ...meeting, ...insight, ...words, at } as const
      return handle('meeting', roomId, meetingDecider, command)
    }
    case 'park':
      return handle('task', task.taskId, taskDecider, {
        type: 'ParkTask',
        ...task,
        ...{ subject: `CV ${number}`, attempts: 6, error: 'no' },
      })
    case 'requeue':
      return handle('task', task.taskId, taskDecider, { type: 'RequeueTask', ...task })
    case 'completeTask':
      return handle('task', task.taskId, taskDecider, { type: 'CompleteTask', ...task })
    default:
      return unexpected(act)
  }
}
