import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listMembers } from './jsonMembers.ts'
import { repeatedMember } from './repeatedMember.ts'

function find(text: string, isLooked?: (name: string) => boolean) {
  const json = Buffer.from(text)
  const count = { members: 0 }
  listMembers(json, 0, count)
  return repeatedMember(json, JSON.parse(text), count, isLooked)
}

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

test('a member that is repeated outside the fields that are looked at is ignored', () => {
  const text = '{"a":1,"a":2,"b":[{"c":1,"c":2}],"d":{"e":1,"e":1}}'
  expect(find(text, (name) => name === 'b')).toBe('b[0].c')
  expect(find(text, (name) => name === 'x')).toBeNull()
})

test('no JSON that was written from a value repeats a member', () => {
  fc.assert(fc.property(fc.json(), (text) => find(JSON.stringify(JSON.parse(text))) === null))
})
