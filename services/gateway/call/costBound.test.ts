import { describe, expect, test } from 'vitest'
import { firstQuestion, repairQuestion, requestBody } from '../../platform/extraction/extraction.ts'
import { CV } from '../../platform/extraction/parseTarget.ts'
import { readChatRequest } from '../wire/chatRequest.ts'
import { readCompletionRequest } from '../wire/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/embeddingRequest.ts'
import type { InferenceRequest, Refused } from '../wire/inferenceRequest.ts'
import { parseTokensMax, tokensMax } from './costBound.ts'

const chat = { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }

function bound(read: (body: Buffer) => InferenceRequest | Refused, fields: object, maxOutputTokens = 4_096) {
  const body = Buffer.from(JSON.stringify(fields))
  const request = read(body)
  if ('refused' in request) throw new Error(request.refused)
  const { tokensIn, tokensOut } = tokensMax(request)(maxOutputTokens)
  expect(tokensIn).toBe(body.length)
  return tokensOut
}

describe('the most that a call may write', () => {
  test.each([
    ['is what the alias gives', {}, 4_096],
    ['is lowered by max_tokens', { max_tokens: 10 }, 10],
    ['is lowered by max_completion_tokens', { max_completion_tokens: 10 }, 10],
    ['is the larger of the two, as a provider may obey either', { max_tokens: 10, max_completion_tokens: 20 }, 20],
    ['is not raised by a caller that asks for more', { max_tokens: 100_000 }, 4_096],
    ['is so for each choice', { max_tokens: 10, n: 3 }, 30],
    ['does not go beyond what a call is charged for', { n: 128 }, 100_000_000, 1_000_000],
  ])('%s', (_, changes, expected, maxOutputTokens?: number) => {
    expect(bound(readChatRequest, { ...chat, ...changes }, maxOutputTokens)).toBe(expected)
  })

  test('the bound of a legacy completion counts every prompt and every choice of best_of', () => {
    const fields = { model: 'svc/chat-default', prompt: ['a', 'b'], n: 2, best_of: 5, max_tokens: 10 }
    expect(bound(readCompletionRequest, fields)).toBe(2 * 5 * 10)
    expect(bound(readCompletionRequest, { ...fields, max_tokens: 0 })).toBe(0)
  })

  test('an embedding has no output tokens', () => {
    expect(bound(readEmbeddingRequest, { model: 'svc/embed-default', input: 'a' })).toBe(0)
  })

  test('the bound of a parse call covers both questions', () => {
    const question = firstQuestion(CV, 'Ada Lovelace, engineer')
    const { tokensIn, tokensOut } = parseTokensMax(CV, question)(500)
    expect(tokensOut).toBe(1_000)
    // The worst that a model can make of the second: all it may write, and problems without end.
    const answer = 'x'.repeat(500)
    const repair = repairQuestion(question, answer, Array<string>(100).fill('ü'.repeat(10_000)))
    const asked = requestBody(CV, '', question).length + requestBody(CV, '', repair).length
    expect(asked).toBeLessThanOrEqual(tokensIn)
    expect(asked).toBeGreaterThan(tokensIn - 1_000)
  })
})
