import { describe, expect, test } from 'vitest'
import { replyTo } from './reply.ts'

const schema = { type: 'object', properties: { name: { type: ['string', 'null'] }, email: { type: 'string' } } }
const asking = (messages: { role: string; content: string }[], more: object = {}) => ({
  model: 'sandbox',
  messages,
  response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
  ...more,
})
const CV =
  'Ada Example\nada@example.org\n\nSkills\nGo, Rust, SQL, and many more that make this the longest of all messages'

describe('a reply to a request with a JSON schema', () => {
  test('is JSON filled from the text, and nothing else', () => {
    const { pieces, finishReason } = replyTo(asking([{ role: 'user', content: CV }]))
    expect(JSON.parse(pieces.join(''))).toEqual({ name: 'Ada Example', email: 'ada@example.org' })
    expect(finishReason).toBe('stop')
  })

  test('is filled from the document even if the last message only comments on the answer', () => {
    const messages = [
      { role: 'user', content: CV },
      { role: 'assistant', content: '{}' },
      { role: 'user', content: 'That does not fit: name: Required' },
    ]
    expect(JSON.parse(replyTo(asking(messages)).pieces.join(''))).toMatchObject({ name: 'Ada Example' })
  })

  test('respects max_tokens and has the finish reason length', () => {
    const { finishReason, tokensOut } = replyTo(asking([{ role: 'user', content: CV }], { max_tokens: 5 }))
    expect(finishReason).toBe('length')
    expect(tokensOut).toBeLessThanOrEqual(5)
  })

  test('is plain text if the request has no usable schema', () => {
    for (const response_format of [undefined, null, { type: 'text' }, { type: 'json_schema' }]) {
      expect(replyTo(asking([{ role: 'user', content: CV }], { response_format })).pieces.join('')).toMatch(/sandbox/)
    }
  })
})
