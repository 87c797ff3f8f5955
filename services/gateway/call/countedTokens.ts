import { providersInOrder } from '../../../capabilities/providers/providerOrder.ts'
import { routeOf } from '../../../capabilities/providers/providersFile.ts'
import { JSON_TYPE } from '../../../platform/http/answer/answers.ts'
import { Reply } from '../../../platform/http/answer/reply.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import { collectedHeaders } from '../answerHeaders.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { RequestContext } from '../requestContext.ts'
import { disguiseOf, withModelAlias } from '../wire/answers/answerModel.ts'
import { MESSAGES_WIRE } from '../wire/wireFormats.ts'
import { checkAllowed, refuseSuspended } from './admission.ts'
import { askProviders } from './askProviders.ts'
import { checkRequest, passedOnHeaders } from './beginCall.ts'
import { unavailable } from './providerFailure.ts'

/** Below our mount, and below the base address of a provider. */
export const COUNT_TOKENS = '/messages/count_tokens'
/** Far more than a number needs. */
const COUNT_BYTES_MAX = 16 * 1024

/** Asks a provider how many input tokens a message would have. Nothing is charged or recorded. */
export async function countedTokens(deps: GatewayDependencies, context: RequestContext, body: Buffer): Promise<Reply> {
  const { key, callId, response } = context
  await refuseSuspended(deps, key.companyId)
  const wire = MESSAGES_WIRE
  const received =
    body.length <= SMALL_JSON_BYTES_MAX
      ? wire.readRequest(body)
      : await deps.largeJson.readRequest(wire.name, body, key.companyId)
  if ('refused' in received) throw invalidRequest(received.refused)
  const headers = passedOnHeaders(wire, context.request)
  const request = checkRequest(deps, key, wire, received)
  checkAllowed(key, request.model)
  const route = routeOf(deps.providerTable, request.model)
  if (!route) throw unavailable()
  const { answer } = await askProviders(deps, {
    alias: request.model,
    providers: providersInOrder(route, wire.name, callId),
    wire: wire.name,
    path: COUNT_TOKENS,
    keyHeader: wire.keyHeader,
    headers,
    callId,
    companyId: key.companyId,
    caller: response,
    drain: null,
    sentTo: () => {},
    body: (provider) => request.forwardedAs(provider.model),
    failed: () => {},
  })
  const bytes = await answer.body.whole(COUNT_BYTES_MAX).catch(() => null)
  if (bytes === null || readCount(parseJson(bytes)) === null) throw unavailable()
  const disguised = withModelAlias(bytes, disguiseOf(request.model, deps.redaction))
  return new Reply(200, JSON_TYPE, disguised, collectedHeaders(response))
}

/** The count in a provider's answer; null if there is none. */
function readCount(json: unknown): number | null {
  if (typeof json !== 'object' || json === null || !('input_tokens' in json)) return null
  const { input_tokens: count } = json
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : null
}
