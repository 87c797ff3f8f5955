import { describe, expect, test } from 'vitest'
import { readMessagesRequest } from './messagesRequest.ts'

const HELLO = [{ role: 'user', content: 'Hello' }]
const read = (body: object | string) =>
  readMessagesRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
const readWith = (fields: object) => read({ model: 'a', max_tokens: 5, messages: HELLO, ...fields })
const block = (...blocks: object[]) => ({ messages: [{ role: 'user', content: blocks }] })

test('a request is forwarded as received, except for its model', () => {
  const text =
    '{ "max_tokens":1e1, "model" : "svc/a","stream":true, "messages":[ {"role":"user","content":"Hi\\u00e9"} ],"top_k":1.0 }'
  const request = read(text)
  if ('refused' in request) throw new Error(request.refused)
  expect(request).toMatchObject({ model: 'svc/a', stream: true, n: 1, generated: 1, maxTokens: 10, hostedTools: [] })
  expect(request.forwardedAs('large-1').toString()).toBe(text.replace('"svc/a"', '"large-1"'))
})

describe('what is stored at a provider is refused:', () => {
  const file = { type: 'file', file_id: 'file_1' }
  test.each<[string, object]>([
    ['container', { container: 'container_1' }],
    ['container', { container: { skills: [{ skill_id: 'pptx' }] } }],
    ['messages[0].content[0].source.file_id', block({ type: 'image', source: file })],
    ['messages[0].content[0].source.file_id', block({ type: 'document', source: file })],
    ['messages[0].content[0].file_id', block({ type: 'container_upload', file_id: 'file_1' })],
    [
      'messages[0].content[0].content[0].source.file_id',
      block({ type: 'tool_result', content: [{ type: 'image', source: file }] }),
    ],
    ['system[0].source.file_id', { system: [{ type: 'document', source: file }] }],
  ])('%s of %j', (path, fields) => {
    expect(readWith(fields)).toEqual({ refused: expect.stringContaining(`'${path}'`) })
  })
})

test.each<[string, object]>([
  ['arguments with such names', block({ type: 'tool_use', id: 't', name: 'f', input: { file_id: 'x', Type: 'y' } })],
  [
    'a tool whose schema has such names',
    {
      tools: [{ name: 'f', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }],
    },
  ],
  ['a request to count tokens', { max_tokens: undefined }],
  ['absent values', { container: null, mcp_servers: [], tools: null, stream: null }],
])('%s are accepted', (_, fields) => {
  expect(readWith(fields)).toMatchObject({ hostedTools: [] })
})

test('tools that the provider runs are named; those of the caller are not', () => {
  const tools = [
    { name: 'f', input_schema: {} },
    { type: 'custom', name: 'g', input_schema: {} },
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'edit' },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { type: 'tool_search_tool_bm25', name: 'tool_search_tool_bm25' },
    { type: 'web_search_20250305', name: 'web_search' },
  ]
  const servers = [{ type: 'url', url: 'https://x.example', name: 'x' }]
  expect(readWith({ tools, mcp_servers: servers })).toMatchObject({ hostedTools: ['web_search_20250305', 'mcp'] })
})

test('images and documents are counted, texts are not', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } }
  const pdf = { type: 'document', source: { type: 'url', url: 'https://x.example/a.pdf' } }
  const text = { type: 'document', source: { type: 'text', data: 'Hello' } }
  expect(readWith(block(image, pdf, text))).toMatchObject({ images: 1, files: 1 })
  expect(readWith(block({ ...image, type: 'Image' }, { ...pdf, type: 'DOCUMENT' }))).toMatchObject({
    images: 1,
    files: 1,
  })
})

test.each([
  ['{"model":"a"}', "'messages' is missing"],
  ['{"model":"a","messages":[]}', "'messages' must not be empty"],
  ['{"model":"a","messages":[{"role":"user"}],"max_tokens":-1}', "'max_tokens' must be an integer of 0 or more"],
  ['{"model":"a","messages":[{"role":"user"}],"mcp_servers":{}}', "'mcp_servers' must be an array"],
  ['{"model":"a","messages":[{"role":"user"}],"Container":"c"}', "'container' is written in another case"],
  [
    '{"model":"a","messages":[{"role":"user","content":"a","content":[]}]}',
    "'messages[0].content' occurs more than once",
  ],
  [
    '{"model":"a","messages":[{"role":"user"}],"tools":[{"type":"custom","type":"web_search_20250305"}]}',
    "'tools[0].type'",
  ],
  ['{"model":"a","messages":[{"role":"user"}],"tools":[{"Type":"web_search_20250305"}]}', "'tools[0].Type'"],
])('%s is refused', (body, message) => {
  expect(read(body)).toEqual({ refused: expect.stringContaining(message) })
})
