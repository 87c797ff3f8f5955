import type { AnswerEnd, AnswerEvent } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import { type ReasoningState, SUMMARY_BREAK } from '../conversation/reasoningState.ts'
import { sealedReasoning } from '../conversation/sealedReasoning.ts'
import { type StreamWriter, sse } from '../conversation/streamReader.ts'
import { chatStop } from './chatStops.ts'
import { chatTier, chatUsage } from './chatUsage.ts'

type Kind = Extract<AnswerEvent, { type: 'partBegins' }>['kind']
/** What is kept of a part until the end: of reasoning everything, of others only that they were there. */
type Kept = { readonly type: Kind; text: string; state: ReasoningState | null }

const FIELDS = { text: 'content', refusal: 'refusal', reasoning: 'reasoning_content' } as const

/**
 * Writes an answer as chunks of chat completions. The opaque reasoning comes as one piece at the end, because clients put
 * fields that they do not know together in different ways.
 */
export function createChatStreamWriter({ callId, model, createdAt }: AnswerFrame): StreamWriter {
  let frame: object = { id: `chatcmpl-${callId}`, object: 'chat.completion.chunk', created: createdAt, model }
  const kept = new Map<number, Kept>()
  const callIndexes = new Map<number, number>()
  let hasThoughts = false

  const chunk = (delta: object, finish: string | null = null) =>
    sse({ ...frame, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })

  function begin(event: Extract<AnswerEvent, { type: 'partBegins' }>): string[] {
    kept.set(event.part, { type: event.kind, text: '', state: null })
    if (event.kind !== 'toolCall') return []
    const { id, name } = event
    const index = callIndexes.size
    callIndexes.set(event.part, index)
    return [chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })]
  }

  function grow(part: number, text: string): string[] {
    const grown = kept.get(part)
    if (grown === undefined) return []
    if (grown.type === 'toolCall') {
      return [chunk({ tool_calls: [{ index: callIndexes.get(part), function: { arguments: text } }] })]
    }
    if (grown.type !== 'reasoning') return [chunk({ [FIELDS[grown.type]]: text })]
    const isNext = hasThoughts && grown.text === ''
    hasThoughts = true
    grown.text += text
    return [chunk({ [FIELDS.reasoning]: isNext ? SUMMARY_BREAK + text : text })]
  }

  function end({ stop, usage, serviceTier }: AnswerEnd): string[] {
    const opaque = sealedReasoning([...kept.values()])
    const tier = chatTier(serviceTier)
    return [
      ...(opaque === undefined ? [] : [chunk({ reasoning_opaque: opaque })]),
      chunk({}, chatStop(stop)),
      sse({ ...frame, choices: [], usage: chatUsage(usage), ...tier }),
      'data: [DONE]\n\n',
    ]
  }

  return {
    write(event) {
      switch (event.type) {
        case 'begins':
          frame = { ...frame, ...chatTier(event.serviceTier) }
          return [chunk({ role: 'assistant', content: '' })]
        case 'partBegins':
          return begin(event)
        case 'partGrows':
          return grow(event.part, event.text)
        case 'partEnds': {
          const ended = kept.get(event.part)
          if (ended !== undefined) ended.state = event.state
          return []
        }
        case 'ends':
          return end(event)
      }
    },
    // Without `[DONE]`, so that a client can tell it from a complete answer.
    failure: (error) => sse(error),
  }
}
