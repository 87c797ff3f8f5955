export const WORKER_NAMES = ['match_score_generator', 'email_worker', 'cv_worker', 'document_worker'] as const
/** The meeting worker is not a documented component of readiness, but it counts as a worker. */
export type WorkerName = (typeof WORKER_NAMES)[number] | 'meeting_worker'

/** A worker as readiness reports it. */
export type BackgroundWorker = {
  readonly name: WorkerName
  /** Returns at once, so that a component that hangs does not delay the report of the others. */
  health(): { readonly status: 'healthy' | 'degraded'; readonly isActive: boolean }
}
