const BODY = {
  model: 'svc/chat-default',
  messages: [
    { role: 'system', content: 'You are a helpful assistant for recruiters.' },
    { role: 'user', content: 'Summarise this profile in two sentences. '.repeat(12) },
  ],
}

/** The target of a load and its requests. */
export type Call = {
  readonly url: string
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isStreamed?: boolean
}

/** The bytes of one chat request. */
export function chatRequest({ url, apiKey, headers = {}, isStreamed = false }: Call): Buffer {
  const { pathname, host } = new URL(url)
  const body = JSON.stringify(isStreamed ? { ...BODY, stream: true } : BODY)
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${apiKey}\r\n${more.join('')}` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}
