import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDelivery } from '../../../../capabilities/webhooks/deliveryTable.ts'
import { LOW_BALANCE_RULES } from '../../../../contracts/events/company.ts'
import { ROLES, type Role } from '../../../../contracts/roles.ts'
import { type Category, categoryOf, streamName } from '../../../../contracts/streams.ts'
import { type RootField, rootFieldsOf, wholeOperation } from '../../../../test/support/cases/graphqlSelection.ts'
import { foldLots } from '../../../../test/support/databases/foldLots.ts'
import { everyStream, generatorLife } from '../../../../test/support/eventStores/everyStream.ts'
import { anEventOf } from '../../../../test/support/events/history.ts'
import { insightGenerated, meetingHeld } from '../../../../test/support/events/workerEvents.ts'
import {
  type BackendHarness,
  bearer,
  type Person,
  type Reply,
  startBackendHarness,
} from '../../../../test/support/harness/backendHarness.ts'
import { callIdOf, chatBody } from '../../../../test/support/harness/gatewayClient.ts'
import { until } from '../../../../test/support/time/until.ts'
import { StoredTransparencyLog } from '../../../../test/support/transparency/storedTransparencyLog.ts'
import { loadSchema, rootTypes, unansweredOperations } from '../schema.ts'
import { OPERATION_ACCESS, type Operation } from './operationAccess.ts'

/** Objects of the first company, which the other one tries to access. */
type World = {
  readonly userId: string
  readonly invitationId: string
  readonly callId: string
  readonly keyId: string
  readonly jobId: string
  readonly talentId: string
  readonly companyId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly sessionId: string
}

type Entry = {
  /** Valid arguments. */
  readonly args?: string
  /** Arguments that name an object of the first company, which the other one must not find. */
  readonly foreign?: (world: World) => string
  /** The same for every company. */
  readonly shared?: true
  /** Takes a file, as the variable $file. */
  readonly upload?: true
  /** Super admins may call it too, but an admin sees only their own company. */
  readonly ownOnly?: true
}

const NO_ID = '"00000000-0000-4000-8000-000000000000"'

/** On a busy machine, all at once would wait too long for a connection to the database. */
const AT_ONCE = 10
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))))
  }
  return results
}

/** Every operation of the schema. One that is missing here fails the first test. */
const OPERATIONS: Readonly<Record<string, Entry>> = {
  whoAmI: {},
  sessions: {},
  users: {},
  invitations: {},
  apiKeys: {},
  creditBalance: {},
  creditTransactions: {},
  creditLots: {},
  usage: { foreign: ({ keyId }) => `keyId: "${keyId}"` },
  calls: { foreign: ({ keyId }) => `keyId: "${keyId}"` },
  call: { args: `id: ${NO_ID}`, foreign: ({ callId }) => `id: "${callId}"` },
  // Both companies have events of most types.
  trail: { args: 'filter: { type: "JobPosted" }', ownOnly: true },
  ledgerReceipt: { args: `eventId: ${NO_ID}`, foreign: ({ callId }) => `eventId: "${callId}"` },
  statement: {
    args: 'from: "2026-01-01", to: "2100-01-01"',
    foreign: ({ companyId }) => `from: "2026-01-01", to: "2100-01-01", companyId: "${companyId}"`,
  },
  plans: { shared: true },
  creditPacks: { shared: true },
  creditPackTerms: { shared: true },
  subscription: {},
  subscriptions: {},
  invoices: {},
  purchases: {},
  topUp: {},
  noticeSettings: {},
  jobs: {},
  talents: {},
  matchScores: { args: `jobId: ${NO_ID}`, foreign: ({ jobId }) => `jobId: "${jobId}"` },
  documents: {},
  meetingInsights: { ownOnly: true },
  webhookEndpoints: {},
  webhookDeliveries: {
    args: `endpointId: ${NO_ID}`,
    foreign: ({ endpointId }) => `endpointId: "${endpointId}"`,
  },
  companies: {},
  webhookEvents: {},
  parkedTasks: {},
  readModels: {},
  leases: {},
  generator: {},
  ledgerLog: {},
  models: {},
  margin: { args: 'from: "2026-01-01", to: "2026-02-01"' },
  reconciliation: { args: 'month: "2026-01"' },
  disputes: {},
  priceBook: {},
  priceBooks: {},
  setupStatus: {},
  previewPriceBook: {
    args: 'input: { retire: ["svc/chat-default"] }, from: "2026-01-01", to: "2026-01-02"',
  },

  login: {},
  acceptInvitation: {},
  requestPasswordReset: {},
  resetPassword: {},
  inviteUser: { args: 'email: "new@third.example", role: DEVELOPER' },
  withdrawInvitation: { args: `id: ${NO_ID}`, foreign: ({ invitationId }) => `id: "${invitationId}"` },
  changePassword: { args: 'oldPassword: "wrong one", newPassword: "another one"' },
  signOutEverywhere: {},
  endSession: { args: `id: ${NO_ID}`, foreign: ({ sessionId }) => `id: "${sessionId}"` },
  setRole: {
    args: `userId: ${NO_ID}, role: BILLING`,
    foreign: ({ userId }) => `userId: "${userId}", role: BILLING`,
  },
  removeUser: { args: `userId: ${NO_ID}`, foreign: ({ userId }) => `userId: "${userId}"` },
  mintApiKey: { args: 'input: { name: "other" }' },
  rotateApiKey: { args: `id: ${NO_ID}`, foreign: ({ keyId }) => `id: "${keyId}"` },
  updateApiKey: {
    args: `id: ${NO_ID}, input: {}`,
    foreign: ({ keyId }) => `id: "${keyId}", input: { name: "mine" }`,
  },
  revokeApiKey: { args: `id: ${NO_ID}`, foreign: ({ keyId }) => `id: "${keyId}"` },
  createCheckout: { args: `input: { packId: ${NO_ID} }` },
  setTopUp: { args: 'input: { enabled: false }' },
  setCreditLimit: { args: `companyId: ${NO_ID}, credits: 100` },
  changePlan: { args: `planId: ${NO_ID}` },
  cancelSubscription: {},
  resumeSubscription: {},
  setNoticeSettings: { args: 'lowBalanceCredits: 12.5' },
  setHardCap: {
    args: `companyId: ${NO_ID}, hardCap: true`,
    foreign: ({ companyId }) => `companyId: "${companyId}", hardCap: true`,
  },
  postJob: { args: 'input: { title: "Other" }' },
  publishJob: { args: `id: ${NO_ID}`, foreign: ({ jobId }) => `id: "${jobId}"` },
  closeJob: { args: `id: ${NO_ID}`, foreign: ({ jobId }) => `id: "${jobId}"` },
  registerTalent: { args: 'input: { name: "Other" }' },
  eraseTalent: { args: `id: ${NO_ID}`, foreign: ({ talentId }) => `id: "${talentId}"` },
  uploadCv: { args: 'file: $file', upload: true },
  uploadJobDocument: { args: 'file: $file', upload: true },
  createWebhookEndpoint: { args: 'url: "https://hooks.example/other", types: ["balance.low"]' },
  deleteWebhookEndpoint: { args: `id: ${NO_ID}`, foreign: ({ endpointId }) => `id: "${endpointId}"` },
  resendDelivery: { args: `id: ${NO_ID}`, foreign: ({ deliveryId }) => `id: "${deliveryId}"` },

  syncAllPlansProviderPricing: {},
  createCreditPack: {
    args: 'input: { name: "p", credits: 1, price: 1, currency: "usd", sortOrder: 1 }',
  },
  updateCreditPack: { args: `id: ${NO_ID}, input: { name: "p" }` },
  retireCreditPack: { args: `id: ${NO_ID}` },
  updatePlan: { args: `id: ${NO_ID}, input: { name: "p" }` },
  retirePlan: { args: `id: ${NO_ID}` },
  createPlan: {
    args: 'input: { name: "p", billingMode: PREPAID, price: 1, currency: "usd", creditsPerPeriod: 1 }',
  },
  createCompany: { args: 'input: { name: "c" }' },
  createUser: { args: 'input: { email: "a@b.example", password: "a good password" }' },
  eraseUser: { args: `id: ${NO_ID}` },
  setCompanyBillingMode: { args: `companyId: ${NO_ID}, billingMode: POSTPAID` },
  suspendCompany: { args: `id: ${NO_ID}, reason: "r"` },
  resumeCompany: { args: `id: ${NO_ID}` },
  adjustCredits: { args: `companyId: ${NO_ID}, credits: -1, reason: "r"` },
  grantCredits: { args: `companyId: ${NO_ID}, credits: 1, reason: "r"` },
  publishPriceBook: {
    args: 'input: { prices: [{ alias: "svc/chat-default", inputPerMillionTokens: 1, outputPerMillionTokens: 1 }] }',
  },
  explainDifference: { args: `id: ${NO_ID}, reason: "r"` },
  settleInvoice: { args: 'id: "in_none", reason: "r"' },
  voidInvoice: { args: 'id: "in_none", reason: "r"' },
  deactivateStaleSubscriptions: { args: 'before: "2026-01-01"' },
  replayWebhook: { args: 'id: "evt_1"' },
  requeueParkedTask: { args: `id: ${NO_ID}` },
  testModel: { args: 'alias: "svc/unknown"' },
  startGenerator: {},
  stopGenerator: {},

  logStream: {},
  balanceChanged: {},
  callFinished: {},
}

/** company: for users of a company, limited to that company. */
function accessOf(name: string): 'public' | 'user' | 'company' | 'superAdmin' {
  const access = OPERATION_ACCESS[name as Operation]
  if (access === 'public') return 'public'
  if (access === 'signedIn') return 'user'
  if (access.superAdmin) return access.roles.length === 0 ? 'superAdmin' : 'user'
  return 'company'
}

const schema = loadSchema()
const fields = rootFieldsOf(rootTypes(schema))
const unanswered = new Set(unansweredOperations(schema).map((operation) => operation.split('.')[1]))
const answered = Object.entries(OPERATIONS).filter(([name]) => !unanswered.has(name))
const having = (test: (entry: Entry & { readonly access: string }) => boolean) =>
  answered.filter(([name, entry]) => test({ ...entry, access: accessOf(name) }))

let backend: BackendHarness
let other: Person
let world: World
beforeAll(async () => {
  backend = await startBackendHarness()
  other = await backend.register('admin@second.example', await backend.registerCompany())
  world = await fillFirstCompany()
})
afterAll(() => backend.close())

async function fillFirstCompany(): Promise<World> {
  const { admin, ask, chat, key } = backend
  const done = async (mutation: string) => {
    const { data, errors } = await ask(`mutation { ${mutation} }`, {}, admin.token)
    expect(errors).toBeUndefined()
    return Object.values(data)[0] as { id: string }
  }
  const callId = callIdOf(await chat(chatBody()))
  const job = await done('postJob(input: { title: "Welder of the first" }) { id }')
  const talent = await done('registerTalent(input: { name: "Ada of the first" }) { id }')
  const invitation = await done('inviteUser(email: "eve@first.example", role: BILLING) { id }')
  await until(
    'the call is in the usage',
    async () => (await ask('{ usage { nodes { group } } }', {}, admin.token)).data.usage.nodes[0],
  )
  await fillByEvents(job.id, talent.id)
  await done('setNoticeSettings(lowBalanceCredits: 7.25) { lowBalance }')
  await until(
    'the call is listed',
    async () => (await ask('{ calls { nodes { id } } }', {}, admin.token)).data.calls.nodes[0],
  )
  await until('the job is in the trail', async () => (await run('trail', admin.token)).data.trail.nodes[0])
  const ledgerLog = new StoredTransparencyLog(backend.runtime.engines.database, backend.runtime.engines.storeAsWritten)
  await ledgerLog.seal()
  await ledgerLog.sign()
  const { endpointId, deliveryId } = await queueMessage()
  const session = proofOf(await backend.signIn(admin))
  const opened = await (await fetch(`${backend.url}/session`, { headers: session })).json()
  const sessionId = (opened as { readonly session: { readonly id: string } }).session.id
  const ids = { sessionId, invitationId: invitation.id, jobId: job.id, talentId: talent.id, endpointId, deliveryId }
  return { companyId: backend.companyId, userId: backend.admin.userId, callId, keyId: key.keyId, ...ids }
}

async function queueMessage() {
  const { admin, ask, companyId, runtime } = backend
  const url = 'https://hooks.example/first'
  const { data } = await ask(
    `mutation { createWebhookEndpoint(url: "${url}", types: ["balance.low"]) { endpoint { id } } }`,
    {},
    admin.token,
  )
  const endpointId: string = data.createWebhookEndpoint.endpoint.id
  const deliveryId = randomUUID()
  const subject = {
    deliveryId,
    endpointId,
    companyId,
    type: 'balance.low',
  } as const
  const message = { messageId: randomUUID(), number: '1', body: '{}' }
  await addDelivery(runtime.engines.database, { ...subject, ...message }, new Date().toISOString())
  return { endpointId, deliveryId }
}

/** Records of payments, meetings and background work, which no mutation creates. */
async function fillByEvents(jobId: string, talentId: string): Promise<void> {
  const { companyId, admin, ask } = backend
  const { store } = backend.runtime.engines
  const kept: Category[] = ['subscription', 'invoice', 'purchase', 'topUp', 'document']
  const histories = everyStream(companyId).filter(({ stream }) => (kept as string[]).includes(categoryOf(stream)))
  const room = `job-${jobId}--talent-${talentId}`
  const links = { companyId, jobId, talentId }
  histories.push({
    stream: streamName('meeting', room),
    events: [meetingHeld(room), insightGenerated(room, randomUUID(), links)],
  })
  histories.push({ stream: streamName('generator', 'test'), events: generatorLife('test', links) })
  for (const { stream, events } of histories)
    await store.append(
      stream,
      'any',
      events.map((event) => anEventOf(event)),
    )
  const shown = `{ documents { id } meetingInsights { nodes { id } } invoices { id } purchases { id }
    subscription { id } matchScores(jobId: "${jobId}") { talentId } }`
  await until('all of it is shown', async () => {
    const { data } = await ask(shown, {}, admin.token)
    const { documents, meetingInsights, invoices, purchases, subscription, matchScores } = data
    const lists = [documents, meetingInsights.nodes, invoices, purchases, matchScores]
    return subscription && lists.every((list) => list.length === 1)
  })
  await foldLots(backend.runtime.engines)
}

/** A token, or the headers of a browser that is signed in; null: neither. */
type Who = string | null | Readonly<Record<string, string>>

function proofOf(who: Who): Readonly<Record<string, string>> {
  return who === null || typeof who === 'string' ? bearer(who) : who
}

/** The operation with all its fields selected. */
async function run(name: string, who: Who, args = OPERATIONS[name]?.args): Promise<Reply> {
  const root = fields.get(name) as RootField
  if (OPERATIONS[name]?.upload) return upload(root, who)
  const headers = { 'content-type': 'application/json', ...proofOf(who) }
  const body = JSON.stringify({ query: wholeOperation(root, args) })
  return backend.reply(await fetch(`${backend.url}/graphql`, { method: 'POST', headers, body }))
}

async function upload(root: RootField, who: Who): Promise<Reply> {
  const query = wholeOperation(root, 'file: $file').replace('mutation', 'mutation ($file: Upload!)')
  const form = new FormData()
  form.set('operations', JSON.stringify({ query, variables: { file: null } }))
  form.set('map', JSON.stringify({ 0: ['variables.file'] }))
  form.set('0', new File(['Ada Lovelace'], 'cv.txt', { type: 'text/plain' }))
  const headers = { 'graphql-require-preflight': '1', ...proofOf(who) }
  return backend.reply(await fetch(`${backend.url}/graphql`, { method: 'POST', body: form, headers }))
}

test('the table lists exactly the operations of the schema', () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual([...fields.keys()].sort())
})

describe('without a token', () => {
  test.each(having(({ access }) => access !== 'public'))('%s is UNAUTHENTICATED', async (name) => {
    expect((await run(name, null)).code).toBe('UNAUTHENTICATED')
  })
})

describe('with the session of a browser', () => {
  const all = having(({ access }) => access !== 'public').map(([name]) => name)
  const codesOf = async (names: readonly string[], who: Who, foreignIds = false) => {
    const argsOf = (name: string) => (foreignIds ? OPERATIONS[name]?.foreign?.(world) : undefined)
    return new Set(await inTurns(names, async (name) => (await run(name, who, argsOf(name))).code))
  }

  test('every operation is refused if a page of another origin sends it', async () => {
    const session = await backend.signIn(backend.admin)
    for (const site of ['cross-site', 'same-site']) {
      expect(await codesOf(all, { ...session, 'sec-fetch-site': site })).toEqual(new Set(['FORBIDDEN']))
    }
    const { 'sec-fetch-site': _, ...unknown } = session
    expect(await codesOf(all, { ...unknown, origin: 'https://elsewhere.example' })).toEqual(new Set(['FORBIDDEN']))
    expect((await run('whoAmI', session)).data.whoAmI.id).toBe(backend.admin.userId)
  })

  test('every operation is UNAUTHENTICATED once it has ended', async () => {
    const session = await backend.signIn(backend.admin)
    await fetch(`${backend.url}/session`, { method: 'DELETE', headers: session })
    expect(await codesOf(all, session)).toEqual(new Set(['UNAUTHENTICATED']))
  })

  test('objects of another company and sessions of another user are NOT_FOUND', async () => {
    const named = having(({ foreign }) => foreign !== undefined).map(([name]) => name)
    const { store } = backend.runtime.engines
    const session = await backend.signIn(other)
    const before = await store.head()
    expect(await codesOf(named, session, true)).toEqual(new Set(['NOT_FOUND']))
    expect(await store.head()).toBe(before)
    expect(await sessionIdsOf(await backend.tokenOf(backend.admin))).toContain(world.sessionId)
  })

  const sessionIdsOf = async (token: string): Promise<readonly string[]> =>
    (await run('sessions', token)).data.sessions.map(({ id }: { readonly id: string }) => id)
})

describe('for the admin of a company', () => {
  test.each(having(({ access }) => access === 'superAdmin'))('%s is FORBIDDEN', async (name) => {
    expect((await run(name, backend.admin.token)).code).toBe('FORBIDDEN')
  })
})

describe('for each role', () => {
  /** Users of a company of their own, so that what they do changes nothing for the other tests. */
  const people = new Map<Role, Person>()
  beforeAll(async () => {
    const companyId = await backend.registerCompany()
    for (const role of ROLES) {
      const person = await backend.register(`${role}@third.example`, companyId)
      people.set(role, person)
      await backend.assignRole(companyId, person.userId, role)
    }
  })
  const tokenOf = (role: Role) => people.get(role)?.token ?? ''

  const wayIn: Readonly<Record<string, (role: Role) => Promise<Who>>> = {
    token: async (role) => tokenOf(role),
    session: (role) => backend.signIn(people.get(role) as Person),
  }
  const waysIn = ROLES.flatMap((role) => Object.keys(wayIn).map((way) => [role, way] as const))

  test.each(waysIn)('%s with a %s may call what the table grants, and nothing else', async (role, way) => {
    const who = (await wayIn[way]?.(role)) ?? null
    expect((await run('whoAmI', who)).data.whoAmI.role).toBe(role)
    // signOutEverywhere would end the token of the calls beside it; account.test.ts has it.
    const called = having(({ access }) => access !== 'public').filter(([name]) => name !== 'signOutEverywhere')
    const answers = await inTurns(called, async ([name]) => ({ name, code: (await run(name, who)).code }))
    const wrong = answers.filter(({ name, code }) => {
      const access = OPERATION_ACCESS[name as Operation]
      const isGranted = typeof access === 'string' || access.roles.includes(role)
      return isGranted ? code === 'FORBIDDEN' || code === 'UNAUTHENTICATED' : code !== 'FORBIDDEN'
    })
    expect(wrong.map(({ name, code }) => `${name}: ${code}`)).toEqual([])
  })

  const grantedTo = (role: Role) =>
    answered
      .map(([name]) => name)
      .filter((name) => {
        const access = OPERATION_ACCESS[name as Operation]
        return typeof access !== 'string' && access.roles.includes(role)
      })

  test('an auditor changes nothing and sees no candidates', () => {
    const granted = grantedTo('AUDITOR')
    expect(granted.filter((name) => fields.get(name)?.kind === 'mutation')).toEqual([])
    expect(granted).toEqual(expect.arrayContaining(['creditTransactions', 'usage', 'invoices']))
    for (const name of ['talents', 'documents', 'matchScores', 'meetingInsights', 'jobs']) {
      expect(granted).not.toContain(name)
    }
  })

  test('an owner may do whatever any other role may do', () => {
    for (const role of ROLES) expect(grantedTo('OWNER')).toEqual(expect.arrayContaining(grantedTo(role)))
  })

  test('an admin changes the roles of others, but not of owners', async () => {
    const companyId = await backend.registerCompany()
    const person = (name: string) => backend.register(`${name}@fourth.example`, companyId)
    // Like users of an earlier version, whose roles follow from the order of registration.
    const owner = await person('first')
    const admin = await person('second')
    const codeOf = async (mutation: string, token: string) =>
      (await backend.ask(`mutation { ${mutation} }`, {}, token)).code
    const roles = async () =>
      (await backend.ask('{ users { id role } }', {}, owner.token)).data.users.map(({ role }: { role: Role }) => role)
    expect(await roles()).toEqual(['OWNER', 'ADMIN'])
    expect(await codeOf(`removeUser(userId: "${owner.userId}")`, owner.token)).toBe('BAD_USER_INPUT')
    for (const mutation of [
      `setRole(userId: "${admin.userId}", role: OWNER) { id }`,
      `setRole(userId: "${owner.userId}", role: AUDITOR) { id }`,
      `removeUser(userId: "${owner.userId}")`,
    ]) {
      expect(await codeOf(mutation, admin.token)).toBe('BAD_USER_INPUT')
    }
    expect(await codeOf(`setRole(userId: "${admin.userId}", role: AUDITOR) { id }`, owner.token)).toBeUndefined()
    expect(await roles()).toEqual(['OWNER', 'AUDITOR'])
    expect(await codeOf(`setRole(userId: "${owner.userId}", role: AUDITOR) { id }`, admin.token)).toBe('FORBIDDEN')
    expect(
      await codeOf(`setRole(userId: "${admin.userId}", role: OWNER) { id }`, backend.superAdmin.token),
    ).toBeUndefined()
    expect(await codeOf(`removeUser(userId: "${owner.userId}")`, admin.token)).toBeUndefined()
    expect((await backend.ask('{ whoAmI { id } }', {}, owner.token)).code).toBe('UNAUTHENTICATED')
    expect(await codeOf(`login(email: "${owner.email}", password: "${owner.password}") { token }`, '')).toBe(
      'UNAUTHENTICATED',
    )
  })

  test('a developer sees and changes only their own keys and usage', async () => {
    const ask = (query: string, role: Role) => backend.ask(query, {}, tokenOf(role))
    const mint = async (role: Role) => {
      const reply = await ask('mutation { mintApiKey(input: { name: "k" }) { apiKey { id mintedBy } } }', role)
      return reply.data.mintApiKey.apiKey
    }
    const own = await mint('DEVELOPER')
    const others = await mint('ADMIN')
    expect(own.mintedBy).toBe(people.get('DEVELOPER')?.userId)
    const { data } = await ask('{ apiKeys { id mintedBy } }', 'DEVELOPER')
    expect(new Set(data.apiKeys.map(({ mintedBy }: { mintedBy: string }) => mintedBy))).toEqual(new Set([own.mintedBy]))
    const of = (id: string) => [
      `{ usage(keyId: "${id}") { nodes { group } } }`,
      `{ calls(keyId: "${id}") { nodes { id } } }`,
      `mutation { updateApiKey(id: "${id}", input: { name: "mine" }) { id } }`,
      `mutation { rotateApiKey(id: "${id}") { secret } }`,
      `mutation { revokeApiKey(id: "${id}") { id } }`,
    ]
    for (const query of of(others.id)) expect((await ask(query, 'DEVELOPER')).code).toBe('NOT_FOUND')
    for (const query of of(own.id)) expect((await ask(query, 'DEVELOPER')).code).toBeUndefined()
  })

  test('a developer can lower the budget of a key, but not raise, replace or remove it', async () => {
    const budget = (text: string) => `budget: ${text}`
    const { data } = await backend.ask(
      `mutation { mintApiKey(input: { name: "k", ${budget('{ credits: 5, period: DAY }')} }) { apiKey { id } } }`,
      {},
      tokenOf('DEVELOPER'),
    )
    const { id } = data.mintApiKey.apiKey
    const codeOf = async (text: string, role: Role) =>
      (
        await backend.ask(
          `mutation { updateApiKey(id: "${id}", input: { ${budget(text)} }) { id } }`,
          {},
          tokenOf(role),
        )
      ).code
    for (const text of ['null', '{ credits: 6, period: DAY }', '{ credits: 5, period: MONTH }']) {
      expect(await codeOf(text, 'DEVELOPER')).toBe('FORBIDDEN')
    }
    expect(await codeOf('{ credits: 4, period: DAY }', 'DEVELOPER')).toBeUndefined()
    expect(await codeOf('{ credits: 9, period: DAY }', 'ADMIN')).toBeUndefined()
  })
})

describe('for a super admin without a company', () => {
  test.each(having(({ access }) => access === 'company'))('%s is FORBIDDEN', async (name) => {
    const reply = await run(name, backend.superAdmin.token)
    expect(reply.code).toBe('FORBIDDEN')
    expect(reply.errors?.[0].message).toMatch(/belong to no company/)
  })
})

describe('asCompany', () => {
  const argumentsOf = (name: string) =>
    rootTypes(schema).flatMap((type) => type.getFields()[name]?.args.map((argument) => argument.name) ?? [])
  const isCompanyData = (name: string) => {
    const access = OPERATION_ACCESS[name as Operation]
    return fields.get(name)?.kind !== 'mutation' && typeof access !== 'string' && access.roles.length > 0
  }
  const reads = answered.filter(([name]) => isCompanyData(name))
  // Subscriptions are served over sockets; liveSubscriptions.test.ts has them.
  const queries = reads.filter(([name]) => fields.get(name)?.kind === 'query')
  const reading = (companyId: string, args?: string) => [args, `asCompany: "${companyId}"`].filter(Boolean).join(', ')
  const accesses = async (companyId: string) => {
    const read: { readonly userId: string; readonly hour: string }[] = []
    for await (const { type, data } of backend.runtime.engines.store.readStream(streamName('company', companyId))) {
      if (type === 'CompanyAccessed') read.push({ userId: data.userId, hour: data.accessedAt.slice(0, 13) })
    }
    return read
  }

  test('is an argument of every query and subscription of the data of a company, and of no other operation', () => {
    const having = [...fields.keys()].filter((name) => argumentsOf(name).includes('asCompany'))
    expect(having.sort()).toEqual(reads.map(([name]) => name).sort())
  })

  test.each(queries)('%s shows a super admin what the owner of the company sees', async (name, { args, foreign }) => {
    const given = foreign?.(world) ?? args
    // Before that, a read model may still catch up between the two.
    await until('both see the same', async () => {
      const own = await run(name, backend.admin.token, given)
      const read = await run(name, backend.superAdmin.token, reading(backend.companyId, given))
      expect(read.errors).toBeUndefined()
      return isDeepStrictEqual(read.data, own.data)
    })
  })

  test.each(queries)('%s with asCompany is FORBIDDEN for a user of a company', async (name, { args, foreign }) => {
    for (const [companyId, token] of [
      [backend.companyId, other.token],
      [backend.companyId, backend.admin.token],
    ] as const) {
      const reply = await run(name, token, reading(companyId, foreign?.(world) ?? args))
      expect(reply.code).toBe('FORBIDDEN')
      expect(leavesOf(reply.data).size).toBe(0)
    }
  })

  test('is recorded once for each user, company and hour, before anything is shown', async () => {
    const companyId = await backend.registerCompany()
    const read = () => backend.ask(`{ usage(${reading(companyId)}) { nodes { group } } }`, {}, backend.superAdmin.token)
    expect(await accesses(companyId)).toEqual([])
    await Promise.all([read(), read(), read()])
    await read()
    const second = await backend.register('second@platform.example', null)
    await backend.ask(`{ invoices(${reading(companyId)}) { id } }`, {}, second.token)
    const recorded = await accesses(companyId)
    // A test may run past the end of an hour.
    const distinct = new Set(recorded.map(({ userId, hour }) => `${userId} ${hour}`))
    expect(recorded).toHaveLength(distinct.size)
    expect(new Set(recorded.map(({ userId }) => userId))).toEqual(new Set([backend.superAdmin.userId, second.userId]))
    await backend.ask(`{ usage(${reading(companyId)}) { nodes { group } } }`, {}, other.token)
    expect(await accesses(companyId)).toHaveLength(recorded.length)
  })

  test('of a company that does not exist is NOT_FOUND', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nothing']) {
      const reply = await backend.ask(`{ usage(${reading(id)}) { nodes { group } } }`, {}, backend.superAdmin.token)
      expect(reply.code).toBe('NOT_FOUND')
    }
  })
})

describe('for the admin of another company', () => {
  const isQuery = (name: string) => fields.get(name)?.kind === 'query'
  const isOwn = ({ access, shared, ownOnly }: Entry & { readonly access: string }) =>
    ownOnly || (access === 'company' && !shared)
  const ownQueries = having(isOwn).filter(([name]) => isQuery(name))

  test.each(ownQueries)('%s shows nothing of the first company', async (name, { args, foreign }) => {
    const own = leavesOf((await run(name, backend.admin.token, foreign?.(world) ?? args)).data)
    expect(own.size).toBeGreaterThan(0)
    const reply = await run(name, other.token)
    const shown = leavesOf(reply.data)
    expect([...own].filter((leaf) => shown.has(leaf))).toEqual([])
    if (!foreign) expect(reply.errors).toBeUndefined()
  })

  test.each(having(({ foreign }) => foreign !== undefined))(
    '%s with an id of the first company is NOT_FOUND and changes nothing',
    async (name, { foreign }) => {
      const { store } = backend.runtime.engines
      const before = await store.head()
      expect((await run(name, other.token, foreign?.(world))).code).toBe('NOT_FOUND')
      expect(await store.head()).toBe(before)
    },
  )

  describe('what the first company sees', () => {
    const seen = () => Promise.all(ownQueries.map(([query]) => run(query, backend.admin.token)))
    let before: readonly Reply[]
    beforeAll(async () => {
      before = await seen()
    })

    test.each(having(({ access, foreign }) => access === 'company' && !foreign).filter(([name]) => !isQuery(name)))(
      'is not changed by %s',
      async (name) => {
        await run(name, other.token)
        expect(await seen()).toEqual(before)
      },
    )
  })
})

const NEUTRAL = new Set(['0', 'true', 'false', '', ...ROLES, ...LOW_BALANCE_RULES])

/** All values of an answer, without those that any company could have. */
function leavesOf(value: unknown): Set<string> {
  if (value === null || value === undefined) return new Set()
  if (typeof value === 'object') return new Set(Object.values(value).flatMap((part) => [...leavesOf(part)]))
  return new Set([String(value)].filter((leaf) => !NEUTRAL.has(leaf)))
}
