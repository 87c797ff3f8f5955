import { sendBytes } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
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
  const { response: caller, headers } = exchange
  const request = readRequest(await requireBody(exchange.request))
  const begun = await beginCall(parts, { exchange, caller, endpoint, request })
  // From here on the two kinds of answer decide by themselves what a caller that leaves means.
  if (begun.request.stream && EVENT_STREAM.test(begun.answer.contentType)) {
    await answerStream(exchange, begun)
  } else {
    const { contentType, body } = await chargedAnswer(begun, caller, headers)
    sendBytes(caller, 200, contentType, body, headers)
  }
}
