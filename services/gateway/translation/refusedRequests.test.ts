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

const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } })
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
        messages: [
          {
            role: 'assistant',
            tool_calls: [
              call('a', JSON.stringify({ a: '[' }).replace('"["', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)),
            ],
          },
          hello,
        ],
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
