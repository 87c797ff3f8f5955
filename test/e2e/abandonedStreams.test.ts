import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { TOKENS_PER_SECOND } from '../../services/gateway/call/abandonedStreams.ts'
import { type Answer, CHAT, call, callIdOf, chatBody, openStream, sending } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { startSecondGateway } from '../support/harness/secondGateway.ts'
import {
  DONE,
  finishes,
  says,
  stalled,
  streamed,
  streamedThenCut,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { type SteppedClock, steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const STREAM = chatBody({ stream: true })
const BODY_BYTES = Buffer.byteLength(JSON.stringify(STREAM))
/** Ten minutes before midnight. */
const EVENING = Date.UTC(2026, 2, 1, 23, 50)

let clock: SteppedClock
let gateway: GatewayHarness
let companyId: string
let key: string

beforeAll(async () => {
  clock = steppedClock(EVENING)
  gateway = await startGatewayHarness({ clock, env: { ABANDONED_TOKENS_FLOOR: '1000', ABANDONED_TOKENS_SHARE: '0.5' } })
})
beforeEach(async () => {
  clock.set(EVENING)
  companyId = await gateway.registerCompany({ credits: '1000' })
  key = (await gateway.mintKey(companyId)).raw
  await gateway.untilCredited(key, 1_000)
})
afterAll(() => gateway.close())

/** Disconnects from a stream after this many characters; resolves with the abandoned tokens on the ledger. */
async function leaveAfter(chars: number, url = gateway.url): Promise<number | null> {
  gateway.provider.next(streamed(says('x'.repeat(chars)), new Promise(() => {})))
  const stream = await openStream(url, CHAT, { key, body: STREAM })
  await stream.saw('xxx')
  stream.leave()
  return abandonedBy(callIdOf(stream))
}

async function abandonedBy(callId: string): Promise<number | null> {
  const { type, data } = await gateway.ending(callId, companyId)
  if (type !== 'CallFailed') throw new Error(`${callId} ended as ${type}`)
  return data.tokensAbandoned
}

/** Disconnects after this time from a call that the provider has not begun to answer. */
async function leaveUnanswered(body: object, afterMs = 0): Promise<number | null> {
  const before = gateway.provider.calls.length
  gateway.provider.next(stalled())
  const { leave } = sending(gateway.url, CHAT, { key, body })
  await until('the call is at the provider', () => gateway.provider.calls.length > before)
  clock.advance(afterMs)
  leave()
  return abandonedBy(String(gateway.provider.lastCall().headers['x-request-id']))
}

function streamWhole(url = gateway.url): Promise<Answer> {
  gateway.provider.always(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
  return call(url, CHAT, { key, body: STREAM })
}

/** Uses calls that the provider refuses, because charged calls would raise the limit. */
async function refusesStreams(url: string): Promise<boolean> {
  gateway.provider.always(whole({}, { status: 400 }))
  return (await call(url, CHAT, { key, body: STREAM })).status === 429
}

describe('the ledger records the abandoned tokens of a stream', () => {
  test('a quarter of the body and of the characters delivered', async () => {
    expect(await leaveAfter(400)).toBe(Math.ceil((BODY_BYTES + 400) / 4))
  })

  test('also if the caller left before the first byte, however long it has waited', async () => {
    expect(await leaveUnanswered(STREAM)).toBe(Math.ceil(BODY_BYTES / 4))
    expect(await leaveUnanswered(STREAM, 60_000)).toBe(Math.ceil(BODY_BYTES / 4))
  })

  test('also if the provider failed after part of it was delivered, but none if it failed before', async () => {
    for (const script of [streamedThenCut(says('Good ')), streamed(says('Good '), finishes(), DONE)]) {
      gateway.provider.next(script)
      expect(await abandonedBy(callIdOf(await gateway.chat(STREAM, { key })))).toBe(Math.ceil((BODY_BYTES + 5) / 4))
    }
    gateway.provider.next(streamedThenCut(': nothing yet\n\n'))
    expect(await abandonedBy(callIdOf(await gateway.chat(STREAM, { key })))).toBeNull()
  })
})

describe('the ledger records the abandoned tokens of a call without a stream', () => {
  test('a quarter of its body, and what the model may have written in the time', async () => {
    const body = chatBody()
    const bodyTokens = Buffer.byteLength(JSON.stringify(body)) / 4
    expect(await leaveUnanswered(body)).toBe(Math.ceil(bodyTokens))
    expect(await leaveUnanswered(body, 60_000)).toBe(Math.ceil(bodyTokens + 60 * TOKENS_PER_SECOND))
    expect(await leaveUnanswered({ ...body, max_tokens: 7 }, 60_000)).toBeLessThan(bodyTokens + 7 + 10)
  })

  test('also if the caller left while the answer arrived', async () => {
    gateway.provider.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"model":')
    })
    const before = gateway.provider.calls.length
    const { leave } = sending(gateway.url, CHAT, { key, body: chatBody() })
    await until('the call is at the provider', () => gateway.provider.calls.length > before)
    leave()
    expect(await abandonedBy(String(gateway.provider.lastCall().headers['x-request-id']))).toBeGreaterThan(0)
  })

  test('also for a parse call', async () => {
    const before = gateway.provider.calls.length
    gateway.provider.next(stalled())
    const { leave } = sending(gateway.url, '/llm/v1/parse/cv', { key, body: { text: 'Ada. '.repeat(100) } })
    await until('the call is at the provider', () => gateway.provider.calls.length > before)
    leave()
    expect(await abandonedBy(String(gateway.provider.lastCall().headers['x-request-id']))).toBeGreaterThan(125)
  })
})

describe('a company whose callers abandon more tokens than its limit', () => {
  test('gets 429 for streams until midnight UTC, and answers to other calls', async () => {
    await leaveAfter(3_000)
    expect((await streamWhole()).status).toBe(200)
    // The stream was charged 1,500 tokens, but half of them is less than the floor.
    await leaveAfter(2_000)
    const refused = await streamWhole()
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('600')
    expect(refused.json.error).toEqual({
      message: expect.stringContaining('until midnight UTC'),
      type: 'rate_limit_error',
      code: null,
    })
    gateway.provider.next((response) => void response.end('{"usage":{"prompt_tokens":1}}'))
    expect((await gateway.chat(chatBody(), { key })).status).toBe(200)
    expect((await gateway.chat(STREAM)).status).toBe(200)
    clock.set(Date.UTC(2026, 2, 2))
    expect((await streamWhole()).status).toBe(200)
  })

  test('gets 429 for every call once it has abandoned twice as much, also by calls without a stream', async () => {
    for (let n = 0; n < 2; n++) await leaveUnanswered(chatBody(), 60_000)
    const refused = await gateway.chat(chatBody(), { key })
    expect(refused.status).toBe(429)
    expect(refused.json.error.message).toMatch(/^Calls of this company are refused until midnight UTC/)
  })

  test('may abandon a share of its charged tokens, if that is more than the floor', async () => {
    for (let n = 0; n < 3; n++) expect((await streamWhole()).status).toBe(200)
    await leaveAfter(7_000)
    await until('the charges of 4,500 tokens count', async () => (await streamWhole()).status === 200)
    await leaveAfter(20_000)
    expect((await streamWhole()).status).toBe(429)
  })

  test('gets 429 from every gateway, including one that starts later', async () => {
    const { holds } = gateway.runtime.engines.sharedState
    const second = await startSecondGateway(gateway, { holds })
    await leaveAfter(3_000)
    await leaveAfter(3_000, second.url)
    for (const url of [gateway.url, second.url]) {
      await until('the gateway refuses streams', () => refusesStreams(url))
    }
    await second.drain()
    // One that starts from the events, or from a read model that has some or all of them.
    const head = await gateway.runtime.engines.store.head()
    await hasPassed(gateway.runtime.engines.database, 'daily-tokens', head, systemClock)
    const third = await startSecondGateway(gateway, { holds })
    expect((await streamWhole(third.url)).status).toBe(429)
    await third.drain()
  })

  test('is reported to operators in the metrics and once in the log', async () => {
    const figures = async () => {
      const { text } = await gateway.call('/metrics', { key: INTERNAL_TOKEN })
      const names = ['tollgate_abandoned_tokens_total', 'tollgate_limit_hits_total{limit="abandoned"}']
      return names.map((name) => Number(text.split(`${name} `)[1]?.split('\n')[0]))
    }
    const [tokensBefore = 0, hitsBefore = 0] = await figures()
    const abandoned = (await leaveAfter(5_000)) ?? 0
    for (let n = 0; n < 3; n++) expect((await streamWhole()).status).toBe(429)
    expect(await figures()).toEqual([tokensBefore + abandoned, hitsBefore + 3])
    gateway.flushLog()
    const lines = readFileSync(gateway.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('abandoned too many') && line.includes(companyId))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, companyId, tokensAbandoned: abandoned, tokensCharged: 0, limit: 1_000 },
    ])
  })
})
