/** A document that gives no text, for a reason that its sender can do something about. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unreadable'
  }
}
