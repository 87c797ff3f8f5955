import { TransparencyLogIncomplete } from '../reader.ts'

/** The store no longer matches what the log has recorded. Nothing more is signed until the log is rebuilt. */
export class TransparencyFault extends Error {
  /** The differing event, if known. */
  readonly eventId: string | null

  /** The message is public: it names entries and events, but no company and no figure. */
  constructor(message: string, eventId: string | null = null) {
    super(message)
    this.name = 'TransparencyFault'
    this.eventId = eventId
  }
}

/** A checkpoint whose tree the events do not reproduce. It names its own event, because any of the others may differ. */
export class CheckpointFault extends TransparencyFault {}

/** The tables of the log lack something that it has sealed: its rows were deleted. */
export function incompleteAsFault(error: unknown): never {
  if (error instanceof TransparencyLogIncomplete) throw new TransparencyFault(error.message)
  throw error
}
