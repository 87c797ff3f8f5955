import { PROVIDER_MODEL } from '../parties/scriptedProvider.ts'

export const RESPONSES_USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 500,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1_500,
}

/** An answer of the Responses API, as a provider gives it. */
export function responseObject(changes: object = {}): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_767_225_600,
    status: 'completed',
    error: null,
    model: PROVIDER_MODEL,
    output: [
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Good day.', annotations: [] }],
      },
    ],
    usage: RESPONSES_USAGE,
    ...changes,
  }
}

/** Numbers the events of one stream. */
export function responsesEvents() {
  let sequence = 0
  const event = (type: string, fields: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const part = (text = '') => ({ part: { type: 'output_text', text, annotations: [] } })
  const message = (index: number, status: string) => ({
    output_index: index,
    item: { id: `msg_${index}`, type: 'message', status, role: 'assistant', content: [] },
  })
  const response = (status: string, changes: object = {}) => ({
    response: responseObject({ status, output: [], usage: null, ...changes }),
  })
  return {
    event,
    created: () => event('response.created', response('in_progress')),
    itemAdded: (index = 0) => event('response.output_item.added', message(index, 'in_progress')),
    partAdded: (index = 0, content = 0) =>
      event('response.content_part.added', { output_index: index, content_index: content, ...part() }),
    says: (delta: string, index = 0) =>
      event('response.output_text.delta', { output_index: index, content_index: 0, delta }),
    textDone: (text: string, index = 0) =>
      event('response.output_text.done', { output_index: index, content_index: 0, text }),
    partDone: (text: string, index = 0) =>
      event('response.content_part.done', { output_index: index, content_index: 0, ...part(text) }),
    itemDone: (index = 0) => event('response.output_item.done', message(index, 'completed')),
    ends: (changes: object = {}, type = 'response.completed') =>
      event(type, response(type.slice('response.'.length), { usage: RESPONSES_USAGE, ...changes })),
  }
}

/** A whole stream with one message. */
export function responsesStream(text = 'Good day.'): string[] {
  const { created, itemAdded, partAdded, says, textDone, partDone, itemDone, ends } = responsesEvents()
  const words = text.split(/(?<= )/)
  return [
    ...[created(), itemAdded(), partAdded(), ...words.map((word) => says(word))],
    ...[textDone(text), partDone(text), itemDone(), ends()],
  ]
}
