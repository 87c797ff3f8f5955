/** Limits that both adapters of the event store enforce. */

/** How many appends may wait to be sent; further ones are refused. */
export const APPENDS_WAITING_MAX = 20_000
export const APPEND_TIMEOUT_MS = 5_000
export const READ_PAGE_EVENTS_MAX = 1_000
/** A page of large events ends at this stored size, which in Postgres is the compressed size. */
export const READ_PAGE_BYTES_MAX = 4 * 1024 * 1024
/** How long a subscription waits for more events after the first one, by load. */
export const LIVE_TAIL_GATHER_MS = { quiet: 2, busy: 20, heavy: 200 } as const
export const SUBSCRIPTION_POLL_MS = 1_000
