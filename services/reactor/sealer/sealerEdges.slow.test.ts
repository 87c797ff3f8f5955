import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebuildTransparency } from '../../../capabilities/transparency/sealing/rebuild.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let log: SealedTransparencyLog
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  log = new SealedTransparencyLog(harness.database, harness.store)
})
afterAll(async () => {
  await log.stop()
  await harness.close()
})

test('a sealer that starts again, and a rebuild, continue the log at every edge of its tiles', async () => {
  const { database, store } = harness
  const rebuild = () => rebuildTransparency({ database, store, clock: log.clock, ids: systemIds })
  const company = randomUUID()
  expect(await rebuild()).toMatchObject({ size: 0 })
  let before = 0
  for (const [at, size] of [1, 255, 256, 257, 512].entries()) {
    log.start()
    await log.charge(company, size - before)
    await log.signed(size)
    await log.stop()
    expect(await rebuild()).toMatchObject({ size, checkpoints: at + 1 })
    before = size
  }
  log.start()
  await log.charge(company)
  await log.signed(513)
  expect(await log.scrub()).toEqual({ entries: 513 })
})
