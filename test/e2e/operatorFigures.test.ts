import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishReport, type ReportedRoute } from '../../capabilities/providers/gatewayReports.ts'
import type { ProviderCost } from '../../domain/pricing/providerCost.ts'
import { dayOf } from '../../projections/dailyTokens/projection.ts'
import { type BackendHarness, startBackendHarness } from '../support/harness/backendHarness.ts'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { completion, USAGE, whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

const COST: ProviderCost = {
  currency: 'usd',
  price: { rates: { input: '2500000', output: '10000000' } },
}

const REPORTED_ROUTE: ReportedRoute = {
  ...{ alias: '', strategy: 'order', contextLength: null, maxOutputTokens: 1, wires: [], providers: [] },
}

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({
    providers: [
      { name: 'vendor-first', cost: COST },
      { name: 'vendor-second', cost: { currency: 'eur', price: { ...COST.price, callMicros: '11' } } },
    ],
  })
})
afterAll(() => backend.close())

const asSuperAdmin = async (query: string) => {
  const { data, errors } = await backend.ask(query, {}, backend.superAdmin.token)
  expect(errors).toBeUndefined()
  return data
}

describe('the margin, for super admins', () => {
  const RANGE = 'from: "2026-01-01", to: "2026-12-31"'
  const ENTRY = '{ group currency calls failures credits amountMicros cost costMicros }'
  const first = { currency: 'usd', calls: 1, failures: 0, credits: 1.25, amountMicros: '1250000' }
  const second = { currency: 'eur', calls: 1, failures: 0, credits: 1.25, amountMicros: '1250000' }
  const usd = { ...first, cost: 0.0075, costMicros: '7500' }
  const eur = { ...second, cost: 0.007511, costMicros: '7511' }

  test('shows credits and provider cost of the same calls, for each currency, by alias, provider and day', async () => {
    expect(USAGE).toMatchObject({ prompt_tokens: 1_000, completion_tokens: 500 })
    backend.provider.next(whole(completion()))
    await backend.chat(chatBody())
    backend.provider.next(whole('{}', { status: 500 }))
    await backend.chat(chatBody())
    const byAlias = await until('both calls are counted', async () => {
      const { margin } = await asSuperAdmin(`{ margin(${RANGE}) ${ENTRY} }`)
      return margin.length === 2 ? margin : null
    })
    expect(byAlias).toEqual([
      { group: 'svc/chat-default', ...eur },
      { group: 'svc/chat-default', ...usd },
    ])
    const today = dayOf(new Date(backend.runtime.clock.now()).toISOString())
    const { byProvider, byDay, before } = await asSuperAdmin(`{
      byProvider: margin(${RANGE}, groupBy: PROVIDER) ${ENTRY}
      byDay: margin(${RANGE}, groupBy: DAY) ${ENTRY}
      before: margin(from: "2025-12-01", to: "${today}", groupBy: DAY) ${ENTRY}
    }`)
    expect(byProvider).toEqual([
      { group: 'vendor-first', ...usd },
      { group: 'vendor-second', ...eur },
    ])
    expect(byDay).toEqual([
      { group: today, ...eur },
      { group: today, ...usd },
    ])
    expect(before).toEqual([])
  })

  test.each([
    ['an empty range', 'from: "2026-01-01", to: "2026-01-01"', /from must be before to/],
    ['more than 366 days', 'from: "2024-01-01", to: "2026-01-01"', /at most 366 days/],
  ])('%s is refused', async (_, range, message) => {
    const { errors } = await backend.ask(`{ margin(${range}) { group } }`, {}, backend.superAdmin.token)
    expect(errors?.[0]?.message).toMatch(message)
  })
})

test('a provider that refuses our key or model is an error in the log, once for many calls', async () => {
  for (let n = 0; n < 3; n++) {
    backend.provider.next(whole('{}', { status: 404 }))
    expect((await backend.chat(chatBody())).status).toBe(200)
  }
  const linesWith = (text: string) =>
    readFileSync(backend.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(text))
  // The log is written in the background, in order; this line comes after those of the three calls.
  backend.runtime.log.info('three calls were refused')
  await until('the log is written', () => linesWith('three calls were refused')[0])
  const lines = linesWith('refuses our calls')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, alias: 'svc/chat-default', provider: 'vendor-first', status: 404 },
  ])
})

describe('the models, for super admins', () => {
  const MODELS = `{ models { alias contextLength maxOutputTokens strategy wires price { inputPerMillionTokens bookId }
    providers { name weight breaker answers errors firstByteMs } } }`
  type ShownModel = { readonly alias: string; readonly providers: readonly { answers: number; errors: number }[] }
  const modelOf = async (alias: string) =>
    ((await asSuperAdmin(MODELS)).models as ShownModel[]).find((model) => model.alias === alias)

  test('show routes, prices, breakers and figures as the gateways report them', async () => {
    // Of another gateway, and large enough that the calls of other tests do not matter.
    const calls = { answers: 10_000_000, errors: 2_000, firstByteMs: 30.4 }
    const figures = { provider: 'vendor-first', ...calls, breaker: 'open' } as const
    await publishReport(backend.runtime.engines.database, randomUUID(), { routes: [], providers: [figures] })
    const model = await until('the gateway of the harness has reported', () => modelOf('svc/chat-default'))
    expect(model).toMatchObject({
      ...{ contextLength: null, maxOutputTokens: 4_096, strategy: 'order' },
      price: { inputPerMillionTokens: 500, bookId: expect.any(String) },
      providers: [
        { name: 'vendor-first', weight: 1, breaker: 'OPEN', firstByteMs: 30 },
        { name: 'vendor-second', weight: 1, breaker: 'CLOSED' },
      ],
    })
    expect(model.providers[0]?.answers).toBeGreaterThanOrEqual(calls.answers)
    expect(model.providers[0]?.errors).toBeGreaterThanOrEqual(calls.errors)
    // It has a price, but no provider.
    expect(await modelOf('svc/extract-fast')).toMatchObject({ price: {}, providers: [], maxOutputTokens: null })
  })

  test('leave out reports of gateways that are gone', async () => {
    const { database } = backend.runtime.engines
    const report = { routes: [{ ...REPORTED_ROUTE, alias: 'gone/model' }], providers: [] }
    const gone = randomUUID()
    await publishReport(database, gone, report)
    expect(await modelOf('gone/model')).toBeDefined()
    const age = (ms: number) =>
      database.query(
        `update platform.gateway_reports set reported_at = clock_timestamp() - $2 * interval '1 ms' where gateway_id = $1`,
        [gone, ms],
      )
    await age(16_000)
    expect(await modelOf('gone/model')).toBeUndefined()
    await age(3_600_001)
    await publishReport(database, randomUUID(), { routes: [], providers: [] })
    expect(await database.query('select from platform.gateway_reports where gateway_id = $1', [gone])).toEqual([])
  })
})
