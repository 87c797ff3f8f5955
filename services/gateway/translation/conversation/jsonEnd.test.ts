import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonObject } from '../../../../test/support/translation/conversations.ts'
import { JsonEnd } from './jsonEnd.ts'

function isComplete(text: string): boolean {
  const end = new JsonEnd()
  for (const char of text) end.add(char)
  return end.isComplete
}

test('the text of an object is complete with its last character, and not before', () => {
  const property = fc.property(jsonObject, (object) => {
    const text = JSON.stringify(object)
    for (let length = 0; length < text.length; length++) expect(isComplete(text.slice(0, length))).toBe(false)
    expect(isComplete(text)).toBe(true)
  })
  fc.assert(property)
})

test.each(['{"a":"}', '{"a":"\\"}', '{"a":"\\\\', '{"a":{}', ' '])('%j is not complete', (text) => {
  expect(isComplete(text)).toBe(false)
})

test.each(['{}', '{"a":"}"}', '{"a":"\\"}"}', '{"a":"\\\\"}', ' {"a":[{}]}'])('%j is complete', (text) => {
  expect(isComplete(text)).toBe(true)
})
