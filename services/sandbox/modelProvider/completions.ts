import { CHOICES_MAX } from '../../../contracts/limits.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { requireAnswerChars } from './answerSize.ts'
import { type CompletionRequest, completionRequest } from './completionSchema.ts'
import { type Generated, generated, introduction, readWords } from './generated.ts'
import { type OneText, textsOf, tokensOf } from './inputTexts.ts'
import { modelCall } from './modelCall.ts'

/** Characters of all choices that the event loop writes within milliseconds. */
const SHORT_ANSWER_CHARS_MAX = 256 * 1024

export const completions = modelCall({
  path: '/v1/completions',
  summary: 'A legacy completion, whole or streamed',
  schema: completionRequest,
  isLong: (request) => echoedChars(request) > SHORT_ANSWER_CHARS_MAX,
  answer: (request, { uuid, createdSeconds }) => {
    requireAnswerChars(echoedChars(request))
    const continuations = continuationsOf(request)
    // Choices are numbered across prompts: those of the first prompt, then those of the second.
    const choices = continuations.flatMap((continuation) => Array<Generated>(request.n ?? 1).fill(continuation))
    if (choices.length > CHOICES_MAX) throw new HttpError(400, `the request asks for more than ${CHOICES_MAX} choices`)
    const usage = usageOf(request, continuations)
    const head = {
      id: `cmpl-${uuid}`,
      object: 'text_completion',
      created: createdSeconds,
      model: request.model,
      system_fingerprint: 'tollgate-sandbox',
    }
    if (request.stream) return { events: eventsOf(choices, head, request.stream_options?.include_usage ? usage : null) }
    const whole = choices.map(({ pieces, finishReason }, index) => choice(index, pieces.join(''), finishReason))
    return { whole: { ...head, choices: whole, usage } }
  },
})

/** Each choice repeats its prompt if the request asks for an echo. */
function echoedChars({ prompt, echo, n }: CompletionRequest): number {
  if (!echo) return 0
  const chars = textsOf(prompt ?? '').reduce((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
  return chars * (n ?? 1)
}

function* eventsOf(choices: readonly Generated[], head: object, usage: object | null): Generator<object> {
  const piecesMax = Math.max(...choices.map(({ pieces }) => pieces.length))
  for (let at = 0; at < piecesMax; at++) {
    for (const [index, { pieces }] of choices.entries()) {
      const text = pieces[at]
      if (text !== undefined) yield { ...head, choices: [choice(index, text, null)] }
    }
  }
  for (const [index, { finishReason }] of choices.entries()) {
    yield { ...head, choices: [choice(index, '', finishReason)] }
  }
  if (usage) yield { ...head, choices: [], usage }
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

/** The completion of each prompt. It follows plain rules, so the same prompt always gets the same completion. */
function continuationsOf(request: CompletionRequest): Generated[] {
  return textsOf(request.prompt ?? '').map((prompt) => {
    const pieces = ` ${introduction(proofOf(prompt))}`.split(/(?= )/)
    const continuation = generated(pieces, request.max_tokens ?? Number.POSITIVE_INFINITY, tokensOf(prompt))
    if (!request.echo || typeof prompt !== 'string') return continuation
    return { ...continuation, pieces: [prompt, ...continuation.pieces] }
  })
}

function proofOf(prompt: OneText): string {
  if (typeof prompt !== 'string') return `Your prompt was ${prompt.length} tokens long.`
  const text = prompt.trim()
  if (text === '') return 'Your prompt had no text.'
  const { count, echo } = readWords(text)
  return `I read ${count} of yours: "${echo}".`
}
