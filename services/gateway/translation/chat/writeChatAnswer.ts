import type { Answer } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import { sealedReasoning } from '../conversation/sealedReasoning.ts'
import { chatStop } from './chatStops.ts'
import { chatTier, chatUsage } from './chatUsage.ts'
import { textOf } from './readChatMessages.ts'

/** The answer as chat completions gives it. All texts are one there. */
export function writeChatAnswer(answer: Answer, { callId, model, createdAt }: AnswerFrame): object {
  const message = { role: 'assistant', ...messageOf(answer) }
  return {
    id: `chatcmpl-${callId}`,
    object: 'chat.completion',
    created: createdAt,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: chatStop(answer.stop) }],
    usage: chatUsage(answer.usage),
    ...chatTier(answer.serviceTier),
  }
}

function messageOf({ parts }: Answer): object {
  const calls = parts.flatMap((part) => {
    if (part.type !== 'toolCall') return []
    const { id, name, arguments: text } = part
    return [{ id, type: 'function', function: { name, arguments: text } }]
  })
  const thoughts = textOf(parts.filter(({ type }) => type === 'reasoning') as { text: string }[])
  const opaque = sealedReasoning(parts)
  return {
    content: joined(parts, 'text'),
    refusal: joined(parts, 'refusal'),
    ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
    ...(opaque === undefined ? {} : { reasoning_opaque: opaque }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function joined(parts: Answer['parts'], type: 'text' | 'refusal'): string | null {
  const texts = parts.flatMap((part) => (part.type === type ? [part.text] : []))
  return texts.length === 0 ? null : texts.join('')
}
