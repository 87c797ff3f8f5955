import { expect, test } from 'vitest'
import { describeModelHashes } from '../../test/support/modelHashes.ts'
import { ReadModels } from '../../test/support/readModels.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import { trail } from '../trail/projection.ts'
import { hashProjection } from './hash.ts'

test('a model that is not built has no hash', async () => {
  const models = await ReadModels.open()
  expect(await hashProjection(models.database, creditBalances)).toBeNull()
  await models.close()
})

describeModelHashes([creditBalances, creditTransactions, trail])
