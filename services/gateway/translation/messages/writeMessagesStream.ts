import { messagesError } from '../../wire/streams/messagesStream.ts'
import type { AnswerEnd, AnswerEvent } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import { type ReasoningState, signatureFor } from '../conversation/reasoningState.ts'
import { type StreamWriter, sse } from '../conversation/streamReader.ts'
import { messagesStop } from './messagesStops.ts'
import { messagesTier, messagesUsage } from './messagesUsage.ts'
import { thinkingBlock } from './writeMessagesAnswer.ts'

type Kind = Extract<AnswerEvent, { type: 'partBegins' }>['kind']
/** Its block begins with its first text: whether reasoning is redacted is known only at its end. */
type OpenBlock = { readonly kind: Kind; index: number | null }

const NO_USAGE = { input_tokens: 0, cache_creation_input_tokens: null, cache_read_input_tokens: null, output_tokens: 0 }

/** Writes an answer as events of Messages. The input's tokens are known at its end only, and come with the last event. */
export function createMessagesStreamWriter({ callId, model }: AnswerFrame): StreamWriter {
  const open = new Map<number, OpenBlock>()
  let blocks = 0

  const event = (type: string, fields: object) => sse({ type, ...fields }, type)

  function start(block: OpenBlock, content: object): string {
    block.index = blocks++
    return event('content_block_start', { index: block.index, content_block: content })
  }

  function begin(begins: Extract<AnswerEvent, { type: 'partBegins' }>): string[] {
    const block = { kind: begins.kind, index: null }
    open.set(begins.part, block)
    switch (begins.kind) {
      case 'toolCall':
        return [start(block, { type: 'tool_use', id: begins.id, name: begins.name, input: {} })]
      case 'reasoning':
        return []
      default:
        return [start(block, { type: 'text', text: '', citations: null })]
    }
  }

  function grow(part: number, text: string): string[] {
    const block = open.get(part)
    if (block === undefined) return []
    if (block.kind !== 'reasoning')
      return [event('content_block_delta', { index: block.index, delta: delta(block.kind, text) })]
    const started = block.index === null ? [start(block, { type: 'thinking', thinking: '', signature: '' })] : []
    return [...started, event('content_block_delta', { index: block.index, delta: delta('reasoning', text) })]
  }

  function end(part: number, state: ReasoningState | null): string[] {
    const block = open.get(part)
    open.delete(part)
    if (block === undefined) return []
    const events: string[] = []
    // Nothing was shown of this reasoning, so the block has everything at its start.
    if (block.index === null) events.push(start(block, thinkingBlock({ type: 'reasoning', text: '', state })))
    else if (state !== null) {
      const signature = signatureFor(state, 'messages')
      events.push(event('content_block_delta', { index: block.index, delta: { type: 'signature_delta', signature } }))
    }
    return [...events, event('content_block_stop', { index: block.index })]
  }

  function endAll({ stop, stopSequence, usage }: AnswerEnd): string[] {
    const reason = { stop_reason: messagesStop(stop), stop_sequence: stopSequence }
    return [event('message_delta', { delta: reason, usage: messagesUsage(usage) }), event('message_stop', {})]
  }

  return {
    write(answer) {
      switch (answer.type) {
        case 'begins': {
          const message = { id: `msg_${callId}`, type: 'message', role: 'assistant', model, content: [] }
          const usage = { ...NO_USAGE, ...messagesTier(answer.serviceTier) }
          const rest = { stop_reason: null, stop_sequence: null, usage }
          return [event('message_start', { message: { ...message, ...rest } })]
        }
        case 'partBegins':
          return begin(answer)
        case 'partGrows':
          return grow(answer.part, answer.text)
        case 'partEnds':
          return end(answer.part, answer.state)
        case 'ends':
          return endAll(answer)
      }
    },
    failure: (error) => sse(messagesError(error), 'error'),
  }
}

function delta(kind: Kind, text: string): object {
  if (kind === 'toolCall') return { type: 'input_json_delta', partial_json: text }
  return kind === 'reasoning' ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text }
}
