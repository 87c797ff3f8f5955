import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../check/check.mjs'
import { COMMON_LEDGER_ID } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { createPriceBookAnchoring } from '../../services/reactor/anchorPriceBooks.ts'
import { collect } from '../support/events/events.ts'
import { type BackendHarness, startBackendHarness } from '../support/harness/backendHarness.ts'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'
import { KEY } from '../support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../support/transparency/storedTransparencyLog.ts'

const QUERY = `query ($eventId: ID!, $since: Int, $asCompany: ID) {
  ledgerReceipt(eventId: $eventId, since: $since, asCompany: $asCompany) {
    version event { stream number id type time data } previous salt proof
    book { event { stream number id type time data } previous salt proof }
  }
}`

let backend: BackendHarness
let transparencyLog: StoredTransparencyLog
/** Checkpoints, the oldest first. */
const notes: string[] = []
const calls = { charged: '', failed: '', unsigned: '' }

const receiptOf = (callId: string, { key = backend.key.raw, query = '' } = {}) =>
  backend.call(`/llm/v1/calls/${callId}/receipt${query}`, { key })
const faultsOf = async (receipt: unknown, since?: string) => {
  const options = { vkeys: [KEY.vkey], ...(since === undefined ? {} : { since }) }
  const { checks } = await check(JSON.stringify(receipt), options)
  return checks.filter(({ ok }) => !ok)
}

beforeAll(async () => {
  backend = await startBackendHarness()
  const { database, storeAsWritten } = backend.runtime.engines
  transparencyLog = new StoredTransparencyLog(database, storeAsWritten)
  const sign = async () => {
    await transparencyLog.seal()
    notes.push(await transparencyLog.sign())
  }
  const anchorBooks = createPriceBookAnchoring(backend.runtime)
  await until('the price book is on the common ledger', async () => {
    // Where ids are not unique, books are anchored only once the log has what earlier reactors may have written.
    await transparencyLog.sealToEnd()
    await anchorBooks()
    return (await collect(storeAsWritten.readStream(streamName('ledger', COMMON_LEDGER_ID)))).length > 0
  })
  calls.charged = callIdOf(await backend.chat(chatBody()))
  await sign()
  backend.provider.next(whole({ error: { message: 'no' } }, { status: 400 }))
  calls.failed = callIdOf(await backend.chat(chatBody()))
  // Its end is on the ledger once the read model has it.
  await until('the failed call is recorded', async () => {
    const { json } = await backend.call(`/llm/v1/calls/${calls.failed}`)
    return json.state === 'failed'
  })
  await sign()
  calls.unsigned = callIdOf(await backend.chat(chatBody()))
})
afterAll(() => backend.close())

describe('GET /calls/{id}/receipt', () => {
  test('a charged and a failed call have receipts that the checker verifies, also since an older checkpoint', async () => {
    const query = `?since=${(notes[0] ?? '').split('\n')[1]}`
    for (const [id, type] of [
      [calls.charged, 'CallCharged'],
      [calls.failed, 'CallFailed'],
    ] as const) {
      const { status, json } = await receiptOf(id, { query })
      expect({ status, id: json.event.id, type: json.event.type }).toEqual({ status: 200, id, type })
      expect(await faultsOf(json, notes[0])).toEqual([])
      expect(json.event.data).not.toHaveProperty('provider')
    }
  })

  test('that of a charge has the price book of all companies, with the rates of the charge', async () => {
    const { json } = await receiptOf(calls.charged)
    expect(json).toMatchObject({ version: 2, book: { event: { stream: `ledger-${COMMON_LEDGER_ID}` } } })
    expect(json.book.event.data).toMatchObject({ bookId: json.event.data.price.bookId, bookCompanyId: null })
    const { checks } = await check(JSON.stringify(json), { vkeys: [KEY.vkey] })
    expect(checks.filter(({ missing }) => missing)).toEqual([])
    expect((await receiptOf(calls.failed)).json.book).toBeNull()
  })

  test('404 with retry-after for a call that is not signed yet, of another key or of another company', async () => {
    const sibling = await backend.mintKey()
    const foreign = await backend.mintKey(await backend.registerCompany({ credits: '1' }))
    const answers = [
      await receiptOf(calls.unsigned),
      await receiptOf(calls.charged, { key: sibling.raw }),
      await receiptOf(calls.charged, { key: foreign.raw, query: '?since=1000000' }),
      await receiptOf(randomUUID()),
    ]
    expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      answers.map(() => [404, '10']),
    )
  })

  test('400 for a tree that is larger than the log', async () => {
    const { status, json } = await receiptOf(calls.charged, { query: '?since=1000000' })
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'INVALID_REQUEST' })
  })
})

describe('ledgerReceipt', () => {
  test('an owner and an auditor get receipts of every event, which the checker verifies', async () => {
    const auditor = await backend.register('auditor@first.example', backend.companyId)
    await backend.assignRole(backend.companyId, auditor.userId, 'AUDITOR')
    for (const { token } of [backend.admin, auditor]) {
      const { data } = await backend.ask(QUERY, { eventId: calls.charged, since: 1 }, token)
      expect(await faultsOf(data.ledgerReceipt)).toEqual([])
      expect(data.ledgerReceipt).toMatchObject({ version: 2, event: { id: calls.charged, type: 'CallCharged' } })
      expect(data.ledgerReceipt.book.event.type).toBe('PriceBookAnchored')
    }
  })

  test('a super admin gets them for a company, a developer and another company do not', async () => {
    const developer = await backend.register('developer@first.example', backend.companyId)
    await backend.assignRole(backend.companyId, developer.userId, 'DEVELOPER')
    const stranger = await backend.register('admin@second.example', await backend.registerCompany({ credits: '1' }))
    const asCompany = backend.companyId
    const ask = (token: string, more: object = {}) => backend.ask(QUERY, { eventId: calls.charged, ...more }, token)
    expect((await ask(backend.superAdmin.token, { asCompany })).data.ledgerReceipt.event.id).toBe(calls.charged)
    expect((await ask(developer.token)).code).toBe('FORBIDDEN')
    expect((await ask(stranger.token)).code).toBe('NOT_FOUND')
  })

  test('NOT_FOUND before a checkpoint covers it, BAD_USER_INPUT for a size that the log never had', async () => {
    const ask = (variables: object) => backend.ask(QUERY, variables, backend.admin.token)
    expect((await ask({ eventId: calls.unsigned })).code).toBe('NOT_FOUND')
    expect((await ask({ eventId: 'x' })).code).toBe('NOT_FOUND')
    expect((await ask({ eventId: calls.charged, since: 1_000_000 })).code).toBe('BAD_USER_INPUT')
    expect((await ask({ eventId: calls.charged, since: -1 })).code).toBe('BAD_USER_INPUT')
  })
})

test('a changed event has no receipt: LEDGER_MISMATCH at the gateway, INTERNAL_SERVER_ERROR in GraphQL', async () => {
  const { database } = backend.runtime.engines
  const flip = () =>
    database.query(
      'update ledger_log.entries set entry = set_byte(entry, 0, get_byte(entry, 0) # 1) where event_id = $1',
      [calls.charged],
    )
  await flip()
  const [rest, graphql] = [
    await receiptOf(calls.charged),
    await backend.ask(QUERY, { eventId: calls.charged }, backend.admin.token),
  ]
  await flip()
  expect({ status: rest.status, ...rest.json.error }).toMatchObject({ status: 500, code: 'LEDGER_MISMATCH' })
  expect(rest.json.error.message).toContain('is not the one that was logged')
  expect(graphql).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', data: null })
  expect((await receiptOf(calls.charged)).status).toBe(200)
})
