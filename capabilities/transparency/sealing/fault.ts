/** The store no longer matches what the log has recorded. Nothing more is signed until the log is rebuilt. */
export class TransparencyFault extends Error {
  /** The event that differs, where it is known. */
  readonly eventId: string | null

  /** The message is public: it names entries and events, but no company and no figure. */
  constructor(message: string, eventId: string | null = null) {
    super(message)
    this.name = 'TransparencyFault'
    this.eventId = eventId
  }
}

/** A checkpoint whose tree the events do not give. It names the event of the checkpoint, because any of the others may differ. */
export class CheckpointFault extends TransparencyFault {}
