import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Writes arbitrary bytes to the connection of one call, without an HTTP server. */
export type HostileScript = (socket: net.Socket) => void | Promise<void>

export type HostileProvider = {
  readonly baseUrl: string
  /** The number of completely received calls. */
  readonly calls: number
  /** Connections that are open now. */
  readonly sockets: number
  /** Sets how it answers from now on. */
  always(script: HostileScript): void
  close(): Promise<void>
}

/** A provider on a raw socket, which can break any rule of HTTP and of the chat-completion wire. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const sockets = new Set<net.Socket>()
  let script: HostileScript = (socket) => void socket.destroy()
  let calls = 0
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    onEachCall(socket, () => {
      calls++
      void script(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/v1`,
    get calls() {
      return calls
    },
    get sockets() {
      return sockets.size
    },
    always: (next) => {
      script = next
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One call after the other on a connection that is kept alive. */
function onEachCall(socket: net.Socket, onCall: () => void): void {
  let received = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = /content-length: *(\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1] ?? '0'
      const end = headEnd + 4 + Number(length)
      if (received.length < end) return
      received = received.subarray(end)
      onCall()
    }
  })
}

/** The head of an answer. The test decides whether the announced body follows. */
export function head(status: number, headers: Readonly<Record<string, string | number>> = {}): string {
  // Each connection serves one call, so that every one that is still open belongs to a call that did not end.
  const lines = Object.entries({ 'content-type': 'application/json', connection: 'close', ...headers })
  return `HTTP/1.1 ${status} Whatever\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

export const EVENTS = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }

export function httpChunk(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const LAST_CHUNK = '0\r\n\r\n'

export function answers(status: number, body: string, headers: Readonly<Record<string, string | number>> = {}) {
  return says(head(status, { 'content-length': Buffer.byteLength(body), ...headers }) + body)
}

/** A stream of events, each as a chunk of its own, with its proper end. */
export function streams(...events: string[]): HostileScript {
  return says(head(200, EVENTS), ...events.map(httpChunk), LAST_CHUNK)
}

export function says(...pieces: (string | Buffer)[]): HostileScript {
  return async (socket) => {
    for (const piece of pieces) await written(socket, piece)
  }
}

/** Sends this and then breaks the connection, like a process that died. */
export function breaksAfter(...pieces: (string | Buffer)[]): HostileScript {
  return async (socket) => {
    await says(...pieces)(socket)
    socket.destroy()
  }
}

/** Resets the connection, so that the other side gets an error and not an end. */
export function resets(): HostileScript {
  return resetsAfter()
}

export function resetsAfter(...pieces: (string | Buffer)[]): HostileScript {
  return async (socket) => {
    await says(...pieces)(socket)
    socket.resetAndDestroy()
  }
}

/** Byte by byte, with a pause before every few. */
export function drips(text: string, { bytes, everyMs }: { bytes: number; everyMs: number }): HostileScript {
  return async (socket) => {
    const all = Buffer.from(text)
    for (let at = 0; at < all.length && !socket.destroyed; at += bytes) {
      await wait(everyMs)
      await written(socket, all.subarray(at, at + bytes))
    }
  }
}

export function inTurn(...scripts: HostileScript[]): HostileScript {
  return async (socket) => {
    for (const script of scripts) await script(socket)
  }
}

/** Repeats this piece up to a number of bytes, as fast as they are read. */
export function floods(start: string | Buffer, piece: Buffer, bytesMax: number): HostileScript {
  return async (socket) => {
    await written(socket, start)
    for (let bytes = 0; bytes < bytesMax && !socket.destroyed; bytes += piece.length) await written(socket, piece)
  }
}

/** Resolves when the operating system has the bytes, or the connection is gone. */
function written(socket: net.Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    socket.write(bytes, () => resolve())
  })
}
