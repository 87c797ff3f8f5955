import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HeldLedger } from '../support/eventStores/heldLedger.ts'
import { CHAT, callIdOf, chatBody, sending } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  type ReceivedCall,
  type Script,
  says,
  stalled,
  streamed,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

let gateway: GatewayHarness
/** What a call waits for after its body and before the provider. */
let admission: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  gateway = await startGatewayHarness({
    rateLimits: (limits) => ({
      add: (bucket, points) => limits.add(bucket, points),
      read: (bucket) => admission.then(() => limits.read(bucket)),
    }),
  })
})
afterAll(() => gateway.close())

const STREAM = chatBody({ stream: true })
const upstreamOf = (callId: string): ReceivedCall => gateway.provider.callOf(callId)

/** Starts a call whose answer may never begin, and resolves once the provider has it. */
async function begin(script: Script, body: object) {
  const before = gateway.provider.calls.length
  gateway.provider.next(script)
  const caller = sending(gateway.url, CHAT, { key: gateway.key.raw, body })
  await until('the call is at the provider', () => gateway.provider.calls.length > before)
  const upstream = gateway.provider.lastCall()
  return { ...caller, upstream, callId: String(upstream.headers['x-request-id']) }
}

describe('a caller that disconnects before the answer is complete: CallFailed, and the provider call is aborted', () => {
  test.each([
    ['a plain call', chatBody()],
    ['a stream before it begins', STREAM],
  ])('%s', async (_, body) => {
    const { leave, upstream, callId } = await begin(stalled(), body)
    leave()
    expect(await gateway.ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => upstream.closed)
  })

  test('a call that is not sent to the provider yet: it is never sent', async () => {
    const { promise, resolve: admit } = Promise.withResolvers<void>()
    admission = promise
    const before = gateway.provider.calls.length
    const ledgerBefore = (await gateway.ledgerOf(gateway.companyId)).length
    const { leave, request } = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    await until('the body is sent', () => request.writableFinished)
    await gateway.call('/llm/v1/models')
    leave()
    await gateway.call('/llm/v1/models')
    admit()
    await until('the call has ended', async () => (await gateway.ledgerOf(gateway.companyId)).length > ledgerBefore)
    expect((await gateway.ledgerOf(gateway.companyId)).at(-1)).toMatchObject({
      type: 'CallFailed',
      data: { reason: 'client_left' },
    })
    expect(gateway.provider.calls).toHaveLength(before)
  })

  test('a plain call in the middle of its answer', async () => {
    const { leave, upstream, callId } = await begin((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":')
    }, chatBody())
    leave()
    expect(await gateway.ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => upstream.closed)
  })

  test('a stream before its finish_reason', async () => {
    gateway.provider.next(streamed(says('Good '), new Promise(() => {})))
    const stream = await gateway.stream(STREAM)
    await stream.saw('Good ')
    stream.leave()
    const callId = callIdOf(stream)
    expect(await gateway.ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => upstreamOf(callId).closed)
    expect(await gateway.eventsOf(callId)).toHaveLength(1)
  })
})

describe('a caller that disconnects when the answer is complete: CallCharged', () => {
  let held: HeldLedger

  test('a plain call whose charge is being stored', async () => {
    held = await gateway.holdLedger()
    const { leave, callId } = await begin(whole(completion()), chatBody())
    await held.anAppendWaits()
    leave()
    await gateway.call('/llm/v1/models')
    await held.release()
    expect(await gateway.ending(callId)).toMatchObject({ type: 'CallCharged' })
    expect(await gateway.eventsOf(callId)).toHaveLength(1)
  })

  test('a stream whose charge is being stored', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(STREAM)
    await held.anAppendWaits()
    stream.leave()
    await gateway.call('/llm/v1/models')
    await held.release()
    expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged' })
  })

  test('a stream whose usage block comes after the caller left', async () => {
    const finish = Promise.withResolvers<void>()
    const usage = Promise.withResolvers<void>()
    gateway.provider.next(streamed(says('Good day.'), finish.promise, finishes(), usage.promise, usageBlock()))
    const stream = await gateway.stream(STREAM)
    await stream.saw('Good day.')
    finish.resolve()
    const upstream = upstreamOf(callIdOf(stream))
    // Held back by the gateway, so no caller can see it; the provider knows when it is out.
    await until('the finish is sent', () => upstream.bytesWritten >= says('Good day.').length + finishes().length)
    await gateway.call('/llm/v1/models')
    stream.leave()
    await gateway.call('/llm/v1/models')
    usage.resolve()
    expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged', data: { tokensIn: 1_000 } })
    expect(await gateway.eventsOf(callIdOf(stream))).toHaveLength(1)
  })

  test('a stream of two choices of which one has finished, whose usage block comes after the caller left', async () => {
    const rest = Promise.withResolvers<void>()
    gateway.provider.next(
      streamed(says('a', 0), finishes(0), says('b', 1), rest.promise, finishes(1), usageBlock(), DONE),
    )
    const stream = await gateway.stream({ ...STREAM, n: 2 })
    await stream.saw('"content":"b"')
    stream.leave()
    await gateway.call('/llm/v1/models')
    rest.resolve()
    expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged', data: { tokensIn: 1_000 } })
  })
})

test('a caller that does not read slows the provider down: the gateway buffers only up to its limit', async () => {
  const piece = says('x'.repeat(256 * 1024))
  const pieces = Array.from({ length: 256 }, () => piece)
  gateway.provider.next(streamed(...pieces, finishes(), usageBlock(), DONE))
  const stream = await gateway.stream(STREAM)
  stream.pause()
  const upstream = upstreamOf(callIdOf(stream))
  let before = -1
  // Nothing more flows: several polls in a row, with a round trip through the gateway between them, see the same count.
  for (let unchanged = 0; unchanged < 20; ) {
    await gateway.call('/llm/v1/models')
    unchanged = upstream.bytesWritten === before ? unchanged + 1 : 0
    before = upstream.bytesWritten
  }
  expect(upstream.completed).toBe(false)
  expect(upstream.bytesWritten).toBeLessThan(32 * 1024 * 1024)
  stream.resume()
  expect(await stream.ended).toBe('whole')
  expect(stream.text().endsWith(DONE)).toBe(true)
  expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged' })
})
