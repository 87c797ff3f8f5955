import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebuildTransparency } from '../../../capabilities/transparency/sealing/rebuild.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
})
afterAll(async () => {
  await transparencyLog.stop()
  await harness.close()
})

test('a sealer that starts again, and a rebuild, continue the log at every edge of its tiles', async () => {
  const { database, store } = harness
  const rebuild = () => rebuildTransparency({ database, store, clock: transparencyLog.clock, ids: systemIds })
  const company = randomUUID()
  expect(await rebuild()).toMatchObject({ size: 0 })
  let before = 0
  for (const [at, size] of [1, 255, 256, 257, 512].entries()) {
    transparencyLog.start()
    await transparencyLog.charge(company, size - before)
    await transparencyLog.signed(size)
    await transparencyLog.stop()
    expect(await rebuild()).toMatchObject({ size, checkpoints: at + 1 })
    before = size
  }
  transparencyLog.start()
  await transparencyLog.charge(company)
  await transparencyLog.signed(513)
  expect(await transparencyLog.scrub()).toEqual({ entries: 513 })
})
