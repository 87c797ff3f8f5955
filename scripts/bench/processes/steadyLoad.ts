import net from 'node:net'
import { type Call, chatRequest } from './chatRequest.ts'
import { messageReader } from './leanHttp.ts'

/** Calls at a fixed rate, even if earlier ones are not answered, in a process of its own. */
export type SteadyLoad = Call & {
  readonly callsPerSecond: number
  readonly warmUpMs: number
  readonly measureMs: number
}
/** From the request to the complete response. */
export type SteadyResult = { readonly latenciesMs: readonly number[]; readonly failures: number }

process.on('message', async (load: SteadyLoad) => {
  const { hostname, port } = new URL(load.url)
  const request = chatRequest(load)
  const latenciesMs: number[] = []
  const sockets = new Set<net.Socket>()
  const idle: (() => Promise<boolean>)[] = []
  let failures = 0

  /** A connection that makes one call at a time. */
  const connect = async (): Promise<() => Promise<boolean>> => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    sockets.add(socket)
    let answered: (isGood: boolean) => void = () => {}
    socket.on(
      'data',
      messageReader(({ head }) => answered(head.startsWith('HTTP/1.1 200'))),
    )
    socket.on('error', () => answered(false))
    await new Promise((resolve) => socket.once('connect', resolve))
    return () =>
      new Promise((resolve) => {
        answered = resolve
        socket.write(request)
      })
  }
  const call = async (isMeasured: boolean) => {
    const connection = idle.pop() ?? (await connect())
    const began = performance.now()
    const isGood = await connection()
    if (isMeasured) latenciesMs.push(performance.now() - began)
    if (!isGood) failures++
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
  process.send?.({ latenciesMs, failures } satisfies SteadyResult)
})
process.send?.('ready')
