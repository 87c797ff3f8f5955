import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callIdOf, chatBody } from '../../../test/support/harness/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import { chunk, DONE, finishes, says, streamed, usageBlock } from '../../../test/support/parties/scriptedProvider.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { USAGE_AFTER_DISCONNECT_MS } from './lateReads.ts'

const NEVER = new Promise(() => {})

let clock: ManualClock
let gateway: MemoryGateway
let key: string

beforeEach(async () => {
  clock = new ManualClock()
  gateway = await startMemoryGateway({ clock })
  key = gateway.mintKey()
})
afterEach(() => gateway.close())

const chat = (changes: object = {}) =>
  gateway.stream('/chat/completions', { key, body: chatBody({ stream: true, ...changes }) })
const ending = (callId: string) => until('the call ends on the ledger', () => gateway.eventsOf(callId)[0])
const isReadOn = () => until('the stream is read without its caller', () => gateway.lateReads.size === 1)

describe('a stream of several choices', () => {
  test('no finish_reason reaches the caller before the charge is stored, and the deltas of other choices do', async () => {
    const rest = Promise.withResolvers<void>()
    const steps = [says('a', 0), finishes(0), says('b', 1), says('c', 1)]
    gateway.provider.next(streamed(...steps, rest.promise, finishes(1), usageBlock(), DONE))
    const stream = await chat({ n: 2 })
    await stream.saw('"c"')
    expect(stream.text()).not.toContain('"stop"')
    rest.resolve()
    expect(await stream.ended).toBe('whole')
    const order = [...stream.text().matchAll(/"content":"(\w)"|"(stop)"|(prompt_tokens)|\[(DONE)\]/g)]
    expect(order.map((found) => found.slice(1).find(Boolean)).join(' ')).toBe('a b c stop stop prompt_tokens DONE')
    expect(gateway.eventsOf(callIdOf(stream))).toMatchObject([{ type: 'CallCharged' }])
  })

  test('a caller that leaves when one choice has finished is charged by the usage block that follows', async () => {
    const rest = Promise.withResolvers<void>()
    gateway.provider.next(
      streamed(says('a', 0), finishes(0), says('b', 1), rest.promise, says('c', 1), finishes(1), usageBlock(), DONE),
    )
    const stream = await chat({ n: 2 })
    await stream.saw('"b"')
    stream.leave()
    await isReadOn()
    rest.resolve()
    expect(await ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged', data: { tokensIn: 1_000 } })
    expect(gateway.lateReads.size).toBe(0)
  })
})

describe('a caller that leaves after a finish_reason', () => {
  const leaves = async (...after: (string | Promise<unknown>)[]) => {
    gateway.provider.next(streamed(says('Good '), says('day.') + finishes(), ...after))
    const stream = await chat()
    await stream.saw('day.')
    stream.leave()
    await isReadOn()
    return { callId: callIdOf(stream), upstream: gateway.provider.lastCall() }
  }

  test('ends the read after 10 s without a usage block: the call failed, and the provider call is aborted', async () => {
    const { callId, upstream } = await leaves(NEVER)
    await clock.advance(USAGE_AFTER_DISCONNECT_MS - 1)
    expect(gateway.eventsOf(callId)).toEqual([])
    expect(upstream.closed).toBe(false)
    await clock.advance(1)
    expect(await ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => upstream.closed)
  })

  test('is charged after 10 s if the usage block has come and the end has not', async () => {
    const usage = Promise.withResolvers<void>()
    const { callId, upstream } = await leaves(usage.promise, usageBlock(), NEVER)
    usage.resolve()
    await until(
      'the usage block is sent',
      () => upstream.bytesWritten > [says('Good '), says('day.'), finishes()].join('').length,
    )
    await gateway.call('/models', { key })
    await clock.advance(USAGE_AFTER_DISCONNECT_MS)
    expect(await ending(callId)).toMatchObject({ type: 'CallCharged' })
  })

  test('is charged by the last usage block, although an earlier one was complete', async () => {
    const last = Promise.withResolvers<void>()
    const first = chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    const { callId } = await leaves(first, last.promise, usageBlock(), DONE)
    last.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallCharged', data: { tokensIn: 1_000, tokensOut: 500 } })
  })

  test('is not charged if the provider then sends half an event: that failure is the provider’s', async () => {
    const rest = Promise.withResolvers<void>()
    const { callId } = await leaves(rest.promise, 'data: {"choi')
    rest.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'provider_cut' } })
  })
})

test('a caller that leaves before any finish_reason ends the read at once', async () => {
  gateway.provider.next(streamed(says('Good '), NEVER))
  const stream = await chat()
  await stream.saw('Good ')
  stream.leave()
  expect(await ending(callIdOf(stream))).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
  await until('the provider is let go', () => gateway.provider.lastCall().closed)
})

test('streams whose callers leave do not open the circuit breaker of the provider', async () => {
  for (let n = 0; n < 8; n++) {
    gateway.provider.next(streamed(says('Good '), NEVER))
    const stream = await chat()
    await stream.saw('Good ')
    stream.leave()
    await ending(callIdOf(stream))
  }
  expect([...gateway.breakerStates().values()]).toEqual(['closed'])
  gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
  expect(await (await chat()).ended).toBe('whole')
})
