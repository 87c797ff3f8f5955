import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { until } from '../../../test/support/until.ts'
import { openWorkerBench, type WorkerBench } from '../../../test/support/workerBench.ts'
import { uploaded } from '../../../test/support/workerEvents.ts'
import { DocumentFiles } from './documentFiles.ts'

let bench: WorkerBench
let files: DocumentFiles
beforeAll(async () => {
  bench = await openWorkerBench()
  await bench.startProjector()
  files = new DocumentFiles(bench.engines.database, bench.engines.personal)
})
afterAll(() => bench.close())

const bytes = Buffer.from('%PDF- the life of Ada Example')
const file = (companyId: string = randomUUID()) => {
  const documentId = randomUUID()
  return { documentId, companyId, subject: `document-${documentId}`, bytes }
}

test('a file comes back as it was, and is gone when it was read', async () => {
  const one = file()
  await files.keep(one, 10)
  expect(await files.read(one.documentId)).toEqual(bytes)
  await files.forget(one.documentId)
  expect(await files.read(one.documentId)).toBeNull()
})

test('it is sealed where it stands, and erased with its subject', async () => {
  const one = file()
  await files.keep(one, 10)
  const [row] = await bench.engines.database.query<{ sealed: Buffer }>(
    'select sealed from platform.document_files where document_id = $1',
    [one.documentId],
  )
  expect(row?.sealed.includes('Ada')).toBe(false)
  await bench.engines.personal.erase(one.subject)
  expect(await files.read(one.documentId)).toBeNull()
  await files.forgetLost(60_000)
  expect(
    await bench.engines.database.query('select 1 from platform.document_files where document_id = $1', [
      one.documentId,
    ]),
  ).toEqual([])
})

test('a company has so many waiting and no more, also when they come at once', async () => {
  const companyId = randomUUID()
  const kept = await Promise.allSettled(Array.from({ length: 6 }, () => files.keep(file(companyId), 3)))
  expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(kept.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'TooManyFiles' } })
  await files.keep(file(), 3)
})

test('what no event speaks of is let go after a while; what waits to be read stays', async () => {
  const [lost, waiting, fresh] = [file(), file(), file()]
  for (const one of [lost, waiting, fresh]) await files.keep(one, 10)
  await bench.append(streamName('document', waiting.documentId), uploaded(waiting.documentId, waiting.companyId))
  await until('the upload is in the read model', async () => {
    const rows = await bench.engines.database.query('select 1 from read_models.documents where document_id = $1', [
      waiting.documentId,
    ])
    return rows.length === 1
  })
  await bench.engines.database.query(
    "update platform.document_files set created_at = now() - interval '2 hours' where document_id = any($1)",
    [[lost.documentId, waiting.documentId]],
  )
  await files.forgetLost(60 * 60 * 1_000)
  expect(await files.read(lost.documentId)).toBeNull()
  expect(await files.read(waiting.documentId)).toEqual(bytes)
  expect(await files.read(fresh.documentId)).toEqual(bytes)
})
