import net from 'node:net'
import { type Call, chatRequest } from './chatRequest.ts'
import { type LeanMessage, messageReader } from './leanHttp.ts'

/** A fixed number of calls over a few connections, in a separate process. */
export type CountedLoad = Call & { readonly connections: number; readonly calls: number }
export type CountedResult = { readonly failures: number; readonly seconds: number }

process.on('message', async (load: CountedLoad) => {
  const { hostname, port } = new URL(load.url)
  const request = chatRequest(load)
  let toSend = load.calls
  let failures = 0
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
      const next = () => {
        if (toSend-- > 0) socket.write(request)
        else socket.end()
      }
      const onAnswer = ({ head }: LeanMessage) => {
        if (!head.startsWith('HTTP/1.1 200')) failures++
        next()
      }
      socket.on('connect', next)
      socket.on('data', messageReader(onAnswer))
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  const began = performance.now()
  await Promise.all(Array.from({ length: load.connections }, connection))
  process.send?.({ failures, seconds: (performance.now() - began) / 1000 } satisfies CountedResult)
})
process.send?.('ready')
