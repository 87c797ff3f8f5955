/** Limits that both adapters of the event store keep. */

/** Appends that wait for their turn before the store refuses more. */
export const APPENDS_WAITING_MAX = 20_000
export const APPEND_TIMEOUT_MS = 5_000
export const READ_PAGE_EVENTS_MAX = 1_000
/** As they are stored, in Postgres compressed: a page of large events ends here. */
export const READ_PAGE_BYTES_MAX = 4 * 1024 * 1024
export const LIVE_TAIL_GATHER_MS = { quiet: 2, busy: 20, heavy: 200 } as const
export const SUBSCRIPTION_POLL_MS = 1_000
