import { describe, expect, it } from 'vitest'
import { readUsage } from './usage.ts'

describe('readUsage', () => {
  it('reads the tokens of a whole answer', () => {
    expect(readUsage({ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })).toEqual({
      tokensIn: 3,
      tokensOut: 4,
    })
  })

  it('takes embeddings, which name no completion', () => {
    expect(readUsage({ usage: { prompt_tokens: 0, total_tokens: 0 } })).toEqual({ tokensIn: 0, tokensOut: 0 })
  })

  it.each([
    [null],
    ['usage'],
    [{}],
    [{ usage: null }],
    [{ usage: {} }],
    [{ usage: { completion_tokens: 4 } }],
    [{ usage: { prompt_tokens: 3, completion_tokens: null } }],
    [{ usage: { prompt_tokens: '3', completion_tokens: 4 } }],
    [{ usage: { prompt_tokens: -1, completion_tokens: 4 } }],
    [{ usage: { prompt_tokens: 3, completion_tokens: 1.5 } }],
    [{ usage: { prompt_tokens: 2 ** 53, completion_tokens: 4 } }],
  ])('finds none in %j', (answer) => {
    expect(readUsage(answer)).toBeNull()
  })
})
