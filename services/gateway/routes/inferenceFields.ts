import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import {
  CHOICES_MAX,
  REQUEST_BODY_BYTES_MAX,
  REQUEST_JSON_MEMBERS_MAX,
  REQUEST_JSON_VALUES_MAX,
} from '../../../contracts/limits.ts'
import { bytesBody } from '../../../platform/http/body/bodyReaders.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import { fieldMeant } from '../wire/requests/inferenceRequest.ts'

/** The body of an inference route: bytes, whose fields `wire/` checks. A large one is limited while it arrives. */
export function inferenceBody(schema: z.ZodType) {
  return bytesBody({ 'application/json': { schema } }, REQUEST_BODY_BYTES_MAX, {
    valuesMax: REQUEST_JSON_VALUES_MAX,
    membersMax: REQUEST_JSON_MEMBERS_MAX,
    unscannedBytesMax: SMALL_JSON_BYTES_MAX,
  })
}

export const modelField = z.string().meta({ description: 'A model alias', example: DEFAULT_ALIASES.chat })
export const streamField = z
  .boolean()
  .nullable()
  .optional()
  .meta({ description: 'true: the answer is a stream of events' })

/** The tools of a Responses or Messages request, which `wire/` looks through. */
export const toolsField = z
  .array(z.looseObject({ type: z.string().nullable().optional() }))
  .nullable()
  .optional()
  .meta({ description: 'Tools that the provider runs are accepted only if the operator allows them for the model' })

/** For what would use something that is stored at the provider. */
export const refusedField = z
  .null()
  .optional()
  .meta({ description: 'Not accepted: companies share the account of a provider' })

/**
 * The fields that the gateway reads of every inference body. `wire/` checks the bytes, because JSON.parse does not show
 * a repeated field; these schemas document the same rules, and inferenceBodies.property.test.ts shows that both agree. Every
 * other field is forwarded unchanged.
 */
export function inferenceFields({ maxTokensMin }: { readonly maxTokensMin: 0 | 1 }) {
  const tokens = z.int().min(maxTokensMin).nullable().optional()
  return {
    model: modelField,
    n: choices,
    max_tokens: tokens,
    max_completion_tokens: tokens,
    stream: streamField,
    stream_options: spelledExactly(z.looseObject({ include_usage: z.unknown().optional() }), ['include_usage'])
      .nullable()
      .optional()
      .meta({ description: 'A stream always ends with its usage, whatever include_usage says' }),
  }
}

/** How many choices are returned or generated for one prompt. */
export const choices = z.int().min(1).max(CHOICES_MAX).nullable().optional()

/** Refuses a field whose name differs from one of these only in its letters' case: a provider might read it. */
export function spelledExactly<Schema extends z.ZodObject>(schema: Schema, names: readonly string[]): Schema {
  return schema.refine((fields) => Object.keys(fields).every((name) => fieldMeant(name, names) === null), {
    error: 'A field name is written in another case',
  })
}

const token = z.int().min(0)
const tokens = z.array(token).min(1)

/** `prompt` and `input`: a text, several texts, the tokens of one text, or those of several. */
export function textInput({ textsMax = Number.POSITIVE_INFINITY }: { readonly textsMax?: number } = {}) {
  const several = <Item extends z.ZodType>(item: Item) => {
    const items = z.array(item).min(1)
    return Number.isFinite(textsMax) ? items.max(textsMax) : items
  }
  return z.union([z.string(), several(z.string()), tokens, several(tokens)])
}

export const answerUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int().optional(),
  total_tokens: z.int().optional(),
})

/** The usage of Responses and Messages. */
export const inputOutputUsage = z.looseObject({ input_tokens: z.int(), output_tokens: z.int() })

/** The answer of a call with `stream: true`. */
export function eventStreamAnswer(description: string) {
  return { 'text/event-stream': { schema: { type: 'string', description } } } as const
}
export const EVENT_STREAM_ANSWER = eventStreamAnswer('Events, then [DONE]')
