import net from 'node:net'
import { bytesOf, type Piece } from '../wireCase.ts'

export const CASE_MARK = /case-[0-9a-z]{8}/

export type HostileModels = {
  readonly baseUrl: string
  /** Answers calls whose body contains the mark with these bytes; never, if there are none. Returns how to forget it. */
  answer(mark: string, pieces: readonly Piece[]): () => void
  close(): Promise<void>
}

/**
 * A model provider on a bare socket. It answers as a provider should, unless the call is marked as part of an attack
 * that has bytes of its own for it.
 */
export async function startHostileModels(): Promise<HostileModels> {
  const answers = new Map<string, Buffer>()
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    onCall(socket, (path, body) => {
      const bytes = answers.get(CASE_MARK.exec(body)?.[0] ?? '')
      if (!bytes) return void socket.end(properAnswer(path, body))
      if (bytes.length > 0) socket.end(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/v1`,
    answer: (mark, pieces) => {
      answers.set(mark, Buffer.concat(pieces.map(bytesOf)))
      return () => void answers.delete(mark)
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Each connection serves one call. */
function onCall(socket: net.Socket, answer: (path: string, body: string) => void): void {
  let head = Buffer.alloc(0)
  let call: { readonly path: string; readonly length: number } | null = null
  const body: Buffer[] = []
  let received = 0
  let hasAnswered = false
  socket.on('data', (chunk) => {
    if (hasAnswered) return
    let rest = chunk
    if (!call) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const text = head.toString('latin1', 0, end)
      call = { path: text.split(' ', 2)[1] ?? '', length: Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0) }
      rest = head.subarray(end + 4)
    }
    body.push(rest)
    received += rest.length
    if (received < call.length) return
    hasAnswered = true
    answer(call.path, Buffer.concat(body).toString('latin1'))
  })
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

function properAnswer(path: string, body: string): string {
  const isEmbedding = path.endsWith('/embeddings')
  const message = { role: 'assistant', content: 'Good day.' }
  const answer = isEmbedding
    ? { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.1] }], usage: USAGE }
    : { id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: USAGE, choices: [choice({ message })] }
  if (!/"stream": *true/.test(body) || isEmbedding) return answered('application/json', JSON.stringify(answer))
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const events = [
    { ...head, choices: [{ index: 0, delta: { content: 'Good day.' }, finish_reason: null }] },
    { ...head, choices: [choice({ delta: {} })] },
    { ...head, choices: [], usage: USAGE },
  ]
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return answered('text/event-stream', `${text}data: [DONE]\n\n`)
}

function choice(fields: object): object {
  return { index: 0, ...fields, finish_reason: 'stop' }
}

function answered(type: string, body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
