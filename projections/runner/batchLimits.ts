/** How consumers of the feed batch events: projections, and workers that follow the store in the same way. */

/** From this many events per read on, readers are under load and wait for more before they read again. */
export const BUSY_EVENTS_MIN = 20
export const PROJECTION_BATCH_EVENTS_MAX = 5_000
/** How long a projector at the head waits for more events before its next transaction: the higher the rate, the longer. */
export const PROJECTION_GATHER_MS = { quiet: 5, steady: 25, busy: 100, heavy: 300 } as const
/** How often a checkpoint moves past events that a projection does not read. */
export const IDLE_CHECKPOINT_MS = 1_000
