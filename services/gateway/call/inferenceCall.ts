import { sendBytes } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
import { answeredOnce } from '../idempotency/answeredOnce.ts'
import type { GatewayParts } from '../parts.ts'
import type { InferenceRequest, Refused } from '../wire/inferenceRequest.ts'
import { beginCall } from './beginCall.ts'
import { chargedAnswer } from './plainCall.ts'
import { requireBody } from './requireBody.ts'
import { answerStream } from './streamedCall.ts'

export type ReadRequest = (body: Buffer) => InferenceRequest | Refused

const EVENT_STREAM = /^text\/event-stream\b/i

/** One billed call: body, admission, provider, and an answer whose last byte waits for its charge. */
export async function inferenceCall(
  parts: GatewayParts,
  exchange: KeyedExchange,
  endpoint: string,
  readRequest: ReadRequest,
): Promise<void> {
  const body = await requireBody(exchange.request)
  const request = readRequest(body)
  await answeredOnce(parts, exchange, endpoint, body, (named) => makeCall(parts, named, endpoint, request))
}

async function makeCall(
  parts: GatewayParts,
  exchange: KeyedExchange,
  endpoint: string,
  request: InferenceRequest | Refused,
): Promise<void> {
  const { response: caller, headers } = exchange
  const begun = await beginCall(parts, { exchange, caller, endpoint, request })
  // From here on the two kinds of answer decide by themselves what a caller that leaves means.
  if (begun.request.stream && EVENT_STREAM.test(begun.answer.contentType)) {
    await answerStream(exchange, begun)
  } else {
    const { contentType, body } = await chargedAnswer(begun, caller, headers)
    sendBytes(caller, 200, contentType, body, headers)
  }
}
