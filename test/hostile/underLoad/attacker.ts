import { once } from 'node:events'
import net from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { headIn } from '../answerBytes.ts'
import { bytesOf, type WireCase } from '../wireCase.ts'
import type { Flood } from './flood.ts'

/** The first message to the attacker. Credentials are already filled in. */
export type AttackerData = {
  readonly flood: Pick<Flood, 'kind' | 'connections' | 'perSecond'>
  readonly requests: readonly { readonly sent: WireCase; readonly port: number }[]
  readonly from: string
}
/** Its report every second: connections opened and held, and how they were answered. */
export type AttackerFigures = {
  readonly opened: number
  readonly open: number
  readonly answers: Readonly<Record<string, number>>
}

/** More at once would only fill the system's queue of connections, which drops those of others too. */
const OPENED_PER_SECOND = 2_000
const TOLD_EVERY_MS = 1_000
const CLOSED_WITHIN_MS = 15_000
/** Between two bodies of a stream, which makes it 4 MB a second on each connection. */
const STREAMED_EVERY_MS = 16

// A real attacker has its own machine: what it costs to send must not take the processor from those who are measured.
setPriority(constants.priority.PRIORITY_LOW)
process.once('disconnect', () => process.exit())

const [{ flood, from, ...data }] = (await once(process, 'message')) as [AttackerData]
const requests = data.requests.map(({ sent, port }) => {
  const body = Buffer.concat((sent.body ?? []).map(bytesOf))
  return { port, service: sent.service, body, bytes: Buffer.concat([Buffer.from(sent.head, 'latin1'), body]) }
})
const answers: Record<string, number> = {}
let [opened, open] = [0, 0]

setInterval(() => process.send?.({ opened, open, answers } satisfies AttackerFigures), TOLD_EVERY_MS)

/** Tokens that are spent by opening a connection, filled up at the flood's pace. */
let allowance = flood.connections
setInterval(() => {
  allowance = Math.min(flood.connections, allowance + flood.perSecond / 20)
}, 50)

await Promise.all(Array.from({ length: flood.connections }, (_, n) => attackOnAndOn(n)))

async function attackOnAndOn(n: number): Promise<never> {
  await wait((n / OPENED_PER_SECOND) * 1_000)
  for (;;) {
    while (allowance < 1) await wait(10)
    allowance--
    const request = requests[opened % requests.length]
    if (!request) throw new Error('the flood has no request')
    const status = await oneConnection(request)
    answers[status] = (answers[status] ?? 0) + 1
  }
}

/** Resolves with the status of the answer when the server has closed the connection, or answered a repeated request. */
function oneConnection({ port, service, body, bytes }: (typeof requests)[number]): Promise<string> {
  return new Promise((resolve) => {
    opened++
    open++
    let received = Buffer.alloc(0)
    const socket = net.connect({ host: '127.0.0.1', port, localAddress: from })
    const end = () => {
      socket.destroy()
      open--
      resolve(String(headIn(received)?.status ?? 'closed'))
    }
    socket.on('error', () => {})
    socket.once('close', end)
    socket.on('data', (chunk) => {
      // The first bytes tell the status.
      if (received.length < 4_096) received = Buffer.concat([received, chunk])
    })
    // A mail server speaks first, and refuses clients that do not wait.
    socket.once(service === 'mail' ? 'data' : 'connect', () => {
      socket.write(bytes)
      if (flood.kind === 'stream') void streamOn(socket, body)
    })
    // An answered request whose connection stays open is not repeated on it.
    if (flood.kind === 'repeat') socket.setTimeout(CLOSED_WITHIN_MS, () => socket.destroy())
  })
}

/** Sends the body again and again, as fast as the server reads it and not faster than its pace. */
async function streamOn(socket: net.Socket, body: Buffer): Promise<void> {
  while (!socket.destroyed) {
    await wait(STREAMED_EVERY_MS)
    if (!socket.writableNeedDrain) socket.write(body)
  }
}
