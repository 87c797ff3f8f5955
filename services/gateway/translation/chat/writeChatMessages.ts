import type { DocumentPart, ImagePart, Part, TextPart, Turn } from '../conversation/conversation.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { dataOf, fileName, urlOf } from '../fields/mediaSources.ts'
import { notTranslated } from '../fields/requestRefused.ts'
import { textOf } from './readChatMessages.ts'

type Message = Readonly<Record<string, unknown>>

export function writeChatMessages(turns: readonly Turn[], leftOut: LeftOut): Message[] {
  return turns.flatMap((turn) => messagesOf(turn, leftOut))
}

function messagesOf({ role, parts }: Turn, leftOut: LeftOut): Message[] {
  switch (role) {
    case 'system':
    case 'developer':
      return [{ role, content: contentOf(parts) }]
    case 'user':
      return userMessages(parts, leftOut)
    case 'assistant':
      return assistantMessages(parts, leftOut)
  }
}

/** Each tool result is a message of its own, and what stands between them is one of the user. */
function userMessages(parts: readonly Part[], leftOut: LeftOut): Message[] {
  const messages: Message[] = []
  let said: Part[] = []
  const say = () => {
    if (said.length > 0) messages.push({ role: 'user', content: contentOf(said) })
    said = []
  }
  for (const part of parts) {
    if (part.type !== 'toolResult') {
      said.push(part)
      continue
    }
    say()
    if (part.isError) leftOut.add('is_error')
    messages.push({ role: 'tool', tool_call_id: part.callId, content: contentOf(part.content.map(onlyText)) })
  }
  if (messages.length === 0 || said.length > 0) messages.push({ role: 'user', content: contentOf(said) })
  return messages
}

function assistantMessages(parts: readonly Part[], leftOut: LeftOut): Message[] {
  const calls: object[] = []
  const said: Part[] = []
  const reasoning: { text: string }[] = []
  let opaque: string | undefined
  for (const part of parts) {
    if (part.type === 'toolCall') {
      calls.push({ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } })
    } else if (part.type === 'reasoning') {
      if (part.state?.origin === 'chat') {
        reasoning.push(part)
        opaque = part.state.signature ?? opaque
      } else leftOut.add('reasoning')
    } else {
      // Chat has the text of a message before its calls, and a model that reads it elsewhere reads another conversation.
      if (calls.length > 0) throw notTranslated(part.at)
      said.push(part)
    }
  }
  const thoughts = textOf(reasoning)
  const content = said.length === 0 && calls.length > 0 ? null : contentOf(said)
  // Nothing but reasoning that was left out.
  if (content === '' && parts.length > 0 && thoughts === '' && opaque === undefined) return []
  const message = {
    role: 'assistant',
    content,
    ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
    ...(opaque === undefined ? {} : { reasoning_opaque: opaque }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return [message]
}

/** One text is written as a text, because not every provider reads lists of parts. */
function contentOf(parts: readonly Part[]): unknown {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts.map(contentPart)
}

function contentPart(part: Part): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
      return imagePart(part)
    case 'document':
      return documentPart(part)
    default:
      throw notTranslated(part.at)
  }
}

function imagePart({ source, detail }: ImagePart): object {
  return {
    type: 'image_url',
    image_url: { url: urlOf(source), ...(detail === undefined ? {} : { detail: detail.value }) },
  }
}

function documentPart(part: DocumentPart): object {
  const { source } = part
  if (source.kind === 'url') throw notTranslated(part.at)
  return { type: 'file', file: { filename: fileName(part), file_data: dataOf(source) } }
}

function onlyText(part: TextPart | ImagePart | DocumentPart): TextPart {
  if (part.type !== 'text') throw notTranslated(part.at)
  return part
}
