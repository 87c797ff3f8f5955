import type { DocumentEvent } from '../../../contracts/events/document.ts'
import type { MeetingEvent } from '../../../contracts/events/meeting.ts'
import type { TaskEvent } from '../../../contracts/events/task.ts'
import { AT } from './ledgerEvents.ts'

/** Events of documents, meetings and tasks, with defaults for what a test does not care about. */

type Uploaded = Extract<DocumentEvent, { type: 'DocumentUploaded' }>['data']
type Insight = Extract<MeetingEvent, { type: 'InsightGenerated' }>['data']

export const ENDED_AT = '2026-03-01T12:34:56.789Z'

export function uploaded(documentId: string, companyId: string, changes: Partial<Uploaded> = {}): DocumentEvent {
  const ids = { documentId, companyId, talentId: documentId, jobId: null }
  const data: Uploaded = { ...ids, kind: 'CV', filename: 'cv "東京".pdf', bytes: 1_000, uploadedAt: AT, ...changes }
  return { type: 'DocumentUploaded', data }
}

export function processed(documentId: string, companyId: string): DocumentEvent {
  const ids = { documentId, companyId, talentId: documentId, jobId: null }
  return { type: 'DocumentProcessed', data: { ...ids, text: 'Ada Example, welder', processedAt: AT } }
}

export function meetingHeld(room: string, endedAt = ENDED_AT): MeetingEvent {
  return { type: 'MeetingHeld', data: { room, startedAt: AT, endedAt } }
}

export function insightGenerated(room: string, insightId: string, changes: Partial<Insight> = {}): MeetingEvent {
  const links = { companyId: null, jobId: null, talentId: null }
  const words = { summary: 'A meeting took place.', summaryBy: 'RULE', generatedAt: AT } as const
  const data = { room, startedAt: AT, endedAt: ENDED_AT, insightId, durationSeconds: 90.5, ...links, ...words }
  return { type: 'InsightGenerated', data: { ...data, ...changes } }
}

export function parked(taskId: string): TaskEvent {
  const facts = { subject: 'CV 1', attempts: 6, error: 'the provider is away' }
  return { type: 'TaskParked', data: { taskId, worker: 'cv_worker', ...facts, parkedAt: AT } }
}

export function requeued(taskId: string): TaskEvent {
  return { type: 'TaskRequeued', data: { taskId, worker: 'cv_worker', requeuedAt: AT } }
}

export function completed(taskId: string, wasParked: boolean): TaskEvent {
  return { type: 'TaskCompleted', data: { taskId, worker: 'cv_worker', wasParked, completedAt: AT } }
}
