import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { calls } from '../calls/projection.ts'
import { trail } from '../trail/projection.ts'
import { createIndexes, dropIndexes, readSecondaryIndexes } from './secondaryIndexes.ts'

const MODELS = [calls, trail]

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  for (const model of MODELS) await models.rebuild(model)
})
afterAll(() => models.close())

test('indexes that were dropped are created again as they were, and keys are never dropped', async () => {
  const { database } = models
  const all = () =>
    database.query("select indexname, indexdef from pg_indexes where schemaname = 'read_models' order by indexname")
  const before = await all()
  const secondary = await readSecondaryIndexes(database, MODELS)
  await dropIndexes(database, secondary)
  const left = (await all()).map(({ indexname }) => indexname)
  expect(left).toEqual(expect.arrayContaining(['calls_pkey', 'trail_pkey', 'calls_counted_pkey', 'checkpoints_pkey']))
  expect(left).toHaveLength(before.length - secondary.length)
  expect(secondary.length).toBeGreaterThan(10)
  // An interrupted run does not know how far it got.
  await dropIndexes(database, secondary)
  await createIndexes(database, secondary)
  expect(await all()).toEqual(before)
})
