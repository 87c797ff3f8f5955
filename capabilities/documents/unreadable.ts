/** The document has no readable text, for a reason that its sender can fix. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreadable'
  }
}

/** The process that read the document died, or was killed because it used too much time or memory. */
export class BeyondLimits extends Unreadable {
  constructor() {
    super('The document could not be read within its limits of time and memory.')
    this.name = 'BeyondLimits'
  }
}

/** The queue of documents to read is full, or the company has to wait. */
export class ReadersBusy extends Error {
  /** If the company's own documents have used too much CPU time: how long it has to wait. */
  readonly retryAfterMs: number | null

  constructor(whose: 'all' | 'own', retryAfterMs: number | null = null) {
    super(`${retryAfterMs === null ? waitingOf(whose) : TOO_MUCH_TIME} Retry with backoff.`)
    this.name = 'ReadersBusy'
    this.retryAfterMs = retryAfterMs
  }
}

const TOO_MUCH_TIME =
  "This company's documents have taken too much time to read. Those that could not be read count five times."

function waitingOf(whose: 'all' | 'own'): string {
  return `${whose === 'all' ? 'Too many documents' : "Too many of this company's documents"} are waiting to be read.`
}

/** The text is no longer needed: the caller has disconnected, or the service is stopping. */
export class ReadingCanceled extends Error {
  constructor() {
    super('the document is no longer needed')
    this.name = 'ReadingCanceled'
  }
}
