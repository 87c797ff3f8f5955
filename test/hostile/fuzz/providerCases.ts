import fc from 'fast-check'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'
import { mutated } from './documents.ts'
import { anyText, hostileJson, repeated } from './hostileValues.ts'

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const whole = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'hostile-model-1',
  choices: [{ index: 0, message: { role: 'assistant', content: '{"name":"Ada"}' }, finish_reason: 'stop' }],
  usage,
}
const chunk = (choices: unknown[], more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'hostile-model-1',
  choices,
  ...more,
})
const delta = (index: number, content: string) => chunk([{ index, delta: { content }, finish_reason: null }])
const finish = (index: number) => chunk([{ index, delta: {}, finish_reason: 'stop' }])

const event: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(delta(0, 'a'), delta(1, 'b'), finish(0), finish(1), chunk([], { usage }))
      .map((value): readonly Piece[] => [`data: ${JSON.stringify(value)}\n\n`]),
  },
  {
    weight: 3,
    arbitrary: mutated(fc.constantFrom(delta(0, 'a'), finish(0), chunk([], { usage }))).map((pieces) => [
      'data: ',
      ...pieces,
      '\n\n',
    ]),
  },
  { weight: 1, arbitrary: hostileJson.map((pieces) => ['data: ', ...pieces, '\n\n']) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'data: [DONE]\n\n',
        ': comment\n\n',
        'event: hostile-model-1\n',
        'id: 1\n',
        'retry: 0\n',
        'data\n\n',
        '\n\n',
        '\r\r',
        'data: {"error":{"message":"a"}}\n\n',
        'data: a\ndata: b\n\n',
      )
      .map((text): readonly Piece[] => [text]),
  },
  { weight: 1, arbitrary: repeated('data: {}\n\n', ':\n', '\n', 'data: ', 'a').map((piece) => [piece]) },
  { weight: 1, arbitrary: anyText.map((text): readonly Piece[] => [text]) },
)

const status = fc.oneof(
  { weight: 5, arbitrary: fc.constant('200 OK') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '400 No',
      '401 No',
      '429 No',
      '500 No',
      '204 No',
      '301 Moved',
      '999 What',
      '100 Continue',
      '0 a',
      '200',
    ),
  },
)
const type = fc.constantFrom(
  'text/event-stream',
  'application/json',
  'text/event-stream; charset=utf-16',
  'text/html',
  '',
  'application/json; model=hostile-model-1',
)
const framing = fc.constantFrom<'length' | 'chunked' | 'close' | 'short' | 'long'>(
  'length',
  'length',
  'chunked',
  'close',
  'short',
  'long',
)

const body: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  { weight: 5, arbitrary: fc.array(event, { maxLength: 10 }).map((events) => events.flat()) },
  {
    weight: 4,
    arbitrary: mutated(
      fc.constantFrom(whole, { error: { message: 'sk-live-abcdefghijklmnopqrstuvwxyz hostile-model-1', code: 'a' } }),
    ),
  },
)

/** A provider's answer, byte for byte. */
const answer: fc.Arbitrary<readonly Piece[]> = fc
  .tuple(status, type, framing, body)
  .map(([line, contentType, kind, pieces]) => {
    const length = lengthOf(pieces)
    const stated = { length, short: Math.floor(length / 2), long: length + 100, chunked: null, close: null }[kind]
    const headers = [`content-type: ${contentType}`, 'connection: close']
    if (stated !== null) headers.push(`content-length: ${stated}`)
    if (kind !== 'chunked') return [`HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n`, ...pieces]
    const head = `HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`
    return [head, `${length.toString(16)}\r\n`, ...pieces, '\r\n0\r\n\r\n']
  })

const MODEL = 'svc/chat-cheap'
const call = fc.constantFrom(
  {
    path: '/llm/v1/chat/completions',
    fields: { model: MODEL, stream: true, n: 2, messages: [{ role: 'user', content: '' }] },
  },
  { path: '/llm/v1/chat/completions', fields: { model: MODEL, messages: [{ role: 'user', content: '' }] } },
  { path: '/llm/v1/completions', fields: { model: MODEL, prompt: 'a', stream: true } },
  { path: '/llm/v1/embeddings', fields: { model: 'svc/embed-default', input: 'a' } },
  { path: '/llm/v1/parse/cv', fields: {} },
)

/** Calls whose provider answers nonsense, breaks off, lies about lengths, or repeats our secrets. */
export function providerCases(): fc.Arbitrary<WireCase> {
  const mark = fc.integer({ min: 0, max: 36 ** 8 - 1 }).map((n) => `case-${n.toString(36).padStart(8, '0')}`)
  return fc.tuple(call, answer, mark).map(([{ path, fields }, provider, user]) => {
    const body = JSON.stringify({ ...fields, user, text: `CV of ${user}` })
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      authorization: 'Bearer {{key}}',
    }
    return {
      name: `gateway POST ${path}: a mutated provider's answer`,
      service: 'gateway' as const,
      head: headOf('POST', path, { headers }),
      body: [body],
      provider,
      mayFail: true,
    }
  })
}
