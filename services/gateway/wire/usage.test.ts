import { describe, expect, it } from 'vitest'
import { readUsage } from './usage.ts'

describe('readUsage', () => {
  it('reads the tokens of a whole answer', () => {
    expect(readUsage({ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })).toEqual({
      tokensIn: 3,
      tokensOut: 4,
      tokensCached: null,
      tokensCacheWrite: null,
    })
  })

  it('takes embeddings, which name no completion', () => {
    expect(readUsage({ usage: { prompt_tokens: 0, total_tokens: 0 } })).toMatchObject({ tokensIn: 0, tokensOut: 0 })
  })

  const withDetails = (details: unknown) =>
    readUsage({ usage: { prompt_tokens: 100, completion_tokens: 4, prompt_tokens_details: details } })

  it('reads cached tokens and cache writes as parts of the input', () => {
    expect(withDetails({ cached_tokens: 60, cache_write_tokens: 40 })).toEqual({
      tokensIn: 100,
      tokensOut: 4,
      tokensCached: 60,
      tokensCacheWrite: 40,
    })
    expect(withDetails({ cached_tokens: 0 })).toMatchObject({ tokensCached: 0, tokensCacheWrite: null })
  })

  it.each([
    [null],
    ['60'],
    [[60]],
    [{}],
    [{ cached_tokens: null }],
    [{ cached_tokens: '60' }],
    [{ cached_tokens: -1 }],
    [{ cached_tokens: 0.5 }],
    [{ cached_tokens: 101 }],
    [{ cached_tokens: 2 ** 60, cache_write_tokens: 101 }],
  ])('charges the same and knows no cached tokens with the details %j', (details) => {
    expect(withDetails(details)).toEqual({ tokensIn: 100, tokensOut: 4, tokensCached: null, tokensCacheWrite: null })
  })

  it('ignores cache writes that leave no room for the cached tokens', () => {
    const details = { cached_tokens: 60, cache_write_tokens: 41 }
    expect(withDetails(details)).toMatchObject({ tokensCached: 60, tokensCacheWrite: null })
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
