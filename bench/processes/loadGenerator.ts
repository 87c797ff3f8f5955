import net from 'node:net'
import { type Call, chatRequest } from './chatRequest.ts'
import { type LeanMessage, messageReader } from './leanHttp.ts'

/** Calls as fast as the connections allow, in a separate process; reports how many responses were complete. */
export type Load = Call & {
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
}
export type LoadResult = {
  readonly calls: number
  readonly failures: number
  readonly seconds: number
  /** Including those of the warm-up and the end. */
  readonly callsInAll: number
}

process.on('message', async (load: Load) => {
  const { hostname, port } = new URL(load.url)
  const request = chatRequest(load)
  let calls = 0
  let failures = 0
  let over = false
  const caller = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
      const onAnswer = ({ head, isDone }: LeanMessage) => {
        if (head.startsWith('HTTP/1.1 200') && isDone === (load.isStreamed ?? false)) calls++
        else failures++
        if (over) socket.end()
        else socket.write(request)
      }
      socket.on('connect', () => socket.write(request))
      socket.on('data', messageReader(onAnswer))
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  const callers = Array.from({ length: load.connections }, caller)
  await new Promise((resolve) => setTimeout(resolve, load.warmUpMs))
  const callsBefore = calls
  const failuresBefore = failures
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, load.measureMs))
  const measured = { calls: calls - callsBefore, seconds: (performance.now() - began) / 1000 }
  over = true
  await Promise.all(callers)
  process.send?.({ ...measured, failures: failures - failuresBefore, callsInAll: calls } satisfies LoadResult)
})
process.send?.('ready')
