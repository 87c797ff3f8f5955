import { sendBytes } from '../../platform/http/answers.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { AuthenticatedContext } from '../requestContext.ts'
import type { InferenceRequest, Refused } from '../wire/inferenceRequest.ts'
import { beginCall } from './beginCall.ts'
import { billedCall } from './billedCall.ts'
import { chargedAnswer } from './completeAnswer.ts'
import { requireBody } from './requireBody.ts'
import { answerStream } from './streamedCall.ts'

export type ReadRequest = (body: Buffer) => InferenceRequest | Refused

const EVENT_STREAM = /^text\/event-stream\b/i

/** The handler of an inference route: body, admission, provider, and an answer whose last byte waits for its charge. */
export function inferenceCall(path: string, readRequest: ReadRequest) {
  const read = async (request: AuthenticatedContext['request']) => {
    const asked = await requireBody(request)
    return { sent: readRequest(asked), asked }
  }
  const make = async (deps: GatewayDependencies, context: AuthenticatedContext, sent: InferenceRequest | Refused) => {
    const { response: caller, headers } = context
    const begun = await beginCall(deps, { context, caller, endpoint: path, request: sent })
    // From here on, each kind of answer decides what a caller that disconnects means.
    if (begun.request.stream && EVENT_STREAM.test(begun.answer.contentType)) {
      await answerStream(deps, context, begun)
    } else {
      const { contentType, body } = await chargedAnswer(begun, caller, headers)
      sendBytes(caller, 200, contentType, body, headers)
    }
  }
  return billedCall({ path, read, make })
}
