import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { history } from '../../test/support/events/history.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { openWorkerRunnerHarness, type WorkerRunnerHarness } from '../../test/support/harness/workerRunnerHarness.ts'
import { countedOnce, recall, remember } from './workerMemory.ts'

let bench: WorkerRunnerHarness
beforeAll(async () => {
  bench = await openWorkerRunnerHarness()
})
afterAll(() => bench.close())

test('an event counts once for each worker, within a batch and across batches', async () => {
  const { database } = bench.engines
  const companyId = randomUUID()
  const [first, second] = history('ledger-1', granted(companyId), granted(companyId))
  if (!first || !second) throw new Error('two events were made')
  const again = { ...first, revision: 2 }
  expect(await countedOnce(database, 'email_worker', [first, again])).toEqual([first])
  expect(await countedOnce(database, 'email_worker', [again, second])).toEqual([second])
  expect(await countedOnce(database, 'cv_worker', [first])).toEqual([first])
})

test('the remembered state of a stream is recalled with its revision', async () => {
  const { database } = bench.engines
  await remember(database, 'email_worker', new Map([['ledger-1', { revision: 3, memory: { a: '1' } }]]))
  await remember(database, 'email_worker', new Map([['ledger-1', { revision: 4, memory: { a: '2' } }]]))
  const known = await recall(database, 'email_worker', ['ledger-1', 'ledger-2'])
  expect([...known]).toEqual([['ledger-1', { revision: 4, memory: { a: '2' } }]])
  expect((await recall(database, 'cv_worker', ['ledger-1'])).size).toBe(0)
})
