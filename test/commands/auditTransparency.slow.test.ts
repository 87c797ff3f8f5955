import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveReceiptFault } from '../../capabilities/transparency/faults.ts'
import { sha256 } from '../../capabilities/transparency/hashes.ts'
import { COMMON_LEDGER_ID } from '../../contracts/events/ledger.ts'
import { type StreamName, streamName } from '../../contracts/streams.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { auditTransparency } from '../../scripts/audit/transparency/auditTransparency.ts'
import type { AuditFault } from '../../scripts/audit/transparency/faults.ts'
import { auditWholePart } from '../../scripts/audit/transparency/part.ts'
import type { PartsOptions } from '../../scripts/audit/transparency/parts.ts'
import { PartThreads } from '../../scripts/audit/transparency/partThreads.ts'
import { LEDGER_PARTITIONS, ledgerPartitionOf } from '../support/databases/ledgerPartitions.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { tamper } from '../support/databases/tamper.ts'
import { anchored, failed, granted } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'
import { forgeTransparencyLog, signCheckpoint } from '../support/transparency/forgedTransparencyLog.ts'
import {
  ORIGIN,
  SealedTransparencyLog,
  testSigningKeys,
  verifierKey,
} from '../support/transparency/sealedTransparencyLog.ts'

/** More than a tile holds. */
const CALLS = 270

const [KEY] = testSigningKeys.of(ORIGIN)

let models: ReadModels
let dataDir: string

beforeEach(async () => {
  models = await ReadModels.open()
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-audit-log-'))
})
afterEach(async () => {
  await models.close()
  await rm(dataDir, { recursive: true })
})

type Stored = { readonly id: string; readonly revision: number }

/** A company with a grant, four calls and a failed one, and its events as they are stored. */
async function aCompany() {
  const companyId = randomUUID()
  const stream = streamName('ledger', companyId)
  await models.appendToLedger(companyId, granted(companyId))
  await models.chargeCalls(companyId, 4)
  await models.appendToLedger(companyId, failed(companyId))
  const events: Stored[] = []
  for await (const { id, revision } of models.store.readStream(stream)) events.push({ id, revision })
  return { companyId, stream, eventAt: (revision: number) => events[revision] ?? { id: '', revision } }
}

/** Seals all events and signs a checkpoint, as the sealer of a running installation does. */
async function seal() {
  await models.rebuild(creditBalances)
  return sealEvents()
}

async function sealEvents() {
  const [ledger] = await sql("select count(*)::int as size from event_store.events where stream like 'ledger-%'")
  const size = Number(ledger?.size)
  const transparencyLog = new SealedTransparencyLog(models.database, models.store)
  transparencyLog.start()
  await transparencyLog.signed(size)
  await transparencyLog.stop()
  const [row] = await sql('select root, note from ledger_log.checkpoints order by number desc limit 1')
  return { size, ...(row as { root: Buffer; note: string }) }
}

const sql = (text: string, ...values: unknown[]) => tamper(models.database, text, values)

function audit(options: Partial<Parameters<typeof auditTransparency>[1]> = {}) {
  const { database, store } = models
  const now = '2026-03-01T11:00:00.000Z'
  const keysOf = () => [verifierKey()]
  const full = { keysOf, state: null, isFull: false, held: [], now }
  return auditTransparency({ database, store, storeAsWritten: store }, { ...full, ...options })
}

const faultsOf = async (...args: Parameters<typeof audit>) => (await audit(...args)).faults.named

/** Ledgers are divided into parts of so many entries. */
const partsOf = (entries: number, auditOne: PartsOptions['audit'] = inThisThread): PartsOptions => ({
  sealedEntriesMin: 0,
  entries,
  companiesAtOnce: 3,
  audit: auditOne,
})
const inThisThread: PartsOptions['audit'] = (part, bounds) => {
  const { database, store } = models
  return auditWholePart({ database, storeAsWritten: store }, bounds, part)
}

type Company = Awaited<ReturnType<typeof aCompany>>

/** What a person with access to the database may do, each with the faults that it must be found by. */
const TAMPERING: Record<string, (company: Company) => Promise<Partial<AuditFault>[]>> = {
  'an amount that was changed': async ({ stream, eventAt }) => {
    const { id, revision } = eventAt(2)
    const change = '{"tokensIn": 20, "amountMicros": "60"}'
    await sql('update event_store.events set data = (data::jsonb || $2)::json where event_id = $1', id, change)
    return [{ what: 'the event was changed: it is not the one that was logged', eventId: id, stream, revision }]
  },
  'events that were deleted, in the middle and at the end': async ({ stream, eventAt }) => {
    const deleted = [eventAt(3), eventAt(5)]
    await sql('delete from event_store.events where event_id = any($1)', [deleted[0]?.id, deleted[1]?.id])
    const what = 'the event is in the log and no longer in the store'
    return deleted.map(({ id, revision }) => ({ what, eventId: id, stream, revision }))
  },
  'a ledger that was deleted': async ({ stream, eventAt }) => {
    await sql('delete from event_store.events where stream = $1', stream)
    const what = 'the event is in the log and no longer in the store'
    return [0, 1, 2, 3, 4, 5].map((revision) => ({ what, eventId: eventAt(revision).id, stream, revision }))
  },
  'two events that were swapped': async ({ stream, eventAt }) => {
    const [one, other] = [eventAt(2), eventAt(3)]
    const move = (id: string, revision: number) =>
      sql('update event_store.events set revision = $2 where event_id = $1', id, revision)
    await move(one.id, 99)
    await move(other.id, 2)
    await move(one.id, 3)
    const what = 'the event was moved: it stands at revision'
    return [
      { what: `${what} 2 of the store`, eventId: other.id, stream, revision: 3 },
      { what: `${what} 3 of the store`, eventId: one.id, stream, revision: 2 },
    ]
  },
  'an event that was inserted': async ({ stream }) => {
    const inserted = randomUUID()
    await sql('update event_store.events set revision = -revision where stream = $1 and revision > 2', stream)
    await sql('update event_store.events set revision = 1 - revision where stream = $1 and revision < 0', stream)
    await sql(
      `insert into event_store.events select 0, stream_no, 3, $1, recorded_at, stream, type, data, metadata
       from event_store.events where stream = $2 and revision = 2`,
      inserted,
      stream,
    )
    return [{ what: 'the event is in the store and not in the log', eventId: inserted, stream, revision: 3 }]
  },
  'a balance that was edited': async ({ companyId }) => {
    const edit = 'update read_models.credit_balances set balance_micros = balance_micros + 7 where company_id = $1'
    await sql(edit, companyId)
    return [{ what: 'the balance is 999807 micros in the read model, and 999800 by the ledger', companyId }]
  },
  'an entry of the log that was edited': async ({ eventAt }) => {
    const { id } = eventAt(1)
    await sql('update ledger_log.entries set entry = $2 where event_id = $1', id, sha256('another'))
    return [{ what: 'the row of the entry was changed: the event is as it was logged', eventId: id }]
  },
  'an entry of the log that was deleted': async ({ eventAt }) => {
    const { id } = eventAt(4)
    const [row] = await sql('delete from ledger_log.entries where event_id = $1 returning index', id)
    return [
      { what: 'the row of the entry is missing from the log', eventId: id },
      { what: `the log has no entry ${row?.index}` },
    ]
  },
  'the secret of a company that was deleted': async ({ companyId }) => {
    await sql('delete from platform.log_secrets where company_id = $1', companyId)
    return [{ what: "the company's log secret is missing, so none of its entries can be computed again", companyId }]
  },
}

describe('the audit of the log names', () => {
  test.each(Object.entries(TAMPERING))('%s', async (_, tamper) => {
    const company = await aCompany()
    await seal()
    expect(await faultsOf()).toEqual([])
    const { state } = await audit()
    for (const entries of [1, 2, 6]) expect((await audit({ parts: partsOf(entries) })).state).toEqual(state)
    const expected = await tamper(company)
    const faults = await faultsOf()
    for (const entries of [1, 2, 6]) expect(await faultsOf({ parts: partsOf(entries) })).toEqual(faults)
    for (const fault of expected) expect(faults).toContainEqual(expect.objectContaining(fault))
    // Whatever moves credits also shows in the balance.
    const others = faults.filter(({ what }) => !what.startsWith('the balance is'))
    expect(others).toHaveLength(expected.filter(({ what }) => !what?.startsWith('the balance is')).length)
  })

  test('a price book that was changed, on the ledger of its company or of all companies', async () => {
    const { companyId } = await aCompany()
    const ledgers = [companyId, COMMON_LEDGER_ID]
    await models.appendToLedger(companyId, anchored(companyId))
    await models.appendToLedger(COMMON_LEDGER_ID, anchored(null))
    await seal()
    const { faults, companies } = await audit()
    expect({ faults: faults.named, companies }).toEqual({ faults: [], companies: 1 })
    await sql(`update event_store.events set data = jsonb_set(data::jsonb, '{prices,svc/chat-cheap,rates,input}', '"1"')::json
      where type = 'PriceBookAnchored'`)
    const what = 'the event was changed: it is not the one that was logged'
    const expected = ledgers.map((id) => expect.objectContaining({ what, stream: streamName('ledger', id) }))
    const named = await faultsOf()
    expect(named).toHaveLength(2)
    expect(named).toEqual(expect.arrayContaining(expected))
  })

  test.each([
    ['a full one', 0, 0, 5],
    ['one of the right edge', 0, 1, 3],
    ['one of a higher level', 1, 0, 0],
  ])('a tile that was edited: %s', async (_, level, index, at) => {
    const companyId = randomUUID()
    await models.chargeCalls(companyId, CALLS)
    await seal()
    await sql(
      'update ledger_log.tiles set hashes = set_byte(hashes, $3, get_byte(hashes, $3) # 1) where level = $1 and index = $2',
      level,
      index,
      at * 32,
    )
    const first = index * 256 + at
    expect(await faultsOf()).toEqual([
      expect.objectContaining({
        what: `tile ${index} of level ${level} does not hold the hashes of its entries, from entry ${first} on`,
        index: first,
        eventId: expect.any(String),
      }),
    ])
  })

  test('two checkpoints of one size, a smaller one, and one that is not signed', async () => {
    await aCompany()
    const { size, root, note } = await seal()
    await signCheckpoint(models, { size, root: sha256('another tree') })
    await signCheckpoint(models, { size: size - 1, root })
    const unsigned = {
      origin: ORIGIN,
      size,
      root: Buffer.from(root).toString('base64'),
      note: note.replace(/\n— .*$/s, '\n— log.example AAAAAAAA\n'),
      signedAt: '2026-03-01T10:06:00.000Z',
    }
    await models.append('log-checkpoints', { type: 'CheckpointSigned', data: unsigned })
    const faults = await faultsOf()
    expect(faults.map(({ what, revision }) => [revision, what])).toEqual([
      [1, 'checkpoint 1 of 6 entries has another root than checkpoint 0 of the same size'],
      [2, 'checkpoint 2 of 5 entries is smaller than checkpoint 1, of 6 entries'],
      [3, expect.stringContaining('checkpoint 3 of 6 entries is not signed')],
    ])
  })
})

describe('the event of a checkpoint that was removed', () => {
  beforeEach(async () => {
    for (const _ of [1, 2, 3]) {
      await aCompany()
      await seal()
    }
  })
  const remove = (revision: number) =>
    sql("delete from event_store.events where stream = 'log-checkpoints' and revision = $1", revision)

  test('is named if it was the last one, also by an audit that continues', async () => {
    const { state } = await audit()
    await remove(2)
    const what = expect.stringMatching(
      /^the checkpoint of 18 entries that was signed at .* is no longer in the store$/,
    ) as string
    const place = { stream: 'log-checkpoints', revision: 2 }
    expect(await faultsOf({ isFull: true })).toEqual([expect.objectContaining({ what, ...place })])
    expect(await faultsOf({ state })).toContainEqual(expect.objectContaining({ what, ...place }))
    await sql('delete from ledger_log.checkpoints where number = 2')
    expect(await faultsOf({ state })).toEqual([
      expect.objectContaining({
        what: 'the audit of 2026-03-01T11:00:00.000Z has verified 3 events of log-checkpoints, the store has only 2',
      }),
    ])
  })

  test('is named if others follow', async () => {
    await remove(1)
    expect(await faultsOf({ isFull: true })).toEqual([
      expect.objectContaining({
        what: '1 event of log-checkpoints, from revision 1 on, is no longer in the store',
        stream: 'log-checkpoints',
        revision: 1,
      }),
    ])
  })
})

test('an event that a store holds twice is counted once', async () => {
  await aCompany()
  await seal()
  const { database, store } = models
  const twice: EventStore = {
    ...store,
    idsAreUnique: false,
    readStream: async function* (stream, options) {
      for await (const event of store.readStream(stream as StreamName, options)) {
        yield event
        if (event.revision === 2) yield event
      }
    },
  }
  const engines = { database, store, storeAsWritten: twice }
  const inParts = partsOf(2, (part, bounds) => auditWholePart(engines, bounds, part))
  for (const parts of [{}, { parts: inParts }]) {
    const options = { keysOf: () => [verifierKey()], state: null, isFull: false, held: [], now: '', ...parts }
    expect((await auditTransparency(engines, options)).faults.named).toEqual([])
  }
})

test.each(['ahead of', 'behind'])(
  'a company in a partition %s the others has the balance of its ledger',
  async (where) => {
    const { companyId } = await aCompany()
    const before = await models.store.head()
    await models.rebuild(creditBalances, { partitions: LEDGER_PARTITIONS })
    await models.chargeCalls(companyId, 2)
    await sealEvents()
    if (where === 'ahead of') await models.rebuild(creditBalances, { partitions: LEDGER_PARTITIONS })
    await sql(
      'update read_models.checkpoints set position = $1 where partition <> $2',
      where === 'ahead of' ? before : await models.store.head(),
      ledgerPartitionOf(companyId),
    )
    for (const parts of [{}, { parts: partsOf(2) }]) expect(await faultsOf(parts)).toEqual([])
  },
)

test('a receipt that did not verify is named by the audit of the log', async () => {
  const { eventAt } = await aCompany()
  await seal()
  const eventId = eventAt(2).id
  await saveReceiptFault(models.database, eventId, 'the event was changed')
  expect(await faultsOf()).toEqual([
    expect.objectContaining({ what: expect.stringContaining('the event was changed'), eventId }),
  ])
})

describe('companies that are created while the log is audited', () => {
  /** Before each read of the audit, one company is created, projected and sealed, and another one is only projected. */
  function growing() {
    const { database, store } = models
    let steps = Promise.resolve()
    let reads = 0
    const grow = () => {
      steps = steps.then(async () => {
        if (++reads > READS_DISTURBED_MAX) return
        await aCompany()
        await seal()
        await aCompany()
        await models.rebuild(creditBalances)
      })
      return steps
    }
    const ownMethods = <Target extends object>(target: Target, changes: Partial<Target>): Target =>
      new Proxy(target, {
        get: (_, name) => {
          const value = Reflect.get(changes, name) ?? Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    const growingDatabase = ownMethods(database, {
      query: async (text, values, name) => {
        await grow()
        return database.query(text, values, name) as never
      },
      transaction: async (work, options) => {
        await grow()
        return database.transaction(work, options)
      },
    })
    const growingStore = ownMethods(store, {
      readStream: async function* (stream: StreamName, options: object) {
        await grow()
        yield* store.readStream(stream, options)
      } as never,
    })
    return { database: growingDatabase, store: growingStore, storeAsWritten: growingStore }
  }
  const READS_DISTURBED_MAX = 10

  test.each(['at once', 'in parts'])('are left to the next audit, which continues there (%s)', async (way) => {
    await aCompany()
    await seal()
    await aCompany()
    await models.rebuild(creditBalances)
    const engines = growing()
    const parts = partsOf(2, (part, bounds) => auditWholePart(engines, bounds, part))
    const options = {
      keysOf: () => [verifierKey()],
      isFull: false,
      held: [],
      now: '',
      ...(way === 'in parts' && { parts }),
    }
    const first = await auditTransparency(engines, { ...options, state: null })
    expect(first.faults.named).toEqual([])
    await seal()
    expect(await audit({ state: first.state })).toMatchObject({ from: first.size, faults: { named: [] } })
    expect(first.size).toBeGreaterThan(6)
  })
})

test('threads find what one thread finds, also from an earlier audit on', async () => {
  const { companyId } = await aCompany()
  const { eventAt } = await aCompany()
  await seal()
  const threads = new PartThreads(models.database.url, 2)
  try {
    const parts = partsOf(2, (part, bounds) => threads.audit(part, bounds))
    const { state } = await audit({ parts })
    expect(state).toEqual((await audit()).state)
    await models.chargeCalls(companyId, 5)
    await seal()
    const next = await audit({ parts, state })
    expect(next).toMatchObject({ from: 12, size: 17, faults: { named: [] } })
    expect(next.state).toEqual((await audit()).state)
    await sql(
      `update event_store.events set data = (data::jsonb || '{"label": "x"}')::json where event_id = $1`,
      eventAt(2).id,
    )
    const faults = await faultsOf({ parts })
    expect(faults).toEqual([expect.objectContaining({ eventId: eventAt(2).id })])
    expect(faults).toEqual(await faultsOf())
  } finally {
    await threads.close()
  }
})

test('an audit fails if its threads cannot read the database', async () => {
  await aCompany()
  await seal()
  const threads = new PartThreads('postgres://nobody@127.0.0.1:1/none', 1)
  const parts = partsOf(2, (part, bounds) => threads.audit(part, bounds))
  await expect(audit({ parts })).rejects.toThrow('ECONNREFUSED')
  await threads.close()
})

describe('a change of the store and of the log alike', () => {
  test('is found by the checkpoints that were signed', async () => {
    await aCompany()
    await seal()
    const { eventAt } = await aCompany()
    await seal()
    await sql(
      `update event_store.events set data = (data::jsonb || '{"reason": "another"}')::json where event_id = $1`,
      eventAt(0).id,
    )
    await forgeTransparencyLog(models)
    expect(await faultsOf()).toEqual([
      expect.objectContaining({
        what: 'checkpoint 1 of 12 entries has another root: entries 6 to 11 are not those that were signed',
        stream: 'log-checkpoints',
        revision: 1,
      }),
    ])
  })

  test('and of the checkpoints is found by those that others hold, and by an earlier audit', async () => {
    const { companyId } = await aCompany()
    const { note } = await seal()
    const { state } = await audit()
    await sql("delete from event_store.events where stream = 'log-checkpoints'")
    await sql('delete from ledger_log.checkpoints')
    await sql(
      `update event_store.events set data = (data::jsonb || '{"reason": "another"}')::json where stream = $1 and revision = 5`,
      streamName('ledger', companyId),
    )
    await forgeTransparencyLog(models)
    expect(await faultsOf()).toEqual([])
    expect(await faultsOf({ held: [{ file: 'mine', note }] })).toEqual([
      expect.objectContaining({
        what: 'the checkpoint in mine has another root: the first 6 entries are not those that were signed',
      }),
    ])
    expect(await faultsOf({ state })).toEqual([
      expect.objectContaining({ what: expect.stringContaining('are not those that the audit of') }),
    ])
    await sql('delete from event_store.events where revision > 3')
    await forgeTransparencyLog(models)
    const faults = await faultsOf({ held: [{ file: 'mine', note }], state })
    expect(faults.map(({ what }) => what)).toEqual([
      'the audit of 2026-03-01T11:00:00.000Z has verified 6 entries, the log has only 4',
      expect.stringContaining('the balance is'),
      'the checkpoint in mine covers 6 entries, the log has only 4',
    ])
  })
})

describe('the command', () => {
  const env = () => ({
    DATABASE_URL: models.database.url,
    DATA_DIR: dataDir,
    LOG_ORIGIN: ORIGIN,
    LOG_SIGNING_KEY: KEY.text,
    SANDBOX: '1',
  })
  const run = (...args: string[]) => runScript('audit.ts', ['--log', ...args], env())

  test('names every tampering at once, in JSON and for a person, with exit code 1', async () => {
    const companies: Company[] = []
    for (const _ of Object.keys(TAMPERING)) companies.push(await aCompany())
    const { size } = await seal()
    await signCheckpoint(models, { size, root: sha256('another tree') })
    const expected: Partial<AuditFault>[] = [
      { what: `checkpoint 1 of ${size} entries has another root than checkpoint 0 of the same size`, revision: 1 },
    ]
    for (const [at, tamper] of Object.values(TAMPERING).entries()) {
      const company = companies[at]
      if (company) expected.push(...(await tamper(company)))
    }
    await sql('update ledger_log.tiles set hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) where level = 0')
    const what = 'tile 0 of level 0 does not hold the hashes of its entries, from entry 0 on'
    expected.push({ what, index: 0, eventId: companies[0]?.eventAt(0).id ?? null })
    const json = await run('--json')
    const { matches, faults } = JSON.parse(json.stdout)
    for (const fault of expected) expect(faults).toContainEqual(expect.objectContaining(fault))
    expect(matches).toBe(false)
    expect(json.code).toBe(1)
    const text = await run()
    for (const { what, eventId } of expected) {
      const line = text.stdout.split('\n').find((each) => each.includes(what ?? '') && each.includes(eventId ?? ''))
      expect(line).toBeDefined()
    }
    expect(text.code).toBe(1)
  })

  test('exits with 1 while a read model has stopped, and names it', async () => {
    const { companyId } = await aCompany()
    await models.rebuild(creditBalances)
    await models.appendToLedger(companyId, granted(companyId))
    await sql("update event_store.events set recorded_at = recorded_at - interval '1 hour'")
    await sealEvents()
    await sql("update read_models.checkpoints set moved_at = moved_at - interval '1 hour'")
    const json = await run('--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ matches: true, stoppedReadModels: ['credit-balances'] })
    expect(json.code).toBe(1)
    const text = await run()
    expect(text.stdout).toContain('Read models that have stopped: credit-balances.')
    expect(text.code).toBe(1)
  })

  test('continues from what it has verified, and with --full verifies that again', async () => {
    await aCompany()
    const { note } = await seal()
    const held = join(dataDir, 'checkpoint')
    await writeFile(held, note)
    const clean = await run('--since', held)
    expect(clean.stdout).toContain('The events are those that were logged and signed.')
    expect(clean).toMatchObject({ code: 0, stderr: '' })

    const { stream, eventAt } = await aCompany()
    await seal()
    const next = await run('--json', '--vkey', KEY.vkey)
    expect(JSON.parse(next.stdout)).toMatchObject({ from: 6, size: 12, checkpoints: 1, matches: true, faults: [] })

    const { id } = eventAt(2)
    await sql(`update event_store.events set data = (data::jsonb || '{"label": "x"}')::json where event_id = $1`, id)
    expect((await run()).code).toBe(0)
    const full = await run('--full')
    expect(full.stdout).toContain(`(event ${id}, ${stream}, revision 2, entry 8)`)
    expect(full.code).toBe(1)
  })
})
