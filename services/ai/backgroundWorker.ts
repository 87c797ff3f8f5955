export const WORKER_NAMES = ['match_score_generator', 'email_worker', 'cv_worker', 'document_worker'] as const
/** These two are not documented components of readiness, but they count as workers. */
export type WorkerName = (typeof WORKER_NAMES)[number] | 'meeting_worker' | 'webhook_worker'

/** A worker as readiness reports it. */
export type BackgroundWorker = {
  readonly name: WorkerName
  /** Returns at once, so that a component that hangs does not delay the report of the others. */
  health(): { readonly status: 'healthy' | 'degraded'; readonly isActive: boolean }
}
