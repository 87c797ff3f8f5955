import { z } from 'zod'
import { type EventUnion, event, isoTime } from './definition.ts'

const treeSize = z.int().nonnegative()
/** The origin is also the name of the signing key, which can contain neither spaces nor a plus (C2SP signed-note). */
const origin = z.string().regex(/^[^\s+\p{Cc}]{1,200}$/u)

export const transparencyEvents = {
  /** The log had this tree and published it: no later tree may contradict it. */
  CheckpointSigned: event(
    1,
    z.strictObject({
      origin,
      size: treeSize,
      /** 32 bytes in base64. */
      root: z.base64().length(44),
      /** The C2SP tlog-checkpoint with all its signatures. */
      note: z.string().max(10_000),
      signedAt: isoTime,
    }),
  ),
  /** From now on another key signs the log; the old key names it and both have signed that. */
  LogKeyRotated: event(
    1,
    z.strictObject({
      origin,
      oldVkey: z.string().max(300),
      newVkey: z.string().max(300),
      /** Of the last checkpoint before it. */
      size: treeSize,
      /** A C2SP signed note. */
      note: z.string().max(10_000),
      rotatedAt: isoTime,
    }),
  ),
  /** The log continues under another origin, because it may lack published checkpoints of the last one. */
  /** An operator restored a stored event from a backup after it was changed or removed. On the stream of repairs. */
  EventRepaired: event(
    1,
    z.strictObject({
      eventId: z.uuid(),
      stream: z.string(),
      revision: z.int().nonnegative(),
      /** What was found in its place. */
      found: z.enum(['changed', 'removed']),
      /** SHA-256 of the event as it was found, in hex; null if it was removed. */
      foundHash: z.hex().length(64).nullable(),
      repairedHash: z.hex().length(64),
      reason: z.string().min(1).max(500),
      repairedAt: isoTime,
    }),
  ),
  LogOriginStarted: event(1, z.strictObject({ origin, reason: z.string(), size: treeSize, startedAt: isoTime })),
}

export type TransparencyEvent = EventUnion<typeof transparencyEvents>
