import http from 'node:http'
import type { Demo } from '../support/harness/installation.ts'
import type { AnswerScript } from '../support/parties/recordingProvider.ts'

/** The outcome of a call as its client saw it. */
export type Outcome = {
  readonly marker: string
  readonly streamed: boolean
  readonly path?: ApiPath
  /** null: cut before the answer began. */
  readonly status: number | null
  readonly callId: string | null
  /** The response arrived whole: a plain one to its content-length, a stream with its [DONE]. */
  readonly whole: boolean
  /** The error that broke the connection, if one did. */
  readonly fault?: string
  /** Of the error that the gateway answered with. */
  readonly message?: string
}

/** Where a call goes, and with which key. */
export type Target = Pick<Demo, 'gatewayUrl' | 'apiKey'>

export type ChatOptions = {
  readonly demo: Target
  readonly agent: http.Agent
  readonly script: AnswerScript
  readonly streamed: boolean
  /** Chat by default. */
  readonly path?: ApiPath
  /** Told when the first bytes of the answer's body are there. */
  readonly onFirstByte?: () => void
  /** Ends the call, which is cut then. */
  readonly signal?: AbortSignal
}

/** The last event of a whole stream of each API. */
const LAST_EVENTS = {
  '/chat/completions': 'data: [DONE]\n\n',
  '/responses': 'event: response.completed\n',
  '/messages': 'event: message_stop\n',
} as const
export type ApiPath = keyof typeof LAST_EVENTS
export const API_PATHS = Object.keys(LAST_EVENTS) as readonly ApiPath[]

export function chatRequest(
  demo: Target,
  agent: http.Agent | undefined,
  script: AnswerScript,
  streamed: boolean,
  signal?: AbortSignal,
  path: ApiPath = '/chat/completions',
) {
  const prompt = JSON.stringify(script)
  const body = JSON.stringify({
    model: 'svc/chat-default',
    stream: streamed,
    ...(path === '/responses' ? { input: prompt } : { messages: [{ role: 'user', content: prompt }] }),
    ...(path === '/messages' ? { max_tokens: 1_000 } : {}),
  })
  const request = http.request(demo.gatewayUrl + path, {
    method: 'POST',
    agent,
    ...(signal && { signal }),
    headers: {
      authorization: `Bearer ${demo.apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  request.end(body)
  return request
}

/** One call through the gateway. It never rejects: a broken connection is an outcome. */
export function chat({
  demo,
  agent,
  script,
  streamed,
  path = '/chat/completions',
  onFirstByte,
  signal,
}: ChatOptions): Promise<Outcome> {
  const { marker } = script
  return new Promise((resolve) => {
    const cut = { marker, streamed, path, status: null, callId: null, whole: false }
    const request = chatRequest(demo, agent, script, streamed, signal, path)
    request.on('error', (error: NodeJS.ErrnoException) => {
      const connection = request.reusedSocket ? 'a connection that was used before' : 'a new connection'
      resolve({ ...cut, fault: `${error.code ?? error.name} on ${connection}` })
    })
    request.on('response', (response) => {
      const { statusCode: status = null, headers } = response
      const chunks: Buffer[] = []
      response.once('data', () => onFirstByte?.())
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => {})
      response.on('close', () => {
        const body = Buffer.concat(chunks)
        const isWhole = streamed ? body.includes(LAST_EVENTS[path]) : body.length === Number(headers['content-length'])
        const callId = String(headers['x-request-id'])
        const message = status === 200 ? undefined : messageIn(body.toString())
        resolve({
          marker,
          streamed,
          path,
          status,
          callId,
          whole: status === 200 && isWhole,
          ...(message && { message }),
        })
      })
    })
  })
}

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { error?: { message?: string } }).error?.message
  } catch {
    return undefined
  }
}
