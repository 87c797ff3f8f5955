import { type ChatRequest, textOf } from './chatRequest.ts'
import { askedSchema } from './extraction/askedSchema.ts'
import { fillSchema } from './extraction/fillSchema.ts'

export type Reply = {
  /** The pieces that a stream sends one by one; joined they are the whole text. */
  readonly pieces: readonly string[]
  readonly finishReason: 'stop' | 'length'
  readonly tokensIn: number
  readonly tokensOut: number
}

const CHARS_PER_TOKEN = 4
const ECHO_CHARS_MAX = 200

/** Plain rules, no model. The same request gets the same reply. */
export function replyTo(request: ChatRequest): Reply {
  const schema = askedSchema(request)
  const text = schema ? JSON.stringify(fillSchema(schema, documentIn(request))) : chatText(request)
  const pieces = text.split(/(?<=[ ,])/)
  const allowed = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY
  const sent = piecesWithin(pieces, allowed)
  return {
    pieces: sent,
    finishReason: sent.length < pieces.length ? 'length' : 'stop',
    tokensIn: request.messages.reduce((sum, { content }) => sum + tokensOf(textOf(content)) + 4, 3),
    tokensOut: tokensOf(sent.join('')),
  }
}

/** Says what it is, and shows that it read the question. */
function chatText(request: ChatRequest): string {
  const asked = textOf(request.messages.findLast(({ role }) => role === 'user')?.content).trim()
  const words = asked === '' ? 0 : asked.split(/\s+/).length
  const echo = asked.length > ECHO_CHARS_MAX ? `${asked.slice(0, ECHO_CHARS_MAX)}…` : asked
  return [
    'This is the Tollgate sandbox, not a real model.',
    words === 0
      ? 'Your message had no text.'
      : `I read ${words} ${words === 1 ? 'word' : 'words'} from you: "${echo}".`,
    'Set PROVIDERS_FILE to reach real models.',
  ].join(' ')
}

/** The longest that the user sent: what comes after it only talks about it. */
function documentIn(request: ChatRequest): string {
  const sent = request.messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
  return sent.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

function piecesWithin(pieces: readonly string[], tokensMax: number): string[] {
  const sent: string[] = []
  let chars = 0
  for (const piece of pieces) {
    chars += piece.length
    if (Math.ceil(chars / CHARS_PER_TOKEN) > tokensMax) break
    sent.push(piece)
  }
  return sent
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}
