import http from 'node:http'
import net from 'node:net'

/** A caller that has sent a request and does not read the response until it is resumed. */
export type PausedCaller = {
  readonly socket: net.Socket
  readonly response: http.ServerResponse
  close(): Promise<void>
}

export async function connectPausedCaller(): Promise<PausedCaller> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const requested = new Promise<http.ServerResponse>((resolve) =>
    server.once('request', (_, answer) => resolve(answer)),
  )
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  // Tests close the connection from either side.
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const response = await requested
  const close = async () => {
    socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { socket, response, close }
}
