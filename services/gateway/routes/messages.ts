import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { jsonReply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, type Envelope, route } from '../../../platform/http/route.ts'
import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { asGatewayError, envelopeOf } from '../gatewayError.ts'
import { messagesErrorEnvelope } from '../openApi.ts'
import type { RequestContext } from '../requestContext.ts'
import { MESSAGES_FIELDS, wrongMessagesFields } from '../wire/requests/messagesRequest.ts'
import { messagesError } from '../wire/streams/messagesStream.ts'
import { MESSAGES_WIRE } from '../wire/wireFormats.ts'
import {
  eventStreamAnswer,
  inferenceBody,
  inputOutputUsage,
  modelField,
  refusedField,
  spelledExactly,
  streamField,
  toolsField,
} from './inferenceFields.ts'
import { MOUNT } from './mount.ts'

/** Clients of this API read errors in an envelope of its own. */
export const messagesEnvelope: Envelope = (error) => {
  const refusal = asGatewayError(error)
  return jsonReply(refusal.status, messagesError(envelopeOf(refusal)), refusal.headers)
}

/** What `wire/` checks beyond this, inside of messages and tools, JSON Schema cannot say. */
export const messagesRequest = spelledExactly(
  z.looseObject({
    model: modelField,
    messages: z
      .array(
        z.looseObject({
          role: z.string(),
          content: z
            .union([z.string(), z.array(z.unknown())])
            .nullable()
            .optional(),
        }),
      )
      .min(1),
    max_tokens: z.int().min(0).nullable().optional(),
    stream: streamField,
    tools: toolsField,
    mcp_servers: z.array(z.unknown()).nullable().optional(),
    container: refusedField,
  }),
  MESSAGES_FIELDS,
)
  .refine((fields) => wrongMessagesFields(fields) === null, {
    error: 'A block refers to something that is stored at the provider',
  })
  .meta({
    id: 'MessagesRequest',
    example: { model: DEFAULT_ALIASES.chat, max_tokens: 1_024, messages: [{ role: 'user', content: 'Hello' }] },
  })

const messagesAnswer = z
  .looseObject({
    type: z.string(),
    model: z.string(),
    content: z.array(z.looseObject({})),
    usage: inputOutputUsage,
  })
  .meta({ id: 'MessagesAnswer' })

export const messages = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer>({
    method: 'POST',
    path: MOUNT + MESSAGES_WIRE.endpoint,
    access: 'key',
    scope: 'inference:chat',
    keyHeader: 'x-api-key',
    requestIdHeader: 'request-id',
    tag: 'Inference',
    summary: 'Message',
    description:
      'The Messages API. The key may also be in `x-api-key`; `anthropic-version` and `anthropic-beta` are passed on. A stream that fails ends with `event: error`, and costs nothing.',
    envelope: messagesEnvelope,
    refusal: messagesErrorEnvelope,
    query: anyQuery,
    body: inferenceBody(messagesRequest),
    answer: messagesAnswer,
    otherAnswers: eventStreamAnswer('Events of the Messages API'),
    handle: inferenceCall(deps, MESSAGES_WIRE),
  })
