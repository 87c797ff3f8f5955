import { LIMITS } from '../../../contracts/limits.ts'
import { readBody } from '../../platform/http/requestBody.ts'
import type { ProviderAnswer } from '../../platform/providers/answerReceiver.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayParts } from '../parts.ts'
import type { InferenceRequest, Refused } from '../wire/inferenceRequest.ts'
import { admitCall } from './admission.ts'
import { CallRecord } from './callRecord.ts'
import { answerWhole } from './plainCall.ts'
import { providerFailure, unavailable } from './providerFailure.ts'
import { answerStream } from './streamedCall.ts'

export type ReadRequest = (body: Buffer) => InferenceRequest | Refused

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
  const [provider] = call.providers.providers

  const { response, callId } = exchange
  const body = request.forwardedAs(provider.model)
  const sent = parts.providers.send(provider, { path: endpoint, body, callId })
  const clientLeft = () => sent.giveUp()
  if (response.destroyed) clientLeft()
  else response.once('close', clientLeft)
  let answer: ProviderAnswer
  try {
    answer = await sent.answered
  } catch (error) {
    record.fail(sent.givenUp ? 'client_left' : 'provider_unreachable')
    if (!sent.givenUp) parts.log.warn({ err: error, callId }, 'a provider did not answer')
    throw unavailable()
  }
  if (answer.status !== 200) {
    record.fail(`provider_${answer.status}`)
    throw await providerFailure(answer, [provider.model, provider.name, new URL(provider.baseUrl).hostname])
  }
  // From here on the two kinds of answer decide by themselves what a caller that leaves means.
  response.removeListener('close', clientLeft)
  if (request.stream && answer.contentType.startsWith('text/event-stream')) {
    await answerStream({ exchange, record, sent, answer, alias: call.alias, choices: request.n })
  } else {
    await answerWhole({ exchange, record, sent, answer, alias: call.alias })
  }
}

async function requireBody(exchange: KeyedExchange): Promise<Buffer> {
  const body = await readBody(exchange.request, LIMITS.requestBodyBytesMax)
  switch (body) {
    case 'too large':
      throw new GatewayError('bodyTooLarge', `The body is larger than ${LIMITS.requestBodyBytesMax} bytes.`)
    case 'encoded':
      throw new GatewayError(
        'bodyEncoded',
        'A compressed body is not taken; send it as it is, without content-encoding.',
      )
    case 'aborted':
      throw new GatewayError('invalidRequest', 'The body ended before it was complete.')
    default:
      return body
  }
}
