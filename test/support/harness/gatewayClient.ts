import http from 'node:http'
import { until } from '../time/until.ts'

export type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** Parsed JSON; the test's expectations say more than a type. */
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  readonly json: any
}

export type CallOptions = {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer | object
}

/** An answer read piece by piece as it arrives. */
export type OpenStream = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** What has arrived so far. */
  text(): string
  /** Resolves when this text has arrived. */
  saw(text: string): Promise<void>
  /** How it ended: complete, or with a broken connection. */
  readonly ended: Promise<'whole' | 'cut'>
  pause(): void
  resume(): void
  leave(): void
}

export const CHAT = '/llm/v1/chat/completions'

export function chatBody(changes: object = {}): object {
  return { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }], ...changes }
}

/** The id of the request, which is the call's on the ledger. */
export function callIdOf({ headers }: { readonly headers: http.IncomingHttpHeaders }): string {
  return String(headers['x-request-id'])
}

/** The text of a stream without the cost comment. */
export function withoutCost(text: string): string {
  return text.replace(/^: x-credits-charged [\d.]+\n\n/m, '')
}

/** Sends over HTTP and resolves when the answer begins. */
export function send(base: string, path: string, options: CallOptions = {}): Promise<http.IncomingMessage> {
  return sending(base, path, options).answer
}

/** Like `send`, but returns the request, so that a caller can disconnect before the answer. */
export function sending(base: string, path: string, options: CallOptions = {}) {
  const { method = options.body === undefined ? 'GET' : 'POST', key = null, headers = {}, body } = options
  const bytes = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body
  // The path is sent as written, without URL normalisation.
  const request = http.request(base, {
    path,
    method,
    agent: false,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(bytes === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      ...headers,
    },
  })
  const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
  })
  answer.catch(() => {})
  request.end(bytes)
  // With a reset, because a caller that only half-closes may still wait for its answer.
  return { request, answer, leave: () => void request.socket?.resetAndDestroy() }
}

/** Makes a call and reads its whole answer; rejects if it breaks off. */
export async function call(base: string, path: string, options: CallOptions = {}): Promise<Answer> {
  return readAnswer(await send(base, path, options))
}

export async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const { statusCode: status = 0, headers } = response
  return {
    status,
    headers,
    bytes,
    text: bytes.toString(),
    get json() {
      return JSON.parse(bytes.toString())
    },
  }
}

export async function openStream(base: string, path: string, options: CallOptions = {}): Promise<OpenStream> {
  const response = await send(base, path, options)
  const chunks: Buffer[] = []
  const text = () => Buffer.concat(chunks).toString()
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', () => {})
  const ended = new Promise<'whole' | 'cut'>((resolve) => {
    response.once('close', () => resolve(response.complete ? 'whole' : 'cut'))
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    saw: async (wanted) => {
      await until(`the stream says ${wanted}`, () => text().includes(wanted)).catch((error: Error) => {
        throw new Error(`${error.message}; received so far: ${text()}`)
      })
    },
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    leave: () => void response.socket.resetAndDestroy(),
  }
}
