import type { CompletionRequest } from './completionRequest.ts'
import { type OneText, textsOf, tokensOf } from './textInput.ts'

/** How one prompt goes on. */
export type Continuation = {
  /** The pieces that a stream sends one by one; joined they are the whole text. */
  readonly pieces: readonly string[]
  readonly finishReason: 'stop' | 'length'
  readonly tokensIn: number
  readonly tokensOut: number
}

const ECHO_CHARS_MAX = 200

/** Plain rules, no model: it says what it is, and shows that it read the prompt. The same prompt goes on the same way. */
export function continuationsOf(request: CompletionRequest): Continuation[] {
  return textsOf(request.prompt ?? '').map((prompt) => {
    const pieces = textAfter(prompt).split(/(?= )/)
    const sent = piecesWithin(pieces, request.max_tokens ?? Number.POSITIVE_INFINITY)
    return {
      pieces: request.echo && typeof prompt === 'string' ? [prompt, ...sent] : sent,
      finishReason: sent.length < pieces.length ? 'length' : 'stop',
      tokensIn: tokensOf(prompt),
      tokensOut: tokensOf(sent.join('')),
    }
  })
}

function textAfter(prompt: OneText): string {
  return [
    ' This is the Tollgate sandbox, not a real model.',
    typeof prompt === 'string' ? readAsText(prompt.trim()) : `Your prompt was ${prompt.length} tokens long.`,
    'Set PROVIDERS_FILE to reach real models.',
  ].join(' ')
}

function readAsText(prompt: string): string {
  if (prompt === '') return 'Your prompt had no text.'
  const words = prompt.split(/\s+/).length
  const echo = prompt.length > ECHO_CHARS_MAX ? `${prompt.slice(0, ECHO_CHARS_MAX)}…` : prompt
  return `I read ${words} ${words === 1 ? 'word' : 'words'} of yours: "${echo}".`
}

function piecesWithin(pieces: readonly string[], tokensMax: number): string[] {
  const sent: string[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (tokensOf(text) > tokensMax) break
    sent.push(piece)
  }
  return sent
}
