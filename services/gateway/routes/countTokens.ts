import { z } from 'zod'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { COUNT_TOKENS, countedTokens } from '../call/countedTokens.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { messagesErrorEnvelope } from '../openApi.ts'
import type { RequestContext } from '../requestContext.ts'
import { inferenceBody } from './inferenceFields.ts'
import { messagesEnvelope, messagesRequest } from './messages.ts'
import { MOUNT } from './mount.ts'

const countAnswer = z.looseObject({ input_tokens: z.int() }).meta({ id: 'CountTokensAnswer' })

/** Free, also without a balance; counts against the requests per minute. */
export const countTokens = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer, typeof countAnswer>({
    method: 'POST',
    path: MOUNT + COUNT_TOKENS,
    access: 'key',
    scope: 'inference:chat',
    keyHeader: 'x-api-key',
    requestIdHeader: 'request-id',
    tag: 'Inference',
    summary: 'Input tokens of a message, without making it',
    description: 'Free; it counts as a request. The key may also be in `x-api-key`.',
    envelope: messagesEnvelope,
    refusal: messagesErrorEnvelope,
    query: anyQuery,
    body: inferenceBody(messagesRequest),
    answer: countAnswer,
    handle: ({ caller, body }) => countedTokens(deps, caller, body),
  })
