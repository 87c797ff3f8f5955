import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { send } from '../harness/gatewayClient.ts'
import type { MemoryGateway } from '../harness/memoryGateway.ts'
import type { Script } from '../parties/scriptedProvider.ts'
import { until } from '../time/until.ts'

/** The timing of a stream: when its bytes arrive, how long its charge takes, and when its caller leaves. */
export type Timing = {
  /** Where the bytes are cut into pieces, and how many turns of the event loop pass before each. */
  readonly cuts: readonly number[]
  readonly pauses: readonly number[]
  /** How many turns of the event loop an append takes. */
  readonly appendTicks: number
  /** The caller leaves this many turns after it received this share of the stream's bytes; null: it stays. */
  readonly leaves: { readonly after: number; readonly ticks: number } | null
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const ticks = fc.nat({ max: 30 })
export const timingFields = {
  cuts: fc.array(share, { maxLength: 8 }),
  pauses: fc.array(ticks, { minLength: 10, maxLength: 10 }),
  appendTicks: ticks,
  leaves: fc.option(fc.record({ after: share, ticks }), { freq: 6 }),
}

export type LeftCall = {
  readonly path: string
  readonly body: object
  /** What the provider sends. */
  readonly events: readonly string[]
  /** Whether the text contains something that only a charged caller may get. */
  isFinished(text: string): boolean
}

/** Makes the call and checks that nothing that completes the answer arrives before the charge. */
export async function callAndLeave(gateway: MemoryGateway, call: LeftCall, timing: Timing) {
  const { appendTicks, leaves } = timing
  const bytes = Buffer.from(call.events.join(''))
  gateway.store.failNext(async (apply) => {
    await pass(appendTicks)
    return apply()
  })
  gateway.provider.next(cutInto(bytes, timing))
  const response = await send(gateway.url, `/llm/v1${call.path}`, { key: gateway.mintKey(), body: call.body })
  expect(response.statusCode).toBe(200)
  const callId = String(response.headers['x-request-id'])
  let text = ''
  const leaveAt = leaves === null ? Number.POSITIVE_INFINITY : leaves.after * bytes.length
  const leave = () => void pass(leaves?.ticks ?? 0).then(() => response.destroy())
  if (leaveAt === 0) leave()
  const finishedUncharged: string[] = []
  response.on('data', (piece: Buffer) => {
    text += piece.toString()
    if (call.isFinished(text) && gateway.eventsOf(callId)[0]?.type !== 'CallCharged') finishedUncharged.push(text)
    if (Buffer.byteLength(text) >= leaveAt) leave()
  })
  response.on('error', () => {})
  await new Promise((resolve) => response.once('close', resolve))
  expect(finishedUncharged).toEqual([])
  await until('the call ends on the ledger', () => gateway.eventsOf(callId).length > 0)
  const ends = gateway.eventsOf(callId).map(({ type }) => type)
  expect(ends).toHaveLength(1)
  if (call.isFinished(text) || leaves === null) expect(ends).toEqual(['CallCharged'])
  return text
}

async function pass(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await tick()
}

function cutInto(bytes: Buffer, { cuts, pauses }: Timing): Script {
  const places = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort((a, b) => a - b)
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let from = 0
    for (const [n, to] of places.entries()) {
      await pass(pauses[n % pauses.length] ?? 0)
      if (to > from) response.write(bytes.subarray(from, to))
      from = to
    }
    response.end()
  }
}
