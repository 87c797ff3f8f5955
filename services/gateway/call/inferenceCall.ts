import { sendBytes } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayParts } from '../parts.ts'
import type { InferenceRequest, Refused } from '../wire/inferenceRequest.ts'
import { admitCall } from './admission.ts'
import { askProviders } from './askProviders.ts'
import { CallRecord } from './callRecord.ts'
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
  const request = readRequest(await requireBody(exchange))
  if ('refused' in request) throw new GatewayError('invalidRequest', request.refused)
  const call = await admitCall(parts, exchange, request.model)
  const record = new CallRecord(parts, exchange, call, endpoint, request.stream)
  const { sent, answer } = await askProviders(parts, {
    providers: call.providers.providers,
    path: endpoint,
    callId: exchange.callId,
    caller: exchange.response,
    body: (provider) => request.forwardedAs(provider.model),
    failed: (reason) => record.fail(reason),
  })
  // From here on the two kinds of answer decide by themselves what a caller that leaves means.
  if (request.stream && EVENT_STREAM.test(answer.contentType)) {
    await answerStream({ exchange, record, sent, answer, alias: call.alias, choices: request.n })
  } else {
    const { response: caller, headers } = exchange
    const whole = await chargedAnswer({ caller, headers, record, sent, answer, alias: call.alias })
    sendBytes(caller, 200, whole.contentType, whole.body, headers)
  }
}
