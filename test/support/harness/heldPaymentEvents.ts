import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { deliver, type ProviderEvent, signed } from '../parties/paymentEventDelivery.ts'

export type HeldPaymentEvents = Awaited<ReturnType<typeof holdPaymentEvents>>

/** Accepts payment events in place of the backend, and forwards each when and as often as the test says. */
export async function holdPaymentEvents() {
  const waiting: ProviderEvent[] = []
  const passedOn: ProviderEvent[] = []
  const seen = new Set<string>()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const event = JSON.parse(Buffer.concat(chunks).toString()) as ProviderEvent
    if (!seen.has(event.id)) waiting.push(event)
    seen.add(event.id)
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    waiting,
    passedOn,
    /** The ids of all that have arrived. */
    seen,
    /** Signed anew, because the test may have moved the clock since. */
    passOn: async (event: ProviderEvent, backendUrl: string, nowMs: number): Promise<void> => {
      const at = waiting.indexOf(event)
      if (at >= 0) waiting.splice(at, 1)
      const payload = JSON.stringify(event)
      const { status, text } = await deliver(backendUrl, payload, signed(payload, Math.floor(nowMs / 1_000)))
      if (status !== 200) throw new Error(`payment event ${event.id} was answered ${status}: ${text}`)
      if (!passedOn.includes(event)) passedOn.push(event)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
