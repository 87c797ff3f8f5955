import { jsonReply } from '../../../platform/http/answer/reply.ts'
import type { Envelope } from '../../../platform/http/route.ts'
import { requireAnswerChars } from './answerSize.ts'
import { countRequest, messagesQuestion, messagesRequest } from './messagesSchema.ts'
import { modelCall } from './modelCall.ts'
import { type Answer, answerTo, tokensInOf } from './question.ts'
import { isLongWish } from './wishes.ts'

/** Errors in the format of the Messages API, marked as the sandbox's own. */
const envelope: Envelope = ({ status, message, headers }) => {
  const type = status < 500 ? 'invalid_request_error' : 'api_error'
  return jsonReply(status, { type: 'error', error: { type, message: `sandbox: ${message}` } }, headers)
}

export const messages = modelCall({
  path: '/v1/messages',
  summary: 'A message, whole or streamed',
  schema: messagesRequest,
  namesEvents: true,
  envelope,
  isLong: (request) => isLongWish(messagesQuestion(request).turns.at(-1)?.text ?? ''),
  answer: (request, { uuid }) => {
    const answer = answerTo(messagesQuestion(request))
    const { delayMs } = answer
    const text = answer.pieces.join('')
    requireAnswerChars(text.length)
    const head = { id: `msg_${uuid}`, type: 'message', role: 'assistant', model: request.model }
    if (request.stream) return { delayMs, events: eventsOf(uuid, answer, head) }
    const block =
      answer.tool === null ? { type: 'text', text } : { ...toolUse(uuid, answer.tool), input: inputOf(text) }
    return {
      delayMs,
      whole: { ...head, content: [block], ...stopOf(answer), usage: usageOf(answer, answer.tokensOut) },
    }
  },
})

export const countTokens = modelCall({
  path: '/v1/messages/count_tokens',
  summary: 'The input tokens of a message',
  schema: countRequest,
  envelope,
  isLong: () => false,
  answer: (request) => ({ whole: { input_tokens: tokensInOf(messagesQuestion(request)) } }),
})

function* eventsOf(uuid: string, answer: Answer, head: object): Generator<object> {
  const nothing = { content: [], stop_reason: null, stop_sequence: null, usage: usageOf(answer, 1) }
  yield { type: 'message_start', message: { ...head, ...nothing } }
  const block = answer.tool === null ? { type: 'text', text: '' } : { ...toolUse(uuid, answer.tool), input: {} }
  yield { type: 'content_block_start', index: 0, content_block: block }
  yield { type: 'ping' }
  for (const piece of answer.pieces) {
    const delta =
      answer.tool === null ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece }
    yield { type: 'content_block_delta', index: 0, delta }
  }
  yield { type: 'content_block_stop', index: 0 }
  yield { type: 'message_delta', delta: stopOf(answer), usage: { output_tokens: answer.tokensOut } }
  yield { type: 'message_stop' }
}

function toolUse(uuid: string, name: string) {
  return { type: 'tool_use', id: `toolu_${uuid}`, name }
}

/** The API has an object there, whatever the schema says. */
function inputOf(text: string): object {
  const input: unknown = JSON.parse(text)
  return typeof input === 'object' && input !== null ? input : {}
}

function stopOf({ tool, finishReason }: Answer) {
  const reason = tool !== null ? 'tool_use' : finishReason === 'length' ? 'max_tokens' : 'end_turn'
  return { stop_reason: reason, stop_sequence: null }
}

function usageOf({ tokensIn }: Answer, tokensOut: number) {
  const caches = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  return { input_tokens: tokensIn, ...caches, output_tokens: tokensOut }
}
