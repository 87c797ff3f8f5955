import { describe, expect, it } from 'vitest'
import { readChatRequest } from './chatRequest.ts'

const withMessages = (messages: string) => readChatRequest(Buffer.from(`{"model":"smart","messages":${messages}}`))

describe('readChatRequest', () => {
  it.each([
    '[{"role":"user","content":"hi"}]',
    '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]',
    '[{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","tool_call_id":"1","content":"x"}]',
    '[{"role":"assistant","tool_calls":[]}]',
  ])('accepts %s', (messages) => {
    const request = withMessages(messages)
    expect(request).toMatchObject({ model: 'smart' })
    expect('refused' in request ? '' : request.forwardedAs('x').toString()).toBe(`{"model":"x","messages":${messages}}`)
  })

  it.each([
    ['null', "'messages' must be an array."],
    ['"hi"', "'messages' must be an array."],
    ['{"0":{"role":"user"}}', "'messages' must be an array."],
    ['[]', "'messages' must not be empty."],
    ['[{"role":"user"},"hi"]', "'messages[1]' must be an object."],
    ['[[]]', "'messages[0]' must be an object."],
    ['[null]', "'messages[0]' must be an object."],
    ['[{"content":"hi"}]', "'messages[0].role' must be a string."],
    ['[{"role":1,"content":"hi"}]', "'messages[0].role' must be a string."],
    ['[{"role":"user","content":1}]', "'messages[0].content' must be a string, an array or null."],
    ['[{"role":"user","content":{}}]', "'messages[0].content' must be a string, an array or null."],
  ])('refuses %s', (messages, refused) => {
    expect(withMessages(messages)).toEqual({ refused })
  })

  it('refuses a body without messages, and all that is refused of any call', () => {
    expect(readChatRequest(Buffer.from('{"model":"smart"}'))).toEqual({ refused: "'messages' is missing." })
    expect(readChatRequest(Buffer.from('{"messages":[]}'))).toEqual({ refused: "'model' is missing." })
  })
})
