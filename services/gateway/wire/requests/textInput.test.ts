import { describe, expect, it } from 'vitest'
import { countTexts, wrongTextInput } from './textInput.ts'

describe('wrongTextInput', () => {
  it.each([
    ['a text', 'Hello', 1],
    ['no text', '', 1],
    ['texts', ['Hello', '', 'there'], 3],
    ['tokens of one text', [0, 15339, 1917], 1],
    ['tokens of several', [[15339], [1917, 0]], 2],
  ])('takes %s, and counts them', (_, value, texts) => {
    expect(wrongTextInput('input', value)).toBeNull()
    expect(countTexts(value)).toBe(texts)
  })

  it.each([
    [null, "'input' must be a string or an array."],
    [7, "'input' must be a string or an array."],
    [{ 0: 'a' }, "'input' must be a string or an array."],
    [[], "'input' must not be empty."],
    [['a', 'b', 1], "'input[2]' must be a string, as 'input[0]' is."],
    [['a', null], "'input[1]' must be a string, as 'input[0]' is."],
    [[1, 'a'], "'input[1]' must be a token: an integer of 0 or more."],
    [[1, 2.5], "'input[1]' must be a token: an integer of 0 or more."],
    [[-1], "'input[0]' must be a token: an integer of 0 or more."],
    [[1, [2]], "'input[1]' must be a token: an integer of 0 or more."],
    [[[1], []], "'input[1]' must not be empty."],
    [[[]], "'input[0]' must not be empty."],
    [[[1], 2], "'input[1]' must be an array of tokens, as 'input[0]' is."],
    [[[1], 'a'], "'input[1]' must be an array of tokens, as 'input[0]' is."],
    [[[1], [2, '3']], "'input[1][1]' must be a token: an integer of 0 or more."],
    [[['a']], "'input[0][0]' must be a token: an integer of 0 or more."],
    [[null], "'input[0]' must be a string, a token or an array of tokens."],
    [[{ text: 'a' }], "'input[0]' must be a string, a token or an array of tokens."],
  ])('refuses %j', (value, message) => {
    expect(wrongTextInput('input', value)).toBe(message)
  })
})
