export type WireName = 'chat' | 'responses' | 'messages'

export type ToldUsage = {
  /** All input tokens. */
  readonly tokensIn: number
  readonly tokensCached: number
  /** Input tokens that were written to a cache; null if it tells none. */
  readonly tokensWritten: number | null
  /** Those of them that the cache keeps for an hour. Only Messages tells. */
  readonly tokensWrittenFor1h: number
  readonly tokensOut: number
  /** Output tokens that the model reasoned with; null if it tells none. */
  readonly tokensReasoning: number | null
  /** null if it tells none. */
  readonly serviceTier: string | null
}

/** Bytes of an answer in the pieces in which they are sent. */
export type ModelAnswer = {
  readonly contentType: string
  readonly pieces: readonly string[]
  /** The answer is complete once this many characters were sent; null if it has no usage. */
  readonly completeAt: number | null
}

type Wanted = {
  readonly wire: WireName
  readonly isStreamed: boolean
  readonly words: readonly string[]
  /** null: it tells none. */
  readonly usage: ToldUsage | null
}

/** An answer as providers of the three APIs give it. */
export function modelAnswer(wanted: Wanted): ModelAnswer {
  const { wire, isStreamed, usage } = wanted
  if (!isStreamed) {
    const text = JSON.stringify(WHOLE[wire](wanted))
    return { contentType: 'application/json', pieces: [text], completeAt: usage && text.length }
  }
  const { pieces, last } = STREAMS[wire](wanted)
  const completeAt = pieces.slice(0, last + 1).join('').length
  return { contentType: 'text/event-stream', pieces, completeAt: usage && completeAt }
}

/** The form that chat and responses have in common. */
const detailsOf = ({ tokensCached, tokensWritten, tokensReasoning }: ToldUsage) => ({
  ofInput: { cached_tokens: tokensCached, ...(tokensWritten !== null && { cache_write_tokens: tokensWritten }) },
  ofOutput: tokensReasoning === null ? {} : { reasoning_tokens: tokensReasoning },
})
const chatUsage = (usage: ToldUsage) => ({
  ...{ prompt_tokens: usage.tokensIn, completion_tokens: usage.tokensOut },
  total_tokens: usage.tokensIn + usage.tokensOut,
  ...{ prompt_tokens_details: detailsOf(usage).ofInput, completion_tokens_details: detailsOf(usage).ofOutput },
})
const responsesUsage = (usage: ToldUsage) => ({
  ...{ input_tokens: usage.tokensIn, output_tokens: usage.tokensOut },
  total_tokens: usage.tokensIn + usage.tokensOut,
  ...{ input_tokens_details: detailsOf(usage).ofInput, output_tokens_details: detailsOf(usage).ofOutput },
})
const tierOf = (usage: Pick<ToldUsage, 'serviceTier'> | null) =>
  typeof usage?.serviceTier === 'string' ? { service_tier: usage.serviceTier } : {}
/** Input tokens of this API are those that were neither read from a cache nor written to one. */
const messagesInput = ({ tokensIn, tokensCached, tokensWritten, tokensWrittenFor1h, ...told }: ToldUsage) => ({
  ...{ input_tokens: tokensIn - tokensCached - (tokensWritten ?? 0), cache_read_input_tokens: tokensCached },
  ...(tokensWritten !== null && { cache_creation_input_tokens: tokensWritten }),
  ...(tokensWrittenFor1h > 0 && { cache_creation: { ephemeral_1h_input_tokens: tokensWrittenFor1h } }),
  ...tierOf(told),
})
const messagesOutput = ({ tokensOut, tokensReasoning }: ToldUsage) => ({
  output_tokens: tokensOut,
  ...(tokensReasoning !== null && { output_tokens_details: { thinking_tokens: tokensReasoning } }),
})

const WHOLE: Readonly<Record<WireName, (wanted: Wanted) => object>> = {
  chat: ({ words, usage }) => ({
    ...{ id: 'chat-1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: words.join(' ') }, finish_reason: 'stop' }],
    ...tierOf(usage),
    ...(usage && { usage: chatUsage(usage) }),
  }),
  responses: (wanted) => response(wanted),
  messages: ({ words, usage }) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
    content: [{ type: 'text', text: words.join(' ') }],
    ...(usage && { usage: { ...messagesInput(usage), ...messagesOutput(usage) } }),
  }),
}

function response({ words, usage }: Wanted): object {
  const content = [{ type: 'output_text', text: words.join(' '), annotations: [] }]
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }],
    ...tierOf(usage),
    ...(usage && { usage: responsesUsage(usage) }),
  }
}

/** `last`: the piece that completes the answer. */
type Pieces = { readonly pieces: readonly string[]; readonly last: number }

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const named = (data: { readonly type: string }) => `event: ${data.type}\n${event(data)}`

const STREAMS: Readonly<Record<WireName, (wanted: Wanted) => Pieces>> = {
  chat: ({ words, usage }) => {
    const chunk = (more: object) =>
      event({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...tierOf(usage), ...more })
    const choice = (delta: object, reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })
    const pieces = [
      choice({ role: 'assistant', content: '' }),
      ...words.map((word) => choice({ content: word })),
      choice({}, 'stop'),
      ...(usage ? [chunk({ choices: [], usage: chatUsage(usage) })] : []),
      'data: [DONE]\n\n',
    ]
    return { pieces, last: pieces.length - 2 }
  },
  responses: (wanted) => {
    const item = { output_index: 0, item_id: 'msg_1', content_index: 0 }
    const pieces = [
      named({ type: 'response.created', response: { id: 'resp_1', created_at: 1, status: 'in_progress' } } as never),
      named({ type: 'response.output_item.added', ...item, item: { type: 'message', id: 'msg_1' } } as never),
      ...wanted.words.map((delta) => named({ type: 'response.output_text.delta', ...item, delta } as never)),
      named({ type: 'response.output_text.done', ...item, text: wanted.words.join(' ') } as never),
      named({ type: 'response.output_item.done', ...item, item: { type: 'message', id: 'msg_1' } } as never),
      named({ type: 'response.completed', response: response(wanted) } as never),
    ]
    return { pieces, last: pieces.length - 1 }
  },
  messages: ({ words, usage }) => {
    const start = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }
    const delta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
    const pieces = [
      named({
        type: 'message_start',
        message: { ...start, usage: { ...(usage && messagesInput(usage)), output_tokens: 1 } },
      } as never),
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
      ...words.map((word) => named(delta(word))),
      named({ type: 'content_block_stop', index: 0 } as never),
      named({
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        ...(usage && { usage: messagesOutput(usage) }),
      } as never),
      named({ type: 'message_stop' }),
    ]
    return { pieces, last: pieces.length - 2 }
  },
}
