import { tokensOf } from './inputTexts.ts'

/** The text that the sandbox answers in place of a model. */
export type Generated = {
  /** The pieces of a stream; joined they are the whole text. */
  readonly pieces: readonly string[]
  readonly finishReason: 'stop' | 'length'
  readonly tokensIn: number
  readonly tokensOut: number
}

const ECHO_CHARS_MAX = 200

/** Cuts the pieces at the limit of tokens. */
export function generated(pieces: readonly string[], tokensMax: number, tokensIn: number): Generated {
  const sent: string[] = []
  let text = ''
  for (const piece of pieces) {
    if (tokensOf(text + piece) > tokensMax) break
    text += piece
    sent.push(piece)
  }
  const finishReason = sent.length < pieces.length ? 'length' : 'stop'
  return { pieces: sent, finishReason, tokensIn, tokensOut: tokensOf(text) }
}

/** Names the sandbox, and proves that the input was read. */
export function introduction(proof: string): string {
  return `This is the Tollgate sandbox, not a real model. ${proof} Set PROVIDERS_FILE to reach real models.`
}

/** The number of words as text ("4 words"), and the beginning of the input. */
export function readWords(text: string): { readonly count: string; readonly echo: string } {
  const words = text.split(/\s+/).length
  const echo = text.length > ECHO_CHARS_MAX ? `${text.slice(0, ECHO_CHARS_MAX)}…` : text
  return { count: `${words} ${words === 1 ? 'word' : 'words'}`, echo }
}
