import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { PROJECTIONS } from '../catalogue.ts'
import { hashProjection } from './hash.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

test('a rebuild of every model gives the rows and the hash of the live model while calls and the live runner continue', async () => {
  for (const projection of PROJECTIONS) models.run(projection)
  const stopCharging = models.keepCharging(companyId)
  for (const projection of PROJECTIONS) await models.rebuild(projection)
  await stopCharging()
  await models.caughtUp(...PROJECTIONS)
  for (const projection of PROJECTIONS) {
    const rows = await models.rows(projection)
    expect(rows).toEqual(await models.folded(projection))
    const live = await hashProjection(models.database, projection)
    await models.rebuild(projection)
    expect((await hashProjection(models.database, projection))?.hash).toBe(live?.hash)
  }
  const left = await models.database.query("select nspname from pg_namespace where nspname like 'rebuild%'")
  expect(left).toEqual([])
})
