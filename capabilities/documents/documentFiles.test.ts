import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { uploaded } from '../../test/support/events/workerEvents.ts'
import { openWorkerRunnerHarness, type WorkerRunnerHarness } from '../../test/support/harness/workerRunnerHarness.ts'
import { until } from '../../test/support/time/until.ts'
import { DocumentFiles } from './documentFiles.ts'

let bench: WorkerRunnerHarness
let files: DocumentFiles
beforeAll(async () => {
  bench = await openWorkerRunnerHarness()
  await bench.startProjector()
  files = new DocumentFiles(bench.engines.database, bench.engines.personal)
})
afterAll(() => bench.close())

const bytes = Buffer.from('%PDF- the life of Ada Example')
const file = (companyId: string = randomUUID()) => {
  const documentId = randomUUID()
  return { documentId, companyId, subject: `document-${documentId}`, bytes }
}

test('a stored file can be read until it is deleted', async () => {
  const one = file()
  await files.store(one, 10)
  expect(await files.read(one.documentId)).toEqual(bytes)
  await files.delete(one.documentId)
  expect(await files.read(one.documentId)).toBeNull()
})

test('a file is stored encrypted, and erased with its subject', async () => {
  const one = file()
  await files.store(one, 10)
  const [row] = await bench.engines.database.query<{ sealed: Buffer }>(
    'select sealed from platform.document_files where document_id = $1',
    [one.documentId],
  )
  expect(row?.sealed.includes('Ada')).toBe(false)
  await bench.engines.personal.erase(one.subject)
  expect(await files.read(one.documentId)).toBeNull()
  await files.deleteOrphaned(60_000)
  expect(
    await bench.engines.database.query('select 1 from platform.document_files where document_id = $1', [
      one.documentId,
    ]),
  ).toEqual([])
})

test('the limit of waiting files holds for concurrent uploads of one company', async () => {
  const companyId = randomUUID()
  const kept = await Promise.allSettled(Array.from({ length: 6 }, () => files.store(file(companyId), 3)))
  expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(kept.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'TooManyFiles' } })
  await files.store(file(), 3)
})

test('a file without an event is deleted after a while; a file that waits to be read stays', async () => {
  const [orphaned, waiting, fresh] = [file(), file(), file()]
  for (const one of [orphaned, waiting, fresh]) await files.store(one, 10)
  await bench.append(streamName('document', waiting.documentId), uploaded(waiting.documentId, waiting.companyId))
  await until('the upload is in the read model', async () => {
    const rows = await bench.engines.database.query('select 1 from read_models.documents where document_id = $1', [
      waiting.documentId,
    ])
    return rows.length === 1
  })
  await bench.engines.database.query(
    "update platform.document_files set created_at = now() - interval '2 hours' where document_id = any($1)",
    [[orphaned.documentId, waiting.documentId]],
  )
  await files.deleteOrphaned(60 * 60 * 1_000)
  expect(await files.read(orphaned.documentId)).toBeNull()
  expect(await files.read(waiting.documentId)).toEqual(bytes)
  expect(await files.read(fresh.documentId)).toEqual(bytes)
})
