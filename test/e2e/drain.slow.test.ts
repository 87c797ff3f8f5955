import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHAT, call, callIdOf, chatBody, readAnswer, sending } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  says,
  stalled,
  streamed,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

/** A drain waits as long again until the calls that it cut are recorded, which takes time on a busy machine. */
const TIME_LIMIT_MS = 3_000

let gateway: GatewayHarness

beforeEach(async () => {
  gateway = await startGatewayHarness({ projector: false })
})
afterEach(() => gateway.close())

const STREAM = chatBody({ stream: true })
const isRefused = () =>
  call(gateway.url, '/llm/v1/models').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )

async function atProvider(calls: number): Promise<void> {
  await until(`${calls} calls are at the provider`, () => gateway.provider.calls.length === calls)
}

describe('a drain', () => {
  test('lets calls in flight finish, stores their charges, and accepts no new connection', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    gateway.provider.always(async (response, received) => {
      await answering
      const script = received.body.includes('"stream":true')
        ? streamed(says('Good day.'), finishes(), usageBlock(), DONE)
        : whole(completion())
      await script(response, received)
    })
    const calls = Array.from({ length: 20 }, (_, n) => gateway.chat(n % 2 === 0 ? STREAM : chatBody()))
    await atProvider(20)
    const drained = gateway.drain(10_000)
    await until('new connections are refused', isRefused)
    answer()
    const answers = await Promise.all(calls)
    await drained
    for (const served of answers) {
      expect(served.status).toBe(200)
      expect(served.text).toContain('Good day.')
      expect(await gateway.eventsOf(callIdOf(served))).toMatchObject([{ type: 'CallCharged' }])
    }
  })

  test('closes idle keep-alive connections', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const response = await new Promise<http.IncomingMessage>((resolve) =>
      http.get(`${gateway.url}/llm/v1/models`, { agent }, resolve),
    )
    const { socket } = response
    await readAnswer(response)
    await gateway.drain(10_000)
    await until('the connection is closed', () => socket.destroyed)
    agent.destroy()
  })

  test('cuts the remaining calls at its time limit, and records them as failed', async () => {
    gateway.provider.always((response, received) => {
      const script = received.body.includes('"stream":true')
        ? streamed(says('Good '), new Promise(() => {}))
        : stalled()
      return script(response, received)
    })
    const stream = await gateway.stream(STREAM)
    await stream.saw('Good ')
    const plain = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    await atProvider(2)
    await gateway.drain(TIME_LIMIT_MS)
    const callIds = gateway.provider.calls.map(({ headers }) => String(headers['x-request-id']))
    for (const callId of callIds) {
      expect(await gateway.eventsOf(callId)).toMatchObject([{ type: 'CallFailed', data: { reason: 'client_left' } }])
    }
    expect(await stream.ended).toBe('cut')
    await expect(plain.answer).rejects.toThrow()
  })

  test('that reaches its time limit while a charge is being stored still stores it', async () => {
    const held = await gateway.holdLedger()
    const { answer } = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    await held.anAppendWaits()
    const drained = gateway.drain(TIME_LIMIT_MS)
    await expect(answer).rejects.toThrow()
    await held.release()
    await drained
    const callId = String(gateway.provider.lastCall().headers['x-request-id'])
    expect(await gateway.eventsOf(callId)).toMatchObject([{ type: 'CallCharged' }])
  })

  test('ends after the log lines of the calls that it waited for', async () => {
    const held = await gateway.holdLedger()
    const { answer } = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    await held.anAppendWaits()
    const drained = gateway.drain(10_000)
    await held.release()
    await drained
    gateway.flushLog()
    const lines = (await readFile(gateway.logFile, 'utf8')).trim().split('\n')
    const callId = callIdOf(await answer)
    expect(lines.map((line) => JSON.parse(line)).filter((line) => line.callId === callId)).toMatchObject([
      { msg: 'call', outcome: 'charged' },
    ])
  })

  /** A stream that has finished and is read on for its usage block. */
  async function leaveFinished(usage: Promise<unknown>) {
    gateway.provider.next(streamed(says('Good '), says('day.') + finishes(), usage, usageBlock(), DONE))
    const stream = await gateway.stream(STREAM)
    await stream.saw('day.')
    stream.leave()
    return callIdOf(stream)
  }

  test('waits for the usage block of a stream whose caller left after its finish_reason', async () => {
    const { promise: usage, resolve: sendUsage } = Promise.withResolvers<void>()
    const callId = await leaveFinished(usage)
    const drained = gateway.drain(10_000)
    await until('new connections are refused', isRefused)
    expect(await gateway.eventsOf(callId)).toEqual([])
    sendUsage()
    await drained
    expect(await gateway.eventsOf(callId)).toMatchObject([{ type: 'CallCharged' }])
  })

  test('aborts such a stream at its time limit, and records it as failed', async () => {
    const callId = await leaveFinished(new Promise(() => {}))
    await gateway.drain(TIME_LIMIT_MS)
    expect(await gateway.eventsOf(callId)).toMatchObject([{ type: 'CallFailed', data: { reason: 'client_left' } }])
  })
})
