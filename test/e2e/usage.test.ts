import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../support/harness/gatewayHarness.ts'
import { completion, DONE, finishes, says, streamed, usageBlock, whole } from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
let gateway: GatewayHarness
let key: TestKey

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterAll(() => gateway.close())

/** A new company and key for each test, on a later day than the tests before it. */
beforeEach(async () => {
  clock.set(Math.ceil(clock.now() / DAY_MS + 40) * DAY_MS + 12 * HOUR_MS)
  const companyId = await gateway.registerCompany({ credits: '100' })
  key = await gateway.mintKey(companyId, { rpm: 1_000, tpm: 10_000 })
  await until('the credits are there', async () => (await usage()).balance.credits === 100)
  clock.advance(60_000)
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const iso = (ms: number) => new Date(ms).toISOString()
const usage = async (query = '') => (await gateway.call(`/llm/v1/usage${query}`, { key: key.raw })).json

async function chat(model = 'svc/chat-default', tokens = 100): Promise<void> {
  gateway.provider.next(whole(completion({ usage: { prompt_tokens: tokens, completion_tokens: tokens / 2 } })))
  expect((await gateway.chat(chatBody({ model }), { key: key.raw })).status).toBe(200)
}

async function failingChat(): Promise<void> {
  gateway.provider.next(whole({}, { status: 500 }))
  expect((await gateway.chat(chatBody(), { key: key.raw })).status).toBe(503)
}

describe('GET /usage', () => {
  test('answers zeros for a key without calls', async () => {
    const now = clock.now()
    const midnight = Math.floor(now / DAY_MS) * DAY_MS
    const minuteEnd = (Math.floor(now / 60_000) + 1) * 60_000
    expect(await usage()).toEqual({
      object: 'usage',
      from: iso(midnight - 30 * DAY_MS),
      to: iso(now),
      group_by: 'alias',
      totals: { requests: 0, failures: 0, tokens_in: 0, tokens_out: 0, credits: 0 },
      data: [],
      balance: { credits: 100 },
      limits: {
        rpm: { limit: 1_000, remaining: 999, reset_at: iso(minuteEnd) },
        tpm: { limit: 10_000, remaining: 10_000, reset_at: iso(minuteEnd) },
      },
    })
  })

  test('includes each call as soon as it has ended: plain, streamed and failed', async () => {
    await chat()
    expect((await usage()).totals).toEqual({ requests: 1, failures: 0, tokens_in: 100, tokens_out: 50, credits: 0.125 })
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    await gateway.chat(chatBody({ stream: true }), { key: key.raw })
    expect((await usage()).totals).toMatchObject({ requests: 2, tokens_in: 1_100, tokens_out: 550, credits: 1.375 })
    await failingChat()
    const { totals, balance, limits } = await usage()
    expect(totals).toEqual({ requests: 3, failures: 1, tokens_in: 1_100, tokens_out: 550, credits: 1.375 })
    expect(balance).toEqual({ credits: 98.625 })
    expect(limits.tpm).toMatchObject({ remaining: 10_000 - 1_650 })
    expect(limits.rpm).toMatchObject({ remaining: 1_000 - 6 })
  })

  test('waits for the record of a call that failed', async () => {
    const held = await gateway.holdLedger()
    await failingChat()
    await held.anAppendWaits()
    const reply = usage()
    for (let n = 0; n < 20; n++) await gateway.call('/llm/v1/models')
    await held.release()
    expect((await reply).totals).toMatchObject({ requests: 1, failures: 1 })
  })

  test('groups by alias, and its groups add up to its totals', async () => {
    await chat('svc/chat-default', 100)
    await chat('svc/chat-premium', 200)
    await chat('svc/chat-default', 300)
    const { data, totals } = await usage('?group_by=alias')
    expect(data).toEqual([
      { group: 'svc/chat-default', requests: 2, failures: 0, tokens_in: 400, tokens_out: 200, credits: 0.5 },
      { group: 'svc/chat-premium', requests: 1, failures: 0, tokens_in: 200, tokens_out: 100, credits: 1.5 },
    ])
    expect(totals).toEqual({ requests: 3, failures: 0, tokens_in: 600, tokens_out: 300, credits: 2 })
  })

  test('groups by two of alias, key, label and time', async () => {
    await chat('svc/chat-default')
    await chat('svc/chat-cheap')
    gateway.provider.next(whole(completion({ usage: { prompt_tokens: 100, completion_tokens: 50 } })))
    const headers = { 'x-usage-label': 'team-a' }
    expect((await gateway.chat(chatBody(), { key: key.raw, headers })).status).toBe(200)
    const day = `${iso(clock.now()).slice(0, 10)}T00:00:00.000Z`
    const groups = async (query: string) => {
      const { group_by, data } = await usage(`?group_by=${query}`)
      expect(group_by).toBe(query)
      return data.map(({ group, subgroup, requests }: Record<string, unknown>) => [group, subgroup, requests])
    }
    expect(await groups('day,alias')).toEqual([
      [day, 'svc/chat-cheap', 1],
      [day, 'svc/chat-default', 2],
    ])
    expect(await groups('label,key')).toEqual([
      ['(none)', key.keyId, 2],
      ['team-a', key.keyId, 1],
    ])
    expect(await groups('month')).toEqual([[`${day.slice(0, 7)}-01T00:00:00.000Z`, undefined, 3]])
  })

  test('groups by hour and by day, in order', async () => {
    const noon = Math.floor(clock.now() / HOUR_MS) * HOUR_MS
    clock.set(noon - DAY_MS + 5)
    await chat()
    clock.set(noon)
    await chat()
    clock.set(noon + HOUR_MS + 59 * 60_000)
    await chat()
    const groups = async (query: string) =>
      (await usage(query)).data.map(({ group, requests }: { group: string; requests: number }) => [group, requests])
    const midnight = Math.floor(noon / DAY_MS) * DAY_MS
    expect(await groups('?group_by=day')).toEqual([
      [iso(midnight - DAY_MS), 1],
      [iso(midnight), 2],
    ])
    expect(await groups('?group_by=hour')).toEqual([
      [iso(noon - DAY_MS), 1],
      [iso(noon), 1],
      [iso(noon + HOUR_MS), 1],
    ])
  })

  test('includes from and excludes to, both to the minute and in any time zone', async () => {
    const start = Math.floor(clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS
    for (const ms of [start, start + 60_000, start + 120_000 + 30_000]) {
      clock.set(ms)
      await chat()
    }
    const requests = async (from: number, to: number) =>
      (await usage(`?from=${iso(from)}&to=${iso(to)}`)).totals.requests
    expect(await requests(start, start + 120_000)).toBe(2)
    expect(await requests(start + 59_000, start + 120_001)).toBe(3)
    expect(await requests(start + 60_000, start + 60_000)).toBe(0)
    const zoned = encodeURIComponent(`${iso(start + 2 * HOUR_MS).slice(0, 19)}+02:00`)
    const answer = await usage(`?from=${zoned}&to=${iso(start + 60_000)}`)
    expect(answer).toMatchObject({ from: iso(start), to: iso(start + 60_000), totals: { requests: 1 } })
    const day = iso(start).slice(0, 10)
    expect((await usage(`?from=${day}`)).totals.requests).toBe(3)
  })

  test("does not show another key's calls, but the company's balance", async () => {
    const sibling = await gateway.mintKey(key.companyId)
    await gateway.chat(chatBody(), { key: sibling.raw })
    const { totals, balance } = await usage()
    expect(totals.requests).toBe(0)
    expect(balance.credits).toBe(98.75)
  })
})
