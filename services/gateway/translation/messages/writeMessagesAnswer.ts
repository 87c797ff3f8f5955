import { type Answer, type AnswerPart, untranslatable } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import { signatureFor } from '../conversation/reasoningState.ts'
import { argumentsObject } from '../fields/jsonTexts.ts'
import { messagesStop } from './messagesStops.ts'
import { messagesTier, messagesUsage } from './messagesUsage.ts'

/** The answer as Messages gives it. Throws AnswerFailed for arguments of a tool that are not a JSON object. */
export function writeMessagesAnswer(answer: Answer, { callId, model }: AnswerFrame): object {
  const { parts, stop, stopSequence, usage, serviceTier } = answer
  return {
    id: `msg_${callId}`,
    type: 'message',
    role: 'assistant',
    model,
    content: parts.map(blockOf),
    stop_reason: messagesStop(stop),
    stop_sequence: stopSequence,
    usage: { ...messagesUsage(usage), ...messagesTier(serviceTier) },
  }
}

function blockOf(part: AnswerPart): object {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text, citations: null }
    case 'toolCall': {
      const input = argumentsObject(part.arguments)
      if (input === undefined) throw untranslatable('the arguments of a tool call are not a JSON object')
      return { type: 'tool_use', id: part.id, name: part.name, input }
    }
    case 'reasoning':
      return thinkingBlock(part)
  }
}

/** Reasoning of another API has its state sealed in the signature, so that the next turn brings it back. */
export function thinkingBlock({ text, state }: Extract<AnswerPart, { type: 'reasoning' }>): object {
  if (state === null) return { type: 'thinking', thinking: text, signature: '' }
  const signature = signatureFor(state, 'messages')
  return state.isRedacted && state.origin === 'messages'
    ? { type: 'redacted_thinking', data: signature }
    : { type: 'thinking', thinking: text, signature }
}
