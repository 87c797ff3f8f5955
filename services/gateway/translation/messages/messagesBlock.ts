import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { brokenAnswer, untranslatable } from '../conversation/answer.ts'
import { objectIfAny, textIfAny, textIn } from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import type { OpenParts } from '../conversation/openParts.ts'
import { redactedState } from './readMessagesAnswer.ts'

/** A content block of a stream that has begun. */
export type MessagesBlock = {
  grow(delta: JsonObject, dropped: Dropped): void
  stop(): void
}

/** Far more than the signature of the longest thinking has. */
const SIGNATURE_CHARS_MAX = 4 * 1024 * 1024

/** Where a delta has its text, and the type of block that it belongs to. */
const DELTAS: Readonly<Record<string, readonly [member: string, block: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  input_json_delta: ['partial_json', 'tool_use'],
}

export function createMessagesBlock(block: JsonObject, parts: OpenParts): MessagesBlock {
  const type = textIn(block, 'type')
  switch (type) {
    case 'text':
      return growingBlock(type, begun(textIn(block, 'text'), parts.begin({ kind: 'text' })))
    case 'tool_use':
      return toolBlock()
    case 'thinking':
      return thinkingBlock()
    case 'redacted_thinking': {
      const part = parts.begin({ kind: 'reasoning' })
      return growingBlock(type, part, () => parts.end(part, redactedState(block)))
    }
    default:
      throw untranslatable('a content block of a type that has no translation')
  }

  function begun(text: string, part: number): number {
    parts.grow(part, text)
    return part
  }

  function growingBlock(own: string, part: number, stop = () => parts.end(part)): MessagesBlock {
    return {
      grow(delta, dropped) {
        const text = deltaText(delta, own, dropped)
        if (text !== null) parts.grow(part, text)
      },
      stop,
    }
  }

  /** `input` is empty at the beginning of a stream, unless the provider sends no deltas. */
  function toolBlock(): MessagesBlock {
    const part = parts.begin({ kind: 'toolCall', id: textIn(block, 'id'), name: textIn(block, 'name') })
    const input = JSON.stringify(objectIfAny(block, 'input') ?? {})
    let hasText = false
    return {
      grow(delta, dropped) {
        const text = deltaText(delta, 'tool_use', dropped)
        if (text === null || text === '') return
        hasText = true
        parts.grow(part, text)
      },
      stop() {
        if (!hasText) parts.grow(part, input)
        parts.end(part)
      },
    }
  }

  function thinkingBlock(): MessagesBlock {
    const part = begun(textIfAny(block, 'thinking') ?? '', parts.begin({ kind: 'reasoning' }))
    let signature = textIfAny(block, 'signature') ?? ''
    return {
      grow(delta, dropped) {
        if (delta.type === 'signature_delta') {
          signature += textIn(delta, 'signature')
          if (signature.length > SIGNATURE_CHARS_MAX) throw brokenAnswer('a signature that is too long')
        } else {
          const text = deltaText(delta, 'thinking', dropped)
          if (text !== null) parts.grow(part, text)
        }
      },
      stop: () => parts.end(part, signature === '' ? { origin: 'messages' } : { origin: 'messages', signature }),
    }
  }
}

function deltaText(delta: JsonObject, block: string, dropped: Dropped): string | null {
  const type = textIn(delta, 'type')
  if (type === 'citations_delta') {
    dropped.add('delta.citation')
    return null
  }
  const [member, owner] = Object.hasOwn(DELTAS, type) ? (DELTAS[type] ?? []) : []
  if (member === undefined) throw untranslatable('a delta of a type that has no translation')
  if (owner !== block) throw brokenAnswer('a delta of another type than its content block')
  return textIn(delta, member)
}
