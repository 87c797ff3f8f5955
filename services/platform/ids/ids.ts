import { randomUUID } from 'node:crypto'

/** Random ids come in through this port, so that a simulation can repeat a run. Secrets do not: they use node:crypto. */
export interface Ids {
  /** A UUID, version 4. */
  uuid(): string
}

export const systemIds: Ids = { uuid: () => randomUUID() }
