/** The document has no readable text, for a reason that its sender can fix. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreadable'
  }
}

/** The process that read the document died, or was killed because it took too much time or memory. */
export class BeyondLimits extends Unreadable {
  constructor() {
    super('The document could not be read within its limits of time and memory.')
    this.name = 'BeyondLimits'
  }
}

/** The queue of documents to read is full. */
export class ReadersBusy extends Error {
  constructor(whose: 'all' | 'own') {
    const documents = whose === 'all' ? 'Too many documents' : "Too many of this company's documents"
    super(`${documents} are waiting to be read. Retry with backoff.`)
    this.name = 'ReadersBusy'
  }
}

/** The text is no longer needed: the caller has left, or the service is stopping. */
export class ReadingCanceled extends Error {
  constructor() {
    super('the document is no longer needed')
    this.name = 'ReadingCanceled'
  }
}
