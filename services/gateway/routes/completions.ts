import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { PROMPTS_MAX } from '../../../contracts/limits.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import { COMPLETION_FIELDS } from '../wire/requests/completionRequest.ts'
import { COMPLETIONS_WIRE } from '../wire/wireFormats.ts'
import {
  answerUsage,
  choices,
  EVENT_STREAM_ANSWER,
  inferenceBody,
  inferenceFields,
  spelledExactly,
  textInput,
} from './inferenceFields.ts'
import { MOUNT } from './mount.ts'

export const completionRequest = spelledExactly(
  z.looseObject({
    ...inferenceFields({ maxTokensMin: 0 }),
    prompt: textInput({ textsMax: PROMPTS_MAX })
      .nullable()
      .meta({ description: 'null stands for the beginning of a new document' }),
    best_of: choices,
  }),
  COMPLETION_FIELDS,
).meta({ id: 'CompletionRequest', example: { model: DEFAULT_ALIASES.chat, prompt: 'Once upon a time' } })

const completionAnswer = z
  .looseObject({ model: z.string(), choices: z.array(z.looseObject({})), usage: answerUsage })
  .meta({ id: 'CompletionAnswer' })

export const completions = (deps: GatewayDependencies) =>
  route<RequestContext, typeof anyQuery, Buffer>({
    method: 'POST',
    path: MOUNT + COMPLETIONS_WIRE.endpoint,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Inference',
    summary: 'Legacy text completion',
    query: anyQuery,
    body: inferenceBody(completionRequest),
    answer: completionAnswer,
    otherAnswers: EVENT_STREAM_ANSWER,
    handle: inferenceCall(deps, COMPLETIONS_WIRE),
  })
