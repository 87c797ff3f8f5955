import { z } from 'zod'
import type { ChatRequest } from '../chatSchema.ts'
import type { JsonSchema } from './schemaNode.ts'

const jsonSchemaFormat = z.looseObject({
  response_format: z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
  }),
})

/** The JSON schema that the request demands of the answer; null if it demands none. */
export function askedSchema(request: ChatRequest): JsonSchema | null {
  return jsonSchemaFormat.safeParse(request).data?.response_format.json_schema.schema ?? null
}
