import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callIdOf, chatBody, sending } from '../../../test/support/harness/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import {
  completion,
  DONE,
  finishes,
  type Script,
  says,
  streamed,
  streamedThenCut,
  usageBlock,
} from '../../../test/support/parties/scriptedProvider.ts'
import { until } from '../../../test/support/time/until.ts'

const OUTPUT_TOKENS_MAX = 100
const CHAT = '/chat/completions'

let gateway: MemoryGateway
let key: string

beforeEach(async () => {
  gateway = await startMemoryGateway({ alias: { abandoned: 'drain', maxOutputTokens: OUTPUT_TOKENS_MAX } })
  key = gateway.mintKey()
})
afterEach(() => gateway.close())

const ending = (callId: string) => until('the call ends on the ledger', () => gateway.eventsOf(callId)[0])
const isReadOn = () => until('the answer is read without its caller', () => gateway.lateReads.size === 1)

/** Leaves a stream after its first text. Resolves with the id of the call once its answer is read without the caller. */
async function leaveStream(script: Script): Promise<string> {
  gateway.provider.next(script)
  const stream = await gateway.stream(CHAT, { key, body: chatBody({ stream: true }) })
  await stream.saw('Good ')
  stream.leave()
  await isReadOn()
  return callIdOf(stream)
}

async function leavePlainCall(script: Script): Promise<string> {
  gateway.provider.next(script)
  const { leave } = sending(gateway.url, `/llm/v1${CHAT}`, { key, body: chatBody() })
  await until('the call is at the provider', () => gateway.provider.calls.length > 0)
  const callId = String(gateway.provider.lastCall().headers['x-request-id'])
  leave()
  await isReadOn()
  return callId
}

describe('a call of an alias that drains, whose caller has left', () => {
  test('a stream is read to its end and charged by the usage that its provider reports', async () => {
    const rest = Promise.withResolvers<void>()
    const callId = await leaveStream(
      streamed(says('Good '), rest.promise, says('day.'), finishes(), usageBlock(), DONE),
    )
    rest.resolve()
    expect(await ending(callId)).toMatchObject({
      type: 'CallCharged',
      data: { abandoned: true, tokensIn: 1_000, streamed: true },
    })
    expect(gateway.lateReads.size).toBe(0)
  })

  test('a plain call is charged, even if its provider had not begun to answer', async () => {
    const answer = Promise.withResolvers<void>()
    const callId = await leavePlainCall(async (response) => {
      await answer.promise
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(completion()))
    })
    answer.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallCharged', data: { abandoned: true } })
    expect(gateway.lateReads.size).toBe(0)
  })

  test('a plain call is charged, even if its caller leaves in the middle of the answer', async () => {
    const rest = Promise.withResolvers<void>()
    const answer = JSON.stringify(completion())
    const callId = await leavePlainCall(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(answer.slice(0, 20))
      await rest.promise
      response.end(answer.slice(20))
    })
    rest.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallCharged', data: { abandoned: true } })
  })

  test('a stream without a usage block is free', async () => {
    const rest = Promise.withResolvers<void>()
    const callId = await leaveStream(streamed(says('Good '), rest.promise, says('day.'), finishes(), DONE))
    rest.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'no_usage' } })
  })

  test('a stream that its provider cuts is free, and counts as abandoned', async () => {
    const rest = Promise.withResolvers<void>()
    const callId = await leaveStream(streamedThenCut(says('Good '), rest.promise, says('day.')))
    rest.resolve()
    expect(await ending(callId)).toMatchObject({
      type: 'CallFailed',
      data: { reason: 'provider_cut', tokensAbandoned: expect.any(Number) },
    })
  })

  test('a stream that goes beyond the output limit of the alias is given up', async () => {
    const rest = Promise.withResolvers<void>()
    const tooMuch = says('x'.repeat(OUTPUT_TOKENS_MAX * 4 + 1))
    const callId = await leaveStream(streamed(says('Good '), rest.promise, tooMuch, new Promise(() => {})))
    rest.resolve()
    expect(await ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => gateway.provider.callOf(callId).closed)
    expect(gateway.lateReads.size).toBe(0)
  })
})

test('a call whose caller stays is not marked as abandoned', async () => {
  const { status, headers } = await gateway.call(CHAT, { key, body: chatBody() })
  expect(status).toBe(200)
  expect(await ending(String(headers['x-request-id']))).toMatchObject({ data: { abandoned: false } })
})
