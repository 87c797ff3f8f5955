import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
beforeAll(async () => {
  backend = await startBackendHarness()
})
/** A company for each test, so that none sees the budgets of another one. */
beforeEach(async () => {
  const companyId = await backend.registerCompany()
  const person = async (role: 'OWNER' | 'DEVELOPER') => {
    const user = await backend.register(`${role}@${companyId}.example`, companyId)
    await backend.assignRole(companyId, user.userId, role)
    return user
  }
  owner = await person('OWNER')
  dev = await person('DEVELOPER')
})
afterAll(() => backend.close())

const BUDGET = 'level targetId label name credits period spent left'
const ask = (query: string, variables: object = {}, who = owner) => backend.ask(query, variables, who.token)
const setBudget = async (target: object, credits?: number | null, period?: string | null, who = owner) => {
  const reply = await ask(
    `mutation ($target: BudgetTarget!, $credits: Float, $period: BudgetPeriod) {
       setBudget(target: $target, credits: $credits, period: $period) { ${BUDGET} } }`,
    { target, credits, period },
    who,
  )
  return { ...reply, budget: reply.data?.setBudget }
}
const budgets = async (who = owner) => (await ask(`{ budgets { ${BUDGET} } }`, {}, who)).data.budgets
const createProject = async (input: object): Promise<string> =>
  (await ask('mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }', { input })).data
    .createProject.id
const mint = async (input: object = {}, who = owner) => {
  const query = `mutation ($input: MintApiKeyInput!) { mintApiKey(input: $input) {
    apiKey { id budget { credits period } projectId label labelFixed callsInFlight networks } secret } }`
  const reply = await ask(query, { input: { name: 'k', ...input } }, who)
  return { ...reply, key: reply.data?.mintApiKey?.apiKey }
}
const change = (id: string, input: object, who = owner) =>
  ask(
    'mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateApiKey(id: $id, input: $input) { id label networks callsInFlight } }',
    { id, input },
    who,
  )

describe('a budget', () => {
  test('can be set on the company, a project, a key and a label, and is listed until it is removed', async () => {
    const projectId = await createProject({ name: 'Search' })
    const { key } = await mint({ name: 'ci' })
    const nothingSpent = { period: 'MONTH', spent: 0 }
    const wanted = [
      [{ company: true }, { level: 'COMPANY', label: null, credits: 4, left: 4, ...nothingSpent }],
      [{ projectId }, { level: 'PROJECT', targetId: projectId, name: 'Search', credits: 3, left: 3, ...nothingSpent }],
      [{ keyId: key.id }, { level: 'KEY', targetId: key.id, name: 'ci', credits: 2, left: 2, ...nothingSpent }],
      [{ label: 'team-a' }, { level: 'LABEL', targetId: null, label: 'team-a', name: 'team-a', credits: 0.5 }],
    ] as const
    const set = []
    for (const [target, shown] of wanted) {
      const { budget } = await setBudget(target, shown.credits, 'MONTH')
      expect(budget).toMatchObject(shown)
      set.push(budget)
    }
    expect(await budgets()).toEqual(set)
    for (const [target] of wanted) expect((await setBudget(target, null)).errors).toBeUndefined()
    expect(await budgets()).toEqual([])
  })

  test('of a key is that of the key, with its rotations', async () => {
    const { key } = await mint()
    await setBudget({ keyId: key.id }, 5, 'DAY')
    const rotation = await ask(`mutation { rotateApiKey(id: "${key.id}") { apiKey { id budget { credits period } } } }`)
    const sibling = rotation.data.rotateApiKey.apiKey
    expect(sibling.budget).toEqual({ credits: 5, period: 'DAY' })
    expect((await budgets()).map(({ targetId }: { targetId: string }) => targetId)).toEqual([key.id])
    await setBudget({ keyId: sibling.id }, 6, 'DAY')
    expect(await budgets()).toMatchObject([{ targetId: sibling.id, credits: 6 }])
    for (const id of [key.id, sibling.id]) await ask(`mutation { revokeApiKey(id: "${id}") { id } }`)
    expect(await budgets()).toEqual([])
  })

  test('needs one target, credits or null, a period and a positive amount', async () => {
    for (const target of [
      {},
      { company: true, label: 'a' },
      { company: false },
      { label: '(other)' },
      { label: null },
    ]) {
      expect((await setBudget(target, 5, 'DAY')).code).toBe('BAD_USER_INPUT')
    }
    expect((await setBudget({ company: true }, 5)).code).toBe('BAD_USER_INPUT')
    expect((await setBudget({ company: true }, undefined, 'DAY')).code).toBe('BAD_USER_INPUT')
    for (const credits of [0, -1, 0.0000001]) {
      expect((await setBudget({ company: true }, credits, 'DAY')).code).toBe('BAD_USER_INPUT')
    }
    expect((await setBudget({ projectId: 'nothing' }, 5, 'DAY')).code).toBe('NOT_FOUND')
    expect(await budgets()).toEqual([])
  })

  test('is seen by developers if it is that of a project or key which they see', async () => {
    const own = await createProject({ name: 'Own', members: [dev.userId] })
    const hidden = await createProject({ name: 'Hidden' })
    const shared = (await mint({ projectId: own })).key.id
    const unseen = (await mint({ projectId: hidden })).key.id
    const minted = (await mint({}, dev)).key.id
    for (const projectId of [own, hidden]) await setBudget({ projectId }, 5, 'MONTH')
    for (const keyId of [shared, unseen, minted]) await setBudget({ keyId }, 5, 'MONTH')
    for (const target of [{ company: true }, { label: 'team-a' }]) await setBudget(target, 5, 'MONTH')
    const seen = (await budgets(dev)).map(({ targetId }: { targetId: string }) => targetId)
    expect(new Set(seen)).toEqual(new Set([own, shared, minted]))
    expect(await budgets()).toHaveLength(7)
    expect((await setBudget({ keyId: minted }, 6, 'MONTH', dev)).code).toBe('FORBIDDEN')
  })
})

test('what keys and the company have spent counts in the period of the budget', async () => {
  const { admin, key: gatewayKey } = backend
  const { keyId } = gatewayKey
  await setBudget({ company: true }, 1_000, 'DAY', admin)
  await setBudget({ keyId }, 1, 'TOTAL', admin)
  expect((await backend.chat(chatBody())).status).toBe(200)
  const shown = async () => {
    const [company, key] = await budgets(admin)
    return company.spent > 0 && { company, key }
  }
  const { company, key } = await until('the call is in the spend', shown)
  expect(company.left).toBeCloseTo(1_000 - company.spent, 6)
  expect(key).toMatchObject({ level: 'KEY', spent: company.spent, left: Math.max(0, 1 - company.spent) })
})

describe('the settings of a company', () => {
  test('are limits and rules for keys, each set as a whole', async () => {
    const LIMITS = '{ rpm tpm callsInFlight }'
    const RULES = '{ defaultBudget { credits period } maximumBudget { credits period } projectRequired }'
    const read = async () => (await ask(`{ companyLimits ${LIMITS} keyRules ${RULES} }`, {}, dev)).data
    const none = {
      companyLimits: { rpm: null, tpm: null, callsInFlight: null },
      keyRules: { defaultBudget: null, maximumBudget: null, projectRequired: false },
    }
    expect(await read()).toEqual(none)
    await ask(`mutation { setCompanyLimits(input: { rpm: 600, callsInFlight: 8 }) ${LIMITS} }`)
    const maximum = '{ credits: 5.5, period: MONTH }'
    const rules = await ask(
      `mutation { setKeyRules(input: { maximumBudget: ${maximum}, projectRequired: true }) ${RULES} }`,
    )
    const set = { defaultBudget: null, maximumBudget: { credits: 5.5, period: 'MONTH' }, projectRequired: true }
    expect(rules.data.setKeyRules).toEqual(set)
    expect(await read()).toEqual({ companyLimits: { rpm: 600, tpm: null, callsInFlight: 8 }, keyRules: set })
    await ask(`mutation { setCompanyLimits(input: {}) ${LIMITS} setKeyRules(input: {}) ${RULES} }`)
    expect(await read()).toEqual(none)
  })
})

describe('the keys of developers', () => {
  const setRules = (input: string) => ask(`mutation { setKeyRules(input: { ${input} }) { projectRequired } }`)

  test('follow the rules of the company, and those of admins do not', async () => {
    await setRules('defaultBudget: { credits: 2, period: MONTH }, maximumBudget: { credits: 5, period: MONTH }')
    expect((await mint({}, dev)).key.budget).toEqual({ credits: 2, period: 'MONTH' })
    expect((await mint({ budget: { credits: 5, period: 'MONTH' } }, dev)).key.budget.credits).toBe(5)
    for (const budget of [
      { credits: 5.000001, period: 'MONTH' },
      { credits: 1, period: 'DAY' },
    ]) {
      const refused = await mint({ budget }, dev)
      expect(refused.code).toBe('FORBIDDEN')
      expect(refused.errors?.[0].message).toMatch(/at most 5 credits a month/)
      expect((await mint({ budget })).code).toBeUndefined()
    }
    expect((await mint()).key.budget).toBeNull()
  })

  test('are put only into projects of theirs, and stay there', async () => {
    const own = await createProject({ name: 'Own', members: [dev.userId] })
    const hidden = await createProject({ name: 'Hidden' })
    await setRules('projectRequired: true')
    expect((await mint({}, dev)).code).toBe('FORBIDDEN')
    expect((await mint({ projectId: hidden }, dev)).code).toBe('FORBIDDEN')
    const { key } = await mint({ projectId: own }, dev)
    for (const projectId of [null, hidden]) expect((await change(key.id, { projectId }, dev)).code).toBe('FORBIDDEN')
    expect((await change(key.id, { projectId: hidden })).code).toBeUndefined()
  })

  test('cannot be rotated around a rule, and a rotated key has all restrictions of the first', async () => {
    const own = await createProject({ name: 'Own', members: [dev.userId] })
    const restricted = { label: 'team-a', labelFixed: true, callsInFlight: 4, networks: ['10.0.0.0/8'], projectId: own }
    const { key } = await mint(restricted, dev)
    const rotate = (id: string) =>
      ask(
        `mutation { rotateApiKey(id: "${id}") { apiKey { id projectId label labelFixed callsInFlight networks } } }`,
        {},
        dev,
      )
    const { id, ...kept } = (await rotate(key.id)).data.rotateApiKey.apiKey
    expect(kept).toEqual(restricted)
    for (const input of [{ labelFixed: false }, { label: 'team-b' }, { callsInFlight: 5 }, { callsInFlight: null }]) {
      for (const keyId of [key.id, id]) expect((await change(keyId, input, dev)).code).toBe('FORBIDDEN')
    }
    // Without a budget the key could be rotated on and on beyond the maximum.
    await setRules('maximumBudget: { credits: 5, period: MONTH }')
    expect((await rotate(id)).code).toBe('FORBIDDEN')
    expect((await change(id, { budget: { credits: 5, period: 'MONTH' } }, dev)).code).toBeUndefined()
    expect((await rotate(id)).code).toBeUndefined()
    await ask(`mutation { updateProject(id: "${own}", input: { members: [] }) { id } }`)
    expect((await rotate(id)).code).toBe('FORBIDDEN')
  })

  test('take settings that make sense only, and changing one key leaves its sibling as it is', async () => {
    for (const input of [{ labelFixed: true }, { callsInFlight: 0 }, { networks: [] }, { networks: ['10.0.0.1'] }]) {
      expect((await mint(input)).code).toBe('BAD_USER_INPUT')
    }
    expect((await mint({ projectId: 'nothing' })).code).toBe('NOT_FOUND')
    const { key } = await mint({ networks: ['10.0.0.0/8'], callsInFlight: 4 })
    const rotation = await ask(`mutation { rotateApiKey(id: "${key.id}") { apiKey { id } } }`)
    const lifted = await change(rotation.data.rotateApiKey.apiKey.id, { networks: null, callsInFlight: null })
    expect(lifted.data.updateApiKey).toMatchObject({ networks: null, callsInFlight: null })
    const { data } = await ask('{ apiKeys { id networks callsInFlight } }')
    expect(data.apiKeys.find(({ id }: { id: string }) => id === key.id)).toMatchObject({
      ...{ networks: ['10.0.0.0/8'], callsInFlight: 4 },
    })
  })
})
