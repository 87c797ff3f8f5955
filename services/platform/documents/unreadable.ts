/** The document has no readable text, for a reason that its sender can fix. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreadable'
  }
}

/** The queue of documents to read is full. */
export class ReadersBusy extends Error {
  constructor() {
    super('Too many documents are waiting to be read. Retry with backoff.')
    this.name = 'ReadersBusy'
  }
}
