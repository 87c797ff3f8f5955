import { expect, test } from 'vitest'
import { completionText, parseCompletionJson } from './completion.ts'

test.each([
  ['a completion', { choices: [{ message: { content: 'Hello' } }] }, 'Hello'],
  ['a completion without choices', { choices: [] }, ''],
  ['a completion without text', { choices: [{ message: { content: null } }] }, ''],
  ['an answer that is not a completion', 'Hello', ''],
])('the text of %s', (_, answer, text) => {
  expect(completionText(answer)).toBe(text)
})

test.each([
  ['plain', '{"a":1}'],
  ['in a code fence', '```\n{"a":1}\n```'],
  ['in a code fence with a language and blanks around it', ' \n```json\n{"a":1}\n```\n'],
])('JSON %s is parsed', (_, text) => {
  expect(parseCompletionJson(text)).toEqual({ a: 1 })
})

test('text around a code fence is not JSON', () => {
  expect(() => parseCompletionJson('Here it is:\n```json\n{"a":1}\n```')).toThrow(SyntaxError)
})
