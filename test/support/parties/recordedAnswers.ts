/** How the recording provider answers over one API. */
export type RecordedApi = {
  readonly path: string
  /** The script of an answer in a request. */
  scriptIn(body: RecordedBody): string
  whole(text: string, usage: RecordedUsage): object
  /** The events before and after the pieces of a stream, and each piece. */
  begins(): readonly object[]
  piece(text: string): object
  ends(usage: RecordedUsage): readonly object[]
  readonly namesEvents: boolean
}

export type RecordedUsage = { readonly tokensIn: number; readonly tokensOut: number }
export type RecordedBody = {
  readonly stream?: boolean
  readonly input?: string
  readonly messages?: readonly { readonly content: string }[]
}

export const RECORDED_MODEL = 'recorded-model'

const lastMessage = ({ messages = [] }: RecordedBody) => messages.at(-1)?.content ?? '{}'
const chunk = (fields: object) => ({
  ...{ id: 'answer', object: 'chat.completion.chunk', created: 0, model: RECORDED_MODEL },
  ...fields,
})

const chat: RecordedApi = {
  path: '/chat/completions',
  scriptIn: lastMessage,
  whole: (content, usage) => ({
    ...{ id: 'answer', object: 'chat.completion', created: 0, model: RECORDED_MODEL, usage: chatUsage(usage) },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  begins: () => [],
  piece: (content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  ends: (usage) => [
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage: chatUsage(usage) }),
  ],
  namesEvents: false,
}

function chatUsage({ tokensIn, tokensOut }: RecordedUsage) {
  return { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut }
}

const response = (status: string, usage: RecordedUsage | null, text: string | null = null) => ({
  ...{ id: 'resp_answer', object: 'response', created_at: 0, status, error: null, model: RECORDED_MODEL },
  output: text === null ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
  usage: usage && { input_tokens: usage.tokensIn, output_tokens: usage.tokensOut },
})

const responses: RecordedApi = {
  path: '/responses',
  scriptIn: ({ input = '{}' }) => input,
  whole: (text, usage) => response('completed', usage, text),
  begins: () => [
    { type: 'response.created', response: response('in_progress', null) },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
  ],
  piece: (delta) => ({ type: 'response.output_text.delta', output_index: 0, delta }),
  ends: (usage) => [
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message' } },
    { type: 'response.completed', response: response('completed', usage) },
  ],
  namesEvents: true,
}

const message = (content: object[], tokensIn: number, tokensOut: number) => ({
  ...{ id: 'msg_answer', type: 'message', role: 'assistant', model: RECORDED_MODEL, content },
  usage: { input_tokens: tokensIn, output_tokens: tokensOut },
})

const messages: RecordedApi = {
  path: '/messages',
  scriptIn: lastMessage,
  whole: (text, { tokensIn, tokensOut }) => ({
    ...message([{ type: 'text', text }], tokensIn, tokensOut),
    stop_reason: 'end_turn',
  }),
  begins: () => [
    { type: 'message_start', message: message([], 0, 1) },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ],
  piece: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  ends: ({ tokensIn, tokensOut }) => [
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: tokensIn, output_tokens: tokensOut },
    },
    { type: 'message_stop' },
  ],
  namesEvents: true,
}

const APIS = [chat, responses, messages]

export function recordedApi(url = ''): RecordedApi {
  return APIS.find(({ path }) => url.endsWith(path)) ?? chat
}
