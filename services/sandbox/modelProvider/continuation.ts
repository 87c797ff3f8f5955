import type { CompletionRequest } from './completionSchema.ts'
import { type Generated, generated, introduction, readWords } from './generated.ts'
import { type OneText, textsOf, tokensOf } from './inputTexts.ts'

/** The completion of each prompt. It follows plain rules, so the same prompt always gets the same completion. */
export function continuationsOf(request: CompletionRequest): Generated[] {
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
