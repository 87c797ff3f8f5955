import { type ChatRequest, textOf } from './chatSchema.ts'
import { askedSchema } from './extraction/askedSchema.ts'
import { fillSchema } from './extraction/fillSchema.ts'
import { type Generated, generated, introduction, readWords } from './generated.ts'
import { tokensOf } from './inputTexts.ts'

/** The reply to a chat. It follows plain rules, so the same request always gets the same reply. */
export function replyTo(request: ChatRequest): Generated {
  const schema = askedSchema(request)
  const text = schema ? JSON.stringify(fillSchema(schema, documentIn(request))) : chatText(request)
  const tokensMax = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY
  const tokensIn = request.messages.reduce((sum, { content }) => sum + tokensOf(textOf(content)) + 4, 3)
  return generated(text.split(/(?<=[ ,])/), tokensMax, tokensIn)
}

function chatText(request: ChatRequest): string {
  const asked = textOf(request.messages.findLast(({ role }) => role === 'user')?.content).trim()
  if (asked === '') return introduction('Your message had no text.')
  const { count, echo } = readWords(asked)
  return introduction(`I read ${count} from you: "${echo}".`)
}

/** The longest user message. The messages after it only comment on the document. */
function documentIn(request: ChatRequest): string {
  const sent = request.messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
  return sent.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
