import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnsettledCalls } from '../../capabilities/unsettledCalls/unsettledCalls.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { users } from '../../projections/users/projection.ts'
import { auditCompany } from '../../scripts/audit/compare.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { tamper } from '../support/databases/tamper.ts'
import { adjusted, charged, failed, granted, refunded, reversed } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'

let models: ReadModels
let env: Record<string, string>
let dataDir: string

beforeAll(async () => {
  models = await ReadModels.open()
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-audit-'))
  env = { DATABASE_URL: models.database.url, DATA_DIR: dataDir }
  models.run(creditBalances)
  models.run(creditTransactions)
})
afterAll(async () => {
  await models.close()
  await rm(dataDir, { recursive: true })
})

/** A ledger with one of each: 1,000,000 granted, two charges of 50, one of them reversed, 300 refunded, 200 taken. */
async function aLedger() {
  const companyId = randomUUID()
  const kept = charged(companyId)
  const undone = charged(companyId, { alias: 'svc/chat-cheap' })
  const grant = await models.appendToLedger(companyId, granted(companyId))
  await models.appendToLedger(
    companyId,
    kept,
    failed(companyId),
    undone,
    reversed(undone),
    refunded(companyId),
    adjusted(companyId),
  )
  await models.caughtUp(creditBalances, creditTransactions)
  const ids = (await models.events(creditTransactions)).filter((event) => event.data.companyId === companyId)
  return { companyId, kept, undone, grant, ids: ids.map((event) => event.id) }
}

const audit = (...args: string[]) => runScript('audit.ts', args, env)

/** Without the command, which takes a second to start; commands.slow.test.ts has it print such a difference as JSON. */
const firstDifferenceOf = async (companyId: string) =>
  (await auditCompany(models as unknown as Engines, companyId, null)).firstDifference

describe('an audit', () => {
  test('adds up the ledger from the event store and agrees with the read models', async () => {
    const { companyId, kept, undone } = await aLedger()
    const { code, stdout } = await audit(companyId, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      companyId,
      grantsMicros: '1000000',
      chargesMicros: '100',
      reversalsMicros: '50',
      refundsMicros: '300',
      adjustmentsMicros: '-200',
      adjustments: [{ amountMicros: '-200', reason: 'granted twice', corrects: null }],
      closingMicros: '999450',
      byAlias: {
        'svc/chat-default': { calls: 1, tokensIn: 10, tokensOut: 20, chargesMicros: '50' },
        'svc/chat-cheap': { calls: 1, tokensIn: 10, tokensOut: 20, chargesMicros: '50' },
      },
      byKey: { [kept.data.keyId]: { calls: 1 }, [undone.data.keyId]: { calls: 1 } },
      readModelMicros: '999450',
      matches: true,
      firstDifference: null,
    })
    expect(code).toBe(0)
  })

  test('fails while a read model has to be rebuilt, whichever it is, and names it', async () => {
    const { companyId } = await aLedger()
    const older = { ...users, version: users.version - 1 }
    await writeCheckpoint(models.database, older, ['all'])
    const { code, stdout, stderr } = await audit(companyId)
    await models.rebuild(users)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^tollgate: read models that have to be rebuilt for this version: users\. .*\n$/)
    expect((await audit(companyId)).code).toBe(0)
  })

  test('fails while a read model has stopped, and names it', async () => {
    const { companyId } = await aLedger()
    const stopped = await ReadModels.open()
    await stopped.appendToLedger(companyId, granted(companyId))
    for (const projection of [creditBalances, creditTransactions]) await stopped.rebuild(projection)
    await stopped.appendToLedger(companyId, granted(companyId))
    await tamper(
      stopped.database,
      "update event_store.events set recorded_at = recorded_at - interval '1 hour' where position = 2",
    )
    await stopped.database.query("update read_models.checkpoints set moved_at = moved_at - interval '1 hour'")
    const { code, stdout } = await runScript('audit.ts', [companyId], { ...env, DATABASE_URL: stopped.database.url })
    await stopped.close()
    expect(stdout).toContain('Read models that have stopped: credit-balances, credit-transactions.')
    expect(code).toBe(1)
  })

  test('prints the same for a person', async () => {
    const { companyId } = await aLedger()
    const { code, stdout } = await audit(companyId)
    expect(stdout).toMatch(/adjustments +-0\.0002 credits/)
    expect(stdout).toMatch(/-0\.0002 credits {2}2026-03-01T10:00:30\.000Z by [0-9a-f-]{36}: granted twice/)
    expect(stdout).toMatch(/closing balance +0\.99945 credits/)
    expect(stdout).toContain('agrees')
    expect(code).toBe(0)
  })

  test('--at a past position or time counts only the events up to it', async () => {
    const { companyId, grant } = await aLedger()
    const atPosition = await audit(companyId, '--json', '--at', grant.position)
    expect(JSON.parse(atPosition.stdout)).toMatchObject({
      closingMicros: '1000000',
      readModelMicros: '1000000',
      matches: true,
    })
    expect(atPosition.code).toBe(0)
    const written = await models.events(creditTransactions)
    const time = written.find((event) => event.position === grant.position)?.recordedAt ?? ''
    const atTime = await audit(companyId, '--json', '--at', time)
    expect(JSON.parse(atTime.stdout)).toMatchObject({ matches: true })
    const before = await audit(companyId, '--json', '--at', '2020-01-01')
    expect(JSON.parse(before.stdout)).toMatchObject({ closingMicros: '0', readModelMicros: '0', matches: true })
  })

  test.each([
    [
      'a transaction with another amount',
      'update read_models.credit_transactions set amount_micros = -49 where transaction_id = $1',
      1,
    ],
    ['a transaction that is gone', 'delete from read_models.credit_transactions where transaction_id = $1', 3],
    [
      'a transaction of another alias',
      "update read_models.credit_transactions set alias = 'x' where transaction_id = $1",
      1,
    ],
  ])('names the first event that differs: %s', async (_, tamper, index) => {
    const { companyId, ids } = await aLedger()
    const spoiled = ids[index] ?? ''
    await models.database.query(tamper, [spoiled])
    expect(await firstDifferenceOf(companyId)).toMatchObject({ eventId: spoiled })
  })

  test('prints a difference for a person and exits with 1', async () => {
    const { companyId, ids } = await aLedger()
    const spoiled = ids[1] ?? ''
    await models.database.query('delete from read_models.credit_transactions where transaction_id = $1', [spoiled])
    const { code, stdout } = await audit(companyId)
    expect(stdout).toContain(spoiled)
    expect(code).toBe(1)
  })

  test('finds a transaction without an event', async () => {
    const { companyId } = await aLedger()
    const stray = randomUUID()
    // At the revision of the failed call, which moved nothing.
    await models.database.query(
      `insert into read_models.credit_transactions (transaction_id, company_id, revision, type, amount_micros, occurred_at)
       values ($1, $2, 2, 'ADJUSTMENT', 1, now())`,
      [stray, companyId],
    )
    expect(await firstDifferenceOf(companyId)).toMatchObject({ eventId: stray })
  })

  test('finds a transaction after the last event of the ledger', async () => {
    const { companyId } = await aLedger()
    const stray = randomUUID()
    await models.database.query(
      `insert into read_models.credit_transactions (transaction_id, company_id, revision, type, amount_micros, occurred_at)
       values ($1, $2, 7, 'ADJUSTMENT', 1, now())`,
      [stray, companyId],
    )
    expect(await firstDifferenceOf(companyId)).toMatchObject({ eventId: stray, what: 'the transaction has no event' })
  })

  test('finds a balance that differs from the sum of its transactions', async () => {
    const { companyId } = await aLedger()
    await models.database.query(
      'update read_models.credit_balances set balance_micros = balance_micros + 1 where company_id = $1',
      [companyId],
    )
    const { code, stdout } = await audit(companyId, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ matches: false, closingMicros: '999450', readModelMicros: '999451' })
    expect(code).toBe(1)
  })

  test('finds a charge that differs from its own price and tokens', async () => {
    const companyId = randomUUID()
    await models.appendToLedger(companyId, granted(companyId), charged(companyId, { amountMicros: '51' }))
    await models.caughtUp(creditBalances, creditTransactions)
    expect(await firstDifferenceOf(companyId)).toMatchObject({ type: 'CallCharged', ledgerMicros: '51' })
  })

  test('finds a charge with a line that differs from its price, also in the audit of the call', async () => {
    const companyId = randomUUID()
    const charge = charged(companyId)
    const [input, output] = charge.data.lines ?? []
    if (!input || !output) throw new Error('a charge has two lines')
    const lines = [
      { ...input, amountMicros: '11' },
      { ...output, amountMicros: '39' },
    ]
    await models.appendToLedger(companyId, granted(companyId), { ...charge, data: { ...charge.data, lines } })
    await models.caughtUp(creditBalances, creditTransactions)
    const what = 'line 1 of the charge, input, does not follow from its price and usage'
    expect(await firstDifferenceOf(companyId)).toMatchObject({ what, type: 'CallCharged', ledgerMicros: '50' })
    const { code, stdout } = await audit(companyId, '--call', charge.data.callId)
    expect(stdout).toContain(`Wrong: ${what}.\nThe events are NOT consistent.\n`)
    expect(code).toBe(1)
  })
})

test('an audit reports why the sealer of the log has stopped', async () => {
  const { companyId, kept } = await aLedger()
  const { callId } = kept.data
  await models.database.query('update ledger_log.progress set fault = $1, fault_event = $2', [
    'an event is gone',
    callId,
  ])
  const { code, stdout } = await audit(companyId, '--json')
  await models.database.query('update ledger_log.progress set fault = null, fault_event = null')
  expect(JSON.parse(stdout)).toMatchObject({ logFault: { what: 'an event is gone', eventId: callId } })
  expect(code).toBe(1)
})

describe('the audit of one call', () => {
  test('shows its events and what it cost in the end', async () => {
    const { companyId, undone } = await aLedger()
    const { code, stdout } = await audit(companyId, '--json', '--call', undone.data.callId)
    const call = JSON.parse(stdout)
    expect(call.events.map((event: { type: string }) => event.type)).toEqual(['CallCharged', 'ChargeReversed'])
    expect(call).toMatchObject({ netMicros: '0', recomputedMicros: '50', fault: null, matches: true })
    expect(code).toBe(0)
  })

  test('fails if the call is not on the ledger', async () => {
    const { companyId } = await aLedger()
    const { code, stderr } = await audit(companyId, '--call', randomUUID())
    expect(stderr).toContain('is not on the ledger')
    expect(code).toBe(1)
  })
})

describe('calls that were answered 503 and are not settled', () => {
  test('are listed for their company, in JSON and for a person, until they are settled', async () => {
    const { companyId } = await aLedger()
    const calls = await UnsettledCalls.open(dataDir, systemClock)
    const record = async (company: string) => {
      const { tokensIn, tokensOut, amountMicros, price, lines, serviceTier, tierFactor, abandoned, ...call } =
        charged(company).data
      await calls.record({ call, claim: null, from: 0 })
      return call
    }
    const { callId, keyId, alias } = await record(companyId)
    await record(randomUUID())
    const listed = { callId, keyId, alias, recordedAt: expect.any(String) }
    const { code, stdout } = await audit(companyId, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ matches: true, unsettled: [listed], unreadableFiles: [] })
    expect(code).toBe(0)
    expect((await audit(companyId)).stdout).toContain(`Unsettled: call ${callId}`)
    expect((await audit(companyId, '--call', callId)).stderr).toContain('is not settled yet')
    await calls.remove(callId)
    expect(JSON.parse((await audit(companyId, '--json')).stdout)).toMatchObject({ unsettled: [] })
  })
})

describe('wrong usage', () => {
  test.each([
    ['no company', []],
    ['not an id', ['acme']],
    ['two companies', [randomUUID(), randomUUID()]],
    ['an unknown option', [randomUUID(), '--verbose']],
    ['a bad moment', [randomUUID(), '--at', 'yesterday']],
  ])('%s: exit code 2, with the usage', async (_, args) => {
    const { code, stdout, stderr } = await audit(...args)
    expect(stderr).toContain('usage: npm run audit')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('a company without a ledger: exit code 1', async () => {
    const { code, stderr } = await audit(randomUUID())
    expect(stderr).toContain('has no events')
    expect(code).toBe(1)
  })

  test('--help prints the usage', async () => {
    const { code, stdout } = await audit('--help')
    expect(stdout).toContain('--at <time|position>')
    expect(code).toBe(0)
  })
})
