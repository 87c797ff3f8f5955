import http from 'node:http'
import type { Demo } from '../support/installation.ts'
import type { AnswerScript } from '../support/recordingProvider.ts'

/** What a client knows of its call when it is over. */
export type Outcome = {
  readonly marker: string
  readonly streamed: boolean
  /** null: cut before the answer began. */
  readonly status: number | null
  readonly callId: string | null
  /** The response arrived whole: a plain one to its content-length, a stream with its [DONE]. */
  readonly whole: boolean
}

export type ChatOptions = {
  readonly demo: Demo
  readonly agent: http.Agent
  readonly script: AnswerScript
  readonly streamed: boolean
  /** Told when the first bytes of the answer's body are there. */
  readonly onFirstByte?: () => void
}

const DONE = 'data: [DONE]\n\n'

export function chatRequest(demo: Demo, agent: http.Agent | undefined, script: AnswerScript, streamed: boolean) {
  const body = JSON.stringify({
    model: 'svc/chat-default',
    stream: streamed,
    messages: [{ role: 'user', content: JSON.stringify(script) }],
  })
  const request = http.request(`${demo.gatewayUrl}/chat/completions`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${demo.apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  request.end(body)
  return request
}

/** One call through the gateway. It never rejects: a connection that broke is an outcome like any other. */
export function chat({ demo, agent, script, streamed, onFirstByte }: ChatOptions): Promise<Outcome> {
  const { marker } = script
  return new Promise((resolve) => {
    const cut = { marker, streamed, status: null, callId: null, whole: false }
    const request = chatRequest(demo, agent, script, streamed)
    request.on('error', () => resolve(cut))
    request.on('response', (response) => {
      const { statusCode: status = null, headers } = response
      const chunks: Buffer[] = []
      response.once('data', () => onFirstByte?.())
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => {})
      response.on('close', () => {
        const body = Buffer.concat(chunks)
        const isWhole = streamed ? body.includes(DONE) : body.length === Number(headers['content-length'])
        const callId = String(headers['x-request-id'])
        resolve({ marker, streamed, status, callId, whole: status === 200 && isWhole })
      })
    })
  })
}
