import type { Part, ReasoningPart, ToolCallPart, Turn } from '../conversation/conversation.ts'
import { isSealed, SUMMARY_BREAK } from '../conversation/reasoningState.ts'
import { inOrder, type PlacedReasoning, unsealedReasoning } from '../conversation/sealedReasoning.ts'
import { TurnList } from '../conversation/turnList.ts'
import type { FieldReader } from '../fields/fieldReader.ts'
import { valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import { readChatContent } from './readChatParts.ts'

/** The messages of a chat request as turns. */
export function readChatMessages(fields: FieldReader): readonly Turn[] {
  const turns = new TurnList()
  const messages = fields.readersIn('messages')
  if (messages.length === 0) throw wrongField('messages', 'must be an array of at least one message.')
  for (const message of messages) {
    const { at } = message
    const role = message.text('role')
    message.leaveOut('cache_control')
    switch (role) {
      case 'system':
      case 'developer':
        turns.add(role, readChatContent(message, ['text']), at)
        break
      case 'user':
        turns.add(role, readChatContent(message, ['text', 'image_url', 'file']), at)
        break
      case 'assistant':
        turns.add(role, readAssistant(message), at)
        break
      case 'tool':
        turns.add('user', [readToolResult(message)], at)
        break
      default:
        throw valueNotTranslated(message.path('role'), role)
    }
    message.end()
  }
  return turns.turns
}

function readToolResult(message: FieldReader): Part {
  const content = readChatContent(message, ['text']).filter((part) => part.type === 'text')
  return { type: 'toolResult', callId: message.text('tool_call_id'), content, isError: false, at: message.at }
}

function readAssistant(message: FieldReader): Part[] {
  // Answers have them, and clients send answers back as they are.
  message.onlyEmpty('annotations')
  const texts: Part[] = readChatContent(message, ['text', 'refusal'])
  const refusal = message.textIfAny('refusal')
  if (refusal !== undefined) texts.push({ type: 'refusal', text: refusal, at: message.path('refusal') })
  return inOrder(readReasoning(message), texts, message.readersIn('tool_calls').map(readToolCall))
}

function readToolCall(call: FieldReader): ToolCallPart {
  // Some clients leave the type out; there was only one for long.
  call.choiceIfAny('type', ['function'])
  call.skip('index')
  const named = call.reader('function')
  const part = { type: 'toolCall', id: call.text('id'), name: named.text('name'), at: named.path('arguments') } as const
  const read = { ...part, arguments: named.text('arguments') }
  named.end()
  call.end()
  return read
}

/**
 * The opaque field holds the reasoning with its text, so the text beside it is used only without one. A provider's own
 * opaque value has no text and no place, and belongs behind everything.
 */
function readReasoning(message: FieldReader): { part: ReasoningPart; afterCalls?: number | undefined }[] {
  // Some providers have one name for the text, some the other, and some both.
  const other = message.textIfAny('reasoning')
  const text = message.textIfAny('reasoning_content') ?? other
  if (other !== undefined && other !== text) message.leftOut.add('reasoning')
  const opaque = message.textIfAny('reasoning_opaque')
  const at = message.path(opaque === undefined ? 'reasoning_content' : 'reasoning_opaque')
  const placed = opaque === undefined ? undefined : unsealedReasoning(opaque)
  if (opaque !== undefined && isSealed(opaque) && placed === undefined) {
    throw wrongField(at, 'is not as the gateway wrote it.')
  }
  if (placed !== undefined) {
    // The official client keeps only the last piece of a streamed field that it does not know.
    if (text !== undefined && !textOf(placed).endsWith(text)) message.leftOut.add('reasoning')
    return placed.map(({ text: own, state, afterCalls }) => ({
      part: { type: 'reasoning', text: own, state, at },
      afterCalls,
    }))
  }
  const parts: { part: ReasoningPart; afterCalls?: number }[] = []
  if (text !== undefined && text !== '') {
    parts.push({ part: { type: 'reasoning', text, state: { origin: 'chat' }, at } })
  }
  if (opaque !== undefined) {
    const state = { origin: 'chat', signature: opaque } as const
    parts.push({ part: { type: 'reasoning', text: '', state, at }, afterCalls: Number.MAX_SAFE_INTEGER })
  }
  return parts
}

/** The text that a chat answer shows beside its opaque reasoning. */
export function textOf(reasoning: readonly Pick<PlacedReasoning, 'text'>[]): string {
  return reasoning
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(SUMMARY_BREAK)
}
