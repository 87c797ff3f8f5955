import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatedMember } from './repeatedMember.ts'

const find = (text: string) => repeatedMember(Buffer.from(text), JSON.parse(text))

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"tools":[{"type":"function"},{"type":"function","name":"x","type":"web_search"}]}', 'tools[1].type'],
  ['{"input":[ [] , {"content":[{"x":{"b":":","b":{}}}]} ]}', 'input[1].content[0].x.b'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s repeats a member', (text, path) => {
  expect(find(text)).toBe(path)
})

test.each([
  '{}',
  '{"a":{"a":{"a":[]}}}',
  '{"a":"{\\"b\\":1,\\"b\\":2}"}',
  '[{"a":1},{"a":1}]',
  '{"__proto__":{"a":1}}',
  '3',
])('%s repeats none', (text) => {
  expect(find(text)).toBeNull()
})

test('no JSON that was written from a value repeats a member', () => {
  fc.assert(fc.property(fc.json(), (text) => find(JSON.stringify(JSON.parse(text))) === null))
})
