import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../../../../contracts/scopes.ts'
import { type BackendHarness, startBackendHarness } from '../../../../../test/support/harness/backendHarness.ts'
import { call, callIdOf, chatBody } from '../../../../../test/support/harness/gatewayClient.ts'
import { FOLLOWED_MS_MAX } from '../../../../../test/support/harness/gatewayHarness.ts'
import { steppedClock } from '../../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../../test/support/time/until.ts'
import { PAGE_ROWS_MAX } from '../../paging.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12, 0, 0))
let backend: BackendHarness
beforeAll(async () => {
  // A limit that is larger than an Int of GraphQL.
  backend = await startBackendHarness({ clock, env: { DEFAULT_KEY_TPM: '100000000000' } })
})
afterAll(() => backend.close())

const asAdmin = async (operation: string, variables: object = {}) =>
  backend.ask(operation, variables, backend.admin.token)
const asRoot = async (operation: string, variables: object = {}) =>
  backend.ask(operation, variables, backend.superAdmin.token)

describe('a key', () => {
  const KEY = 'id name hint status scopes models rpm tpm expiresAt rotatedFrom createdAt revokedAt'
  const mint = async (input: object) => {
    const mutation = `mutation ($input: MintApiKeyInput!) { mintApiKey(input: $input) { apiKey { ${KEY} } secret } }`
    return asAdmin(mutation, { input })
  }
  const keys = async () => (await asAdmin(`{ apiKeys { ${KEY} } }`)).data.apiKeys
  const statusWith = async (key: string) => (await call(backend.gatewayUrl, '/llm/v1/models', { key })).status
  const works = (key: string) => until('the key is known', async () => (await statusWith(key)) === 200)

  test('is minted with defaults, is listed at once, and works at the gateway', async () => {
    const { apiKey, secret } = (await mint({ name: 'ci' })).data.mintApiKey
    const { DEFAULT_KEY_RPM: rpm, DEFAULT_KEY_TPM: tpm } = backend.runtime.config
    expect(apiKey).toMatchObject({ name: 'ci', status: 'LIVE', models: null, rpm, tpm, expiresAt: null })
    expect(apiKey.scopes).toEqual(['inference:chat', 'inference:parse', 'usage:read'])
    expect(secret.startsWith(apiKey.hint)).toBe(true)
    expect(await keys()).toContainEqual(apiKey)
    await works(secret)
  })

  test('has the requested scopes, aliases, limits and expiry', async () => {
    const wanted = { scopes: [...SCOPES], models: ['svc/chat-cheap'], rpm: 7, tpm: 70 }
    const { data } = await mint({ name: 'narrow', ...wanted, expiresAt: '2026-06-01T14:00:00+01:00' })
    expect(data.mintApiKey.apiKey).toMatchObject({ ...wanted, expiresAt: '2026-06-01T13:00:00.000Z' })
  })

  test('is shown as expired from its expiry time on', async () => {
    const { apiKey } = (await mint({ name: 'brief', expiresAt: '2026-06-01T12:00:01Z' })).data.mintApiKey
    clock.advance(1_000)
    expect((await keys()).find(({ id }: { id: string }) => id === apiKey.id).status).toBe('EXPIRED')
  })

  test.each([
    ['an unknown scope', { scopes: ['admin:all'] }, /scopes: "admin:all" is not one of inference:chat/],
    ['no scope', { scopes: [] }, /scopes/],
    ['a name that cannot be an alias', { models: ['GPT-9'] }, /models: "GPT-9"/],
    ['an expiry in the past', { expiresAt: '2020-01-01' }, /expiresAt/],
    ['an expiry that is not a time', { expiresAt: 'soon' }, /ISO 8601/],
    ['a limit of 0', { rpm: 0 }, /rpm/],
    ['no name', { name: ' ' }, /name/],
  ])('is not minted with %s', async (_, changes, message) => {
    const { code, errors } = await mint({ name: 'wrong', ...changes })
    expect(code).toBe('BAD_USER_INPUT')
    expect(errors?.[0].message).toMatch(message)
  })

  test('rotates into a sibling with the same rights and stays live until it is revoked', async () => {
    const first = (await mint({ name: 'rotated', models: ['svc/chat-cheap'], rpm: 9 })).data.mintApiKey
    const rotation = `mutation ($id: ID!) { rotateApiKey(id: $id) { apiKey { ${KEY} } secret } }`
    const second = (await asAdmin(rotation, { id: first.apiKey.id })).data.rotateApiKey
    expect(second.apiKey).toMatchObject({ name: 'rotated', models: ['svc/chat-cheap'], rpm: 9, status: 'LIVE' })
    expect(second.apiKey.rotatedFrom).toBe(first.apiKey.id)
    await works(first.secret)
    await works(second.secret)
    const { data } = await asAdmin(`mutation { revokeApiKey(id: "${first.apiKey.id}") { status revokedAt } }`)
    expect(data.revokeApiKey).toEqual({ status: 'REVOKED', revokedAt: expect.any(String) })
    await until('the old key is refused', async () => (await statusWith(first.secret)) === 401)
    expect(await statusWith(second.secret)).toBe(200)
    expect((await asAdmin(rotation, { id: first.apiKey.id })).code).toBe('BAD_USER_INPUT')
  })

  test('rotates into a sibling with an expiry of its own, without one, or with that of the old key', async () => {
    const { apiKey } = (await mint({ name: 'renewed', expiresAt: '2026-07-01' })).data.mintApiKey
    const rotate = (args = '') =>
      asAdmin(`mutation { rotateApiKey(id: "${apiKey.id}"${args}) { apiKey { expiresAt } } }`)
    const expiryOf = async (args?: string) => (await rotate(args)).data.rotateApiKey.apiKey.expiresAt
    expect(await expiryOf()).toBe('2026-07-01T00:00:00.000Z')
    expect(await expiryOf(', expiresAt: "2026-09-01T00:00:00Z"')).toBe('2026-09-01T00:00:00.000Z')
    expect(await expiryOf(', expiresAt: null')).toBeNull()
    const before = await backend.runtime.engines.store.head()
    const past = await rotate(', expiresAt: "2020-01-01"')
    expect({ code: past.code, message: past.errors?.[0].message }).toEqual({
      code: 'BAD_USER_INPUT',
      message: 'expiresAt must be in the future',
    })
    expect(await backend.runtime.engines.store.head()).toBe(before)
  })

  test('is changed: what the input names, at the gateway within seconds', async () => {
    const { apiKey, secret } = (await mint({ name: 'before', label: 'team-a', rpm: 5 })).data.mintApiKey
    await works(secret)
    const change = `mutation ($id: ID!, $input: UpdateApiKeyInput!) {
      updateApiKey(id: $id, input: $input) { name rpm tpm scopes label budget { credits period spent } }
    }`
    const updated = async (input: object) => asAdmin(change, { id: apiKey.id, input })
    const before = { name: 'before', rpm: 5, tpm: apiKey.tpm, scopes: apiKey.scopes, label: 'team-a', budget: null }
    expect((await updated({})).data.updateApiKey).toEqual(before)
    const budget = { credits: 2.5, period: 'MONTH' }
    const after = { name: 'after', scopes: ['usage:read'], label: null, budget: { ...budget, spent: 0 } }
    const { data } = await updated({ name: 'after', scopes: ['usage:read'], label: null, budget })
    expect(data.updateApiKey).toEqual({ ...before, ...after })
    await until('the key has lost its scope', async () => (await statusWith(secret)) === 403, FOLLOWED_MS_MAX)
    expect((await updated({ budget: null })).data.updateApiKey.budget).toBeNull()
    expect((await updated({ label: 'no, commas' })).code).toBe('BAD_USER_INPUT')
    expect((await updated({ budget: { credits: 0, period: 'DAY' } })).code).toBe('BAD_USER_INPUT')
  })

  test('shares its budget with the keys that it is rotated into', async () => {
    const budget = { credits: 10, period: 'TOTAL' }
    const { apiKey } = (await mint({ name: 'shared', budget })).data.mintApiKey
    const rotation = `mutation { rotateApiKey(id: "${apiKey.id}") { apiKey { id budget { credits period } } } }`
    const sibling = (await asAdmin(rotation)).data.rotateApiKey.apiKey
    expect(sibling.budget).toEqual(budget)
    const raised = 'input: { budget: { credits: 20, period: DAY } }'
    await asAdmin(`mutation { updateApiKey(id: "${sibling.id}", ${raised}) { id } }`)
    const { data } = await asAdmin('{ apiKeys { id budget { credits period } lastUsedAt spentToday spentThisMonth } }')
    const found = data.apiKeys.filter(({ id }: { id: string }) => [apiKey.id, sibling.id].includes(id))
    const unused = { lastUsedAt: null, spentToday: 0, spentThisMonth: 0 }
    const shared = { budget: { credits: 20, period: 'DAY' }, ...unused }
    expect(found).toEqual([expect.objectContaining(shared), expect.objectContaining(shared)])
  })

  test('is stored without its secret', async () => {
    const { secret } = (await mint({ name: 'secret' })).data.mintApiKey
    const found = await backend.runtime.engines.database.query(
      `select 1 from event_store.events where data::text like '%' || $1 || '%'`,
      [secret.slice(8)],
    )
    expect(found).toEqual([])
  })
})

describe('credits', () => {
  const PAGE = 'nodes { id type credits amountMicros description callId createdAt } pageInfo { hasNextPage endCursor }'
  const grant = (credits: number | string, companyId: string, reason = 'goodwill') =>
    asRoot(
      `mutation { grantCredits(companyId: "${companyId}", credits: ${credits}, reason: "${reason}") { id type credits amountMicros description } }`,
    )
  const newCompany = async () => {
    const companyId = await backend.registerCompany()
    const { token } = await backend.register(`admin@${companyId}.example`, companyId)
    await until('it is listed', async () =>
      (await asRoot('{ companies { id } }')).data.companies.some(({ id }: { id: string }) => id === companyId),
    )
    return { companyId, ask: (query: string) => backend.ask(query, {}, token) }
  }

  test('are granted exactly and shown at once', async () => {
    const { companyId, ask } = await newCompany()
    expect((await ask('{ creditBalance { credits amountMicros updatedAt } }')).data.creditBalance).toEqual({
      credits: 0,
      amountMicros: '0',
      updatedAt: null,
    })
    for (const credits of ['0.1', '0.2', '0.000001', '900719925.474099']) await grant(credits, companyId)
    const { creditBalance } = (await ask('{ creditBalance { credits amountMicros } }')).data
    expect(creditBalance).toEqual({ credits: 900719925.7741, amountMicros: '900719925774100' })
    const { nodes } = (await ask(`{ creditTransactions { ${PAGE} } }`)).data.creditTransactions
    expect(nodes[3]).toMatchObject({
      type: 'ADJUSTMENT',
      credits: 0.1,
      amountMicros: '100000',
      description: 'goodwill',
    })
  })

  test.each(['0', '-5', '0.0000001', '1e30'])('an amount of %s is refused', async (credits) => {
    expect((await grant(credits, backend.companyId)).code).toBe('BAD_USER_INPUT')
  })

  test('are not granted to an unknown company', async () => {
    expect((await grant(1, '00000000-0000-4000-8000-000000000000')).code).toBe('NOT_FOUND')
    expect((await grant(1, 'mine')).code).toBe('NOT_FOUND')
  })

  test('are granted to a company that the read model does not show yet', async () => {
    const { companyId } = await newCompany()
    await backend.runtime.engines.database.query('delete from read_models.companies where company_id = $1', [companyId])
    expect((await grant(1, companyId)).data.grantCredits).toMatchObject({ credits: 1 })
  })

  test('are found by time and by type, page by page', async () => {
    const { companyId, ask } = await newCompany()
    for (const n of [1, 2, 3]) await grant(n, companyId)
    const credits = async (args: string) => {
      const { nodes, pageInfo } = (await ask(`{ creditTransactions(${args}) { ${PAGE} } }`)).data.creditTransactions
      return { found: nodes.map((node: { credits: number }) => node.credits), nodes, pageInfo }
    }
    const { nodes } = await credits('first: 3')
    const oldest = nodes[2].createdAt
    expect((await credits(`from: "${oldest}", type: ADJUSTMENT`)).found).toEqual([3, 2, 1])
    expect((await credits(`to: "${oldest}"`)).found).toEqual([])
    expect((await credits(`to: "2020-01-01"`)).found).toEqual([])
    expect((await credits('type: USAGE')).found).toEqual([])
    const page = await credits('first: 2, type: ADJUSTMENT, from: "2020-01-01"')
    expect(page.found).toEqual([3, 2])
    expect((await credits(`type: ADJUSTMENT, after: "${page.pageInfo.endCursor}"`)).found).toEqual([1])
  })

  test('are listed newest first, page by page, without a gap while new ones are booked', async () => {
    const { companyId, ask } = await newCompany()
    for (const n of [1, 2, 3, 4, 5]) await grant(n, companyId)
    const page = async (args: string) =>
      (await ask(`{ creditTransactions(${args}) { ${PAGE} } }`)).data.creditTransactions
    const first = await page('first: 2')
    expect(first.nodes.map(({ credits }: { credits: number }) => credits)).toEqual([5, 4])
    expect(first.pageInfo.hasNextPage).toBe(true)
    await grant(6, companyId)
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`)
    expect(second.nodes.map(({ credits }: { credits: number }) => credits)).toEqual([3, 2])
    const third = await page(`first: 2, after: "${second.pageInfo.endCursor}"`)
    expect(third.nodes).toHaveLength(1)
    expect(third.pageInfo.hasNextPage).toBe(false)
  })

  test.each([
    'first: 0',
    'first: 201',
    'after: "nonsense"',
    `after: "${Buffer.from('1; drop').toString('base64url')}"`,
  ])('are not listed with %s', async (args) => {
    expect((await asAdmin(`{ creditTransactions(${args}) { ${PAGE} } }`)).code).toBe('BAD_USER_INPUT')
  })

  test('are listed in the largest page with every field', async () => {
    expect((await asAdmin(`{ creditTransactions(first: ${PAGE_ROWS_MAX}) { ${PAGE} } }`)).errors).toBeUndefined()
  })

  test('are filtered by type and time; usage is grouped by alias, day, hour and key', async () => {
    const answer = await backend.chat(chatBody())
    const listed = async (args: string) =>
      (await asAdmin(`{ creditTransactions(${args}) { ${PAGE} } }`)).data.creditTransactions.nodes
    const [charge] = await until('the charge is listed', async () => {
      const nodes = await listed('type: USAGE')
      return nodes.length > 0 && nodes
    })
    expect(charge).toMatchObject({ type: 'USAGE', credits: -1.25, amountMicros: '-1250000', callId: callIdOf(answer) })
    expect(charge.description).toBe('svc/chat-default: 1000 tokens in, 500 out')
    expect(await listed('type: REFUND')).toEqual([])
    expect(await listed('type: USAGE, to: "2026-06-01T12:00:00Z"')).toEqual([])
    expect(await listed('type: USAGE, from: "2026-06-01T12:00:00Z", to: "2026-06-02"')).toHaveLength(1)

    const usage = async (args: string) => {
      const query = `{ usage${args} { nodes { group requests failures tokensIn tokensOut credits amountMicros } pageInfo { hasNextPage } } }`
      return (await asAdmin(query)).data.usage.nodes
    }
    await until('the usage is visible', async () => (await usage('')).length > 0)
    const used = { requests: 1, failures: 0, tokensIn: 1000, tokensOut: 500, credits: 1.25, amountMicros: '1250000' }
    expect(await usage('')).toEqual([{ group: 'svc/chat-default', ...used }])
    expect(await usage('(groupBy: DAY)')).toEqual([{ group: '2026-06-01T00:00:00.000Z', ...used }])
    expect(await usage('(groupBy: HOUR)')).toEqual([{ group: '2026-06-01T12:00:00.000Z', ...used }])
    expect(await usage(`(keyId: "${backend.key.keyId}")`)).toHaveLength(1)
    expect(await usage('(to: "2026-06-01")')).toEqual([])
    expect(await usage('(from: "2026-08-01")')).toEqual([])
    const backwards = await asAdmin('{ usage(from: "2026-06-02", to: "2026-06-01") { nodes { group } } }')
    expect(backwards.code).toBe('BAD_USER_INPUT')
    const { data: grouped } = await asAdmin(`{
      twice: usage(groupBy: [MONTH, KEY]) { nodes { group subgroup requests } }
      labelled: usage(groupBy: [LABEL], label: "team-a") { nodes { group } }
    }`)
    const [twice] = grouped.twice.nodes
    expect(twice).toMatchObject({ group: '2026-06-01T00:00:00.000Z', subgroup: backend.key.keyId })
    expect(grouped.labelled.nodes).toEqual([])
    expect((await asAdmin('{ usage(groupBy: [DAY, DAY]) { nodes { group } } }')).code).toBe('BAD_USER_INPUT')
    const tooLong = await asAdmin('{ usage(from: "2020-01-01") { nodes { group } } }')
    expect(tooLong.code).toBe('BAD_USER_INPUT')
  })
})

describe('a job', () => {
  const JOB = 'id title status location employmentType seniority requirements metadata createdAt'

  test('is a draft until it is published, and stays closed once closed', async () => {
    const input = {
      title: 'Welder',
      location: 'Oslo',
      employmentType: null,
      requirements: ['MIG'],
      metadata: { team: { size: 4 } },
    }
    const post = `mutation ($input: PostJobInput!) { postJob(input: $input) { ${JOB} } }`
    const job = (await asAdmin(post, { input })).data.postJob
    expect(job).toMatchObject({ ...input, status: 'DRAFT', seniority: null })
    const set = async (what: string) => await asAdmin(`mutation { ${what}(id: "${job.id}") { ${JOB} } }`)
    expect((await set('publishJob')).data.publishJob.status).toBe('ACTIVE')
    expect((await asAdmin(`{ jobs { ${JOB} } }`)).data.jobs[0]).toEqual({ ...job, status: 'ACTIVE' })
    expect((await set('closeJob')).data.closeJob.status).toBe('CLOSED')
    expect((await set('publishJob')).code).toBe('BAD_USER_INPUT')
  })

  test('accepts metadata as a literal; metadata that no event can hold is BAD_USER_INPUT', async () => {
    const { data } = await asAdmin(
      'mutation { postJob(input: { title: "A", metadata: { a: [1, "b", true, null] } }) { metadata } }',
    )
    expect(data.postJob.metadata).toEqual({ a: [1, 'b', true, null] })
    const post = 'mutation ($input: PostJobInput!) { postJob(input: $input) { id } }'
    expect((await asAdmin(post, { input: { title: 'A', metadata: { a: 'nul \0' } } })).code).toBe('BAD_USER_INPUT')
    expect((await asAdmin(post, { input: { title: 'A', metadata: [1] } })).code).toBe('BAD_USER_INPUT')
  })
})

describe('a talent', () => {
  test('is registered and listed with a name that no table holds', async () => {
    const input = { name: 'Łucja Ørsted', location: 'Oslo', yearsOfExperience: 3.5, skills: ['MIG'], languages: ['no'] }
    const TALENT = 'id name location seniority yearsOfExperience skills languages createdAt'
    const register = `mutation ($input: RegisterTalentInput!) { registerTalent(input: $input) { ${TALENT} } }`
    const talent = (await asAdmin(register, { input })).data.registerTalent
    expect(talent).toMatchObject({ ...input, seniority: null })
    expect((await asAdmin(`{ talents { ${TALENT} } }`)).data.talents).toEqual([talent])
    const [row] = await backend.runtime.engines.database.query('select name from read_models.talents')
    expect(row?.name).toMatch(/^~personal\./)
  })
})

describe('a company', () => {
  const COMPANY = 'id name billingMode hardCap createdAt'

  test('is created and listed; its billing mode and hard cap can be set', async () => {
    const { createCompany } = (await asRoot(`mutation { createCompany(input: { name: "New" }) { ${COMPANY} } }`)).data
    expect(createCompany).toMatchObject({ name: 'New', billingMode: 'PREPAID', hardCap: false })
    const { id } = createCompany
    const offer = 'name: "Enterprise", billingMode: POSTPAID, price: 100, currency: "usd", creditsPerPeriod: 1000'
    const createPlan = `mutation { createPlan(input: { ${offer}, dueDays: 30 }) { id dueDays } }`
    const plan = (await asRoot(createPlan)).data.createPlan
    expect(plan.dueDays).toBe(30)
    const mode = (more: string) =>
      `mutation { setCompanyBillingMode(companyId: "${id}", billingMode: POSTPAID${more}) { ${COMPANY} planId } }`
    expect((await asRoot(mode(''))).code).toBe('BAD_USER_INPUT')
    expect((await asRoot(mode(`, planId: "${id}"`))).code).toBe('NOT_FOUND')
    const prepaid = offer.replace('POSTPAID', 'PREPAID')
    const other = (await asRoot(`mutation { createPlan(input: { ${prepaid} }) { id dueDays } }`)).data.createPlan
    expect(other.dueDays).toBe(14)
    expect((await asRoot(mode(`, planId: "${other.id}"`))).code).toBe('BAD_USER_INPUT')
    const set = (await asRoot(mode(`, planId: "${plan.id}"`))).data.setCompanyBillingMode
    expect(set).toMatchObject({ billingMode: 'POSTPAID', planId: plan.id })
    const cap = `mutation { setHardCap(companyId: "${id}", hardCap: true) { ${COMPANY} } }`
    const { setHardCap } = (await asRoot(cap)).data
    expect(setHardCap).toEqual({ ...createCompany, billingMode: 'POSTPAID', hardCap: true })
    expect((await asRoot(`{ companies { ${COMPANY} } }`)).data.companies).toContainEqual(setHardCap)
    const limit = (credits: number | null) =>
      `mutation { setCreditLimit(companyId: "${id}", credits: ${credits}) { id creditLimit } }`
    expect((await asRoot(limit(12.5))).data.setCreditLimit).toEqual({ id, creditLimit: 12.5 })
    expect((await asRoot(limit(-1))).code).toBe('BAD_USER_INPUT')
    expect((await asRoot(limit(null))).data.setCreditLimit).toEqual({ id, creditLimit: null })
    expect((await asRoot(cap.replace(id, '00000000-0000-4000-8000-000000000000'))).code).toBe('NOT_FOUND')
  })
})

describe('calls', () => {
  const CALL = 'id state alias keyId label endpoint streamed tokensIn tokensOut credits amountMicros reason'

  test('are listed page by page, by each filter, and found by id', async () => {
    const answers: Awaited<ReturnType<typeof backend.chat>>[] = []
    for (const label of ['listed-a', 'listed-b', 'listed-a']) {
      answers.push(await backend.chat(chatBody(), { headers: { 'x-usage-label': label } }))
    }
    const [first = '', second = '', third = ''] = answers.map(callIdOf)
    const listed = async (args: string) => {
      const { data } = await asAdmin(`{ calls(${args}) { nodes { ${CALL} } pageInfo { hasNextPage endCursor } } }`)
      return { ids: data.calls.nodes.map(({ id }: { id: string }) => id), ...data.calls }
    }
    await until('the last call is listed', async () => (await listed('label: "listed-a"')).ids.includes(third))
    // The clock of the tests stands still, so these calls finished at the same time.
    const labelled = (await listed('label: "listed-a"')).ids
    expect(labelled.toSorted()).toEqual([first, third].toSorted())
    expect((await listed('first: 50')).ids).toEqual(expect.arrayContaining([first, second, third]))
    const { keyId } = backend.key
    const found = await listed(`keyId: "${keyId}", alias: "svc/chat-default", state: CHARGED, label: "listed-b"`)
    const facts = {
      alias: 'svc/chat-default',
      keyId,
      label: 'listed-b',
      endpoint: '/chat/completions',
      streamed: false,
    }
    const counts = { tokensIn: 1_000, tokensOut: 500, credits: 1.25, amountMicros: '1250000' }
    expect(found.nodes).toEqual([{ id: second, state: 'CHARGED', ...facts, ...counts, reason: null }])
    expect((await listed('state: FAILED, label: "listed-a"')).ids).toEqual([])
    expect((await listed('to: "2020-01-01"')).ids).toEqual([])
    const page = await listed('first: 1, label: "listed-a", from: "2020-01-01"')
    expect([page.ids, page.pageInfo.hasNextPage]).toEqual([labelled.slice(0, 1), true])
    expect((await listed(`first: 1, label: "listed-a", after: "${page.pageInfo.endCursor}"`)).ids).toEqual(
      labelled.slice(1),
    )
    expect((await asAdmin(`{ call(id: "${second}") { ${CALL} } }`)).data.call).toEqual(found.nodes[0])
  })

  test.each(['after: "nonsense"', `after: "${Buffer.from('999999999999999 x').toString('base64url')}"`, 'first: 0'])(
    'are not listed with %s',
    async (args) => {
      expect((await asAdmin(`{ calls(${args}) { nodes { id } } }`)).code).toBe('BAD_USER_INPUT')
    },
  )
})
