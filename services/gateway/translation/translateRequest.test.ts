import { describe, expect, test } from 'vitest'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import { translateRequest } from './translateRequest.ts'

const OPTIONS = { model: 'provider-model', maxTokensDefault: 4_096 }
const hello = { role: 'user', content: 'Hello' }
const BASES = {
  chat: { model: 'alias', messages: [hello] },
  messages: { model: 'alias', max_tokens: 100, messages: [hello] },
  responses: { model: 'alias', input: 'Hello' },
}

function translate(caller: TranslatedWire, provider: TranslatedWire, fields: object) {
  return translateRequest({ ...BASES[caller], ...fields }, { caller, provider }, OPTIONS)
}

function body(caller: TranslatedWire, provider: TranslatedWire, fields: object) {
  const result = translate(caller, provider, fields)
  if ('refused' in result) throw new Error(result.refused)
  return result
}

type Case = readonly [what: string, fields: object, expected: object]

const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } })
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }

describe('chat for a provider of Messages', () => {
  test.each<Case>([
    [
      'a developer message as system',
      { messages: [{ role: 'developer', content: 'Be brief' }, hello] },
      { system: 'Be brief' },
    ],
    ['a default limit of tokens', {}, { max_tokens: 4_096 }],
    ['the limit of the caller', { max_completion_tokens: 7 }, { max_tokens: 7 }],
    ['stop as a list', { stop: 'END' }, { stop_sequences: ['END'] }],
    [
      'effort as adaptive thinking',
      { reasoning_effort: 'low' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    ['no effort as no thinking', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['the default tier', { service_tier: 'default' }, { service_tier: 'standard_only' }],
    [
      'a tool, the choice of it, and no parallel calls',
      {
        tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA, strict: true } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
      },
      {
        tools: [{ name: 'f', input_schema: SCHEMA, strict: true }],
        tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      },
    ],
    [
      'a schema of the output',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } } },
      { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
    ],
    [
      'parallel calls and their results in one message of the user',
      {
        messages: [
          hello,
          { role: 'assistant', content: '', tool_calls: [call('a', '{"n":1}'), call('b.1', '')] },
          { role: 'tool', tool_call_id: 'a', content: 'A' },
          { role: 'tool', tool_call_id: 'b.1', content: 'B' },
          { role: 'user', content: 'And?' },
        ],
      },
      {
        messages: [
          hello,
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
              { type: 'tool_use', id: 'tg_Yi4x', name: 'f', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: 'A' },
              { type: 'tool_result', tool_use_id: 'tg_Yi4x', content: 'B' },
              { type: 'text', text: 'And?' },
            ],
          },
        ],
      },
    ],
    [
      'images and documents',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'auto' } },
              { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
              { type: 'file', file: { filename: 'cv.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
              { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,SGk=' } },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
              {
                type: 'document',
                title: 'cv.pdf',
                source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
              },
              { type: 'document', title: 'a.txt', source: { type: 'text', media_type: 'text/plain', data: 'Hi' } },
            ],
          },
        ],
      },
    ],
  ])('has %s', (_, fields, expected) => {
    expect(body('chat', 'messages', fields).body).toMatchObject({ model: 'provider-model', ...expected })
  })

  test('keeps every digit of a number among the arguments of a tool', () => {
    const fields = { messages: [{ role: 'assistant', tool_calls: [call('a', '{"id":12345678901234567890}')] }, hello] }
    expect(JSON.stringify(body('chat', 'messages', fields).body)).toContain('{"id":12345678901234567890}')
  })
})

describe('Messages for a provider of chat', () => {
  test.each<Case>([
    ['the limit in the newer field', {}, { max_completion_tokens: 100 }],
    ['usage in its stream', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    [
      'any tool as required',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { tool_choice: 'required', parallel_tool_calls: false },
    ],
    ['the standard tier', { service_tier: 'standard_only' }, { service_tier: 'default' }],
    ['a budget as effort', { thinking: { type: 'enabled', budget_tokens: 8_000 } }, { reasoning_effort: 'medium' }],
    [
      'blocks of system as parts',
      {
        system: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
      {
        messages: [
          {
            role: 'system',
            content: [
              { type: 'text', text: 'A' },
              { type: 'text', text: 'B' },
            ],
          },
          hello,
        ],
      },
    ],
  ])('has %s', (_, fields, expected) => {
    expect(body('messages', 'chat', fields).body).toMatchObject(expected)
  })

  test('has the older field of the limit for a provider that knows no other', () => {
    const options = { ...OPTIONS, tokenLimit: 'max_tokens' } as const
    const result = translateRequest(BASES.messages, { caller: 'messages', provider: 'chat' }, options)
    expect(result).toMatchObject({ body: { max_tokens: 100 } })
    expect(result).not.toHaveProperty('body.max_completion_tokens')
  })
})

test('what the user says between results of tools stays between them in chat', () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })
  const content = [result('a'), { type: 'text', text: 'And' }, result('b'), { type: 'text', text: 'so?' }]
  const messages = [hello, { role: 'assistant', content: [call('a'), call('b')] }, { role: 'user', content }]
  const translated = body('messages', 'chat', { messages }).body as { messages: object[] }
  expect(translated.messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: 'a' },
    { role: 'user', content: 'And' },
    { role: 'tool', tool_call_id: 'b', content: 'b' },
    { role: 'user', content: 'so?' },
  ])
})

describe('a provider of Responses', () => {
  test('stores nothing, returns the state of reasoning, and keeps to a schema only if the request says so', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(body('chat', 'responses', { tools }).body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'f', strict: false }],
    })
  })
})

describe('hints are left out and named', () => {
  test.each<readonly [TranslatedWire, TranslatedWire, object, readonly string[]]>([
    ['chat', 'messages', { user: 'u', metadata: { a: '1' } }, ['metadata', 'user']],
    [
      'messages',
      'chat',
      { system: [{ type: 'text', text: 'A', cache_control: { type: 'ephemeral' } }] },
      ['cache_control'],
    ],
    ['messages', 'chat', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, ['budget_tokens', 'summary']],
    [
      'responses',
      'messages',
      { prompt_cache_key: 'k', reasoning: { summary: 'concise' } },
      ['prompt_cache_key', 'summary'],
    ],
    [
      'chat',
      'messages',
      { messages: [{ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' }, hello] },
      ['reasoning'],
    ],
    [
      'messages',
      'chat',
      {
        messages: [
          hello,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'No', is_error: true }] },
        ],
      },
      ['is_error'],
    ],
  ])('%s for %s: %o', (caller, provider, fields, names) => {
    expect(body(caller, provider, fields).leftOut).toEqual(names)
  })
})
