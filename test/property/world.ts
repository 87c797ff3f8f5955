import { createHash, randomUUID } from 'node:crypto'
import { CommandHandler } from '../../capabilities/commands/commandHandler.ts'
import { type Booking, LedgerWriter } from '../../capabilities/ledger/ledgerWriter.ts'
import type { BatchResult } from '../../contracts/events/generator.ts'
import type { CallFacts, LedgerEvent } from '../../contracts/events/ledger.ts'
import type { PriceApplied } from '../../contracts/events/pricing.ts'
import { pricingStream, streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { type CompanyCommand, companyDecider } from '../../domain/company/decider.ts'
import { fold, Refusal, unexpected } from '../../domain/decider.ts'
import { generatorDecider } from '../../domain/generator/decider.ts'
import type { LedgerCommand } from '../../domain/ledger/decider.ts'
import { pricingDecider } from '../../domain/pricing/decider.ts'
import { talentDecider } from '../../domain/talent/decider.ts'
import { type UserCommand, userDecider } from '../../domain/user/decider.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { NOTHING_PERSONAL } from '../support/eventStores/nothingPersonal.ts'
import { collect } from '../support/events/events.ts'
import { chargeCall } from '../support/events/ledgerCommands.ts'
import { UNATTRIBUTED } from '../support/events/ledgerEvents.ts'
import { carryOutPayment } from './paymentSteps.ts'
import { type About, COMPANIES, type ControlStep, type LedgerStep, type Plan, type Step } from './plan.ts'
import { carryOutWork } from './workSteps.ts'

const AT = '2026-02-01T00:00:00.000Z'
const LATER = '2026-06-01T00:00:00.000Z'
const ACTOR = { kind: 'system', name: 'property test' } as const

type StoredCharge = Extract<LedgerEvent, { type: 'CallCharged' }>

/** Carries out the steps of a plan with the real command handling, on ids that no other run has. */
export class World {
  readonly companies = Array.from({ length: COMPANIES }, () => randomUUID())
  readonly bookings: Booking[] = []
  readonly #plan: Plan
  readonly #clients: { store: TypedEventStore; ledger: LedgerWriter; commands: CommandHandler }[]
  readonly #ids = new Map<string, string>()

  /** Each store is the client of another process. */
  constructor(plan: Plan, stores: readonly TypedEventStore[]) {
    this.#plan = plan
    this.#clients = stores.map((store) => {
      const appender = new PursuingAppender(store, systemClock)
      return {
        store,
        ledger: new LedgerWriter(appender),
        commands: new CommandHandler(store, appender, NOTHING_PERSONAL),
      }
    })
  }

  async run(): Promise<void> {
    await Promise.all(
      this.#plan.lanes.map(async (lane, n) => {
        for (const { step, times } of lane) {
          await Promise.all(Array.from({ length: times }, (_, time) => this.#carryOut(step, n + time)))
        }
      }),
    )
  }

  /** The same thing always has the same id. */
  id(...name: (string | number)[]): string {
    const key = name.join(':')
    const known = this.#ids.get(key) ?? randomUUID()
    this.#ids.set(key, known)
    return known
  }

  costMicros(number: number): bigint {
    const { tokensIn, tokensOut } = this.#call(number)
    const { input, output } = this.#plan.rate
    const millionths = BigInt(tokensIn) * input + BigInt(tokensOut) * output
    return millionths / 1_000_000n + (millionths % 1_000_000n > 0n ? 1n : 0n)
  }

  /** The amount of an adjustment, with its sign. */
  adjustmentMicros(number: number): bigint {
    const amountMicros = this.#plan.refundMicros[number] ?? 1n
    return number % 2 === 0 ? -amountMicros : amountMicros
  }

  async #carryOut(step: Step, lane: number): Promise<void> {
    const client = this.#clients[lane % this.#clients.length]
    if (!client) throw new Error('a world needs a store')
    try {
      if (step.kind === 'score') return await this.#score(step, client.store, client.commands)
      if (!isLedgerStep(step)) return await this.#command(step, client.commands)
      const command = await this.#ledgerCommand(step, client.store)
      if (!command) return
      this.bookings.push(await client.ledger.book(client.ledger.draft(command), this.id('request'), ACTOR))
    } catch (error) {
      // A refused command has no effect, which the test checks.
      if (!(error instanceof Refusal)) throw error
    }
  }

  async #ledgerCommand(step: LedgerStep, store: TypedEventStore): Promise<LedgerCommand | null> {
    const { kind, company, number } = step
    const companyId = this.companies[company] ?? ''
    switch (kind) {
      case 'grant': {
        const grant = { companyId, grantId: this.id('grant', company, number), source: 'ADJUSTMENT', at: AT } as const
        return { type: 'GrantCredits', ...grant, amountMicros: this.#plan.grantMicros[number] ?? 1n, reason: 'a plan' }
      }
      case 'refund': {
        const ids = { refundId: this.id('refund', company, number), grantId: this.id('grant', company, number) }
        const refund = { companyId, ...ids, reason: 'a plan', at: AT }
        return { type: 'RefundCredits', ...refund, amountMicros: this.#plan.refundMicros[number] ?? 1n }
      }
      case 'adjust': {
        const adjustment = { companyId, adjustmentId: this.id('adjustment', company, number), reason: 'a plan', at: AT }
        const amountMicros = this.adjustmentMicros(number)
        return { type: 'AdjustCredits', ...adjustment, amountMicros, by: this.id('person'), corrects: null }
      }
      case 'charge':
        return chargeCall(this.#facts(company, number), this.#price(), this.#used(number))
      case 'fail':
        return {
          type: 'FailCall',
          call: this.#facts(company, number),
          reason: 'a plan',
          tokensAbandoned: number % 2 === 0 ? 1_000 + number : null,
        }
      case 'reverse': {
        const charge = await this.#chargeOf(store, companyId, this.id('call', company, number))
        return charge && { type: 'ReverseCharge', charge: charge.data, reason: 'a plan', at: LATER }
      }
      default:
        return unexpected(kind)
    }
  }

  /** A batch with one pair, in between those of other lanes; who was late is refused. */
  async #score({ company, number }: About, store: TypedEventStore, commands: CommandHandler): Promise<void> {
    const name = 'plan'
    const stream = streamName('generator', name)
    const context = () => ({ commandId: randomUUID(), correlationId: this.id('request'), actor: ACTOR })
    await commands.handle(generatorDecider, stream, { type: 'StartGenerator', name, at: AT }, context())
    const history = await collect(store.readStream(stream))
    const since = fold(generatorDecider, history)
    const begin = { type: 'StartBatch', name, pairs: 1, since, at: AT } as const
    const [begun] = (await commands.handle(generatorDecider, stream, begin, context())).events
    if (begun?.type !== 'BatchStarted') return
    const { batch } = begun.data
    const parts = { skills: number, experience: 100, location: 0, language: 100, seniority: 60 }
    const score = {
      job: 0,
      talent: 0,
      score: (batch * 7) % 101,
      parts,
      adjustment: null,
      explanation: `Batch ${batch}.`,
    }
    const result: BatchResult = {
      jobs: [{ jobId: this.id('job', company), companyId: this.companies[company] ?? '', version: `v${batch}` }],
      talents: [{ talentId: this.id('talent', number), version: 'v' }],
      scores: [score],
      failed: 0,
    }
    await commands.handle(
      generatorDecider,
      stream,
      { type: 'CompleteBatch', name, batch, result, at: LATER },
      context(),
    )
  }

  async #command(step: Exclude<ControlStep, { kind: 'score' }>, commands: CommandHandler): Promise<void> {
    const { kind, company, number } = step
    const companyId = this.companies[company] ?? ''
    const keyId = this.id('key', company, number)
    const key = streamName('apiKey', keyId)
    const context = { commandId: this.id(JSON.stringify(step)), correlationId: this.id('request'), actor: ACTOR }
    const parts = { commands, companyId, number, context, id: (...name: (string | number)[]) => this.id(...name) }
    switch (kind) {
      case 'register': {
        const command = { type: 'RegisterCompany', companyId, name: `Company ${company}`, at: AT } as const
        const stream = streamName('company', companyId)
        await commands.handle(companyDecider, stream, { ...command, billingMode: 'PREPAID' }, context)
        return
      }
      case 'setHardCap': {
        const command = { type: 'ChangeHardCap', companyId, hardCap: step.hardCap, at: AT } as const
        await commands.handle(companyDecider, streamName('company', companyId), command, context)
        return
      }
      case 'assignRole':
      case 'removeUser': {
        const member = { companyId, userId: this.id('user', company, number), unrecorded: [], byOwner: true, at: AT }
        const command: CompanyCommand =
          kind === 'assignRole'
            ? { type: 'AssignRole', role: number === 0 ? 'OWNER' : 'AUDITOR', ...member }
            : { type: 'RemoveUser', isErasure: false, ...member }
        await commands.handle(companyDecider, streamName('company', companyId), command, context)
        return
      }
      case 'suspend':
      case 'resume':
      case 'setNotice': {
        const command = standingCommand(kind, companyId, number)
        await commands.handle(companyDecider, streamName('company', companyId), command, context)
        return
      }
      case 'setBillingMode': {
        const planId = step.billingMode === 'POSTPAID' ? this.id('plan', number) : null
        const command = { type: 'ChangeBillingMode', companyId, billingMode: step.billingMode, planId, at: AT } as const
        await commands.handle(companyDecider, streamName('company', companyId), command, context)
        return
      }
      case 'mint': {
        const identity = { keyId, companyId, name: `key ${number}`, hash: hashOf(keyId), hint: 'sk-tollgate' }
        const rights = { scopes: ['inference:chat'], models: number === 0 ? null : ['svc/chat-default'] } as const
        const limits = { rpm: 600, tpm: 200_000, expiresAt: number === 1 ? LATER : null, rotatedFrom: null }
        const label = number === 1 ? 'team-a' : null
        const budget = number === 0 ? { amountMicros: 1_000_000n, period: 'DAY' as const } : null
        const command = { type: 'MintApiKey', ...identity, ...rights, ...limits, label, budget, at: AT } as const
        await commands.handle(apiKeyDecider, key, command, context)
        return
      }
      case 'rotate': {
        const command = { type: 'RotateApiKey', keyId, siblingKeyId: this.id('sibling', keyId), at: AT } as const
        await commands.handle(apiKeyDecider, key, command, context)
        return
      }
      case 'update': {
        const changes = {
          rpm: 7,
          models: null,
          label: 'team-b',
          budget: { amountMicros: 5n, period: 'TOTAL' },
        } as const
        await commands.handle(apiKeyDecider, key, { type: 'UpdateApiKey', keyId, changes, at: AT }, context)
        return
      }
      case 'revoke':
        await commands.handle(apiKeyDecider, key, { type: 'RevokeApiKey', keyId, at: AT }, context)
        return
      case 'expire':
        await commands.handle(apiKeyDecider, key, { type: 'ExpireApiKey', keyId, at: LATER }, context)
        return
      case 'publish': {
        const price = { rates: { input: '1', output: String(number) } }
        const book = { bookId: this.id('book', company, number), effectiveFrom: step.effectiveFrom, at: AT }
        const owner = number % 2 === 0 ? null : companyId
        const changes = { companyId: owner, prices: { 'svc/chat-default': price }, retired: ['svc/chat-cheap'] }
        const command = { type: 'PublishPriceBook', ...book, ...changes } as const
        await commands.handle(pricingDecider, pricingStream(owner), command, context)
        return
      }
      case 'registerUser':
      case 'changePassword':
      case 'eraseUser': {
        const userId = this.id('user', company, number)
        await commands.handle(userDecider, streamName('user', userId), userCommand(kind, userId, companyId), context)
        return
      }
      case 'registerTalent':
      case 'eraseTalent': {
        const ids = { talentId: this.id('talent', company, number), companyId, at: AT }
        const profile = {
          location: null,
          seniority: 'senior',
          yearsOfExperience: number,
          skills: ['MIG'],
          languages: [],
        }
        const registration = { type: 'RegisterTalent', ...ids, name: `Talent ${number}`, ...profile } as const
        const command = kind === 'registerTalent' ? registration : ({ type: 'EraseTalent', ...ids } as const)
        await commands.handle(talentDecider, streamName('talent', ids.talentId), command, context)
        return
      }
      case 'pay':
        return carryOutPayment(parts, step.act)
      case 'work':
        return carryOutWork(parts, step.act)
      default:
        unexpected(kind)
    }
  }

  #call(number: number) {
    return this.#plan.calls[number] ?? { tokensIn: 0, tokensOut: 0, finishedAt: AT }
  }

  #used(number: number) {
    const { tokensIn, tokensOut } = this.#call(number)
    return { tokensIn, tokensOut }
  }

  #price(): PriceApplied {
    const { input, output } = this.#plan.rate
    return { bookId: this.id('price book'), rates: { input: input.toString(), output: output.toString() } }
  }

  #facts(company: number, number: number): CallFacts {
    return {
      companyId: this.companies[company] ?? '',
      callId: this.id('call', company, number),
      keyId: this.id('key', company, number % 2),
      alias: number % 3 === 0 ? 'svc/chat-default' : 'svc/chat-cheap',
      endpoint: '/chat/completions',
      streamed: false,
      admittedAt: AT,
      finishedAt: this.#call(number).finishedAt,
      ...UNATTRIBUTED,
      label: number % 2 ? 'team-a' : null,
    }
  }

  /** Only what is on the ledger can be reversed. */
  async #chargeOf(store: TypedEventStore, companyId: string, callId: string): Promise<StoredCharge | null> {
    for await (const event of store.readStream(streamName('ledger', companyId))) {
      if (event.type === 'CallCharged' && event.data.callId === callId) return event
    }
    return null
  }
}

function standingCommand(kind: 'suspend' | 'resume' | 'setNotice', companyId: string, number: number): CompanyCommand {
  switch (kind) {
    case 'suspend':
      return { type: 'SuspendCompany', companyId, reason: `reason ${number}`, at: AT }
    case 'resume':
      return { type: 'ResumeCompany', companyId, at: AT }
    case 'setNotice': {
      const amountMicros = BigInt(number)
      return {
        ...{ type: 'ChangeNoticeSettings', companyId, at: AT },
        lowBalance: number === 0 ? { kind: 'OFF' } : { kind: 'AMOUNT', amountMicros },
      }
    }
    default:
      return unexpected(kind)
  }
}

function userCommand(
  kind: 'registerUser' | 'changePassword' | 'eraseUser',
  userId: string,
  companyId: string,
): UserCommand {
  const passwordHash = `$scrypt$${kind}`
  switch (kind) {
    case 'registerUser': {
      const person = { email: 'ada@example.com', emailLookup: hashOf(userId), passwordHash, isSuperAdmin: false }
      return { type: 'RegisterUser', userId, companyId, ...person, at: AT }
    }
    case 'changePassword':
      return { type: 'ChangePassword', userId, passwordHash, at: AT }
    case 'eraseUser':
      return { type: 'EraseUser', userId, at: AT }
    default:
      return unexpected(kind)
  }
}

function isLedgerStep(step: Step): step is LedgerStep {
  return ['grant', 'refund', 'adjust', 'charge', 'fail', 'reverse'].includes(step.kind)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
