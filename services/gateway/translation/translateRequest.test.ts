import { describe, expect, test } from 'vitest'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import { parseExactly } from './fields/jsonTexts.ts'
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

describe('a provider of Responses', () => {
  test('stores nothing, returns the state of reasoning, and keeps to a schema only if it is told so', () => {
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

const PDF_URL = { type: 'document', source: { type: 'url', url: 'https://a.example/x.pdf' } }

describe('a request is refused with the path of the field', () => {
  test.each<readonly [TranslatedWire, TranslatedWire, object, string]>([
    ['chat', 'messages', { logit_bias: { 1: 1 } }, 'logit_bias'],
    ['chat', 'messages', { web_search_options: {} }, 'web_search_options'],
    ['chat', 'messages', { seed: 1 }, 'seed'],
    ['chat', 'responses', { stop: ['END'] }, 'stop'],
    ['chat', 'messages', { temperature: 1.5 }, 'temperature'],
    ['chat', 'messages', { n: 2 }, 'n'],
    ['chat', 'messages', { service_tier: 'flex' }, 'service_tier'],
    ['chat', 'messages', { service_tier: 'gold' }, 'service_tier'],
    ['responses', 'chat', { service_tier: 'ultrafast' }, 'service_tier'],
    ['messages', 'chat', { speed: 'fast' }, 'speed'],
    ['chat', 'messages', { reasoning_effort: 'minimal' }, 'reasoning_effort'],
    ['chat', 'messages', { response_format: { type: 'json_object' } }, 'response_format'],
    ['chat', 'messages', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
    ['chat', 'messages', { tool_choice: { type: 'allowed_tools' } }, 'tool_choice.type'],
    ['chat', 'messages', { messages: [{ role: 'user', content: 'x', name: 'Ann' }] }, 'messages[0].name'],
    ['chat', 'messages', { messages: [{ role: 'function', name: 'f', content: 'x' }] }, 'messages[0].role'],
    [
      'chat',
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'messages[0].content[0].type',
    ],
    ['chat', 'messages', { messages: [hello, { role: 'assistant', content: 'Hi' }] }, 'messages[1]'],
    [
      'chat',
      'messages',
      { messages: [hello, { role: 'assistant', tool_calls: [call('a', '{"x":')] }, hello] },
      'messages[1].tool_calls[0].function.arguments',
    ],
    [
      'chat',
      'messages',
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a', detail: 'low' } }] }],
      },
      'messages[0].content[0].image_url.detail',
    ],
    ['messages', 'chat', { top_k: 5 }, 'top_k'],
    ['messages', 'chat', { max_tokens: 0 }, 'max_tokens'],
    ['messages', 'chat', { max_tokens: null }, 'max_tokens'],
    ['messages', 'chat', { messages: [hello, { role: 'assistant', content: 'The' }] }, 'messages[1]'],
    ['messages', 'chat', { messages: [{ role: 'user', content: [PDF_URL] }] }, 'messages[0].content[0]'],
    ['messages', 'chat', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type'],
    ['messages', 'chat', { mcp_servers: [{}] }, 'mcp_servers'],
    ['messages', 'chat', { container: 'c' }, 'container'],
    ['messages', 'responses', { stop_sequences: ['END'] }, 'stop_sequences'],
    ['responses', 'chat', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['responses', 'chat', { store: true }, 'store'],
    ['responses', 'chat', { truncation: 'auto' }, 'truncation'],
    ['responses', 'chat', { include: ['message.output_text.logprobs'] }, 'include[0]'],
    ['responses', 'chat', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [
      'responses',
      'chat',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].content[0].image_url',
    ],
    ['responses', 'messages', { text: { verbosity: 'low' } }, 'text.verbosity'],
    ['responses', 'messages', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  ])('%s for %s: %o', (caller, provider, fields, param) => {
    expect(translate(caller, provider, fields)).toMatchObject({ param, refused: expect.stringContaining(`'${param}'`) })
  })
})

describe('a hostile request is refused', () => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object
  test.each<readonly [string, unknown, string | null]>([
    ['that is a list', [], null],
    ['that is null', null, null],
    [
      'with a member __proto__',
      JSON.parse('{"model":"m","messages":[{"role":"user","content":"x"}],"__proto__":{"n":2}}'),
      '__proto__',
    ],
    [
      'with a message __proto__',
      JSON.parse('{"model":"m","messages":[{"__proto__":{"role":"user"}}]}'),
      'messages[0].role',
    ],
    ['with the role constructor', { ...BASES.chat, messages: [{ role: 'constructor' }] }, 'messages[0].role'],
    ['with the tier toString', { ...BASES.chat, service_tier: 'toString' }, 'service_tier'],
    [
      'with a schema that is nested too deeply',
      { ...BASES.chat, tools: [{ function: { name: 'f', parameters: nested(10_000) } }] },
      null,
    ],
    [
      'with arguments that are nested too deeply',
      {
        ...BASES.chat,
        messages: [{ role: 'assistant', tool_calls: [call('a', '{"a":'.repeat(100_000))] }, hello],
      },
      'messages[0].tool_calls[0].function.arguments',
    ],
    ['with more tools than any model takes', { ...BASES.chat, tools: Array(1_001).fill({}) }, 'tools'],
    ['with a name of many characters', { ...BASES.chat, [`x${'y'.repeat(100_000)}`]: 1 }, `x${'y'.repeat(199)}…`],
    ['with messages as an object', { ...BASES.chat, messages: { length: 1 } }, 'messages'],
    ['with a number for a text', { ...BASES.chat, model: 1 }, 'model'],
    ['with a number beyond all bounds', { ...BASES.chat, max_tokens: 1e300 }, 'max_tokens'],
    [
      'with reasoning that was tampered with',
      {
        ...BASES.chat,
        messages: [
          {
            role: 'assistant',
            content: 'x',
            reasoning_opaque: `tg1.${Buffer.from('[{"text":1}]').toString('base64url')}`,
          },
          hello,
        ],
      },
      'messages[0].reasoning_opaque',
    ],
  ])('%s', (_, request, param) => {
    const result = translateRequest(request, { caller: 'chat', provider: 'messages' }, OPTIONS)
    expect(result).toMatchObject({ param, refused: expect.any(String) })
    expect(Object.prototype).not.toHaveProperty('n')
  })

  test('if a signature of Messages was tampered with', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 'tg1.e30' }
    const result = translate('messages', 'chat', { messages: [{ role: 'assistant', content: [thinking] }, hello] })
    expect(result).toMatchObject({ param: 'messages[0].content[0].signature' })
  })
})

describe('a number is parsed with all its digits', () => {
  test.each(['12345678901234567890', '0.1234567890123456789', '1e400', '-0.1e-400'])('%s', (text) => {
    expect(JSON.stringify(parseExactly(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`)
  })
  test('and one that needs no care is a number', () => {
    expect(parseExactly('{"a":1.50,"b":"1e4","c":1e2}')).toEqual({ a: 1.5, b: '1e4', c: 100 })
  })
})
