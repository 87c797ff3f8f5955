import net from 'node:net'

export type HalfSent = {
  readonly path: string
  /** The client address as the trusted proxy reports it. */
  readonly address?: string
  readonly headers?: readonly string[]
  /** The part of the body that is sent; a hundred bytes are missing. */
  readonly sent?: Buffer | string
}

export type OpenRequest = {
  readonly socket: net.Socket
  /** What the server has answered so far. */
  text(): string
  status(): number | null
  isClosed(): boolean
}

/** Opens many connections, each with a request whose body is never finished. */
export function halfSentRequests(url: string, count: number, { path, address, headers = [], sent = '{' }: HalfSent) {
  const { hostname, port } = new URL(url)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    ...(address ? [`x-forwarded-for: ${address}`] : []),
    ...(headers.some((line) => line.startsWith('content-type')) ? [] : ['content-type: application/json']),
    `content-length: ${Buffer.byteLength(sent) + 100}`,
    ...headers,
  ]
  const open = (): OpenRequest => {
    let text = ''
    let status: number | null = null
    const socket = net.connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      status ??= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) || null
    })
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(sent)
    return { socket, text: () => text, status: () => status, isClosed: () => socket.closed }
  }
  const requests = Array.from({ length: count }, open)
  return {
    requests,
    /** How many have been answered with this status. */
    answered: (status: number) => requests.filter((request) => request.status() === status).length,
    close: () => {
      for (const { socket } of requests) socket.destroy()
    },
  }
}
