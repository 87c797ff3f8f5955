import { once } from 'node:events'
import net from 'node:net'

export type MutingProxy = {
  readonly port: number
  /** The number of connections so far, including silent ones. */
  readonly connections: number
  /** Drops everything without closing connections, like a silent network failure. */
  mute(): void
  /** Connections that were made before stay mute. */
  unmute(): void
  close(): Promise<void>
}

export async function startMutingProxy(targetPort: number): Promise<MutingProxy> {
  const sockets = new Set<net.Socket>()
  let isMute = false
  let connections = 0
  const server = net.createServer((client) => {
    connections++
    const upstream = isMute ? null : net.connect(targetPort, '127.0.0.1')
    for (const socket of upstream ? [client, upstream] : [client]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream?.destroy()
      })
    }
    if (!upstream) return
    client.on('data', (bytes) => void (isMute || upstream.write(bytes)))
    upstream.on('data', (bytes) => void (isMute || client.write(bytes)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    get connections() {
      return connections
    },
    mute: () => {
      isMute = true
    },
    unmute: () => {
      isMute = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
