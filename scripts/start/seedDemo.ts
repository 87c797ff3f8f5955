import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { DEMO_ACTOR } from '../../contracts/demoActor.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { SCOPES } from '../../contracts/scopes.ts'
import { type Category, PRICING_STREAM, type StreamName, streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { parseCredits } from '../../domain/credits.ts'
import type { Decider } from '../../domain/decider.ts'
import { type JobCommand, jobDecider } from '../../domain/job/decider.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { pricingDecider } from '../../domain/pricing/decider.ts'
import { talentDecider } from '../../domain/talent/decider.ts'
import { type UserCommand, userDecider } from '../../domain/user/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { hashGeneratedPassword } from '../../platform/secrets/passwords.ts'
import { storedPartsOf } from '../../platform/secrets/rawKeys.ts'
import { DEMO_JOBS, DEMO_PRICES, DEMO_TALENTS } from './demoData.ts'
import type { DemoIdentity } from './demoFile.ts'

/** Each additional concurrent command would open another connection, which costs more than the command itself. */
const COMMANDS_AT_ONCE = 8

/**
 * Fills a sandbox installation at its first start with commands that any client can send. All ids are derived from
 * those of the demo, so a start after a kill continues where it stopped. The key comes last and marks the end.
 */
export async function seedDemo(runtime: Runtime, demo: DemoIdentity): Promise<void> {
  const { engines, clock, config } = runtime
  // A demo of an earlier version has none.
  if (await exists(runtime, streamName('apiKey', demo.keyId))) return seedAuditor(runtime, demo)
  const isEmpty = (await engines.store.head()) === BEGINNING
  const at = isoTime(clock.now())
  const { companyId } = demo
  const idOf = (what: string) => deterministicId(`demo:${companyId}:${what}`)
  const send = async <C extends Category, State, Command extends object>(
    decider: Decider<State, Command, EventOf<C>>,
    stream: StreamName<C>,
    command: Command,
  ) => {
    if (!isEmpty && stream !== PRICING_STREAM && (await exists(runtime, stream))) return
    await engines.commands.handle(decider, stream, command, seedContext(demo, stream))
  }
  const postAndPublish = async (job: Omit<Extract<JobCommand, { type: 'PostJob' }>, 'type'>) => {
    const stream = streamName('job', job.jobId)
    await send(jobDecider, stream, { type: 'PostJob', ...job })
    const { jobId } = job
    const context = { commandId: idOf(`publish ${stream}`), correlationId: companyId, actor: DEMO_ACTOR }
    await engines.commands.handle(jobDecider, stream, { type: 'PublishJob', jobId, companyId, at }, context)
  }
  const planId = idOf('plan')
  const packId = idOf('pack')
  const grant = engines.ledger.draft({
    type: 'GrantCredits',
    companyId,
    grantId: idOf('grant'),
    source: 'ADJUSTMENT',
    amountMicros: parseCredits(String(config.DEMO_CREDITS)),
    reason: 'demo credits',
    at,
  })
  await send(companyDecider, streamName('company', companyId), {
    type: 'RegisterCompany',
    companyId,
    name: demo.companyName,
    billingMode: 'PREPAID',
    at,
  })
  await runAll([
    async () => send(userDecider, streamName('user', demo.adminId), await registrationOf(runtime, demo, 'admin')),
    async () =>
      send(userDecider, streamName('user', demo.superAdminId), await registrationOf(runtime, demo, 'superAdmin')),
    () => seedAuditor(runtime, demo),
    () =>
      send(planDecider, streamName('plan', planId), {
        type: 'CreatePlan',
        planId,
        name: 'Team',
        billingMode: 'PREPAID',
        price: '49',
        currency: 'usd',
        creditsPerPeriodMicros: parseCredits('5000'),
        at,
      }),
    () =>
      send(creditPackDecider, streamName('creditPack', packId), {
        type: 'CreateCreditPack',
        packId,
        name: 'Starter pack',
        creditsMicros: parseCredits('1000'),
        price: '10',
        currency: 'usd',
        sortOrder: 1,
        at,
      }),
    () =>
      send(pricingDecider, PRICING_STREAM, {
        type: 'PublishPriceBook',
        bookId: idOf('prices'),
        companyId: null,
        effectiveFrom: null,
        prices: DEMO_PRICES,
        retired: [],
        at,
      }),
    () => engines.ledger.book(grant, companyId, DEMO_ACTOR),
    ...DEMO_JOBS.map(([title, location, employmentType, seniority, ...requirements], n) => {
      const jobId = idOf(`job ${n}`)
      const job = { jobId, companyId, title, location, employmentType, seniority, requirements, metadata: {}, at }
      return () => postAndPublish(job)
    }),
    ...DEMO_TALENTS.map(([name, location, seniority, yearsOfExperience, languages, ...skills], n) => {
      const talentId = idOf(`talent ${n}`)
      const talent = { talentId, companyId, name, location, seniority, yearsOfExperience, skills, at }
      return () =>
        send(talentDecider, streamName('talent', talentId), {
          type: 'RegisterTalent',
          ...talent,
          languages: languages.split(', '),
        })
    }),
  ])
  await mintDemoKey(runtime, demo)
}

/** The role comes first, so that the auditor never has another one. */
export async function seedAuditor(runtime: Runtime, demo: DemoIdentity): Promise<void> {
  const stream = streamName('user', demo.auditorId)
  if (await exists(runtime, stream)) return
  await assignDemoRole(runtime, demo, 'auditor')
  const registration = await registrationOf(runtime, demo, 'auditor')
  await runtime.engines.commands.handle(userDecider, stream, registration, seedContext(demo, stream))
}

/** The admin already owned the company without a recorded role, which is recorded with another user's first role. */
export async function assignDemoRole(runtime: Runtime, demo: DemoIdentity, who: 'admin' | 'auditor'): Promise<void> {
  const { companyId, adminId } = demo
  const userId = demo[`${who}Id`]
  const role = who === 'admin' ? 'OWNER' : 'AUDITOR'
  const change = {
    companyId,
    userId,
    role,
    unrecorded: [adminId],
    byOwner: true,
    at: isoTime(runtime.clock.now()),
  } as const
  const context = seedContext(demo, `role of ${userId}`)
  const stream = streamName('company', companyId)
  await runtime.engines.commands.handle(companyDecider, stream, { type: 'AssignRole', ...change }, context)
}

function seedContext({ companyId }: DemoIdentity, what: string) {
  const commandId = deterministicId(`demo:${companyId}:seed ${what}`)
  return { commandId, correlationId: companyId, actor: DEMO_ACTOR }
}

export type DemoUser = 'admin' | 'superAdmin' | 'auditor'

export async function registrationOf(
  { engines, clock }: Runtime,
  demo: DemoIdentity,
  who: DemoUser,
): Promise<Extract<UserCommand, { type: 'RegisterUser' }>> {
  const email = demo[`${who}Email`]
  return {
    type: 'RegisterUser',
    userId: demo[`${who}Id`],
    companyId: who === 'superAdmin' ? null : demo.companyId,
    email,
    emailLookup: await engines.personal.lookupOf(email),
    passwordHash: await hashGeneratedPassword(demo[`${who}Password`]),
    isSuperAdmin: who === 'superAdmin',
    at: isoTime(clock.now()),
  }
}

export async function mintDemoKey({ engines, clock, config }: Runtime, demo: DemoIdentity): Promise<void> {
  const { companyId, keyId } = demo
  const stream = streamName('apiKey', keyId)
  await engines.commands.handle(
    apiKeyDecider,
    stream,
    {
      type: 'MintApiKey',
      keyId,
      companyId,
      name: 'Demo key',
      ...storedPartsOf(demo.apiKey),
      scopes: SCOPES,
      models: null,
      rpm: config.DEMO_KEY_RPM,
      tpm: config.DEMO_KEY_TPM,
      expiresAt: null,
      label: null,
      budget: null,
      rotatedFrom: null,
      at: isoTime(clock.now()),
    },
    seedContext(demo, stream),
  )
}

async function runAll(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = tasks.values()
  const runWaiting = async () => {
    for (const task of waiting) await task()
  }
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, runWaiting))
}

async function exists({ engines }: Runtime, stream: StreamName): Promise<boolean> {
  for await (const _ of engines.store.readStream(stream, { limit: 1 })) return true
  return false
}
