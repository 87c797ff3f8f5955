import { z } from 'zod'
import { MODEL_ALIASES } from '../../../contracts/aliases.ts'
import { GATEWAY_ERRORS } from '../../../contracts/errors.ts'

/** What the gateway itself looks at in a body; every other field goes to the provider as it is. */
const read = {
  model: z.string().meta({ description: 'A model alias', example: MODEL_ALIASES[1] }),
  max_tokens: z.int().positive().nullable().optional(),
  n: z.int().positive().nullable().optional(),
}
const streamed = {
  stream: z.boolean().nullable().optional().meta({ description: 'true: the answer is a stream of events' }),
  stream_options: z.looseObject({ include_usage: z.boolean().nullable().optional() }).nullable().optional(),
}
const usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int().optional(),
  total_tokens: z.int().optional(),
})
const texts = z.union([z.string(), z.array(z.string()), z.array(z.int()), z.array(z.array(z.int()))])

export const chatRequest = z
  .looseObject({
    ...read,
    ...streamed,
    messages: z
      .array(
        z.looseObject({
          role: z.string(),
          content: z
            .union([z.string(), z.array(z.looseObject({}))])
            .nullable()
            .optional(),
        }),
      )
      .min(1),
    max_completion_tokens: z.int().positive().nullable().optional(),
  })
  .meta({
    id: 'ChatRequest',
    example: { model: MODEL_ALIASES[1], messages: [{ role: 'user', content: 'Hello' }] },
  })

export const chatAnswer = z
  .looseObject({ model: z.string(), choices: z.array(z.looseObject({})), usage })
  .meta({ id: 'ChatAnswer' })

export const completionRequest = z
  .looseObject({ ...read, ...streamed, prompt: texts.nullable(), best_of: z.int().positive().nullable().optional() })
  .meta({ id: 'CompletionRequest', example: { model: MODEL_ALIASES[1], prompt: 'Once upon a time' } })

export const completionAnswer = z
  .looseObject({ model: z.string(), choices: z.array(z.looseObject({})), usage })
  .meta({ id: 'CompletionAnswer' })

export const embeddingRequest = z
  .looseObject({ model: read.model, input: texts, encoding_format: z.enum(['float', 'base64']).optional() })
  .meta({ id: 'EmbeddingRequest', example: { model: 'svc/embed-default', input: 'A sentence' } })

export const embeddingAnswer = z
  .looseObject({
    model: z.string(),
    data: z.array(z.looseObject({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
    usage,
  })
  .meta({ id: 'EmbeddingAnswer' })

export const parseRequest = z.looseObject({ text: z.string() }).meta({ id: 'ParseRequest' })

const codes = [...new Set(Object.values(GATEWAY_ERRORS).map(({ code }) => code))].filter((code) => code !== null)

export const errorEnvelope = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.enum([...new Set(Object.values(GATEWAY_ERRORS).map(({ type }) => type))]),
      code: z.enum(codes).nullable(),
    }),
  })
  .meta({ id: 'GatewayError' })
