import { once } from 'node:events'
import net from 'node:net'

export type FreezingProxy = {
  readonly port: number
  /** Silently drops everything on the open connections; new ones work. */
  freeze(): void
  close(): Promise<void>
}

/** A TCP proxy whose connections can die silently, as if a machine in between were switched off. */
export async function startFreezingProxy(port: number): Promise<FreezingProxy> {
  const pairs = new Set<{ client: net.Socket; upstream: net.Socket; frozen: boolean }>()
  const server = net.createServer((client) => {
    const pair = { client, upstream: net.connect(port, '127.0.0.1'), frozen: false }
    pairs.add(pair)
    const pass = (from: net.Socket, to: net.Socket) => {
      from.setNoDelay(true)
      from.on('data', (bytes) => {
        if (!pair.frozen) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
    pass(client, pair.upstream)
    pass(pair.upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    freeze: () => {
      for (const pair of pairs) pair.frozen = true
    },
    close: async () => {
      for (const { client, upstream } of pairs) {
        client.destroy()
        upstream.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
