import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { minted } from '../../test/support/events/controlEvents.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { projectCreated, projectUpdated } from '../../test/support/events/projectEvents.ts'
import { calls } from '../calls/projection.ts'
import { callsPage } from '../calls/queries.ts'
import { projects } from '../projects/projection.ts'
import { usage } from '../usage/projection.ts'
import { companyUsageByGroup } from '../usage/queries.ts'
import { usageByLabel } from '../usageByLabel/projection.ts'
import { apiKeys } from './projection.ts'
import { isKeySeenBy, keyIdsSeenBy } from './queries.ts'

const companyId = randomUUID()
const projectId = randomUUID()
const [ada, bob, eve] = [randomUUID(), randomUUID(), randomUUID()]
const [own, shared, unrelated, foreign] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  const members = projectUpdated(projectId, { memberIds: [ada, bob] })
  await models.append(streamName('project', projectId), projectCreated(projectId, companyId), members)
  const mint = (keyId: string, changes: object) => models.append(streamName('apiKey', keyId), minted(keyId, changes))
  await mint(own, { companyId, mintedBy: ada })
  await mint(shared, { companyId, mintedBy: eve, projectId })
  await mint(unrelated, { companyId, mintedBy: eve })
  await mint(foreign, { companyId: randomUUID(), mintedBy: ada, projectId })
  await models.appendToLedger(companyId, ...[own, shared, unrelated].map((keyId) => charged(companyId, { keyId })))
  for (const model of [apiKeys, projects, calls, usage, usageByLabel]) await models.rebuild(model)
})
afterAll(() => models.close())

test('a user sees the keys that they minted and those in projects of theirs, but none of another company', async () => {
  const seen = (userId: string) => keyIdsSeenBy(models.database, companyId, userId)
  expect(await seen(ada)).toEqual(new Set([own, shared]))
  expect(await seen(bob)).toEqual(new Set([shared]))
  expect(await seen(eve)).toEqual(new Set([shared, unrelated]))
  expect(await seen(randomUUID())).toEqual(new Set())
  for (const keyId of [own, shared, unrelated, foreign]) {
    expect(await isKeySeenBy(models.database, companyId, keyId, ada)).toBe([own, shared].includes(keyId))
  }
})

test('calls and usage are those of the same keys', async () => {
  const none = { keyId: null, alias: null, label: null, state: null, from: null, to: null, before: null }
  const page = await callsPage(models.database, { companyId, seenBy: ada, ...none, limit: 10 })
  expect(new Set(page.map(({ keyId }) => keyId))).toEqual(new Set([own, shared]))
  const range = { from: '2026-01-01T00:00:00.000Z', to: null, groupBy: ['key', 'label'] } as const
  const groups = await companyUsageByGroup(models.database, companyId, range, ada)
  expect(new Set(groups.map(({ group }) => group))).toEqual(new Set([own, shared]))
})
