import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { checkedBy } from '../../../platform/http/checkedBy.ts'
import type { ModelCall } from './modelCall.ts'

/** The request in these bytes; throws an HttpError if there is none. */
export function readModelRequest({ schema }: ModelCall, body: Buffer): unknown {
  return checkedBy(schema, jsonIn(body), 'The body')
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new HttpError(400, 'The body is not JSON.')
  }
}
