import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import { RESPONSES_FIELDS, wrongResponsesFields } from '../wire/requests/responsesRequest.ts'
import { RESPONSES_WIRE } from '../wire/wireFormats.ts'
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

/** What `wire/` checks beyond this, inside of items and tools, JSON Schema cannot say. */
export const responsesRequest = spelledExactly(
  z.looseObject({
    model: modelField,
    input: z
      .union([z.string(), z.array(z.looseObject({}))])
      .nullable()
      .optional(),
    stream: streamField,
    max_output_tokens: z.int().min(1).nullable().optional(),
    background: z.literal(false).nullable().optional(),
    previous_response_id: refusedField,
    conversation: refusedField,
    prompt: refusedField,
    tools: toolsField,
  }),
  RESPONSES_FIELDS,
)
  .refine((fields) => wrongResponsesFields(fields) === null, {
    error: 'An item refers to something that is stored at the provider',
  })
  .meta({ id: 'ResponsesRequest', example: { model: DEFAULT_ALIASES.chat, input: 'Hello' } })

const responsesAnswer = z
  .looseObject({
    object: z.string(),
    model: z.string(),
    output: z.array(z.looseObject({})),
    usage: inputOutputUsage,
  })
  .meta({ id: 'ResponsesAnswer' })

export const responses = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer>({
    method: 'POST',
    path: MOUNT + RESPONSES_WIRE.endpoint,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Inference',
    summary: 'Response',
    description:
      'The Responses API, without anything that a provider would have to store. A stream ends with `response.completed` or `response.incomplete`, or with `response.failed`, which costs nothing.',
    query: anyQuery,
    body: inferenceBody(responsesRequest),
    answer: responsesAnswer,
    otherAnswers: eventStreamAnswer('Events of the Responses API'),
    handle: inferenceCall(deps, RESPONSES_WIRE),
  })
