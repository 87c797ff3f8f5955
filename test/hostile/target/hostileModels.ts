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
  const answers = new Map<string, readonly Piece[]>()
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    onCall(socket, (path, body) => {
      const mark = CASE_MARK.exec(body)?.[0] ?? ''
      const pieces = answers.get(mark)
      if (!pieces) return void socket.end(properAnswer(path, body))
      if (pieces.length === 0) return
      for (const piece of pieces) socket.write(bytesOf(piece))
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/v1`,
    answer: (mark, pieces) => {
      answers.set(mark, pieces)
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
  const chunks: Buffer[] = []
  let hasAnswered = false
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    const received = Buffer.concat(chunks)
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd === -1 || hasAnswered) return
    const head = received.toString('latin1', 0, headEnd)
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < headEnd + 4 + length) return
    hasAnswered = true
    answer(head.split(' ', 2)[1] ?? '', received.toString('latin1', headEnd + 4))
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
