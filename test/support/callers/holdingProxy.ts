import { once } from 'node:events'
import net from 'node:net'

export type HoldingProxy = {
  readonly port: number
  /** How many appends, or parts of them, wait to be passed on. */
  readonly held: number
  /** Holds appends and everything after them on their connections. Everything else passes. */
  hold(): void
  /** Passes on what is held, in order, if the connections are still open. */
  release(): void
  close(): Promise<void>
}

/** Appends contain the content type of each event in plain bytes; reads have it only in compressed headers. */
const MARK_OF_APPEND = Buffer.from('application/json')

type Connection = { upstream: net.Socket; waiting: Buffer[]; last: Buffer }

/** A TCP proxy in front of EventStoreDB that holds appends, like a server that cannot keep up. */
export async function startHoldingProxy(target: { host: string; port: number }): Promise<HoldingProxy> {
  const connections = new Set<Connection>()
  const sockets = new Set<net.Socket>()
  let isHolding = false
  const server = net.createServer((client) => {
    const connection: Connection = { upstream: net.connect(target), waiting: [], last: Buffer.alloc(0) }
    const { upstream } = connection
    connections.add(connection)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        connections.delete(connection)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      // The mark may begin at the end of one part and continue in the next.
      const isAppend = Buffer.concat([connection.last, bytes]).includes(MARK_OF_APPEND)
      connection.last = bytes.subarray(-MARK_OF_APPEND.length)
      if (connection.waiting.length > 0 || (isHolding && isAppend)) connection.waiting.push(bytes)
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes) => client.write(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    get held() {
      return [...connections].reduce((count, { waiting }) => count + waiting.length, 0)
    },
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const { upstream, waiting } of connections) for (const bytes of waiting.splice(0)) upstream.write(bytes)
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
