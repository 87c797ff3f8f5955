import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPAIRS_STREAM, streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { tamper } from '../support/databases/tamper.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { runScript } from '../support/processes/runScript.ts'
import { chargeOf } from '../support/transparency/sealedTransparencyLog.ts'

let models: ReadModels
let folder: string
let backup: string
let triggersBefore: unknown
const companyId = randomUUID()
const restored = chargeOf(companyId, { recordedAt: '2026-01-01T00:00:00.000Z', logIndex: 3 })

beforeAll(async () => {
  models = await ReadModels.open()
  folder = await mkdtemp(join(tmpdir(), 'tollgate-repair-'))
  backup = join(folder, 'saved.gz')
  await models.appendToLedger(companyId, granted(companyId), charged(companyId), charged(companyId))
  await models.store.append(streamName('ledger', companyId), 'any', [restored])
  triggersBefore = await triggers()
  expect(await runScript('backup.ts', [backup], env())).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await models.close()
  await rm(folder, { recursive: true })
})

const env = () => ({ DATABASE_URL: models.database.url, DATA_DIR: folder })
const repair = (id: string, ...others: string[]) =>
  runScript(
    'admin.ts',
    ['repair-event', '--id', id, '--backup', backup, '--reason', 'the audit named it', ...others],
    env(),
  )
const ledger = () =>
  models.database.query(
    `select position, revision, event_id, stream_no, type, data::text, metadata::text,
       date_trunc('milliseconds', recorded_at) as recorded_at
     from event_store.events where stream = $1 order by position`,
    [`ledger-${companyId}`],
  )

/** Those that refuse changes, and whether they fire always. */
const triggers = () =>
  models.database.query(
    "select tgname, tgenabled from pg_trigger where tgrelid = 'event_store.events'::regclass order by tgname",
  )

async function repairs() {
  const found: unknown[] = []
  for await (const { type, data } of models.store.readStream(REPAIRS_STREAM)) found.push({ type, data })
  return found
}

describe('repair-event', () => {
  test.each([
    [
      'changed',
      `update event_store.events set data = (data::jsonb || '{"amountMicros": "1"}')::json, type = 'CallFailed'`,
    ],
    ['removed', 'delete from event_store.events'],
  ])('puts an event back that was %s, leaves an event, and changes are refused again', async (found, change) => {
    const before = await ledger()
    const id = String(before[1]?.eventId)
    await tamper(models.database, `${change} where event_id = $1`, [id])
    expect(await ledger()).not.toEqual(before)
    const { code, stdout } = await repair(id)
    expect(stdout).toContain(`Event ${id}, revision 1 of ledger-${companyId}, was ${found} and is put back.`)
    expect(code).toBe(0)
    expect(await ledger()).toEqual(before)
    expect((await repairs()).at(-1)).toMatchObject({
      type: 'EventRepaired',
      data: { eventId: id, revision: 1, found, reason: 'the audit named it' },
    })
    await expect(models.database.query('delete from event_store.events')).rejects.toThrow('never changed or removed')
    expect(await triggers()).toEqual(triggersBefore)
  })

  test('keeps the place in the log and the time of an event that was restored before', async () => {
    const metadata = async () =>
      (await models.database.query('select metadata from event_store.events where event_id = $1', [restored.id]))[0]
    const before = await metadata()
    expect(before).toMatchObject({ metadata: { logIndex: 3, recordedAt: '2026-01-01T00:00:00.000Z' } })
    await tamper(models.database, "update event_store.events set type = 'CallFailed' where event_id = $1", [
      restored.id,
    ])
    expect(await repair(restored.id)).toMatchObject({ code: 0 })
    expect(await metadata()).toEqual(before)
  })

  test('changes nothing if the event is as saved, and refuses an event that the backup does not hold', async () => {
    const before = [await ledger(), await repairs()]
    const [first] = await ledger()
    expect(JSON.parse((await repair(String(first?.eventId), '--json')).stdout)).toMatchObject({ found: 'as saved' })
    const unknown = await repair(randomUUID())
    expect(unknown.stderr).toMatch(/^tollgate: .* holds no event [0-9a-f-]{36}\n$/)
    expect(unknown.code).toBe(1)
    expect([await ledger(), await repairs()]).toEqual(before)
  })
})
