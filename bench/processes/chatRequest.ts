const SYSTEM = 'You are a helpful assistant for recruiters.'
const QUESTION = { role: 'user', content: 'Summarise this profile in two sentences. '.repeat(12) }

/** The same question in each API. */
const BODIES = {
  chat: { messages: [{ role: 'system', content: SYSTEM }, QUESTION] },
  responses: { instructions: SYSTEM, input: [QUESTION] },
  messages: { system: SYSTEM, messages: [QUESTION], max_tokens: 400 },
}
export type Api = keyof typeof BODIES

/** The target of a load and its requests. */
export type Call = {
  readonly url: string
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isStreamed?: boolean
  /** Chat by default. */
  readonly api?: Api
}

/** The bytes of one request. */
export function chatRequest({ url, apiKey, headers = {}, isStreamed = false, api = 'chat' }: Call): Buffer {
  const { pathname, host } = new URL(url)
  const body = JSON.stringify({ model: 'svc/chat-default', ...BODIES[api], ...(isStreamed && { stream: true }) })
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${apiKey}\r\n${more.join('')}` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}
