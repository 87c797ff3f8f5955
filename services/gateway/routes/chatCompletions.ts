import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import { wrongChatFields } from '../wire/requests/chatRequest.ts'
import { READ_FIELDS } from '../wire/requests/inferenceRequest.ts'
import { CHAT_WIRE } from '../wire/wireFormats.ts'
import { answerUsage, EVENT_STREAM_ANSWER, inferenceBody, inferenceFields, spelledExactly } from './inferenceFields.ts'
import { MOUNT } from './mount.ts'

const message = z.looseObject({
  role: z.string(),
  content: z
    .union([z.string(), z.array(z.unknown())])
    .nullable()
    .optional(),
})

export const chatRequest = spelledExactly(
  z.looseObject({ ...inferenceFields({ maxTokensMin: 1 }), messages: z.array(message).min(1) }),
  READ_FIELDS,
)
  .refine((fields) => wrongChatFields(fields) === null, {
    error: 'A message refers to something that is stored at the provider',
  })
  .meta({
    id: 'ChatRequest',
    example: { model: DEFAULT_ALIASES.chat, messages: [{ role: 'user', content: 'Hello' }] },
  })

const chatAnswer = z
  .looseObject({ model: z.string(), choices: z.array(z.looseObject({})), usage: answerUsage })
  .meta({ id: 'ChatAnswer' })

export const chatCompletions = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer>({
    method: 'POST',
    path: MOUNT + CHAT_WIRE.endpoint,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Inference',
    summary: 'Chat completion',
    query: anyQuery,
    body: inferenceBody(chatRequest),
    answer: chatAnswer,
    otherAnswers: EVENT_STREAM_ANSWER,
    handle: inferenceCall(deps, CHAT_WIRE),
  })
