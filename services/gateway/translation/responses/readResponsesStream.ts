import { isAbsent, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { tierOf } from '../chat/readChatAnswer.ts'
import { type AnswerEvent, brokenAnswer } from '../conversation/answer.ts'
import { indexIn, objectIn, objectsIn, providerError, textIn } from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { OpenParts } from '../conversation/openParts.ts'
import type { StreamReader } from '../conversation/streamReader.ts'
import { createResponsesItem, type ResponsesItem } from './responsesItem.ts'
import { endOf } from './responsesStatus.ts'

const ENDS: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])
const IGNORED: ReadonlySet<string> = new Set(['response.in_progress', 'response.queued', 'keepalive'])

/** Reads the events of Responses: items are numbered, and each is added, grows and is done. */
export function createResponsesStreamReader(dropped: Dropped): StreamReader {
  const parts = new OpenParts()
  const items = new Map<number, ResponsesItem>()
  let added = 0
  let hasCalls = false
  let phase: 'new' | 'open' | 'over' = 'new'

  function addItem(event: JsonObject): void {
    const index = indexIn(event, 'output_index')
    if (items.has(index) || index < added) throw brokenAnswer('an item that is added twice')
    added = index + 1
    const item = objectIn(event, 'item')
    hasCalls ||= item.type === 'function_call'
    items.set(index, createResponsesItem(item, parts, dropped))
  }

  function endItem(event: JsonObject): void {
    const index = indexIn(event, 'output_index')
    itemAt(event).end(objectIn(event, 'item'))
    items.delete(index)
  }

  function itemAt(event: JsonObject): ResponsesItem {
    const item = items.get(indexIn(event, 'output_index'))
    if (item === undefined) throw brokenAnswer('an event of an item that is not open')
    return item
  }

  function end(event: JsonObject): void {
    const response = objectIn(event, 'response')
    const ending = endOf(response, hasCalls)
    if (items.size > 0) throw brokenAnswer('a response ended before its items')
    if (objectsIn(response, 'output').length > added) throw brokenAnswer('a response has items that were not streamed')
    phase = 'over'
    parts.push({ type: 'ends', ...ending })
  }

  function readOne(type: string, event: JsonObject): void {
    if (phase === 'new') {
      if (type !== 'response.created') throw brokenAnswer('an event before response.created')
      phase = 'open'
      parts.push({ type: 'begins', serviceTier: tierOf(objectIn(event, 'response')) })
    } else if (ENDS.has(type)) end(event)
    else if (type === 'response.output_item.added') addItem(event)
    else if (type === 'response.output_item.done') endItem(event)
    else if (type === 'response.created') throw brokenAnswer('a second response.created')
    else if (IGNORED.has(type)) return
    else if (!isAbsent(event.output_index)) itemAt(event).read(type, event)
    // Providers add events about the call itself, such as its limits.
    else dropped.add(type)
  }

  function closed(): AnswerEvent[] {
    if (phase !== 'over') throw brokenAnswer('the stream ended before the response')
    return []
  }

  return {
    read(event) {
      const type = textIn(event, 'type')
      if (type === 'error' || !isAbsent(event.error)) throw providerError(event.error, event)
      if (phase !== 'over') readOne(type, event)
      return parts.take()
    },
    // Not of this API, but some providers send it.
    done: () => [],
    closed,
  }
}
