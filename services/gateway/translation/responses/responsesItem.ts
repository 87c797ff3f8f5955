import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { brokenAnswer, untranslatable } from '../conversation/answer.ts'
import { indexIn, objectIn, objectsIn, textIn } from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import type { OpenParts } from '../conversation/openParts.ts'
import { SUMMARIES_MAX, SUMMARY_BREAK } from '../conversation/reasoningState.ts'
import { readPart, reasoningStateOf, thoughtsIn } from './readResponsesAnswer.ts'

/** An item of a stream that was added and is not done. */
export type ResponsesItem = {
  /** An event that belongs to the item. */
  read(type: string, event: JsonObject): void
  /** The item is done; `item` is the whole of it. */
  end(item: JsonObject): void
}

export function createResponsesItem(item: JsonObject, parts: OpenParts, dropped: Dropped): ResponsesItem {
  switch (textIn(item, 'type')) {
    case 'message':
      return messageItem(parts, dropped)
    case 'function_call':
      return callItem(item, parts)
    case 'reasoning':
      return reasoningItem(parts)
    default:
      throw untranslatable('an item of a type that has no translation')
  }
}

/** A text that grows by deltas, of which the last event has the whole: what was not streamed before is added then. */
function growing(part: number, parts: OpenParts) {
  let chars = 0
  return {
    add(text: string): void {
      chars += text.length
      parts.grow(part, text)
    },
    whole(text: string): void {
      if (text.length < chars) throw brokenAnswer('a text that is shorter than its deltas')
      this.add(text.slice(chars))
    },
    get isEmpty() {
      return chars === 0
    },
  }
}

type Content = { readonly part: number; readonly text: ReturnType<typeof growing> }

function messageItem(parts: OpenParts, dropped: Dropped): ResponsesItem {
  const contents = new Map<number, Content>()

  function add(index: number, part: JsonObject): Content {
    const { type } = readPart(part, dropped)
    const number = parts.begin({ kind: type })
    const content = { part: number, text: growing(number, parts) }
    contents.set(index, content)
    return content
  }

  function contentAt(event: JsonObject): Content {
    const content = contents.get(indexIn(event, 'content_index'))
    if (content === undefined) throw brokenAnswer('an event of content that was not added')
    return content
  }

  return {
    read(type, event) {
      switch (type) {
        case 'response.content_part.added': {
          const index = indexIn(event, 'content_index')
          if (contents.has(index)) throw brokenAnswer('content that is added twice')
          add(index, objectIn(event, 'part'))
          return
        }
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return contentAt(event).text.add(textIn(event, 'delta'))
        case 'response.output_text.done':
          return contentAt(event).text.whole(textIn(event, 'text'))
        case 'response.refusal.done':
          return contentAt(event).text.whole(textIn(event, 'refusal'))
        case 'response.content_part.done':
          return parts.end(contentAt(event).part)
        default:
          // Annotations come only from tools that the provider runs.
          dropped.add(type)
      }
    },
    /** Some providers send the content only with the item. */
    end(item) {
      for (const [index, part] of objectsIn(item, 'content').entries()) {
        const content = contents.get(index) ?? add(index, part)
        if (parts.isOpen(content.part)) content.text.whole(readPart(part, dropped).text)
      }
      for (const { part } of contents.values()) parts.end(part)
    },
  }
}

function callItem(item: JsonObject, parts: OpenParts): ResponsesItem {
  const part = parts.begin({ kind: 'toolCall', id: textIn(item, 'call_id'), name: textIn(item, 'name') })
  const text = growing(part, parts)
  return {
    read(type, event) {
      if (type === 'response.function_call_arguments.delta') text.add(textIn(event, 'delta'))
      else if (type === 'response.function_call_arguments.done') text.whole(textIn(event, 'arguments'))
      else throw brokenAnswer('an event of another type than its item')
    },
    end(whole) {
      text.whole(textIn(whole, 'arguments'))
      // No arguments are an object without members in every other API.
      if (text.isEmpty) text.add('{}')
      parts.end(part)
    },
  }
}

/** Summaries are numbered, and so are thoughts; the text of the part is all of those that come first. */
function reasoningItem(parts: OpenParts): ResponsesItem {
  const part = parts.begin({ kind: 'reasoning' })
  const lengths: number[] = []
  let kind = ''

  function add(own: string, index: number, text: string): void {
    kind ||= own
    if (kind !== own) return
    if (index !== lengths.length && index !== lengths.length - 1) throw brokenAnswer('a summary out of order')
    if (index >= SUMMARIES_MAX) throw brokenAnswer('a reasoning item with too many summaries')
    if (index === lengths.length) {
      if (index > 0) parts.grow(part, SUMMARY_BREAK)
      lengths.push(0)
    }
    lengths[index] = (lengths[index] ?? 0) + text.length
    parts.grow(part, text)
  }

  return {
    read(type, event) {
      if (type === 'response.reasoning_summary_text.delta') {
        add('summary', indexIn(event, 'summary_index'), textIn(event, 'delta'))
      } else if (type === 'response.reasoning_text.delta') {
        add('content', indexIn(event, 'content_index'), textIn(event, 'delta'))
      }
    },
    /** Some providers send the text only with the item. */
    end(whole) {
      if (kind === '') for (const [index, text] of thoughtsIn(whole).entries()) add('whole', index, text)
      parts.end(part, reasoningStateOf(whole, lengths))
    },
  }
}
