import type { IncomingMessage, ServerResponse } from 'node:http'
import { CHOICES_MAX } from '../../../contracts/limits.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { type CompletionRequest, completionRequest } from './completionSchema.ts'
import { continuationsOf } from './continuation.ts'
import { openEventStream } from './eventStream.ts'
import type { Generated } from './generated.ts'
import { readRequest, refuse } from './readRequest.ts'

/** `POST /v1/completions`, the legacy shape, whole or streamed. */
export async function completions(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, ids }: Pick<Runtime, 'clock' | 'ids'>,
): Promise<void> {
  const asked = await readRequest(request, response, completionRequest)
  if (!asked) return
  const n = asked.n ?? 1
  const continuations = continuationsOf(asked)
  // The choices of all prompts are numbered through: those of the first prompt, then those of the second.
  const choices = continuations.flatMap((continuation) => Array<Generated>(n).fill(continuation))
  if (choices.length > CHOICES_MAX) return refuse(response, `more than ${CHOICES_MAX} choices were asked for`)
  const usage = usageOf(asked, continuations)
  const head = {
    id: `cmpl-${ids.uuid()}`,
    object: 'text_completion',
    created: Math.floor(clock.now() / 1000),
    model: asked.model,
    system_fingerprint: 'tollgate-sandbox',
  }
  if (!asked.stream) {
    const whole = choices.map(({ pieces, finishReason }, index) => choice(index, pieces.join(''), finishReason))
    return sendJson(response, 200, { ...head, choices: whole, usage })
  }

  const events = openEventStream(response)
  const piecesMax = Math.max(...continuations.map(({ pieces }) => pieces.length))
  for (let at = 0; at < piecesMax; at++) {
    for (const [index, { pieces }] of choices.entries()) {
      const text = pieces[at]
      if (text !== undefined) await events.send({ ...head, choices: [choice(index, text, null)] })
    }
  }
  for (const [index, { finishReason }] of choices.entries()) {
    await events.send({ ...head, choices: [choice(index, '', finishReason)] })
  }
  if (asked.stream_options?.include_usage) await events.send({ ...head, choices: [], usage })
  events.end()
}

function choice(index: number, text: string, finish: string | null): object {
  return { index, text, logprobs: null, finish_reason: finish }
}

/** What `best_of` generates and does not return is used all the same. */
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
