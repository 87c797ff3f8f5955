import { once } from 'node:events'
import net from 'node:net'
import { type Call, chatRequest } from './chatRequest.ts'
import { messageReader } from './leanHttp.ts'
import { machineMs } from './machineMs.ts'

/** Calls at a fixed rate, even if earlier ones are not answered, in a separate process. */
export type SteadyLoad = Call & {
  readonly callsPerSecond: number
  readonly warmUpMs: number
  readonly measureMs: number
}
/** One call, on the clock that all processes of the machine share. The id is that of the response, if it has one. */
export type SteadyCall = { readonly id: string; readonly sentAtMs: number; readonly receivedAtMs: number }
/** From the request to the complete response. */
export type SteadyResult = {
  readonly latenciesMs: readonly number[]
  readonly calls: readonly SteadyCall[]
  readonly failures: number
  /** The first line of the first unsuccessful response; null if there was none, or its connection broke. */
  readonly firstFailure: string | null
  /** Including those of the warm-up. */
  readonly callsInAll: number
}

type Connection = {
  /** Makes one call at a time, and resolves with the head of its response; null if it broke. */
  call(request: Buffer): Promise<string | null>
}

/**
 * By host and port. Callers keep their connections from one load to the next: opening them is work for the server that
 * a real client's calls do not cause.
 */
const idleConnections = new Map<string, Connection[]>()

const REQUEST_ID = /\r\nx-request-id: *([^\r]+)/i

process.on('message', async (load: SteadyLoad) => {
  const { host, hostname, port } = new URL(load.url)
  const request = chatRequest(load)
  const calls: SteadyCall[] = []
  const idle = idleConnections.get(host) ?? []
  idleConnections.set(host, idle)
  let failures = 0
  let firstFailure: string | null = null

  /** null if the server does not accept the connection. */
  const connect = async (): Promise<Connection | null> => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    let answered: (head: string | null) => void = () => {}
    const connection = {
      call: (request: Buffer) =>
        new Promise<string | null>((resolve) => {
          answered = resolve
          socket.write(request)
        }),
    }
    socket.on(
      'data',
      messageReader(({ head }) => answered(head)),
    )
    socket.on('error', () => answered(null))
    // The server may end it between two loads.
    socket.on('close', () => {
      const at = idle.indexOf(connection)
      if (at >= 0) idle.splice(at, 1)
      answered(null)
    })
    return once(socket, 'connect').then(
      () => connection,
      () => null,
    )
  }
  const call = async (isMeasured: boolean) => {
    const connection = idle.pop() ?? (await connect())
    const sentAtMs = machineMs()
    const head = connection ? await connection.call(request) : null
    const receivedAtMs = machineMs()
    if (isMeasured) calls.push({ id: REQUEST_ID.exec(head ?? '')?.[1] ?? '', sentAtMs, receivedAtMs })
    if (!head?.startsWith('HTTP/1.1 200')) {
      failures++
      firstFailure ??= head?.split('\r\n')[0] ?? null
    }
    if (connection && head !== null) idle.push(connection)
  }

  const everyMs = 1_000 / load.callsPerSecond
  const began = performance.now()
  const under: Promise<void>[] = []
  for (let n = 0; n * everyMs < load.warmUpMs + load.measureMs; n++) {
    const waitMs = began + n * everyMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    under.push(call(n * everyMs >= load.warmUpMs))
  }
  await Promise.all(under)
  const latenciesMs = calls.map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
  process.send?.({ latenciesMs, calls, failures, firstFailure, callsInAll: under.length } satisfies SteadyResult)
})
process.send?.('ready')
