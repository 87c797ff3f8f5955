import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { RECORDED_MODEL, type RecordedApi, type RecordedBody, recordedApi } from './recordedAnswers.ts'

/** How to answer a call. The caller puts it, as JSON, into the last message of its request. */
export type AnswerScript = {
  /** Identifies the call in the provider's log, even if its request id was lost. */
  readonly marker: string
  /** Before the first byte. */
  readonly thinkMs?: number
  /** Chunks of a stream; a plain answer has the same text in two halves. */
  readonly pieces?: number
  /** After each of them. */
  readonly pieceMs?: number
  readonly pieceChars?: number
  /** Stops half-way through the pieces until `release`. */
  readonly held?: boolean
}

export type LoggedCall = {
  readonly marker: string
  /** The `x-request-id` that the gateway sent: the id of the call on the ledger. */
  readonly callId: string
  readonly streamed: boolean
  readonly usage: { readonly tokensIn: number; readonly tokensOut: number }
  /** When the last byte was handed to the operating system; null until then. */
  completedAtMs: number | null
}

export type RecordingProvider = {
  /** The provider's own log. */
  readonly calls: readonly LoggedCall[]
  callMarked(marker: string): LoggedCall | undefined
  /** A PROVIDERS_FILE that makes this provider serve the chat aliases. */
  readonly providersFile: string
  /** Releases every held answer and all later ones. */
  release(): void
  close(): Promise<void>
}

const ALIASES = ['svc/chat-default', 'svc/chat-cheap', 'svc/chat-premium']

/** A model provider in the process of the test, which keeps a log of what it has answered to the last byte. */
export async function startRecordingProvider(): Promise<RecordingProvider> {
  const calls: LoggedCall[] = []
  const byMarker = new Map<string, LoggedCall>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()

  const server = http.createServer(async (request, response) => {
    const body = await readJson(request)
    if (!body) return response.destroy()
    const api = recordedApi(request.url)
    const content = api.scriptIn(body)
    const script = JSON.parse(content) as AnswerScript
    const { marker, thinkMs = 0, pieces = 1, held = false } = script
    const usage = { tokensIn: content.length, tokensOut: pieces }
    const callId = String(request.headers['x-request-id'])
    const call: LoggedCall = { marker, callId, streamed: body.stream === true, usage, completedAtMs: null }
    calls.push(call)
    byMarker.set(marker, call)
    response.on('error', () => {})
    response.once('finish', () => {
      call.completedAtMs = performance.now()
    })
    if (thinkMs > 0) await wait(thinkMs)
    if (call.streamed) return stream(response, api, script, usage, released)
    if (held) await released
    return sendWhole(response, api, script, usage)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const providersFile = join(folder, 'providers.json')
  const providers = [{ name: 'recording', baseUrl, model: RECORDED_MODEL, wires: ['chat', 'responses', 'messages'] }]
  await writeFile(
    providersFile,
    JSON.stringify({ aliases: Object.fromEntries(ALIASES.map((a) => [a, { providers }])) }),
  )
  return {
    calls,
    callMarked: (marker) => byMarker.get(marker),
    providersFile,
    release,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

type Usage = LoggedCall['usage']

/** null: the gateway died while it sent the request. */
async function readJson(request: http.IncomingMessage): Promise<RecordedBody | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return JSON.parse(Buffer.concat(chunks).toString()) as RecordedBody
  } catch {
    return null
  }
}

async function sendWhole(
  response: http.ServerResponse,
  api: RecordedApi,
  { pieces = 1, pieceMs = 0, pieceChars = 20 }: AnswerScript,
  usage: Usage,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(api.whole('x'.repeat(pieces * pieceChars), usage)))
  const half = Math.floor(bytes.length / 2)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.write(bytes.subarray(0, half))
  if (pieceMs > 0) await wait(pieceMs)
  if (!response.destroyed) response.end(bytes.subarray(half))
}

async function stream(
  response: http.ServerResponse,
  api: RecordedApi,
  { pieces = 1, pieceMs = 0, pieceChars = 20, held = false }: AnswerScript,
  usage: Usage,
  released: Promise<void>,
): Promise<void> {
  const send = (event: { readonly type?: string }) => {
    const name = api.namesEvents ? `event: ${event.type}\n` : ''
    return response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of api.begins()) send(event)
  for (let piece = 0; piece < pieces; piece += 1) {
    if (held && piece === Math.floor(pieces / 2)) await released
    send(api.piece('x'.repeat(pieceChars)))
    if (pieceMs > 0) await wait(pieceMs)
    if (response.destroyed) return
  }
  for (const event of api.ends(usage)) send(event)
  response.end(api.namesEvents ? '' : 'data: [DONE]\n\n')
}
