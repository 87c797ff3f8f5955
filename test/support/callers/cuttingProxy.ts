import net from 'node:net'

export type CuttingProxy = {
  readonly port: number
  /** Cuts the next connection that sends the marker: before the bytes are passed on, or once they were answered. */
  cutAt(marker: string, moment: 'before commit' | 'after commit'): Promise<void>
  close(): Promise<void>
}

/** A TCP proxy that loses a request or its answer on demand, like a network failure half-way. */
export async function startCuttingProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  let armed: { marker: string; moment: 'before commit' | 'after commit'; done: () => void } | null = null
  const sockets = new Set<net.Socket>()

  const server = net.createServer((client) => {
    const upstream = net.connect(target)
    let swallowing: (() => void) | null = null
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (bytes) => {
      if (armed && bytes.includes(armed.marker)) {
        const { moment, done } = armed
        armed = null
        if (moment === 'before commit') {
          cut()
          done()
          return
        }
        swallowing = done
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!swallowing) return void client.write(bytes)
      cut()
      swallowing()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as net.AddressInfo).port,
    cutAt: (marker, moment) =>
      new Promise((done) => {
        armed = { marker, moment, done }
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
