import { isAbsent, isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type AnswerEvent, brokenAnswer, untranslatable } from '../conversation/answer.ts'
import { indexIn, objectIfAny, objectIn, providerError, textIfAny, textIn } from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { OpenParts } from '../conversation/openParts.ts'
import type { StreamReader } from '../conversation/streamReader.ts'
import { createMessagesBlock, type MessagesBlock } from './messagesBlock.ts'
import { stopOfMessages } from './messagesStops.ts'
import { readMessagesUsage } from './messagesUsage.ts'

/** Reads the events of Messages: blocks are numbered, and each is begun and stopped. */
export function createMessagesStreamReader(dropped: Dropped): StreamReader {
  const parts = new OpenParts()
  const open = new Map<number, MessagesBlock>()
  let blocks = 0
  let phase: 'new' | 'open' | 'stopped' | 'over' = 'new'
  let counts: JsonObject = {}
  let stopReason = ''
  let stopSequence: string | null = null

  const READERS: Readonly<Record<string, (event: JsonObject) => void>> = {
    message_start(event) {
      if (phase !== 'new') throw brokenAnswer('a second message_start')
      phase = 'open'
      count(objectIn(event, 'message'))
      parts.push({ type: 'begins', serviceTier: textIfAny(counts, 'service_tier') })
    },
    content_block_start(event) {
      expectOpen()
      const index = indexIn(event, 'index')
      if (index !== blocks) throw brokenAnswer('a content block out of order')
      blocks++
      open.set(index, createMessagesBlock(objectIn(event, 'content_block'), parts))
    },
    content_block_delta(event) {
      blockOf(event).grow(objectIn(event, 'delta'), dropped)
    },
    content_block_stop(event) {
      blockOf(event).stop()
      open.delete(indexIn(event, 'index'))
    },
    message_delta(event) {
      if (phase === 'new') throw brokenAnswer('a message_delta before the message_start')
      count(event)
      const delta = objectIfAny(event, 'delta') ?? {}
      const reason = textIfAny(delta, 'stop_reason')
      if (reason === null) return
      if (open.size > 0) throw brokenAnswer('a stop_reason before the end of a content block')
      phase = 'stopped'
      stopReason = reason
      stopSequence = textIfAny(delta, 'stop_sequence')
    },
    message_stop() {
      end()
    },
    ping() {},
  }

  function expectOpen(): void {
    if (phase !== 'open') throw brokenAnswer('a content block outside of the message')
  }

  function blockOf(event: JsonObject): MessagesBlock {
    expectOpen()
    const block = open.get(indexIn(event, 'index'))
    if (block === undefined) throw brokenAnswer('an event of a content block that is not open')
    return block
  }

  /** Later counts replace earlier ones; null stands for none. */
  function count({ usage }: JsonObject): void {
    if (!isJsonObject(usage)) return
    counts = { ...counts, ...Object.fromEntries(Object.entries(usage).filter(([, value]) => !isAbsent(value))) }
  }

  function end(): void {
    if (phase === 'over') return
    if (phase !== 'stopped') throw brokenAnswer('the stream ended without a stop_reason')
    phase = 'over'
    const stop = stopOfMessages(stopReason)
    const usage = readMessagesUsage({ usage: counts })
    parts.push({ type: 'ends', stop, stopSequence, usage, serviceTier: textIfAny(counts, 'service_tier') })
  }

  function closed(): AnswerEvent[] {
    end()
    return parts.take()
  }

  return {
    read(event) {
      const type = textIn(event, 'type')
      if (type === 'error' || !isAbsent(event.error)) throw providerError(event.error, event)
      if (phase === 'over') return []
      if (!Object.hasOwn(READERS, type)) throw untranslatable('an event of a type that has no translation')
      READERS[type]?.(event)
      return parts.take()
    },
    // Not of this API, but some providers send it.
    done: () => [],
    closed,
  }
}
