import type { OutgoingHttpHeaders } from 'node:http'
import { JSON_TYPE } from './answers.ts'

/** An answer that is more than a JSON value with status 200. */
export class Reply {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
  readonly headers: OutgoingHttpHeaders

  constructor(status: number, contentType: string, body: Buffer | string, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.contentType = contentType
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.headers = headers
  }
}

export function jsonReply(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return new Reply(status, JSON_TYPE, JSON.stringify(value), headers)
}

export function textReply(status: number, text: string, headers: OutgoingHttpHeaders = {}): Reply {
  return new Reply(status, 'text/plain; charset=utf-8', text, headers)
}

export function htmlReply(status: number, html: string, headers: OutgoingHttpHeaders = {}): Reply {
  return new Reply(status, 'text/html; charset=utf-8', html, headers)
}

/** Returned by a handler that has written the response itself: a stream, or an answer made by a library. */
export const SENT = Symbol('sent')
export type Sent = typeof SENT
