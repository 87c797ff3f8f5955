import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { lapsingLots } from '../../../capabilities/creditLots/lapsingLots.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { book } from '../../../capabilities/payments/bookings.ts'
import { disputeObject } from '../../../capabilities/payments/disputeObject.ts'
import { decideOnGrant, type GrantOrigin, grantedBy } from '../../../capabilities/payments/grantStream.ts'
import {
  chargeObject,
  invoiceFactsOf,
  invoiceObject,
  type PaymentEventBody,
} from '../../../capabilities/payments/providerObjects.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { PaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import { type Category, type StreamName, streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { type Decider, Refusal } from '../../../domain/decider.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import type { LedgerCommand } from '../../../domain/ledger/decider.ts'
import { planDecider } from '../../../domain/plan/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createCreditExpiry } from '../../../services/reactor/creditLots/expireCredits.ts'
import { applyPaymentEvent } from '../../../services/reactor/paymentEvents/applyPaymentEvent.ts'
import type { PaymentEventDependencies } from '../../../services/reactor/paymentEvents/paymentEventDependencies.ts'
import { NOTHING_PERSONAL } from '../../support/eventStores/nothingPersonal.ts'
import { USER } from '../../support/events/billingEvents.ts'
import { chargeCall } from '../../support/events/ledgerCommands.ts'
import { failed, UNATTRIBUTED } from '../../support/events/ledgerEvents.ts'
import { GatewayDouble } from './gatewayDouble.ts'
import type { LifeClock } from './lifeClock.ts'
import type { MoneyEngines } from './moneyEngines.ts'
import { MonthProduct } from './monthProduct.ts'
import type { ProviderWorld, UsageInvoice } from './providerWorld.ts'
import { TopUpProduct } from './topUpProduct.ts'

const ACTOR = { kind: 'system', name: 'test' } as const
const { log } = openLog({ level: 'silent', file: null })
/** One millionth for a token. */
const PRICE = { bookId: deterministicId('a price book'), rates: { input: '1000000', output: '0' } }
/** More than two rounds after everything is done, which change nothing. */
const ROUNDS_MAX = 20

export type Company = {
  readonly companyId: string
  readonly mode: 'PREPAID' | 'POSTPAID'
  readonly hasHardCap: boolean
  readonly creditLimit: number | null
  readonly disputesSuspend: boolean
}
export type CallOfLife = { readonly id: string; readonly bound: number; readonly admittedAt: number }

/** What the services do for one company, without their servers: the deciders, the reactor's work and a gateway's views. */
export class MoneyProduct {
  readonly company: Company
  readonly engines: MoneyEngines
  readonly gateway: GatewayDouble
  readonly topUp: TopUpProduct
  readonly months: MonthProduct
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  readonly #clock: LifeClock
  readonly #world: ProviderWorld
  readonly #payments: PaymentEventDependencies
  readonly #expire: () => Promise<void>
  readonly #share: number
  #names = 0

  constructor(
    company: Company,
    parts: { clock: LifeClock; engines: MoneyEngines; world: ProviderWorld; share: number },
  ) {
    const { clock, engines, world, share } = parts
    this.#share = share
    this.company = company
    this.engines = engines
    this.#clock = clock
    this.#world = world
    const { store, appender, database } = engines
    this.commands = new CommandHandler(store, appender, NOTHING_PERSONAL)
    this.ledger = new LedgerWriter(appender)
    this.gateway = new GatewayDouble(company.companyId, clock)
    const [{ commands, ledger }, { companyId, disputesSuspend }] = [this, company]
    this.#payments = {
      ...{ commands, ledger, store, clock, disputesSuspend },
      savedPayments: { methodOf: async () => null },
      earlierCorrections: async () => [],
      provider: {
        charge: async (id) => chargeObject.parse(world.chargeObject(world.chargeWith(id))),
        dispute: async (id) => disputeObject.parse(world.disputeObject(world.disputeWith(String(id)))),
        companyOfCustomer: async () => companyId,
        subscription: () => Promise.reject(new Error('no event asks about subscriptions')),
        invoice: () => Promise.reject(new Error('no event asks about invoices')),
        event: () => Promise.reject(new Error('no subject was erased')),
      },
    }
    this.topUp = new TopUpProduct(companyId, { commands, ledger, clock, engines, world })
    this.months = new MonthProduct(companyId, { commands, ledger, clock, engines, world })
    this.#expire = createCreditExpiry({ engines: { database: database as never, store, ledger }, clock, log })
  }

  /** Registers the company, and creates the plan that it may buy. */
  async begin(): Promise<void> {
    const { companyId, mode, hasHardCap, creditLimit } = this.company
    const at = this.#now()
    await this.#company({ type: 'RegisterCompany', companyId, name: 'Acme', billingMode: 'PREPAID', at })
    await this.#company({ type: 'ChangeHardCap', companyId, hardCap: hasHardCap, at })
    const { planId } = this.#world
    const terms = { planId, name: 'Plan', at } as const
    const rolloverShare = String(this.#share * 1_000_000)
    const terms49 = { price: '49', creditsPerPeriodMicros: 10n, currency: 'usd', rolloverShare }
    const prepaid = { billingMode: 'PREPAID', ...terms49 } as const
    const postpaid = { billingMode: 'POSTPAID', price: '1', creditsPerPeriodMicros: 30n, currency: 'usd' } as const
    const offer = mode === 'PREPAID' ? prepaid : postpaid
    await this.handle(planDecider, streamName('plan', planId), { type: 'CreatePlan', ...terms, ...offer })
    if (mode === 'PREPAID') return
    await this.#company({ type: 'ChangeBillingMode', companyId, billingMode: mode, planId, at })
    const limitMicros = creditLimit === null ? null : BigInt(creditLimit)
    await this.#company({ type: 'ChangeCreditLimit', companyId, limitMicros, at })
  }

  suspend(isSuspended: boolean): Promise<void> {
    const about = { companyId: this.company.companyId, at: this.#now() }
    if (!isSuspended) return this.#company({ type: 'ResumeCompany', ...about })
    return this.#company({ type: 'SuspendCompany', ...about, reason: 'a trial' })
  }

  async startPurchase(purchaseId: string, pack: { credits: number; minor: number; validDays: number | null }) {
    const { companyId } = this.company
    const packId = deterministicId('a pack')
    const bought = { companyId, userId: USER, packId, price: String(pack.minor / 100), currency: 'usd' }
    const terms = { creditsMicros: String(pack.credits), validDays: pack.validDays }
    const page = { sessionId: `cs_${purchaseId}`, expiresAt: isoTime(this.#clock.now() + 86_400_000) }
    const command = { type: 'StartPurchase', purchaseId, ...bought, ...terms, ...page, at: this.#now() } as const
    await this.handle(purchaseDecider, streamName('purchase', purchaseId), command)
  }

  /** An event of the payment provider arrives. */
  async hear(event: PaymentEventBody): Promise<void> {
    await applyPaymentEvent(this.#payments, event.type as PaymentEventType, event)
  }

  book(command: LedgerCommand): Promise<unknown> {
    return this.bookEvent(this.ledger.draft(command).event)
  }

  bookEvent(event: LedgerEvent): Promise<unknown> {
    const draft = this.ledger.draftOf(event)
    return this.ledger.book(draft, draft.eventId, ACTOR)
  }

  /** Whether a person could correct it. */
  async correct(origin: GrantOrigin, entry: 'grant' | 'refund', credits: number): Promise<boolean> {
    const { grantId, refunds } = await grantedBy(this.commands, origin)
    const corrected = entry === 'grant' ? null : refunds.at(-1)?.refundId
    if (corrected === undefined || grantId === null) return false
    const adjustmentId = this.#newId('adjustment')
    const request = { adjustmentId, corrected, amountMicros: String(credits), reason: 'a correction', by: USER }
    const refundId = deterministicId(`refund after adjustment:${adjustmentId}`)
    const command = { type: 'CorrectCredits', ...request, refundId, at: this.#now() } as const
    const context = { commandId: `adjustment:${adjustmentId}`, correlationId: 'test', actor: ACTOR }
    const events = await unlessRefused(decideOnGrant(this.commands, origin, command, context))
    if (events) await book(this.ledger, 'test', ACTOR, events)
    return events !== null
  }

  async charge({ id, admittedAt }: CallOfLife, cost: number, most: number | null): Promise<void> {
    const times = { admittedAt: isoTime(admittedAt), finishedAt: this.#now() }
    const about = { companyId: this.company.companyId, callId: id, keyId: USER, alias: 'svc/chat', streamed: false }
    const { tokensCached: _, tokensCacheWrite: __, ...unknown } = UNATTRIBUTED
    const call = { ...about, endpoint: '/chat/completions', ...times, ...unknown }
    const mostMicros = most === null ? null : BigInt(most)
    await this.book({ ...chargeCall(call, PRICE, { tokensIn: cost }), mostMicros })
  }

  async fail({ id, admittedAt }: CallOfLife): Promise<void> {
    const times = { admittedAt: isoTime(admittedAt), finishedAt: this.#now() }
    await this.bookEvent(failed(this.company.companyId, { callId: id, keyId: USER, ...times }))
  }

  async reverse(callId: string): Promise<void> {
    for await (const { type, data } of this.engines.store.readStream(streamName('ledger', this.company.companyId))) {
      if (type !== 'CallCharged' || data.callId !== callId) continue
      await this.book({ type: 'ReverseCharge', charge: data, reason: 'found late', at: this.#now() })
    }
  }

  /** A super admin ends an invoice that has ended at the provider. */
  async endInvoice(invoice: UsageInvoice, outcome: 'SETTLED' | 'VOIDED'): Promise<void> {
    const { companyId } = this.company
    const { id: invoiceId } = invoice
    const facts = invoiceFactsOf({ ...invoiceObject.parse(this.#world.usageObject(invoice)), id: invoiceId }, null)
    const by = { reason: 'a trial', by: USER, at: this.#now() }
    const command = { type: 'EndUsageInvoice', invoiceId, companyId, outcome, facts, ...by } as const
    const { events } = await this.handle(invoiceDecider, streamName('invoice', invoiceId), command)
    await book(this.ledger, 'test', ACTOR, events)
  }

  /** The reactor does what time has made due, until nothing is left. */
  async passTime(): Promise<void> {
    let quiet = 0
    for (let round = 0; quiet < 2; round++) {
      if (round === ROUNDS_MAX) throw new Error('the expiry of credits does not come to an end')
      const before = await this.engines.store.head()
      await this.#expire()
      await this.follow()
      quiet = (await this.engines.store.head()) === before ? quiet + 1 : 0
    }
  }

  /** Views and lots take up what was stored. */
  async follow(): Promise<void> {
    for (const event of await this.engines.follow()) this.gateway.apply(event)
    const until = isoTime(this.#clock.now() + 3_600_000)
    this.gateway.lapsing.replace(await lapsingLots(this.engines.database, until))
  }

  handle<C extends Category, State, Command>(
    decider: Decider<State, Command, EventOf<C>>,
    stream: StreamName<C>,
    command: Command,
  ) {
    const context = { commandId: this.#newId('command'), correlationId: 'test', actor: ACTOR }
    return this.commands.handle(decider, stream, command, context)
  }

  async #company(command: Parameters<typeof companyDecider.decide>[0]): Promise<void> {
    await this.handle(companyDecider, streamName('company', this.company.companyId), command)
  }

  #now(): string {
    return isoTime(this.#clock.now())
  }

  #newId(kind: string): string {
    return deterministicId(`${kind} ${this.#names++} of ${this.company.companyId}`)
  }
}

async function unlessRefused<Result>(decided: Promise<Result>): Promise<Result | null> {
  try {
    return await decided
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
