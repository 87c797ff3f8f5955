import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkerRunnerHarness, type WorkerRunnerHarness } from '../../test/support/harness/workerRunnerHarness.ts'
import { resetFeed } from './resetFeed.ts'

let bench: WorkerRunnerHarness
beforeAll(async () => {
  bench = await openWorkerRunnerHarness()
})
afterAll(() => bench.close())

test('resetting the feed deletes worker tasks and all checkpoints except those of read models', async () => {
  const { database } = bench.engines
  await database.query(
    `insert into read_models.checkpoints (projection, partition, version, position)
     values ('usage', 'all', 1, '1'), ('email_worker', 'all', 1, '1') on conflict do nothing`,
  )
  await database.query("insert into platform.worker_memory values ('email_worker', 'ledger-1', 5, '{}')")
  await database.query(
    "insert into platform.tasks (task_id, worker, subject, payload, due_at) values (gen_random_uuid(), 'email_worker', 's', '{}', now())",
  )
  await resetFeed(database)
  const kept = await database.query<{ projection: string }>('select projection from read_models.checkpoints')
  expect(kept.map(({ projection }) => projection)).toContain('usage')
  expect(kept.map(({ projection }) => projection)).not.toContain('email_worker')
  expect(await database.query('select 1 from platform.worker_memory union all select 1 from platform.tasks')).toEqual(
    [],
  )
})

test('resetting the feed deletes the tree of the log with its origin and fault, and later sealers can build it', async () => {
  const { database } = bench.engines
  await database.query("insert into ledger_log.tiles values (0, 0, decode('00', 'hex'))")
  await database.query(
    "update ledger_log.progress set position = '1', size = 1, epoch = 5, fault = 'an event is missing', receipt_fault = 'it was changed'",
  )
  await resetFeed(database)
  expect(await database.query('select 1 from ledger_log.tiles')).toEqual([])
  expect(
    await database.query(
      'select position, size::int, epoch::int, fault, receipt_fault, generation > 0 as is_new from ledger_log.progress',
    ),
  ).toEqual([{ position: '', size: 0, epoch: 5, fault: null, receiptFault: null, isNew: true }])
})
