import { describe, expect, test } from 'vitest'
import { readResponsesRequest } from './responsesRequest.ts'

const read = (body: object | string) =>
  readResponsesRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
const readWith = (fields: object) => read({ model: 'a', ...fields })
const message = (part: object) => ({ input: [{ role: 'user', content: [part] }] })

test('a request is forwarded as received, except for its model', () => {
  const text =
    '{ "input" : "Hi\\u00e9", "store":true,"temperature":1.0, "stream":true,"stream_options":{"include_obfuscation":false}, "model" : "svc/a" }'
  const request = read(text)
  if ('refused' in request) throw new Error(request.refused)
  expect(request).toMatchObject({ model: 'svc/a', stream: true, n: 1, generated: 1, maxTokens: null, hostedTools: [] })
  expect(request.forwardedAs('large-1').toString()).toBe(text.replace('"svc/a"', '"large-1"'))
})

test('max_output_tokens bounds the output', () => {
  expect(readWith({ max_output_tokens: 7 })).toMatchObject({ maxTokens: 7 })
  expect(readWith({ max_tokens: 'x', n: 1_000, max_output_tokens: null })).toMatchObject({ maxTokens: null, n: 1 })
})

describe('what is stored at a provider is refused:', () => {
  test.each<[string, object]>([
    ['background', { background: true }],
    ['background', { background: 'true' }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[1]', { input: [{ role: 'user', content: 'x' }, { id: 'msg_1' }] }],
    ['input[0]', { input: [{ type: null, id: 'msg_1' }] }],
    ['input[0]', { input: [{ type: 'ITEM_REFERENCE', id: 'msg_1' }] }],
    ['input[0]', { input: [{ type: 'Item-Reference', id: 'msg_1', content: 'x' }] }],
    ['input[0]', { input: [{ type: 'message', id: 'msg_1' }] }],
    ['input[0]', { input: [{ type: 'message', id: 'msg_1', role: 'assistant', content: null, status: 'completed' }] }],
    ['input[0]', { input: [{ type: 'image_generation_call', Id: 'ig_1' }] }],
    ['input[0]', { input: [{ type: 'function_call', id: 'fc_1', name: '', arguments: null }] }],
    ['input[0]', { input: [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'So' }] }] }],
    ['cached_content', { cached_content: 'cachedContents/1' }],
    ['input[0].content[0].file_id', message({ type: 'input_image', file_id: 'file-1' })],
    ['input[0].content[0].FILE_ID', message({ type: 'input_file', FILE_ID: 'file-1' })],
    ['input[0].output[0].file_id', { input: [{ type: 'function_call_output', output: [{ file_id: 'file-1' }] }] }],
    ['input[0].container_id', { input: [{ type: 'code_interpreter_call', container_id: 'cntr_1' }] }],
    ['tools[0].container', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
    ['tools[0].container.file_ids', { tools: [{ type: 'code_interpreter', container: { file_ids: ['file-1'] } }] }],
    ['tools[0].vector_store_ids', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['tools[0].environment.container_id', { tools: [{ type: 'shell', environment: { container_id: 'cntr_1' } }] }],
  ])('%s of %j', (path, fields) => {
    expect(readWith(fields)).toEqual({ refused: expect.stringContaining(`'${path}'`) })
  })
})

test('a reference to an item is refused with what to do: send the item, with store: false', () => {
  expect(readWith({ input: [{ type: 'item_reference', id: 'msg_1' }] })).toEqual({
    refused:
      "'input[0]' refers to an item: nothing that is stored at a provider can be used here. Send the item itself, reasoning with its 'encrypted_content'; clients do so with 'store: false'.",
  })
})

test.each<[string, object]>([
  ['absent ids', { background: false, previous_response_id: null, conversation: null, prompt: null }],
  ['an item with an id and its content', { input: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [] }] }],
  ['reasoning', { input: [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'x', summary: [] }] }],
  [
    'reasoning with its own text',
    { input: [{ type: 'reasoning', id: 'rs_1', content: [{ text: 'So' }], summary: [] }] },
  ],
  [
    'a call with its id',
    { input: [{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' }] },
  ],
  ['an image by its address', message({ type: 'input_image', image_url: 'https://x.example/a.png', file_id: null })],
  [
    'a tool whose schema has such names',
    {
      tools: [{ type: 'function', name: 'f', parameters: { properties: { file_id: { type: 'string', Type: 1 } } } }],
    },
  ],
  ['arguments with such names', { input: [{ type: 'function_call', arguments: '{"file_id":"x"}', name: 'f' }] }],
  ['metadata with such names', { metadata: { file_id: 'x' } }],
])('%s are accepted', (_, fields) => {
  expect(readWith(fields)).not.toHaveProperty('refused')
})

test('tools that the provider runs are named; those of the caller are not', () => {
  const tools = [
    { type: 'function', name: 'f' },
    { type: 'custom', name: 'g' },
    { type: 'web_search_preview' },
    { type: 'namespace', name: 'n', tools: [{ type: 'mcp', server_url: 'https://x.example' }] },
  ]
  expect(readWith({ tools })).toMatchObject({ hostedTools: ['web_search_preview', 'mcp'] })
  const input = [{ type: 'tool_search_output', tools: [{ type: 'image_generation' }] }]
  expect(readWith({ input })).toMatchObject({ hostedTools: ['image_generation'] })
})

test('images and documents are counted', () => {
  const content = [
    { type: 'input_image' },
    { type: 'input_file', file_url: 'https://x.example/a.pdf' },
    { type: 'INPUT_FILE', file_url: 'https://x.example/a.pdf' },
    { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
  ]
  expect(readWith({ input: [{ role: 'user', content }] })).toMatchObject({ images: 1, files: 3 })
})

test.each([
  ['{"model":"a","model":"b"}', "'model' occurs more than once"],
  ['{"model":"a","Background":true}', "'background' is written in another case"],
  ['{"model":"a","tools":[{"type":"web_search","type":"function"}]}', "'tools[0].type' occurs more than once"],
  ['{"model":"a","input":[{"role":"user","content":[{"file_id":"f"}],"content":"x"}]}', "'input[0].content' occurs"],
  ['{"model":"a","tools":[{"Type":"web_search"}]}', "'tools[0].Type' is 'type' in another case"],
  ['{"model":"a","max_output_tokens":0}', "'max_output_tokens' must be a positive integer"],
  ['{"model":"a","input":{}}', "'input' must be a string or an array"],
  ['{"model":"a","input":[null]}', "'input[0]' must be an object"],
  ['{"model":"a","tools":{}}', "'tools' must be an array"],
  ['{"model":"a","tools":[{"type":1}]}', "'tools[0].type' must be a string"],
])('%s is refused', (body, message) => {
  expect(read(body)).toEqual({ refused: expect.stringContaining(message) })
})
