import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectEvent } from '../../contracts/events/project.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { minted, revoked } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { projectBudgetSet, projectCreated, projectUpdated } from '../../test/support/events/projectEvents.ts'
import { apiKeys } from '../apiKeys/projection.ts'
import { applyEvents } from '../projection.ts'
import { projects } from './projection.ts'
import { liveKeysByProject, projectCountOf, projectOf, projectsOf } from './queries.ts'

const projectId = randomUUID()
const companyId = randomUUID()
const [ada, bob] = [randomUUID(), randomUUID()]
const created = projectCreated(projectId, companyId, { memberIds: [ada] })
const rowAfter = (...events: ProjectEvent[]) =>
  [...applyEvents(projects, history(streamName('project', projectId), ...events)).values()][0]

describe('a project', () => {
  test('has a row as created, without a budget', () => {
    expect(rowAfter(created)).toEqual({
      ...{ projectId, companyId, name: 'Search', memberIds: [ada], archived: false, createdAt: AT },
      ...{ limits: { rpm: null, tpm: null, callsInFlight: null }, budgetMicros: null, budgetPeriod: null },
    })
  })

  test('has the changed settings, and keeps the rest', () => {
    const limits = { rpm: 7, tpm: null, callsInFlight: null }
    const changed = projectUpdated(projectId, { name: 'Find', limits })
    expect(rowAfter(created, changed)).toEqual({ ...rowAfter(created), name: 'Find', limits })
    const archived = rowAfter(created, changed, projectUpdated(projectId, { archived: true, memberIds: [] }))
    expect(archived).toMatchObject({ name: 'Find', archived: true, memberIds: [] })
  })

  test('has a budget until it is removed', () => {
    const set = projectBudgetSet(projectId)
    expect(rowAfter(created, set)).toMatchObject({ budgetMicros: '5000000', budgetPeriod: 'MONTH' })
    expect(rowAfter(created, set, projectBudgetSet(projectId, null))).toEqual(rowAfter(created))
  })

  test('that was never created cannot change', () => {
    expect(() => rowAfter(projectBudgetSet(projectId))).toThrow(/never created/)
  })
})

describe('the projects of a company', () => {
  let models: ReadModels
  const archivedId = randomUUID()
  const foreignId = randomUUID()
  beforeAll(async () => {
    models = await ReadModels.open()
    const append = (id: string, ...events: ProjectEvent[]) => models.append(streamName('project', id), ...events)
    await append(projectId, created)
    const old = projectCreated(archivedId, companyId, { memberIds: [ada, bob], createdAt: '2025-01-01T00:00:00.000Z' })
    await append(archivedId, old, projectUpdated(archivedId, { archived: true }))
    await append(foreignId, projectCreated(foreignId, randomUUID(), { memberIds: [ada] }))
    const mint = async (id: string, changes: object) =>
      models.append(streamName('apiKey', id), minted(id, { companyId, projectId, ...changes }))
    const gone = randomUUID()
    await mint(randomUUID(), {})
    await mint(randomUUID(), { expiresAt: '2026-04-01T00:00:00.000Z' })
    await mint(randomUUID(), { projectId: null })
    await mint(gone, {})
    await models.append(streamName('apiKey', gone), revoked(gone))
    for (const model of [projects, apiKeys]) await models.rebuild(model)
  })
  afterAll(() => models.close())

  const idsOf = async (memberId: string | null, includeArchived: boolean) =>
    (await projectsOf(models.database, { companyId, memberId, includeArchived })).map((row) => row.projectId)

  test('are listed the oldest first, with archived ones only on request', async () => {
    expect(await idsOf(null, false)).toEqual([projectId])
    expect(await idsOf(null, true)).toEqual([archivedId, projectId])
    expect(await projectCountOf(models.database, companyId)).toBe(2)
  })

  test('are for a member those that they are a member of', async () => {
    expect(await idsOf(ada, true)).toEqual([archivedId, projectId])
    expect(await idsOf(bob, true)).toEqual([archivedId])
    expect(await idsOf(bob, false)).toEqual([])
    expect(await idsOf(randomUUID(), true)).toEqual([])
  })

  test('do not include those of another company', async () => {
    expect((await projectOf(models.database, companyId, projectId))?.memberIds).toEqual([ada])
    expect(await projectOf(models.database, companyId, foreignId)).toBeNull()
  })

  test('count the keys that can still be used', async () => {
    const liveAt = async (at: string) => [...(await liveKeysByProject(models.database, companyId, at))]
    expect(await liveAt('2026-03-31T23:59:59.999Z')).toEqual([[projectId, 2]])
    expect(await liveAt('2026-04-01T00:00:00.000Z')).toEqual([[projectId, 1]])
  })
})
