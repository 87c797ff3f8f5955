import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishReport } from '../../../../../capabilities/providers/gatewayReports.ts'
import { recordSeen } from '../../../../../capabilities/setup/setupSeen.ts'
import { routedAliases, setupStatus } from '../../../../../capabilities/setup/setupStatus.ts'
import { PRICE_LEAD_MS } from '../../../../../contracts/priceLead.ts'
import { type BackendHarness, startBackendHarness } from '../../../../../test/support/harness/backendHarness.ts'
import { type Answer, callIdOf, chatBody } from '../../../../../test/support/harness/gatewayClient.ts'
import { completion, USAGE, whole } from '../../../../../test/support/parties/scriptedProvider.ts'
import { steppedClock } from '../../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../../test/support/time/until.ts'

/** Later than the clock of the database, so that books go by this one. */
const START_MS = Date.UTC(2090, 5, 1, 12, 0, 0)
const NO_COMPANY = '00000000-0000-4000-8000-000000000000'
const clock = steppedClock(START_MS)
let backend: BackendHarness
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-test-prices-'))
  const PROVIDERS_FILE = join(folder, 'providers.json')
  const providers = [{ name: 'nowhere', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }]
  await writeFile(
    PROVIDERS_FILE,
    JSON.stringify({ aliases: { 'svc/chat-default': { providers }, 'acme/own': { providers } } }),
  )
  backend = await startBackendHarness({ clock, env: { PROVIDERS_FILE } })
})
afterAll(async () => {
  await backend.close()
  await rm(folder, { recursive: true })
})

const ask = (operation: string, variables: object = {}) => backend.ask(operation, variables, backend.superAdmin.token)
const RATES =
  'alias inputPerMillionTokens cachedInputPerMillionTokens cacheWritePerMillionTokens outputPerMillionTokens perCall'
const BOOK = `id companyId effectiveFrom publishedAt retired replacesAll prices { ${RATES} bookId }`
const MUTATION = `mutation ($input: PriceBookInput!) { publishPriceBook(input: $input) { ${BOOK} } }`
/** Moves the clock on, to where the book is in force. */
const publish = async (input: object) => {
  const published = await ask(MUTATION, { input })
  clock.advance(PRICE_LEAD_MS)
  return published
}
const price = (alias: string, input: number, others: object = {}) => ({
  ...{ alias, inputPerMillionTokens: input, outputPerMillionTokens: 2 },
  ...others,
})
const tier = (tokens: number) => ({ tokens, inputPerMillionTokens: 1, outputPerMillionTokens: 2 })
const shown = (priced: object) => ({
  ...{ cachedInputPerMillionTokens: null, cacheWritePerMillionTokens: null, perCall: null },
  ...priced,
})
const inForce = async (args = '') => (await ask(`{ priceBook${args} { ${BOOK} } }`)).data.priceBook
const priceOf = async (alias: string, args = '') =>
  (await inForce(args)).prices.find((priced: { alias: string }) => priced.alias === alias)

/** The credits of a call with this usage, once the gateway charges by the book. */
async function chargedBy(bookId: string, usage: object = {}): Promise<string> {
  const answer = await until('the gateway charges by the book', async (): Promise<Answer | false> => {
    backend.provider.next(whole(completion({ usage: { ...USAGE, ...usage } })))
    const answered = await backend.chat(chatBody())
    const { data } = await backend.ending(callIdOf(answered))
    return 'price' in data && data.price.bookId === bookId && answered
  })
  return String(answer.headers['x-credits-charged'])
}

describe('a price book', () => {
  test("uses the database's clock if the backend's is behind", async () => {
    const [before, now] = [clock.now(), Date.now()]
    clock.set(now - 3_600_000)
    const { data } = await ask(MUTATION, { input: { prices: [price('svc/behind', 1)] } })
    clock.set(before)
    expect(Date.parse(data.publishPriceBook.publishedAt)).toBeGreaterThanOrEqual(now)
  })

  test('changes the aliases that it names, exactly, and leaves the others as they are', async () => {
    const before = await priceOf('svc/chat-default')
    const { data } = await publish({ prices: [price('svc/chat-cheap', 0.000001)] })
    const { id } = data.publishPriceBook
    const cheap = { ...shown(price('svc/chat-cheap', 0.000001)), bookId: id }
    expect(data.publishPriceBook).toMatchObject({ companyId: null, prices: [cheap], retired: [], replacesAll: false })
    expect(await priceOf('svc/chat-cheap')).toEqual(cheap)
    expect(await priceOf('svc/chat-default')).toEqual(before)
    expect((await backend.chat(chatBody())).status).toBe(200)
  })

  test('sets rates of every kind, tiers of input, units and factors, and is shown as it was sent', async () => {
    const kinds = {
      ...{ inputPerMillionTokens: 2, cachedInputPerMillionTokens: 0.2, cacheWritePerMillionTokens: 2.5 },
      ...{ cacheWrite1hPerMillionTokens: 4, audioInputPerMillionTokens: 30, imageInputPerMillionTokens: 3 },
      ...{ outputPerMillionTokens: 8, reasoningPerMillionTokens: 9, audioOutputPerMillionTokens: 60 },
      imageOutputPerMillionTokens: 40,
    }
    const sent = {
      ...{ alias: 'svc/chat-whole', ...kinds, perCall: 0.01 },
      inputTiers: [{ tokens: 200_000, inclusive: true, ...kinds, inputPerMillionTokens: 4 }],
      units: [{ unit: 'tool:web_search', credits: 0.01 }],
      serviceTiers: [{ tier: 'priority', factor: 1.75 }],
    }
    const names = Object.keys(kinds).join(' ')
    const fields = `alias ${names} perCall inputTiers { tokens inclusive ${names} } units { unit credits }
      serviceTiers { tier factor }`
    const mutation = `mutation ($input: PriceBookInput!) { publishPriceBook(input: $input) { prices { ${fields} } } }`
    const { data } = await ask(mutation, { input: { prices: [sent] } })
    expect(data.publishPriceBook.prices).toEqual([sent])
    const { priceBook } = (await ask(`{ priceBook { prices { ${fields} } } }`)).data
    expect(priceBook.prices).toContainEqual(sent)
  })

  test('takes effect after a lead if it changes a price, and at once for an alias without one', async () => {
    const now = clock.now()
    const changed = await ask(MUTATION, { input: { prices: [price('svc/chat-cheap', 3)] } })
    expect(changed.data.publishPriceBook.effectiveFrom).toBe(new Date(now + PRICE_LEAD_MS).toISOString())
    expect((await priceOf('svc/chat-cheap')).inputPerMillionTokens).not.toBe(3)
    clock.advance(PRICE_LEAD_MS)
    expect((await priceOf('svc/chat-cheap')).inputPerMillionTokens).toBe(3)
    const first = await ask(MUTATION, { input: { prices: [price('svc/never-priced', 3)] } })
    expect(first.data.publishPriceBook.effectiveFrom).toBe(new Date(clock.now()).toISOString())
  })

  test('of a company comes before the common one, with rates for cached input and for calls', async () => {
    const { companyId } = backend
    const own = price('svc/chat-default', 1_000, { cachedInputPerMillionTokens: 100, perCall: 0.25 })
    const { data } = await publish({ companyId, prices: [own] })
    const { id } = data.publishPriceBook
    expect(data.publishPriceBook).toMatchObject({ companyId, prices: [{ ...shown(own), bookId: id }] })
    // 600 at 1,000 and 400 at 100 for a million, 500 at 2, and 0.25 for the call.
    expect(await chargedBy(id, { prompt_tokens_details: { cached_tokens: 400 } })).toBe('0.891')
    // A split that cannot be true is bounded by the input.
    expect(await chargedBy(id, { prompt_tokens_details: { cached_tokens: 4_000 } })).toBe('0.351')
    expect(await priceOf('svc/chat-default', `(companyId: "${companyId}")`)).toMatchObject({ bookId: id })
    expect((await priceOf('svc/chat-default')).bookId).not.toBe(id)

    const common = await priceOf('svc/chat-default')
    await publish({ companyId, retire: ['svc/chat-default'] })
    expect(await priceOf('svc/chat-default', `(companyId: "${companyId}")`)).toEqual(common)
    expect(await chargedBy(common.bookId)).toBe('1.25')
  })

  test('that retires an alias ends its price when it takes effect', async () => {
    const effectiveFrom = new Date(clock.now() + 60_000).toISOString()
    const { data } = await publish({ retire: ['svc/chat-premium'], effectiveFrom })
    expect(data.publishPriceBook).toMatchObject({ retired: ['svc/chat-premium'], effectiveFrom })
    expect(await priceOf('svc/chat-premium')).toBeDefined()
    expect(await priceOf('svc/chat-premium', `(at: "${effectiveFrom}")`)).toBeUndefined()
    const { priceBooks } = (await ask(`{ priceBooks { ${BOOK} } }`)).data
    expect(priceBooks[0]).toEqual(data.publishPriceBook)
    expect(priceBooks.length).toBeGreaterThan(3)
  })

  test('in force is NOT_FOUND before the first one, and for an unknown company', async () => {
    expect(await ask('{ priceBook(at: "2020-01-01") { id } }')).toMatchObject({
      code: 'NOT_FOUND',
      errors: [
        { message: expect.stringMatching(/^no price book is in force at 2020-01-01.*: the first one begins at 20/) },
      ],
    })
    expect((await ask(`{ priceBook(companyId: "${NO_COMPANY}") { id } }`)).code).toBe('NOT_FOUND')
    expect((await publish({ companyId: NO_COMPANY, prices: [price('a', 1)] })).code).toBe('NOT_FOUND')
  })

  test.each([
    ['a name that cannot be an alias', { prices: [price('GPT-9', 1)] }],
    ['a retired name that cannot be an alias', { retire: ['GPT-9'] }],
    ['an alias twice', { prices: [price('a', 1), price('a', 2)] }],
    ['an alias in prices and in retire', { prices: [price('a', 1)], retire: ['a'] }],
    ['no alias', {}],
    ['seven decimals', { prices: [price('a', 0.0000001)] }],
    ['a negative fee', { prices: [price('a', 1, { perCall: -1 })] }],
    ['an unknown unit', { prices: [price('a', 1, { units: [{ unit: 'pixel', credits: 1 }] })] }],
    ['a unit twice', { prices: [price('a', 1, { units: Array(2).fill({ unit: 'image', credits: 1 }) })] }],
    ['a factor above 100', { prices: [price('a', 1, { serviceTiers: [{ tier: 'flex', factor: 101 }] })] }],
    ['tiers of input that do not rise', { prices: [price('a', 1, { inputTiers: [tier(2), tier(1)] })] }],
    ['half a token as a threshold', { prices: [price('a', 1, { inputTiers: [tier(0.5)] })] }],
    ['a time in the past', { prices: [price('a', 1)], effectiveFrom: '2020-01-01' }],
  ])('is not published with %s', async (_, input) => {
    expect((await publish(input)).code).toBe('BAD_USER_INPUT')
  })
})

describe('the set-up', () => {
  const steps = async () => {
    const { data } = await ask('{ setupStatus { name done hint } }')
    return new Map<string, { done: boolean; hint: string }>(
      data.setupStatus.map(({ name, done, hint }: { name: string; done: boolean; hint: string }) => [
        name,
        { done, hint },
      ]),
    )
  }

  test('names open steps and what to do; a price for each alias with a provider completes its step', async () => {
    const before = await steps()
    expect([...before.keys()]).toEqual(['providers', 'prices', 'plans and packs', 'mail', 'webhook'])
    const refused = 'Check baseUrl and key in PROVIDERS_FILE: nowhere cannot be reached (ECONNREFUSED).'
    expect(before.get('providers')).toEqual({ done: false, hint: refused })
    expect(before.get('prices')).toMatchObject({ done: false, hint: expect.stringContaining('for acme/own:') })
    expect(before.get('plans and packs')?.done).toBe(true)
    expect(before.get('mail')?.done).toBe(false)
    expect(before.get('webhook')?.done).toBe(false)

    const hinted = (input: object) =>
      ask('mutation ($input: PriceBookInput!) { publishPriceBook(input: $input) { hints } }', { input })
    const elsewhere = await hinted({ prices: [price('acme/other', 1)] })
    expect(elsewhere.data.publishPriceBook.hints).toEqual([
      'no price, so calls get 503: acme/own',
      'no provider in PROVIDERS_FILE, so they cannot be called: acme/other',
    ])
    expect((await hinted({ prices: [price('acme/own', 1)] })).data.publishPriceBook.hints).toEqual([])
    expect((await steps()).get('prices')).toMatchObject({ done: true, hint: expect.stringContaining('acme/other') })

    const { engines, config } = backend.runtime
    const back = { ...clock, now: () => Date.parse('2020-01-01') }
    const found = await setupStatus({ config, database: engines.database, clock: back })
    expect(found.find(({ name }) => name === 'prices')?.hint).toMatch(
      / One begins at 20.*Z, and the server's clock says 2020-01-01T00:00:00\.000Z\.$/,
    )

    await recordSeen(backend.runtime.engines.database, 'mail')
    await recordSeen(backend.runtime.engines.database, 'mail')
    expect((await steps()).get('mail')?.done).toBe(true)
  })

  test("uses the gateways' reports if the backend has no providers file", async () => {
    const { engines, config } = backend.runtime
    const { database } = engines
    const without = { ...config, sandbox: false, PROVIDERS_FILE: undefined }
    const found = async () => (await setupStatus({ config: without, database, clock })).slice(0, 2)
    await publishReport(database, randomUUID(), { routes: [], providers: [] })
    const route = { strategy: 'order', contextLength: null, maxOutputTokens: 1, wires: ['chat'] } as const
    const routes = [{ alias: 'acme/reported', ...route, providers: [{ name: 'first', weight: 1 }] }]
    const figures = { provider: 'first', answers: 0, errors: 5, firstByteMs: null }
    await publishReport(database, randomUUID(), { routes, providers: [{ ...figures, breaker: 'open' }] })
    expect(await routedAliases(without, database)).toContain('acme/reported')
    expect(await found()).toMatchObject([
      { name: 'providers', done: false, hint: expect.stringContaining('first fails') },
      { name: 'prices', done: false, hint: expect.stringContaining('acme/reported') },
    ])
    // The gateway of the harness reports again every few seconds.
    await until('the step says that no gateway reports', async () => {
      await database.query('delete from platform.gateway_reports')
      return (await found()).every(({ done, hint }) => !done && hint.includes('Start a gateway'))
    })
  })
})

describe('the preview of a price book', () => {
  const SUMS = 'calls refusedCalls oldCredits oldAmountMicros newCredits newAmountMicros'
  const preview = (input: object, from: string, to: string) =>
    ask(
      `query ($input: PriceBookInput!, $from: DateTime!, $to: DateTime!) {
         previewPriceBook(input: $input, from: $from, to: $to) { ${SUMS} aliases { alias ${SUMS} } } }`,
      { input, from, to },
    )

  test('shows what the calls of the period would have cost, by alias and in total', async () => {
    clock.advance(1_000)
    const from = new Date(clock.now()).toISOString()
    for (const model of ['svc/chat-default', 'svc/chat-default', 'svc/extract-default']) {
      expect(await backend.chat(chatBody({ model }))).toMatchObject({ status: 200 })
    }
    clock.advance(1)
    const to = new Date(clock.now()).toISOString()
    await until('the charges are listed', async () => {
      const rows = await backend.runtime.engines.database.query(
        `select 1 from read_models.credit_transactions where type = 'USAGE' and occurred_at >= $1`,
        [from],
      )
      return rows.length === 3
    })
    const before = await backend.runtime.engines.store.head()
    const { data } = await preview(
      { prices: [price('svc/chat-default', 1_000)], retire: ['svc/extract-default'] },
      from,
      to,
    )
    const old = { refusedCalls: 0, oldCredits: 1.25, oldAmountMicros: '1250000' }
    expect(data.previewPriceBook).toEqual({
      ...{ calls: 3, refusedCalls: 1, oldCredits: 3.75, oldAmountMicros: '3750000' },
      ...{ newCredits: 2.002, newAmountMicros: '2002000' },
      aliases: [
        {
          ...{ alias: 'svc/chat-default', ...old, calls: 2, oldCredits: 2.5, oldAmountMicros: '2500000' },
          ...{ newCredits: 2.002, newAmountMicros: '2002000' },
        },
        { alias: 'svc/extract-default', ...old, calls: 1, refusedCalls: 1, newCredits: 0, newAmountMicros: '0' },
      ],
    })
    const elsewhere = { companyId: await backend.registerCompany(), prices: [price('svc/chat-default', 1)] }
    await until('the company is known', async () => (await preview(elsewhere, from, to)).code !== 'NOT_FOUND')
    expect((await preview(elsewhere, from, to)).data.previewPriceBook).toMatchObject({ calls: 0, aliases: [] })
    const unchanged = await backend.runtime.engines.store.readAll({ after: before, categories: ['pricing'], limit: 1 })
    expect(unchanged.events).toEqual([])
  })

  test.each([
    ['nothing to change', {}, '2026-06-01', '2026-06-02'],
    ['an end before its beginning', { retire: ['a'] }, '2026-06-02', '2026-06-01'],
    ['more than 366 days', { retire: ['a'] }, '2024-06-02', '2026-06-01'],
  ])('is BAD_USER_INPUT with %s', async (_, input, from, to) => {
    expect((await preview(input, from, to)).code).toBe('BAD_USER_INPUT')
  })
})
