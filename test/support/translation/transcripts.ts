/**
 * One answer as each API documents it: reasoning with its state, a text, and two tool calls in parallel. Written by hand from
 * the APIs' documents, and not by the code under test.
 */
type Transcript = {
  /** The data of each event. */
  readonly events: readonly object[]
  readonly answer: object
  /** The API ends its streams with `[DONE]`. */
  readonly sendsDone?: true
}

const CHUNK = {
  id: 'chatcmpl-9',
  object: 'chat.completion.chunk',
  created: 1_767_225_600,
  model: 'gpt-x',
  service_tier: 'default',
}
const chunk = (delta: object, finish: string | null = null) => ({
  ...CHUNK,
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
})
const CHAT_USAGE = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 40, audio_tokens: 0, cache_write_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
}

export const CHAT: Transcript = {
  sendsDone: true,
  events: [
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ reasoning_content: 'Two cities' }),
    chunk({ reasoning_content: ' to look up.' }),
    chunk({ content: 'Let me' }),
    chunk({ content: ' look.' }),
    chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'weather', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 1, function: { arguments: '{"city":"Rome"}' } }] }),
    chunk({}, 'tool_calls'),
    { ...CHUNK, choices: [], usage: CHAT_USAGE },
  ],
  answer: {
    ...CHUNK,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        logprobs: null,
        message: {
          role: 'assistant',
          content: 'Let me look.',
          refusal: null,
          reasoning_content: 'Two cities to look up.',
          annotations: [],
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
          ],
        },
      },
    ],
    usage: CHAT_USAGE,
  },
}

const MESSAGES_USAGE = {
  input_tokens: 50,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 40,
  cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
  output_tokens: 50,
  output_tokens_details: { thinking_tokens: 20 },
  service_tier: 'standard',
}
const MESSAGE = { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude-x', stop_sequence: null }
const started = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const grows = (index: number, type: string, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
})
const stopped = (index: number) => ({ type: 'content_block_stop', index })
const toolUse = (id: string, input: object) => ({ type: 'tool_use', id, name: 'weather', input })

export const MESSAGES: Transcript = {
  events: [
    {
      type: 'message_start',
      message: {
        ...MESSAGE,
        content: [],
        stop_reason: null,
        usage: { ...MESSAGES_USAGE, output_tokens: 1, output_tokens_details: null },
      },
    },
    started(0, { type: 'thinking', thinking: '', signature: '' }),
    { type: 'ping' },
    grows(0, 'thinking_delta', { thinking: 'Two cities' }),
    grows(0, 'thinking_delta', { thinking: ' to look up.' }),
    grows(0, 'signature_delta', { signature: 'EqoBCkgI' }),
    stopped(0),
    started(1, { type: 'text', text: '' }),
    grows(1, 'text_delta', { text: 'Let me' }),
    grows(1, 'text_delta', { text: ' look.' }),
    stopped(1),
    started(2, toolUse('toolu_1', {})),
    grows(2, 'input_json_delta', { partial_json: '' }),
    grows(2, 'input_json_delta', { partial_json: '{"city":' }),
    grows(2, 'input_json_delta', { partial_json: '"Oslo"}' }),
    stopped(2),
    started(3, toolUse('toolu_2', {})),
    grows(3, 'input_json_delta', { partial_json: '{"city":"Rome"}' }),
    stopped(3),
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 50, output_tokens_details: { thinking_tokens: 20 } },
    },
    { type: 'message_stop' },
  ],
  answer: {
    ...MESSAGE,
    content: [
      { type: 'thinking', thinking: 'Two cities to look up.', signature: 'EqoBCkgI' },
      { type: 'text', text: 'Let me look.', citations: null },
      toolUse('toolu_1', { city: 'Oslo' }),
      toolUse('toolu_2', { city: 'Rome' }),
    ],
    stop_reason: 'tool_use',
    usage: MESSAGES_USAGE,
  },
}

const RESPONSES_USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 150,
}
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_767_225_600,
  model: 'gpt-x',
  error: null,
  service_tier: 'default',
}
const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Two cities to look up.' }],
  encrypted_content: 'gAAAAAB',
}
const said = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const message = (status: string, content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  status,
  role: 'assistant',
  content,
})
const call = (n: number, status: string, text: string) => ({
  id: `fc_${n}`,
  type: 'function_call',
  status,
  call_id: `call_${n}`,
  name: 'weather',
  arguments: text,
})
const OUTPUT = [
  REASONING,
  message('completed', [said('Let me look.')]),
  call(1, 'completed', '{"city":"Oslo"}'),
  call(2, 'completed', '{"city":"Rome"}'),
]
const itemAdded = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item })
const itemDone = (output_index: number) => ({
  type: 'response.output_item.done',
  output_index,
  item: OUTPUT[output_index],
})
const RS = { item_id: 'rs_1', output_index: 0, summary_index: 0 }
const MSG = { item_id: 'msg_1', output_index: 1, content_index: 0 }
const argumentsEvent = (n: number, type: string, fields: object) => ({
  type: `response.function_call_arguments.${type}`,
  item_id: `fc_${n}`,
  output_index: n + 1,
  ...fields,
})

export const RESPONSES: Transcript = {
  events: [
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } },
    { type: 'response.in_progress', response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } },
    itemAdded(0, { id: 'rs_1', type: 'reasoning', summary: [] }),
    { type: 'response.reasoning_summary_part.added', ...RS, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...RS, delta: 'Two cities', obfuscation: 'x8' },
    { type: 'response.reasoning_summary_text.delta', ...RS, delta: ' to look up.' },
    { type: 'response.reasoning_summary_text.done', ...RS, text: 'Two cities to look up.' },
    { type: 'response.reasoning_summary_part.done', ...RS, part: REASONING.summary[0] },
    itemDone(0),
    itemAdded(1, message('in_progress', [])),
    { type: 'response.content_part.added', ...MSG, part: said('') },
    { type: 'response.output_text.delta', ...MSG, delta: 'Let me', logprobs: [] },
    { type: 'response.output_text.delta', ...MSG, delta: ' look.', logprobs: [] },
    { type: 'response.output_text.done', ...MSG, text: 'Let me look.', logprobs: [] },
    { type: 'response.content_part.done', ...MSG, part: said('Let me look.') },
    itemDone(1),
    itemAdded(2, call(1, 'in_progress', '')),
    argumentsEvent(1, 'delta', { delta: '{"city":' }),
    argumentsEvent(1, 'delta', { delta: '"Oslo"}' }),
    argumentsEvent(1, 'done', { arguments: '{"city":"Oslo"}' }),
    itemDone(2),
    itemAdded(3, call(2, 'in_progress', '')),
    argumentsEvent(2, 'delta', { delta: '{"city":"Rome"}' }),
    argumentsEvent(2, 'done', { arguments: '{"city":"Rome"}' }),
    itemDone(3),
    {
      type: 'response.completed',
      response: { ...RESPONSE, status: 'completed', output: OUTPUT, usage: RESPONSES_USAGE },
    },
  ].map((event, sequence_number) => ({ ...event, sequence_number })),
  answer: { ...RESPONSE, status: 'completed', incomplete_details: null, output: OUTPUT, usage: RESPONSES_USAGE },
}

export const TRANSCRIPTS = { chat: CHAT, messages: MESSAGES, responses: RESPONSES }
