import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

type Choice = { index: number; text: string; finish_reason: string | null }

const ask = (body: object | string) => call(sandbox.url, '/v1/completions', { body })
const requestBody = (prompt: unknown, changes: object = {}) => ({ model: 'sandbox-chat-default', prompt, ...changes })

async function chunksOf(body: object) {
  const { text, headers } = await ask({ ...body, stream: true })
  expect(headers['content-type']).toMatch(/^text\/event-stream/)
  const events = text.split('\n\n').filter((event) => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  return events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)))
}

describe('sandbox legacy completions', () => {
  test('answers in the completion format, names itself and quotes the prompt', async () => {
    const { status, json } = await ask(requestBody('Once upon a time'))
    expect(status).toBe(200)
    expect(json).toEqual({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      created: expect.any(Number),
      model: 'sandbox-chat-default',
      system_fingerprint: 'tollgate-sandbox',
      choices: [
        {
          index: 0,
          text: expect.stringMatching(/sandbox, not a real model.*4 words.*Once upon a time/),
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 4, completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    })
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens)
  })

  test('numbers the choices of several prompts consecutively and counts all their tokens', async () => {
    const { json } = await ask(requestBody(['One', 'Two words'], { n: 2 }))
    const texts = json.choices.map(({ index, text }: Choice) => `${index} ${/[12] words?/.exec(text)?.[0]}`)
    expect(texts).toEqual(['0 1 word', '1 1 word', '2 2 words', '3 2 words'])
    const single = async (prompt: string) => (await ask(requestBody(prompt))).json.usage
    const [one, two] = [await single('One'), await single('Two words')]
    expect(json.usage.completion_tokens).toBe(2 * (one.completion_tokens + two.completion_tokens))
    expect(json.usage.prompt_tokens).toBe(one.prompt_tokens + two.prompt_tokens)
  })

  test('streams the same text as the whole answer, with a finish_reason for each choice', async () => {
    const body = requestBody(['One', 'Two words'], { n: 2, stream_options: { include_usage: true } })
    const { json } = await ask(body)
    const chunks = await chunksOf(body)
    const streamed = chunks.flatMap((chunk) => chunk.choices as Choice[])
    for (const { index, text } of json.choices as Choice[]) {
      const own = streamed.filter((choice) => choice.index === index)
      expect(own.map((choice) => choice.text).join('')).toBe(text)
      expect(own.map((choice) => choice.finish_reason).filter((reason) => reason !== null)).toEqual(['stop'])
    }
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: json.usage, object: 'text_completion' })
    expect(chunks.slice(0, -1).every(({ usage }) => usage === undefined)).toBe(true)
  })

  test('counts the tokens that best_of generates, and accepts token prompts, empty prompts and no prompt', async () => {
    const one = (await ask(requestBody('One'))).json
    const best = (await ask(requestBody('One', { best_of: 3 }))).json
    expect(best.choices).toHaveLength(1)
    expect(best.usage.completion_tokens).toBe(3 * one.usage.completion_tokens)
    expect((await ask(requestBody([5, 6, 7]))).json).toMatchObject({
      choices: [{ text: expect.stringContaining('3 tokens long') }],
      usage: { prompt_tokens: 3 },
    })
    expect((await ask(requestBody([[5], [6, 7]]))).json.choices).toHaveLength(2)
    for (const prompt of ['', null, undefined])
      expect((await ask(requestBody(prompt))).json.choices[0].text).toMatch('no text')
  })

  test('respects max_tokens, also when it is 0, and echo', async () => {
    const cut = (await ask(requestBody('One', { max_tokens: 5 }))).json
    expect(cut.usage.completion_tokens).toBeLessThanOrEqual(5)
    expect(cut.choices[0].finish_reason).toBe('length')
    const scored = (await ask(requestBody('One', { max_tokens: 0, echo: true }))).json
    expect(scored.choices[0].text).toBe('One')
    expect(scored.usage.completion_tokens).toBe(0)
  })

  test.each([
    ['a body that is not JSON', '{'],
    ['a prompt that is a number', requestBody(1)],
    ['a prompt that mixes texts and tokens', requestBody(['One', 1])],
    ['a request for too many choices', requestBody(Array(20).fill('One'), { n: 16 })],
  ])('%s is refused with 400 in the error envelope', async (_, body) => {
    const { status, json } = await ask(body)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ message: expect.stringMatching(/^sandbox: /), type: 'invalid_request_error' })
  })
})
