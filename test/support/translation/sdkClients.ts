import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

/** What an official client would send, and what it makes of the given answer. */
type Exchange = {
  readonly request: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

type Answers = { readonly sse: string } | { readonly json: object }

async function exchange(
  answers: Answers,
  send: (fetch: typeof globalThis.fetch) => Promise<unknown>,
): Promise<Exchange> {
  let request = {}
  const answer = await send(async (_, init) => {
    request = JSON.parse(String(init?.body))
    return 'sse' in answers
      ? new Response(answers.sse, { headers: { 'content-type': 'text/event-stream' } })
      : new Response(JSON.stringify(answers.json), { headers: { 'content-type': 'application/json' } })
  })
  return { request, answer: JSON.parse(JSON.stringify(answer)) }
}

const OPTIONS = { apiKey: 'key', maxRetries: 0 }
const openai = (fetch: typeof globalThis.fetch) => new OpenAI({ ...OPTIONS, baseURL: 'http://localhost/v1', fetch })
const anthropic = (fetch: typeof globalThis.fetch) => new Anthropic({ ...OPTIONS, baseURL: 'http://localhost', fetch })

/** The official client of each API. A stream is put together by the client's own code. */
export const SDK_CLIENTS = {
  chat: (body: object, answers: Answers) =>
    exchange(answers, (fetch) => {
      const { completions } = openai(fetch).chat
      return 'sse' in answers
        ? completions.stream(body as never).finalChatCompletion()
        : completions.create(body as never)
    }),
  responses: (body: object, answers: Answers) =>
    exchange(answers, (fetch) => {
      const { responses } = openai(fetch)
      return 'sse' in answers ? responses.stream(body as never).finalResponse() : responses.create(body as never)
    }),
  messages: (body: object, answers: Answers) =>
    exchange(answers, (fetch) => {
      const { messages } = anthropic(fetch)
      return 'sse' in answers ? messages.stream(body as never).finalMessage() : messages.create(body as never)
    }),
}
