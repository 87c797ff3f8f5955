import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROJECTS_MAX } from '../../../../../contracts/limits.ts'
import type { Role } from '../../../../../contracts/roles.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { projectCountOf } from '../../../../../projections/projects/queries.ts'
import { anEventOf } from '../../../../../test/support/events/history.ts'
import { projectCreated } from '../../../../../test/support/events/projectEvents.ts'
import {
  type BackendHarness,
  type Person,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'
import { chatBody } from '../../../../../test/support/harness/gatewayClient.ts'
import { until } from '../../../../../test/support/time/until.ts'

let backend: BackendHarness
let owner: Person
let dev: Person
let other: Person
beforeAll(async () => {
  backend = await startBackendHarness()
  owner = backend.admin
  const developer = async (name: string) => {
    const person = await backend.register(`${name}@first.example`, backend.companyId)
    await backend.assignRole(backend.companyId, person.userId, 'DEVELOPER' satisfies Role)
    return person
  }
  dev = await developer('dev')
  other = await developer('other')
})
afterAll(() => backend.close())

const PROJECT = 'id name members limits { rpm tpm callsInFlight } budget { credits period } archived createdAt keys'
const ask = (query: string, variables: object = {}, who = owner) => backend.ask(query, variables, who.token)
const create = async (input: object, who = owner) => {
  const reply = await ask(
    `mutation ($input: CreateProjectInput!) { createProject(input: $input) { ${PROJECT} } }`,
    { input },
    who,
  )
  return { ...reply, project: reply.data?.createProject }
}
const update = (id: string, input: object, who = owner) =>
  ask(
    `mutation ($id: ID!, $input: UpdateProjectInput!) { updateProject(id: $id, input: $input) { ${PROJECT} } }`,
    { id, input },
    who,
  )
const projectsSeenBy = async (who: Person, includeArchived = false) => {
  const { data } = await ask(`{ projects(includeArchived: ${includeArchived}) { id } }`, {}, who)
  return data.projects.map(({ id }: { readonly id: string }) => id) as string[]
}
const KEY = 'id projectId label labelFixed callsInFlight networks rotatedFrom mintedBy'
const mint = async (input: object, who = owner) => {
  const query = `mutation ($input: MintApiKeyInput!) { mintApiKey(input: $input) { apiKey { ${KEY} } secret } }`
  const reply = await ask(query, { input: { name: 'k', ...input } }, who)
  return { ...reply, key: reply.data?.mintApiKey?.apiKey, secret: reply.data?.mintApiKey?.secret }
}

describe('a project', () => {
  test('is created with its settings and listed, the oldest first', async () => {
    const { project } = await create({
      name: ' Search ',
      members: [dev.userId],
      limits: { rpm: 600, callsInFlight: 8 },
    })
    expect(project).toMatchObject({
      ...{ name: 'Search', members: [dev.userId], limits: { rpm: 600, tpm: null, callsInFlight: 8 } },
      ...{ budget: null, archived: false, keys: 0 },
    })
    const { project: next } = await create({ name: 'Next' })
    expect(next).toMatchObject({ members: [], limits: { rpm: null, tpm: null, callsInFlight: null } })
    expect((await projectsSeenBy(owner)).slice(-2)).toEqual([project.id, next.id])
  })

  test('keeps what an update does not name', async () => {
    const { project } = await create({ name: 'Search', members: [dev.userId], limits: { rpm: 600 } })
    const renamed = await update(project.id, { name: 'Find' })
    expect(renamed.data.updateProject).toEqual({ ...project, name: 'Find' })
    const { data } = await update(project.id, { members: [], limits: { tpm: 7 } })
    expect(data.updateProject).toMatchObject({ name: 'Find', members: [], limits: { rpm: null, tpm: 7 } })
  })

  test('has only users of the company as members', async () => {
    const stranger = await backend.register('stranger@second.example', await backend.registerCompany())
    for (const id of [stranger.userId, randomUUID(), 'nothing']) {
      expect((await create({ name: 'Search', members: [dev.userId, id] })).code).toBe('NOT_FOUND')
    }
    const { project } = await create({ name: 'Search' })
    expect((await update(project.id, { members: [stranger.userId] })).code).toBe('NOT_FOUND')
  })

  test('with a wrong name, limit or number of members is refused with BAD_USER_INPUT', async () => {
    const many = Array.from({ length: 201 }, () => randomUUID())
    for (const input of [{ name: ' ' }, { name: 'x', limits: { rpm: 0 } }, { name: 'x', members: many }]) {
      expect((await create(input)).code).toBe('BAD_USER_INPUT')
    }
  })

  test('is archived once none of its keys can be used, and changed only after that was undone', async () => {
    const { project } = await create({ name: 'Search' })
    const { key } = await mint({ projectId: project.id })
    expect(key.projectId).toBe(project.id)
    const refused = await update(project.id, { archived: true })
    expect(refused.code).toBe('BAD_USER_INPUT')
    expect(refused.errors?.[0].message).toMatch(/has 1 key that can be used/)
    await ask(`mutation { revokeApiKey(id: "${key.id}") { id } }`)
    expect((await update(project.id, { archived: true })).data.updateProject.archived).toBe(true)
    expect(await projectsSeenBy(owner)).not.toContain(project.id)
    expect(await projectsSeenBy(owner, true)).toContain(project.id)
    expect((await update(project.id, { name: 'Find' })).code).toBe('BAD_USER_INPUT')
    expect((await mint({ projectId: project.id })).code).toBe('BAD_USER_INPUT')
    expect((await update(project.id, { archived: false, name: 'Find' })).data.updateProject).toMatchObject({
      ...{ name: 'Find', archived: false },
    })
  })
})

test('a company has a limited number of projects, archived ones included', async () => {
  const companyId = await backend.registerCompany()
  const admin = await backend.register('admin@full.example', companyId)
  const { store, database } = backend.runtime.engines
  const projectIds = Array.from({ length: PROJECTS_MAX - 1 }, () => randomUUID())
  const appends = projectIds.map((projectId) =>
    store.append(streamName('project', projectId), 'any', [anEventOf(projectCreated(projectId, companyId))]),
  )
  await Promise.all(appends)
  const isShown = async () => (await projectCountOf(database, companyId)) === PROJECTS_MAX - 1
  await until('all projects are shown', isShown)
  const { project } = await create({ name: 'The last one' }, admin)
  await update(project.id, { archived: true }, admin)
  const refused = await create({ name: 'One more' }, admin)
  expect(refused.code).toBe('BAD_USER_INPUT')
  expect(refused.errors?.[0].message).toMatch(/at most 1000 projects/)
})

describe('a member of a project', () => {
  test('sees it, its keys and their usage and calls, and changes none of them', async () => {
    const { project } = await create({ name: 'Shared', members: [dev.userId] })
    const { project: hidden } = await create({ name: 'Hidden' })
    const { key, secret } = await mint({ projectId: project.id })
    expect(await projectsSeenBy(dev)).toContain(project.id)
    expect(await projectsSeenBy(dev)).not.toContain(hidden.id)
    expect(await projectsSeenBy(other)).toEqual([])
    await until(
      'the gateway knows the key',
      async () => (await backend.chat(chatBody(), { key: secret })).status === 200,
    )
    const reads = [
      `{ usage(keyId: "${key.id}") { nodes { group requests } } }`,
      `{ calls(keyId: "${key.id}") { nodes { id } } }`,
    ]
    await until('the call is listed', async () => (await ask(reads[1] ?? '', {}, dev)).data.calls.nodes[0])
    for (const query of reads) {
      expect((await ask(query, {}, dev)).code).toBeUndefined()
      expect((await ask(query, {}, other)).code).toBe('NOT_FOUND')
    }
    const inProject = `{ calls(projectId: "${project.id}") { nodes { keyId projectId } }
      usage(groupBy: [PROJECT, KEY]) { nodes { group subgroup } } }`
    const own = { calls: [{ keyId: key.id, projectId: project.id }], usage: [{ group: project.id, subgroup: key.id }] }
    for (const [who, shown] of [[dev, own] as const, [other, { calls: [], usage: [] }] as const]) {
      const { calls, usage } = (await ask(inProject, {}, who)).data
      expect({ calls: calls.nodes, usage: usage.nodes }).toEqual(shown)
    }
    const all = async (who: Person) =>
      (await ask('{ calls { nodes { id keyId } } usage { nodes { group } } }', {}, who)).data
    const [call] = (await all(dev)).calls.nodes
    expect(call.keyId).toBe(key.id)
    expect(await all(other)).toEqual({ calls: { nodes: [] }, usage: { nodes: [] } })
    expect((await ask(`{ call(id: "${call.id}") { id } }`, {}, dev)).data.call.id).toBe(call.id)
    expect((await ask(`{ call(id: "${call.id}") { id } }`, {}, other)).code).toBe('NOT_FOUND')
    const keysOf = async (who: Person) => (await ask('{ apiKeys { id } }', {}, who)).data.apiKeys
    expect(await keysOf(dev)).toEqual([{ id: key.id }])
    for (const change of [
      `updateApiKey(id: "${key.id}", input: { name: "mine" }) { id }`,
      `rotateApiKey(id: "${key.id}") { secret }`,
      `revokeApiKey(id: "${key.id}") { id }`,
    ]) {
      expect((await ask(`mutation { ${change} }`, {}, dev)).code).toBe('FORBIDDEN')
    }
    await update(project.id, { members: [] })
    expect(await keysOf(dev)).toEqual([])
    expect((await all(dev)).calls.nodes).toEqual([])
  })
})
