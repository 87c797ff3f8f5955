import type { OutgoingHttpHeaders } from 'node:http'

/** Can be thrown anywhere between a request and its answer: the answer has this status, in the envelope of its route. */
export class HttpError extends Error {
  readonly status: number
  readonly headers: OutgoingHttpHeaders

  constructor(status: number, message: string, headers: OutgoingHttpHeaders = {}) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.headers = headers
  }
}
