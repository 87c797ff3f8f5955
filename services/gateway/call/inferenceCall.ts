import { sendBytes } from '../../../platform/http/answer/answers.ts'
import { collectedHeaders } from '../answerHeaders.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { RequestContext } from '../requestContext.ts'
import type { InferenceRequest, Refused } from '../wire/requests/inferenceRequest.ts'
import type { WireFormat } from '../wire/wireFormat.ts'
import { checkCanPay } from './admission.ts'
import { beginCall, passedOnHeaders } from './beginCall.ts'
import { billedCall } from './billedCall.ts'
import { chargedAnswer } from './completeAnswer.ts'
import { answerStream } from './streamedCall.ts'

const EVENT_STREAM = /^text\/event-stream\b/i

/** The handler of an inference route: body, admission, provider, and an answer whose last byte waits for its charge. */
export function inferenceCall(deps: GatewayDependencies, wire: WireFormat) {
  const make = async (context: RequestContext, body: Buffer) => {
    const { response } = context
    const request =
      body.length <= SMALL_JSON_BYTES_MAX ? wire.readRequest(body) : await readLarge(deps, context, wire, body)
    const begun = await beginCall(deps, { context, wire, request, headers: passedOnHeaders(wire, context.request) })
    // From here on, each kind of answer handles disconnects itself.
    if (begun.request.stream && EVENT_STREAM.test(begun.answer.contentType)) {
      await answerStream(deps, context, begun)
    } else {
      const answer = await chargedAnswer(begun, response)
      sendBytes(response, 200, answer.contentType, answer.bytes, collectedHeaders(response))
      begun.record.answerWritten()
    }
  }
  return billedCall(deps, { endpoint: wire.endpoint, comparedBytes: (body) => body, make })
}

/** A large body is not read for a company that cannot pay, although the model is otherwise checked first. */
async function readLarge(
  deps: GatewayDependencies,
  { key }: RequestContext,
  wire: WireFormat,
  body: Buffer,
): Promise<InferenceRequest | Refused> {
  await checkCanPay(deps, key)
  return deps.largeJson.readRequest(wire.name, body, key.companyId)
}
