import { once } from 'node:events'
import net from 'node:net'

/** A keep-alive connection, like that of a load balancer. */
export class KeptConnection {
  readonly socket: net.Socket
  /** What has arrived so far. */
  received = ''

  private constructor(socket: net.Socket) {
    this.socket = socket
    socket.on('data', (bytes) => {
      this.received += bytes
    })
    // A broken connection shows in what has not arrived.
    socket.on('error', () => {})
  }

  static async open(url: string): Promise<KeptConnection> {
    const { port, hostname } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    await once(socket, 'connect')
    return new KeptConnection(socket)
  }

  /** When this returns, the other side has received the request, whether or not it can read it. */
  ask(path: string): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
  }
}
