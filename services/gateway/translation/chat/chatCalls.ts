import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { isAbsent } from '../../../../platform/http/body/parseJson.ts'
import { brokenAnswer } from '../conversation/answer.ts'
import { indexIn, objectIfAny, textIfAny } from '../conversation/answerFields.ts'
import { JsonEnd } from '../conversation/jsonEnd.ts'
import type { OpenParts } from '../conversation/openParts.ts'

type OpenCall = { readonly id: string; readonly part: number; readonly json: JsonEnd; hasText: boolean }

/**
 * The tool calls of a chat stream. A call has an end only with the whole answer. To let a client begin before that, a call ends
 * when another part begins and its arguments are complete JSON; calls that are streamed at the same time stay open.
 */
export function createChatCalls(parts: OpenParts) {
  const calls = new Map<number, OpenCall>()
  let last: OpenCall | null = null

  function finish(call: OpenCall): void {
    if (!parts.isOpen(call.part)) return
    // No arguments are an object without members in every other API.
    if (!call.hasText) parts.grow(call.part, '{}')
    parts.end(call.part)
  }

  function pause(): void {
    if (last?.json.isComplete) finish(last)
  }

  function begin(index: number, id: string, call: JsonObject | null): OpenCall {
    const name = call === null ? null : textIfAny(call, 'name')
    if (name === null) throw brokenAnswer('a tool call without a name')
    pause()
    const part = parts.begin({ kind: 'toolCall', id, name })
    last = { id, part, json: new JsonEnd(), hasText: false }
    calls.set(index, last)
    return last
  }

  return {
    read(delta: JsonObject): void {
      const id = textIfAny(delta, 'id') || null
      const named = objectIfAny(delta, 'function')
      const index = indexOf(delta, id)
      const known = calls.get(index)
      // Some providers number every call 0, but each has an id of its own.
      const isNew = known === undefined || (id !== null && id !== known.id)
      if (isNew && id === null) throw brokenAnswer('a tool call without an id')
      const call = isNew ? begin(index, id as string, named) : known
      const text = named === null ? '' : (textIfAny(named, 'arguments') ?? '')
      if (text === '') return
      parts.grow(call.part, text)
      call.json.add(text)
      call.hasText = true
    },
    pause,
    get begun() {
      return calls.size
    },
    end(): void {
      for (const call of calls.values()) finish(call)
    },
  }

  /** Some providers leave out the index, and send each call at once. */
  function indexOf(delta: JsonObject, id: string | null): number {
    if (!isAbsent(delta.index)) return indexIn(delta, 'index')
    return id === null || last?.id === id ? Math.max(calls.size - 1, 0) : calls.size
  }
}
