import { randomUUID, randomUUIDv7 } from 'node:crypto'

/** Random ids come in through this port, so that a simulation can replay a run. Secrets do not: they use node:crypto. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
  /**
   * A UUID, version 7, for calls. It begins with the time, so the newest ids are neighbours in every index, and a call
   * touches the same few pages however many calls there were before. Its last 62 bits are random.
   */
  timeOrderedUuid(): string
}

export const systemIds: Ids = { uuid: () => randomUUID(), timeOrderedUuid: () => randomUUIDv7() }
