import { describe, expect, it } from 'vitest'
import { readStreamChunk } from './streamChunk.ts'

const read = (data: string) => readStreamChunk(Buffer.from(data))
const readPayload = (payload: unknown) => read(JSON.stringify(payload))
const nothing = { kind: 'chunk', choices: [], finishedChoices: [], usage: null, deliveredChars: 0, error: false }

describe('readStreamChunk', () => {
  it('knows the end of the stream', () => {
    for (const data of ['[DONE]', ' [DONE] ', '[DONE]\r']) expect(read(data)).toEqual({ kind: 'done' })
  })

  it.each(['', 'x', '{"a":', '[DONE', '[]', '[1]', 'null', '3', '"[DONE]"', `[DONE]${' '.repeat(20)}x`])(
    'takes %j for invalid',
    (data) => {
      expect(read(data)).toEqual({ kind: 'invalid' })
    },
  )

  it('reads a delta', () => {
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }]
    expect(readPayload({ choices, usage: null, error: null })).toEqual({ ...nothing, choices: [0], deliveredChars: 5 })
  })

  it('counts refusals, reasoning, tool calls and legacy text as delivered', () => {
    const call = { index: 0, function: { name: 'ab', arguments: '{"c":1}' } }
    const choices = [
      { index: 0, delta: { refusal: 'no', reasoning_content: 'why', tool_calls: [call, null] } },
      { index: 1, delta: { function_call: { name: 'f', arguments: '()' } } },
      { index: 2, text: 'four' },
    ]
    expect(readPayload({ choices })).toEqual({ ...nothing, choices: [0, 1, 2], deliveredChars: 2 + 3 + 9 + 3 + 4 })
  })

  it('names the choices that it has something of, and those that finish', () => {
    const choices = [
      { index: 2, delta: {}, finish_reason: 'stop' },
      { index: 0, delta: {}, finish_reason: null },
      { delta: {}, finish_reason: 'length' },
    ]
    expect(readPayload({ choices })).toEqual({ ...nothing, choices: [2, 0, 2], finishedChoices: [2, 2] })
  })

  it('does not take an empty finish_reason for a finish', () => {
    expect(readPayload({ choices: [{ index: 0, delta: {}, finish_reason: '' }] })).toEqual({ ...nothing, choices: [0] })
  })

  it('reads the usage block', () => {
    expect(readPayload({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })).toEqual({
      ...nothing,
      usage: { tokensIn: 3, tokensOut: 4, parts: {}, units: {}, serviceTier: null, total: null },
    })
  })

  it('sees an error in place of a chunk', () => {
    expect(readPayload({ error: { message: 'overloaded' } })).toEqual({ ...nothing, error: true, fault: null })
    const fault = { code: 'content_filter', param: 'messages' }
    expect(readPayload({ error: { message: 'no', ...fault } })).toEqual({ ...nothing, error: true, fault })
  })

  it('survives what has the wrong shape', () => {
    for (const payload of [{ choices: 3 }, { choices: [null, 1, 'x'] }, {}]) {
      expect(readPayload(payload)).toEqual(nothing)
    }
    for (const payload of [{ choices: [[]] }, { choices: [{ delta: 'x' }] }]) {
      expect(readPayload(payload)).toEqual({ ...nothing, choices: [0] })
    }
  })
})
