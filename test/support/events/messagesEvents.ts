import { PROVIDER_MODEL } from '../parties/scriptedProvider.ts'

export const MESSAGES_USAGE = {
  input_tokens: 700,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 100,
  output_tokens: 500,
}

/** An answer of the Messages API, as a provider gives it. */
export function messageObject(changes: object = {}): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: PROVIDER_MODEL,
    content: [{ type: 'text', text: 'Good day.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: MESSAGES_USAGE,
    ...changes,
  }
}

export function messagesEvent(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

export const messageStart = (changes: object = {}) =>
  messagesEvent('message_start', {
    message: messageObject({
      content: [],
      stop_reason: null,
      usage: { ...MESSAGES_USAGE, output_tokens: 1 },
      ...changes,
    }),
  })
export const blockStart = (index = 0, block: object = { type: 'text', text: '' }) =>
  messagesEvent('content_block_start', { index, content_block: block })
export const blockSays = (text: string, index = 0) =>
  messagesEvent('content_block_delta', { index, delta: { type: 'text_delta', text } })
export const blockStop = (index = 0) => messagesEvent('content_block_stop', { index })
export const messageDelta = (usage: object | null = { output_tokens: 500 }, stop: string | null = 'end_turn') =>
  messagesEvent('message_delta', {
    delta: { stop_reason: stop, stop_sequence: null },
    ...(usage === null ? {} : { usage }),
  })
export const MESSAGE_STOP = messagesEvent('message_stop')
export const PING = messagesEvent('ping')

/** A whole stream with one block of text. */
export function messagesStream(text = 'Good day.'): string[] {
  const words = text.split(/(?<= )/)
  return [
    ...[messageStart(), blockStart(), PING, ...words.map((word) => blockSays(word)), blockStop()],
    ...[messageDelta(), MESSAGE_STOP],
  ]
}
