import net from 'node:net'
import { type Call, chatRequest } from './chatRequest.ts'
import { messageReader } from './leanHttp.ts'
import { machineMs } from './machineMs.ts'

/** Calls at a fixed rate, even if earlier ones are not answered, in a process of its own. */
export type SteadyLoad = Call & {
  readonly callsPerSecond: number
  readonly warmUpMs: number
  readonly measureMs: number
}
/** One call, by the clock that all processes of the machine share. The id is that of the response, if it has one. */
export type SteadyCall = { readonly id: string; readonly sentAtMs: number; readonly receivedAtMs: number }
/** From the request to the complete response. */
export type SteadyResult = {
  readonly latenciesMs: readonly number[]
  readonly calls: readonly SteadyCall[]
  readonly failures: number
  /** Including those of the warm-up. */
  readonly callsInAll: number
}

const REQUEST_ID = /\r\nx-request-id: *([^\r]+)/i

process.on('message', async (load: SteadyLoad) => {
  const { hostname, port } = new URL(load.url)
  const request = chatRequest(load)
  const calls: SteadyCall[] = []
  const sockets = new Set<net.Socket>()
  const idle: (() => Promise<string | null>)[] = []
  let failures = 0

  /** A connection that makes one call at a time, and resolves with the head of its response; null if it broke. */
  const connect = async (): Promise<() => Promise<string | null>> => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    sockets.add(socket)
    let answered: (head: string | null) => void = () => {}
    socket.on(
      'data',
      messageReader(({ head }) => answered(head)),
    )
    socket.on('error', () => answered(null))
    await new Promise((resolve) => socket.once('connect', resolve))
    return () =>
      new Promise((resolve) => {
        answered = resolve
        socket.write(request)
      })
  }
  const call = async (isMeasured: boolean) => {
    const connection = idle.pop() ?? (await connect())
    const sentAtMs = machineMs()
    const head = await connection()
    const receivedAtMs = machineMs()
    if (isMeasured) calls.push({ id: REQUEST_ID.exec(head ?? '')?.[1] ?? '', sentAtMs, receivedAtMs })
    if (!head?.startsWith('HTTP/1.1 200')) failures++
    idle.push(connection)
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
  for (const socket of sockets) socket.destroy()
  const latenciesMs = calls.map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
  process.send?.({ latenciesMs, calls, failures, callsInAll: under.length } satisfies SteadyResult)
})
process.send?.('ready')
