import { once } from 'node:events'
import net from 'node:net'

/** A connection that stays open between requests, as a load balancer keeps it. */
export class KeptConnection {
  readonly socket: net.Socket
  /** What has arrived so far. */
  received = ''

  private constructor(socket: net.Socket) {
    this.socket = socket
    socket.on('data', (bytes) => {
      this.received += bytes
    })
    // A connection that is cut says so by what has not arrived.
    socket.on('error', () => {})
  }

  static async open(url: string): Promise<KeptConnection> {
    const { port, hostname } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    await once(socket, 'connect')
    return new KeptConnection(socket)
  }

  /** The request has reached the other side when this returns, whether or not that is able to read it. */
  ask(path: string): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
  }
}
