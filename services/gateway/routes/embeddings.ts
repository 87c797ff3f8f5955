import { z } from 'zod'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import { READ_FIELDS } from '../wire/requests/inferenceRequest.ts'
import { EMBEDDINGS_WIRE } from '../wire/wireFormats.ts'
import { answerUsage, inferenceBody, inferenceFields, spelledExactly, textInput } from './inferenceFields.ts'
import { MOUNT } from './mount.ts'

export const embeddingRequest = spelledExactly(
  z.looseObject({
    ...inferenceFields({ maxTokensMin: 1 }),
    stream: z.literal(false).nullable().optional().meta({ description: 'Embeddings are not streamed' }),
    input: textInput(),
    encoding_format: z
      .unknown()
      .optional()
      .meta({
        description: '"float" or "base64". The gateway forwards it without a check; the provider decides.',
        examples: ['float', 'base64'],
      }),
  }),
  READ_FIELDS,
).meta({ id: 'EmbeddingRequest', example: { model: 'svc/embed-default', input: 'A sentence' } })

const embeddingAnswer = z
  .looseObject({
    model: z.string(),
    data: z.array(z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
    usage: answerUsage,
  })
  .meta({ id: 'EmbeddingAnswer' })

export const embeddings = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer>({
    method: 'POST',
    path: MOUNT + EMBEDDINGS_WIRE.endpoint,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Inference',
    summary: 'Embeddings',
    query: anyQuery,
    body: inferenceBody(embeddingRequest),
    answer: embeddingAnswer,
    handle: inferenceCall(deps, EMBEDDINGS_WIRE),
  })
