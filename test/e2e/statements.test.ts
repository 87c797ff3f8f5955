import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../check/check.mjs'
import { createPriceBookAnchoring } from '../../services/reactor/anchorPriceBooks.ts'
import { type BackendHarness, bearer, type Reply, startBackendHarness } from '../support/harness/backendHarness.ts'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { until } from '../support/time/until.ts'
import { KEY, ORIGIN } from '../support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../support/transparency/storedTransparencyLog.ts'

const CALLS = 3
const PERIOD = 'from=2026-01-01&to=2100-01-01'
const EMPTY = 'from=2020-01-01&to=2020-01-02'
let backend: BackendHarness
const vkeys = [KEY.vkey]

const get = (path: string, token: string | null = backend.admin.token) =>
  fetch(`${backend.url}/statements/${path}`, { headers: bearer(token) })
const failures = async (text: string) => {
  const { checks } = await check(text, { vkeys })
  return checks.filter(({ ok }) => !ok)
}

/** A price book of the company, which the reactor writes to its ledger. */
async function publishOwnPrices(transparencyLog: StoredTransparencyLog): Promise<void> {
  const publish = `mutation ($input: PriceBookInput!) { publishPriceBook(input: $input) { id } }`
  const prices = [{ alias: 'svc/chat-default', inputPerMillionTokens: 1, outputPerMillionTokens: 2 }]
  const input = { companyId: backend.companyId, prices }
  const { data } = await backend.ask(publish, { input }, backend.superAdmin.token)
  // Where ids are not unique, books are anchored only once the log has what earlier reactors may have written.
  const anchorBooks = createPriceBookAnchoring(backend.runtime)
  await until('the books are anchored', async () => {
    await transparencyLog.sealToEnd()
    await anchorBooks()
    return (await backend.ledgerOf(backend.companyId)).some(({ type }) => type === 'PriceBookAnchored')
  })
  const anchors = (await backend.ledgerOf(backend.companyId)).filter(({ type }) => type === 'PriceBookAnchored')
  expect(anchors).toMatchObject([{ data: { bookId: data.publishPriceBook.id } }])
}

beforeAll(async () => {
  // The same key as that of the log that the test seals.
  backend = await startBackendHarness({ env: { LOG_SIGNING_KEY: KEY.text, LOG_ORIGIN: ORIGIN } })
  const { database, storeAsWritten } = backend.runtime.engines
  for (let at = 0; at < CALLS; at += 1) expect((await backend.chat(chatBody())).status).toBe(200)
  await until('the company is shown', async () => (await get(`${backend.companyId}?${EMPTY}`)).status === 200)
  const transparencyLog = new StoredTransparencyLog(database, storeAsWritten)
  await publishOwnPrices(transparencyLog)
  await transparencyLog.seal()
  await transparencyLog.sign()
})
afterAll(() => backend.close())

describe('GET /statements/<companyId>', () => {
  test.for([
    ['json', 'application/json; charset=utf-8'],
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['pdf', 'application/pdf'],
  ])('200: a statement as %s is verified by the checker', async ([format, type]) => {
    const answer = await get(`${backend.companyId}?${PERIOD}&format=${format}`)
    const text = await answer.text()
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status: 200, type })
    const name = `statement-${backend.companyId.slice(0, 8)}-2026-01-01-2100-01-01.${format}`
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(await failures(text)).toEqual([])
    const ledger = await backend.ledgerOf(backend.companyId)
    expect(await check(text, { vkeys })).toMatchObject({ statement: { first: 0, count: ledger.length, opening: '0' } })
  })

  test('200 for a super admin, whose access is recorded first', async () => {
    const { store } = backend.runtime.engines
    const answer = await get(`${backend.companyId}?${PERIOD}`, backend.superAdmin.token)
    expect(await failures(await answer.text())).toEqual([])
    const accesses: unknown[] = []
    for await (const event of store.readStream(`company-${backend.companyId}`)) {
      if (JSON.stringify(event.data).includes(backend.superAdmin.userId)) accesses.push(event.type)
    }
    expect(accesses).toHaveLength(1)
  })

  test('401 without a token, 403 for a developer, 404 for another company', async () => {
    const developer = await backend.register('developer@first.example', backend.companyId)
    await backend.assignRole(backend.companyId, developer.userId, 'DEVELOPER')
    const other = await backend.register('owner@other.example', await backend.registerCompany())
    const path = `${backend.companyId}?${PERIOD}`
    expect((await get(path, null)).status).toBe(401)
    expect((await get(path, developer.token)).status).toBe(403)
    expect((await get(path, other.token)).status).toBe(404)
    expect((await get(`${randomUUID()}?${PERIOD}`, backend.superAdmin.token)).status).toBe(404)
    expect((await get(`anything?${PERIOD}`)).status).toBe(404)
  })

  test('400 for an invalid time, a period that ends before it begins, and an unknown format', async () => {
    for (const query of [
      '',
      'from=2026-01-01',
      'from=yesterday&to=2026-01-01',
      `${PERIOD}&format=xls`,
      `${PERIOD}&wait=16`,
    ]) {
      expect({ query, status: (await get(`${backend.companyId}?${query}`)).status }).toEqual({ query, status: 400 })
    }
    const answer = await get(`${backend.companyId}?from=2026-02-01&to=2026-01-01`)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('from must be before to')
  })
})

describe('the query statement', () => {
  const QUERY = `query ($companyId: ID, $after: String, $asCompany: ID) {
    statement(companyId: $companyId, from: "2026-01-01", to: "2100-01-01", first: 2, after: $after, asCompany: $asCompany) {
      count opening { amountMicros } closing { amountMicros } path
      entries { nodes { number type amount { amountMicros } balance { amountMicros } alias } pageInfo { hasNextPage endCursor } }
      totals { byType { name entries } byAlias { name entries amount { amountMicros } } }
    } }`
  const ask = (variables: object, token = backend.admin.token) => backend.ask(QUERY, variables, token)

  test('has all entries page by page, each with its balance, and totals', async () => {
    const numbers: number[] = []
    let balance = 0n
    let after: string | null = null
    for (;;) {
      const answer: Reply = await ask({ after })
      const { statement } = answer.data
      for (const node of statement.entries.nodes) {
        numbers.push(node.number)
        balance += BigInt(node.amount.amountMicros)
        expect(node.balance.amountMicros).toBe(String(balance))
      }
      after = statement.entries.pageInfo.endCursor
      if (statement.entries.pageInfo.hasNextPage) continue
      expect(numbers).toEqual(Array.from({ length: statement.count }, (_, at) => at))
      expect(statement.closing.amountMicros).toBe(String(balance))
      expect(statement.totals.byType).toContainEqual({ name: 'USAGE', entries: CALLS })
      expect(statement.totals.byType).toContainEqual({ name: 'PRICES', entries: 1 })
      expect((await fetch(`${backend.url}${statement.path}`, { headers: bearer(backend.admin.token) })).status).toBe(
        200,
      )
      break
    }
    const { data } = await backend.ask(
      '{ creditBalance(at: "2099-01-01") { amountMicros updatedAt } }',
      {},
      backend.admin.token,
    )
    expect(data.creditBalance).toMatchObject({ amountMicros: String(balance) })
    const past = await backend.ask(
      '{ creditBalance(at: "2020-01-01") { amountMicros updatedAt } }',
      {},
      backend.admin.token,
    )
    expect(past.data.creditBalance).toEqual({ amountMicros: '0', updatedAt: null })
  })

  test('of a company that a super admin names or acts as is the same, and of another company is NOT_FOUND', async () => {
    const { companyId, superAdmin, admin } = backend
    const named = await ask({ companyId }, superAdmin.token)
    expect(named.data.statement).toEqual((await ask({ asCompany: companyId }, superAdmin.token)).data.statement)
    expect(named.data.statement).toEqual((await ask({ companyId }, admin.token)).data.statement)
    expect((await ask({ companyId: await backend.registerCompany() }, admin.token)).code).toBe('NOT_FOUND')
    expect((await ask({}, superAdmin.token)).code).toBe('BAD_USER_INPUT')
  })
})
