import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const differenceEvents = {
  /** A super admin explained a difference of a reconciliation. A later explanation replaces it. */
  DifferenceExplained: event(
    1,
    z.strictObject({
      /** Derives from what the reconciliation says, so that a difference of another amount is another difference. */
      differenceId: id,
      reason: z.string(),
      explainedBy: id,
      explainedAt: isoTime,
    }),
  ),
}

export type DifferenceEvent = EventUnion<typeof differenceEvents>
