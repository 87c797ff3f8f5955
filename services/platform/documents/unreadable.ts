/** A document that gives no text, for a reason that its sender can do something about. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreadable'
  }
}

/** As many documents wait to be read as may. */
export class ReadersBusy extends Error {
  constructor() {
    super('Too many documents are waiting to be read. Retry with backoff.')
    this.name = 'ReadersBusy'
  }
}
