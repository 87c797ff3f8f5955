import type { AnswerPart } from '../conversation/answer.ts'
import { signatureFor } from '../conversation/reasoningState.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

const PREFIXES = { text: 'msg', refusal: 'msg', reasoning: 'rs', toolCall: 'fc' } as const

/** Each part of an answer is an item of its own, named by its place. */
export function itemId(type: AnswerPart['type'], callId: string, index: number): string {
  return `${PREFIXES[type]}_${callId}_${index}`
}

export function contentPartOf(type: 'text' | 'refusal', text: string): object {
  return type === 'text'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'refusal', refusal: text }
}

/** The item of a part that has ended. */
export function outputItem(part: AnswerPart, id: string, status: ItemStatus): object {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { id, type: 'message', status, role: 'assistant', content: [contentPartOf(part.type, part.text)] }
    case 'toolCall':
      return { id, type: 'function_call', status, call_id: part.id, name: part.name, arguments: part.arguments }
    case 'reasoning': {
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
      const { state } = part
      return {
        id,
        type: 'reasoning',
        summary,
        encrypted_content: state === null ? null : signatureFor(state, 'responses'),
      }
    }
  }
}

/** The item of a part that has just begun. */
export function begunItem(part: AnswerPart, id: string): object {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    case 'toolCall':
      return { id, type: 'function_call', status: 'in_progress', call_id: part.id, name: part.name, arguments: '' }
    case 'reasoning':
      return { id, type: 'reasoning', summary: [] }
  }
}
