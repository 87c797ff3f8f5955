import type { ServerResponse } from 'node:http'
import { CHOICES_MAX } from '../../../contracts/limits.ts'
import { HttpError } from '../../platform/http/httpError.ts'
import { SENT, type Sent } from '../../platform/http/reply.ts'
import { anyQuery, type Route, route } from '../../platform/http/route.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { type CompletionRequest, completionRequest } from './completionSchema.ts'
import { continuationsOf } from './continuation.ts'
import { openEventStream } from './eventStream.ts'
import type { Generated } from './generated.ts'
import { modelProviderEnvelope } from './modelProviderEnvelope.ts'
import { modelRequestBody } from './modelRequestBody.ts'

export function completions({ clock, ids }: Pick<Runtime, 'clock' | 'ids'>): Route {
  return route({
    method: 'POST',
    path: '/v1/completions',
    access: 'public',
    summary: 'A legacy completion, whole or streamed',
    query: anyQuery,
    body: modelRequestBody(completionRequest),
    envelope: modelProviderEnvelope,
    handle: ({ body: asked, response }) => {
      const continuations = continuationsOf(asked)
      // Choices are numbered across prompts: those of the first prompt, then those of the second.
      const choices = continuations.flatMap((continuation) => Array<Generated>(asked.n ?? 1).fill(continuation))
      if (choices.length > CHOICES_MAX)
        throw new HttpError(400, `the request asks for more than ${CHOICES_MAX} choices`)
      const usage = usageOf(asked, continuations)
      const head = {
        id: `cmpl-${ids.uuid()}`,
        object: 'text_completion',
        created: Math.floor(clock.now() / 1000),
        model: asked.model,
        system_fingerprint: 'tollgate-sandbox',
      }
      if (asked.stream) return stream(response, choices, head, asked.stream_options?.include_usage ? usage : null)
      const whole = choices.map(({ pieces, finishReason }, index) => choice(index, pieces.join(''), finishReason))
      return { ...head, choices: whole, usage }
    },
  })
}

async function stream(
  response: ServerResponse,
  choices: readonly Generated[],
  head: object,
  usage: object | null,
): Promise<Sent> {
  const events = openEventStream(response)
  const piecesMax = Math.max(...choices.map(({ pieces }) => pieces.length))
  for (let at = 0; at < piecesMax; at++) {
    for (const [index, { pieces }] of choices.entries()) {
      const text = pieces[at]
      if (text !== undefined) await events.send({ ...head, choices: [choice(index, text, null)] })
    }
  }
  for (const [index, { finishReason }] of choices.entries()) {
    await events.send({ ...head, choices: [choice(index, '', finishReason)] })
  }
  if (usage) await events.send({ ...head, choices: [], usage })
  events.end()
  return SENT
}

function choice(index: number, text: string, finish: string | null): object {
  return { index, text, logprobs: null, finish_reason: finish }
}

/** Completions that `best_of` generates and does not return count too. */
function usageOf({ n, best_of: bestOf }: CompletionRequest, continuations: readonly Generated[]) {
  const each = Math.max(n ?? 1, bestOf ?? 1)
  let promptTokens = 0
  let completionTokens = 0
  for (const { tokensIn, tokensOut } of continuations) {
    promptTokens += tokensIn
    completionTokens += tokensOut * each
  }
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}
