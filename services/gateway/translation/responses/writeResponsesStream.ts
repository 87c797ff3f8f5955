import type { AnswerEnd, AnswerEvent, AnswerPart } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import type { ReasoningState } from '../conversation/reasoningState.ts'
import { type StreamWriter, sse } from '../conversation/streamReader.ts'
import { begunItem, contentPartOf, type ItemStatus, itemId, outputItem } from './outputItems.ts'
import { responseObject } from './responseObject.ts'
import { statusFor } from './responsesStatus.ts'
import { endedResponse, responsesTier } from './writeResponsesAnswer.ts'

type Begins = Extract<AnswerEvent, { type: 'partBegins' }>
type Item = {
  readonly at: { readonly output_index: number; readonly item_id: string }
  readonly part: AnswerPart
  text: string
  state: ReasoningState | null
  /** Of the item when it is done. */
  done: object | null
}

const FIRST = { content_index: 0 }
const FIRST_SUMMARY = { summary_index: 0 }

/**
 * Writes an answer as events of Responses, each part as an item of its own. What completes a part is written when another one
 * begins or the answer ends, for it may complete the answer, and then has to wait for the charge.
 */
export function createResponsesStreamWriter(frame: AnswerFrame): StreamWriter {
  const items = new Map<number, Item>()
  let ended: Item[] = []
  let sequence = 0

  const event = (type: string, fields: object) => sse({ type, sequence_number: sequence++, ...fields }, type)

  function begin(begins: Begins): string[] {
    const output_index = items.size
    const item_id = itemId(begins.kind, frame.callId, output_index)
    const item = { at: { output_index, item_id }, part: partOf(begins), text: '', state: null, done: null }
    items.set(begins.part, item)
    const events = [event('response.output_item.added', { output_index, item: begunItem(item.part, item_id) })]
    const { kind } = begins
    if (kind !== 'text' && kind !== 'refusal') return events
    return [...events, event('response.content_part.added', { ...item.at, ...FIRST, part: contentPartOf(kind, '') })]
  }

  function grow({ part, text }: Extract<AnswerEvent, { type: 'partGrows' }>): string[] {
    const item = items.get(part)
    if (item === undefined) return []
    const { at } = item
    const isFirst = item.text === ''
    item.text += text
    switch (item.part.type) {
      case 'text':
        return [event('response.output_text.delta', { ...at, ...FIRST, delta: text, logprobs: [] })]
      case 'refusal':
        return [event('response.refusal.delta', { ...at, ...FIRST, delta: text })]
      case 'toolCall':
        return [event('response.function_call_arguments.delta', { ...at, delta: text })]
      case 'reasoning': {
        const added = { ...at, ...FIRST_SUMMARY, part: { type: 'summary_text', text: '' } }
        const events = isFirst ? [event('response.reasoning_summary_part.added', added)] : []
        return [...events, event('response.reasoning_summary_text.delta', { ...at, ...FIRST_SUMMARY, delta: text })]
      }
    }
  }

  /** The events that complete a part. */
  function complete(item: Item, status: ItemStatus): string[] {
    const { at, text } = item
    const part = endedPart(item)
    item.done = outputItem(part, at.item_id, status)
    const events: string[] = []
    if (part.type === 'text') events.push(event('response.output_text.done', { ...at, ...FIRST, text, logprobs: [] }))
    if (part.type === 'refusal') events.push(event('response.refusal.done', { ...at, ...FIRST, refusal: text }))
    if (part.type === 'text' || part.type === 'refusal') {
      events.push(event('response.content_part.done', { ...at, ...FIRST, part: contentPartOf(part.type, text) }))
    }
    if (part.type === 'toolCall') {
      events.push(event('response.function_call_arguments.done', { ...at, name: part.name, arguments: text }))
    }
    if (part.type === 'reasoning' && text !== '') {
      const summary = { ...at, ...FIRST_SUMMARY }
      events.push(event('response.reasoning_summary_text.done', { ...summary, text }))
      events.push(event('response.reasoning_summary_part.done', { ...summary, part: { type: 'summary_text', text } }))
    }
    const { output_index } = at
    return [...events, event('response.output_item.done', { output_index, item: item.done })]
  }

  function flush(lastStatus: ItemStatus = 'completed'): string[] {
    const done = ended
    ended = []
    return done.flatMap((item) => {
      const isLast = item.at.output_index === items.size - 1
      return complete(item, isLast ? lastStatus : 'completed')
    })
  }

  function end(answer: AnswerEnd): string[] {
    const { status } = statusFor(answer.stop)
    const events = flush(status === 'incomplete' ? 'incomplete' : 'completed')
    const output = [...items.values()].flatMap(({ done }) => (done === null ? [] : [done]))
    return [...events, event(`response.${status}`, { response: endedResponse(output, answer, frame) })]
  }

  return {
    write(answer) {
      switch (answer.type) {
        case 'begins': {
          const response = responseObject(frame, responsesTier(answer.serviceTier))
          return [event('response.created', { response }), event('response.in_progress', { response })]
        }
        case 'partBegins': {
          const completed = flush()
          return [...completed, ...begin(answer)]
        }
        case 'partGrows':
          return grow(answer)
        case 'partEnds': {
          const item = items.get(answer.part)
          if (item === undefined) return []
          item.state = answer.state
          ended.push(item)
          return []
        }
        case 'ends':
          return end(answer)
      }
    },
    failure({ error: { code, message } }) {
      const response = responseObject(frame, { status: 'failed', error: { code: code ?? 'server_error', message } })
      return event('response.failed', { response })
    },
  }
}

function partOf(begins: Begins): AnswerPart {
  if (begins.kind === 'toolCall') return { type: 'toolCall', id: begins.id, name: begins.name, arguments: '' }
  return begins.kind === 'reasoning' ? { type: 'reasoning', text: '', state: null } : { type: begins.kind, text: '' }
}

function endedPart({ part, text, state }: Item): AnswerPart {
  if (part.type === 'toolCall') return { ...part, arguments: text }
  return part.type === 'reasoning' ? { ...part, text, state } : { ...part, text }
}
