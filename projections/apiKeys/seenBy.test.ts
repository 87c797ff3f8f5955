import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { minted } from '../../test/support/events/controlEvents.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { projectCreated, projectUpdated } from '../../test/support/events/projectEvents.ts'
import { calls } from '../calls/projection.ts'
import { callsPage, isCallSeenBy } from '../calls/queries.ts'
import { projects } from '../projects/projection.ts'
import { usage } from '../usage/projection.ts'
import { companyUsageByGroup, usageByGroup } from '../usage/queries.ts'
import { usageByLabel } from '../usageByLabel/projection.ts'
import { apiKeys } from './projection.ts'
import { isKeySeenBy, keyIdsSeenBy } from './queries.ts'

const companyId = randomUUID()
const projectId = randomUUID()
const [ada, bob, eve] = [randomUUID(), randomUUID(), randomUUID()]
const [own, shared, unrelated, foreign] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
/** Keys that joined the project and left it after their calls. */
const [joined, left] = [randomUUID(), randomUUID()]

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
  await mint(joined, { companyId, mintedBy: eve, projectId })
  await mint(left, { companyId, mintedBy: eve })
  const inProject = [own, shared, left].map((keyId) => charged(companyId, { keyId, projectId, label: 'team-a' }))
  const others = [unrelated, joined].map((keyId) => charged(companyId, { keyId }))
  await models.appendToLedger(companyId, ...inProject, ...others)
  for (const model of [apiKeys, projects, calls, usage, usageByLabel]) await models.rebuild(model)
})
afterAll(() => models.close())

test('a user sees the keys that they minted and those in projects of theirs, but none of another company', async () => {
  const seen = (userId: string) => keyIdsSeenBy(models.database, companyId, userId)
  expect(await seen(ada)).toEqual(new Set([own, shared, joined]))
  expect(await seen(bob)).toEqual(new Set([shared, joined]))
  expect(await seen(eve)).toEqual(new Set([shared, unrelated, joined, left]))
  expect(await seen(randomUUID())).toEqual(new Set())
  for (const keyId of [own, shared, unrelated, foreign]) {
    expect(await isKeySeenBy(models.database, companyId, keyId, ada)).toBe([own, shared].includes(keyId))
  }
})

test('calls and usage are those of keys that they minted, and those that were made in projects of theirs', async () => {
  const any = {
    keyId: null,
    projectId: null,
    alias: null,
    label: null,
    state: null,
    from: null,
    to: null,
    before: null,
  }
  const range = { from: '2026-01-01T00:00:00.000Z', to: null, groupBy: ['key', 'label'] } as const
  const seen: [string, string[]][] = [
    [ada, [own, shared, left]],
    [bob, [own, shared, left]],
    [eve, [shared, unrelated, joined, left]],
    [randomUUID(), []],
  ]
  for (const [seenBy, keys] of seen) {
    const page = await callsPage(models.database, { companyId, seenBy, ...any, limit: 10 })
    expect(page.map(({ keyId }) => keyId).toSorted()).toEqual(keys.toSorted())
    const [first] = page
    if (first) {
      const rest = await callsPage(models.database, { companyId, seenBy, ...any, before: first, limit: 2 })
      expect(rest).toEqual(page.slice(1, 3))
    }
    const groups = await companyUsageByGroup(models.database, companyId, range, seenBy)
    expect(groups.map(({ group }) => group).toSorted()).toEqual(keys.toSorted())
    for (const call of await callsPage(models.database, { companyId, ...any, limit: 10 })) {
      expect(await isCallSeenBy(models.database, call, seenBy)).toBe(keys.includes(call.keyId))
      const [ofKey] = await usageByGroup(models.database, { ...range, companyId, keyId: call.keyId }, seenBy)
      expect(ofKey?.requests).toBe(keys.includes(call.keyId) ? '1' : undefined)
    }
  }
})

test('calls can be limited to a project', async () => {
  const any = { keyId: null, alias: null, label: null, state: null, from: null, to: null, before: null }
  const page = await callsPage(models.database, { companyId, projectId, ...any, limit: 10 })
  expect(page.map(({ keyId }) => keyId).toSorted()).toEqual([own, shared, left].toSorted())
})
