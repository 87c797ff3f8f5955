import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { auditCompany } from '../../scripts/audit/compare.ts'
import { readBackup } from '../../scripts/backup/readBackup.ts'
import { writeBackup } from '../../scripts/backup/writeBackup.ts'
import { restoreEvents } from '../../scripts/restore/restoreEvents.ts'
import { PostgresStoreHarness } from '../support/databases/postgresStore.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { collect } from '../support/events/events.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { appendMixedHistory } from '../support/events/mixedHistory.ts'
import { moveTransparencyLogThrough } from '../support/transparency/movedTransparencyLog.ts'
import { SealedTransparencyLog } from '../support/transparency/sealedTransparencyLog.ts'

describeWithEventStore('backup, restore and audit on EventStoreDB itself', (url) => {
  let folder: string
  const closers: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-restore-'))
  })
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
    await rm(folder, { recursive: true })
  })

  async function postgres(): Promise<EventStore> {
    const harness = await PostgresStoreHarness.open()
    closers.push(() => harness.close())
    return harness.store
  }
  function eventStoreDb(prefix = aPrefix()): EventStore {
    const log = pino({ enabled: false })
    const store = openEventStoreDb(url, { clock: systemClock, ids: systemIds, prefix, log })
    closers.push(() => store.close())
    return store
  }
  async function foreignClient(): Promise<EventStoreDBClient> {
    const client = EventStoreDBClient.connectionString(url)
    closers.push(() => client.dispose())
    return client
  }

  /** Saves one store and restores the file into the other, which is empty. */
  async function move(from: EventStore, to: EventStore) {
    const file = join(folder, `${randomUUID()}.gz`)
    const { signal } = new AbortController()
    const createdAt = '2026-03-01T00:00:00.000Z'
    await writeBackup({ store: from, to: createWriteStream(file), createdAt, signal, onProgress: () => {} })
    return restoreEvents({
      store: to,
      lines: readBackup(file),
      savedIdsAreUnique: from.idsAreUnique,
      clock: systemClock,
      signal,
      beforeWriting: async () => {},
      onProgress: () => {},
    })
  }

  async function contentOf(store: EventStore) {
    const head = await store.head()
    const content = []
    for (let after = BEGINNING; after < head; ) {
      const page = await store.readAll({ after, limit: 1_000 })
      content.push(...page.events.map(({ stream, revision, id, type, data }) => ({ stream, revision, id, type, data })))
      after = page.position
    }
    // A restore keeps the order of each stream.
    return content.toSorted((a, b) => a.stream.localeCompare(b.stream) || a.revision - b.revision)
  }

  async function hashesOf(store: EventStore) {
    const models = await ReadModels.open()
    closers.push(() => models.close())
    const hashes = []
    for (const model of [creditBalances, creditTransactions]) {
      await models.rebuild(model, { source: withUpcasting(store), idsAreUnique: store.idsAreUnique })
      hashes.push(await hashProjection(models.database, model))
    }
    return hashes.map((model) => ({ rows: model?.rows, hash: model?.hash }))
  }

  test('a history moves from Postgres to EventStoreDB and back, and its hashes stay the same', async () => {
    const [source, there, back] = [await postgres(), eventStoreDb(), await postgres()]
    const { events } = await appendMixedHistory(source)
    expect(await move(source, there)).toMatchObject({ appended: events })
    expect(await move(there, back)).toMatchObject({ appended: events })
    const content = await contentOf(source)
    expect(await contentOf(there)).toEqual(content)
    expect(await contentOf(back)).toEqual(content)
    const hashes = await hashesOf(source)
    expect(await hashesOf(there)).toEqual(hashes)
    expect(await hashesOf(back)).toEqual(hashes)
  })

  test('a log that moves to EventStoreDB and back has the same entries and meets all checkpoints', async () => {
    const sealedTransparencyLog = async (store?: EventStore) => {
      const harness = await PostgresStoreHarness.open()
      closers.push(() => harness.close())
      const transparencyLog = new SealedTransparencyLog(harness.database, store ?? harness.store)
      closers.push(() => transparencyLog.stop())
      return transparencyLog
    }
    await moveTransparencyLogThrough(
      await sealedTransparencyLog(),
      await sealedTransparencyLog(eventStoreDb()),
      await sealedTransparencyLog(),
    )
  })

  test('a stream that others wrote to is restored without their events, under another prefix and into Postgres', async () => {
    const prefix = aPrefix()
    const source = eventStoreDb(prefix)
    const client = await foreignClient()
    const companyId = randomUUID()
    const stream = `ledger-${companyId}`
    const stranger = () => jsonEvent({ type: 'OrderPlaced', data: {} })
    for (let n = 0; n < 4; n++) {
      await client.appendToStream(`${prefix}${stream}`, [stranger(), stranger()])
      await source.append(stream, 'any', [anEventOf(charged(companyId)), anEventOf(charged(companyId))])
    }
    const ids = (await collect(source.readStream(stream))).map(({ id }) => id)
    for (const target of [eventStoreDb(), await postgres()]) {
      await move(source, target)
      const restored = await collect(target.readStream(stream))
      expect(restored.map(({ id }) => id)).toEqual(ids)
      expect(restored.map(({ revision }) => revision)).toEqual(ids.map((_, n) => n))
    }
  })

  test('an audit names an event of others on the ledger, which does not count', async () => {
    const prefix = aPrefix()
    const store = withUpcasting(eventStoreDb(prefix))
    const companyId = randomUUID()
    const client = await foreignClient()
    const grant = granted(companyId)
    await store.append(`ledger-${companyId}`, 'none', [anEventOf(grant)])
    // It even looks like a grant, but has no metadata of ours.
    const fake = jsonEvent({ type: 'CreditsGranted', data: structuredClone(grant.data) })
    await client.appendToStream(`${prefix}ledger-${companyId}`, fake)
    const models = await ReadModels.open()
    closers.push(() => models.close())
    for (const model of [creditBalances, creditTransactions]) {
      await models.rebuild(model, { source: store, idsAreUnique: false })
    }
    const engines = { database: models.database, store } as unknown as Engines
    const { replay, firstDifference, foreignEvents } = await auditCompany(engines, companyId, null)
    expect(replay.events).toBe(1)
    expect(firstDifference).toBeNull()
    expect(foreignEvents).toMatchObject([{ id: fake.id, type: 'CreditsGranted', revision: 1 }])
  })
})
