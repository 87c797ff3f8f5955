export const WORKER_NAMES = ['match_score_generator', 'email_worker', 'cv_worker', 'document_worker'] as const
/** Meetings are not among the documented components, and count as one more worker. */
export type WorkerName = (typeof WORKER_NAMES)[number] | 'meeting_worker'

/** What readiness tells of one worker. */
export type BackgroundWorker = {
  readonly name: WorkerName
  /** Never waits: each component is told of independently, also when another does not answer. */
  health(): { readonly status: 'healthy' | 'degraded'; readonly isActive: boolean }
}
