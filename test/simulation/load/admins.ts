import { isoTime } from '../../../platform/clock/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { SignedInUser } from '../../../services/backend/graphql/context.ts'
import { rowsOf } from '../database/rows.ts'
import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import { type AnswerOf, type ArgsOf, BACKEND, BackendProcess, type MutationName } from './backendProcess.ts'
import type { CommandBook } from './commandBook.ts'
import { priceInput } from './prices.ts'

const ADMINS = 2
const SAVED_CARD_SHARE = 0.6
const PAUSE_MS_MAX = 4_000
const KEY_LIFE_MS_MAX = 30_000
const PRICE_LEAD_MS_MAX = 20_000
const LAPSING_SHARE = 0.5
const LOT_LIFE_MS_MAX = 40_000
const PROMOTIONAL_SHARE = 0.3
export const ALIASES = ['svc/chat-default', 'svc/chat-premium'] as const

const ROOT: SignedInUser = {
  ...{ userId: '00000000-0000-4000-8000-000000000001', email: 'root@platform.example' },
  ...{ isSuperAdmin: true, companyId: null, role: null },
}

export type KnownCompany = {
  readonly companyId: string
  readonly owner: SignedInUser
  /** Invoices of a postpaid company are sent to its owner, so the owner of one is not erased, and the reverse. */
  fate: 'postpaid' | 'owner erased' | null
  readonly keys: string[]
}

/** What admins ask for: companies, keys, credits, prices, offers, checkouts and changes of subscriptions. */
export class Admins implements Load {
  readonly #simulation: Simulation
  readonly #config: Config
  readonly #book: CommandBook
  readonly #random: Random
  readonly #details: Random
  readonly #lots: Random
  readonly #consents: Random
  readonly #plans: string[] = []
  readonly #postpaidPlans: string[] = []
  /** Grants that may be asked for again under their key. */
  readonly #grants: ArgsOf<'grantCredits'>[] = []
  #names = 0
  #isOn = false
  #backend: { readonly owner: SimulatedProcess; readonly process: BackendProcess } | null = null
  readonly packs: string[] = []
  /** Those that are known to be registered. */
  readonly companies: KnownCompany[] = []

  constructor(simulation: Simulation, { config, book }: { readonly config: Config; readonly book: CommandBook }) {
    this.#simulation = simulation
    this.#config = config
    this.#book = book
    this.#random = simulation.random('admins')
    this.#details = simulation.random('details of prices')
    this.#lots = simulation.random('lots')
    this.#consents = simulation.random('consents')
  }

  /** Starts the backend, without any load. */
  open(): void {
    this.#simulation.processes.start({
      name: BACKEND,
      start: async (owner) => {
        this.#backend = { owner, process: await BackendProcess.start(this.#simulation, owner, this.#config) }
        this.#work()
      },
    })
  }

  /** What an installation has to sell, and its first companies, which pay afterwards. */
  async prepare(companies: number): Promise<void> {
    await this.#until(() => this.#backend !== null)
    await this.#publishPrices({ isScheduled: false, companyId: null })
    await this.#createPlan('PREPAID', 20)
    await this.#createPlan('PREPAID', 50)
    await this.#createPlan('POSTPAID', 10)
    await this.ask(ROOT, 'syncAllPlansProviderPricing', {})
    await this.#createPack()
    for (let left = companies; left > 0; left -= 1) {
      await this.#createCompany()
      const company = this.companies.at(-1)
      if (!company) throw new Error('the first company could not be created')
      await this.#makePostpaid(company)
      await this.#mint(company)
    }
  }

  start(): void {
    this.#isOn = true
    this.#work()
  }

  stop(): void {
    this.#isOn = false
  }

  /** In the context of the backend: admins wait for it in vain once it is killed, and begin again with the next one. */
  #work(): void {
    if (!this.#backend) return
    this.#simulation.scheduler.processes.run(this.#backend.owner, () => {
      for (let admin = 0; admin < ADMINS; admin += 1) void this.#workOnAndOn()
    })
  }

  async #workOnAndOn(): Promise<void> {
    while (this.#isOn) {
      await new Promise((resolve) => setTimeout(resolve, this.#random.fraction() ** 2 * PAUSE_MS_MAX))
      if (this.#isOn) await this.#workOnce()
    }
  }

  async #workOnce(): Promise<void> {
    const random = this.#random
    const company = random.pick(this.companies)
    const { owner, companyId } = company
    const keyId = company.keys.length > 0 ? random.pick(company.keys) : null
    const works: readonly (readonly [weight: number, work: () => Promise<unknown>])[] = [
      [10, () => this.#createCompany()],
      [3, () => this.ask(ROOT, 'suspendCompany', { id: companyId, reason: 'a test' })],
      [4, () => this.ask(ROOT, 'resumeCompany', { id: companyId })],
      [2, () => this.ask(owner, 'setHardCap', { companyId, hardCap: random.chance(0.5) })],
      [4, () => this.#makePostpaid(company)],
      [1, () => this.#makePrepaid(company)],
      [10, () => this.#mint(company)],
      [4, async () => keyId && this.ask(owner, 'updateApiKey', { id: keyId, input: { rpm: 10 + random.below(90) } })],
      [2, () => this.#rotate(company, keyId)],
      [3, async () => keyId && this.ask(owner, 'revokeApiKey', { id: keyId })],
      [8, () => this.#grant(companyId)],
      [4, () => this.#adjust()],
      [3, () => this.#publishPrices({ isScheduled: random.chance(0.5), companyId: null })],
      [2, () => this.#publishPrices({ isScheduled: random.chance(0.5), companyId })],
      [2, () => this.#createPack()],
      [1, () => this.#rename()],
      [1, () => this.#createPlan('PREPAID', 5 + random.below(95))],
      [1, () => this.ask(ROOT, 'syncAllPlansProviderPricing', {})],
      [12, () => this.#buyPack(company)],
      [10, () => this.ask(owner, 'createCheckout', { input: { planId: random.pick(this.#plans) } })],
      [4, () => this.ask(owner, 'changePlan', { planId: random.pick(this.#plans) })],
      [2, () => this.ask(owner, 'cancelSubscription', {})],
      [2, () => this.ask(owner, 'resumeSubscription', {})],
      [1, () => this.#eraseOwner(company)],
    ]
    let left = random.below(works.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, work] of works) {
      left -= weight
      if (left < 0) return void (await work())
    }
  }

  ask<Name extends MutationName>(
    user: SignedInUser,
    name: Name,
    args: ArgsOf<Name>,
    ids: Readonly<Record<string, string>> = {},
  ): Promise<AnswerOf<Name> | null> {
    const own: Record<string, string> = user.companyId === null ? {} : { companyId: user.companyId }
    const { scheduler } = this.#simulation
    return this.#book.command<AnswerOf<Name>>(name, { ...own, ...ids }, args, () => {
      if (!this.#backend) throw new Error('no backend has been started')
      const { owner, process } = this.#backend
      return scheduler.processes.run(owner, (): Promise<AnswerOf<Name>> => process.mutate(user, name, args))
    })
  }

  async #createCompany(): Promise<void> {
    const name = this.#name('Company')
    const company = await this.ask(ROOT, 'createCompany', { input: { name } })
    if (!company) return
    const email = `${name.toLowerCase().replace(' ', '.')}@customer.example`
    const input = { email, password: 'correct horse battery', companyId: company.id }
    const user = await this.ask(ROOT, 'createUser', { input }, { companyId: company.id })
    if (!user) return
    const owner: SignedInUser = { userId: user.id, email, isSuperAdmin: false, companyId: company.id, role: 'OWNER' }
    this.companies.push({ companyId: company.id, owner, fate: null, keys: [] })
  }

  async #makePostpaid(company: KnownCompany): Promise<void> {
    const { companyId, fate } = company
    if (fate === 'owner erased') return
    company.fate = 'postpaid'
    const planId = this.#random.pick(this.#postpaidPlans)
    await this.ask(ROOT, 'setCompanyBillingMode', { companyId, billingMode: 'POSTPAID', planId }, { companyId })
  }

  /** Whether the answer says so or not, the owner may be erased from now on. */
  async #eraseOwner(company: KnownCompany): Promise<void> {
    if (company.fate === 'postpaid') return
    company.fate = 'owner erased'
    await this.ask(ROOT, 'eraseUser', { id: company.owner.userId })
  }

  /** Some agree that the card is charged later without them. */
  #buyPack({ owner }: KnownCompany): Promise<unknown> {
    const packId = this.#random.pick(this.packs)
    const saved = this.#consents.chance(SAVED_CARD_SHARE) ? { savePaymentMethod: true } : {}
    return this.ask(owner, 'createCheckout', { input: { packId, ...saved } })
  }

  #makePrepaid({ companyId }: KnownCompany): Promise<unknown> {
    return this.ask(ROOT, 'setCompanyBillingMode', { companyId, billingMode: 'PREPAID' }, { companyId })
  }

  async #mint({ owner, keys }: KnownCompany): Promise<void> {
    const random = this.#random
    const expires = random.chance(0.3) ? { expiresAt: this.#in(5_000 + random.fraction() * KEY_LIFE_MS_MAX) } : {}
    const period = random.pick(['DAY', 'MONTH', 'TOTAL'] as const)
    const budget = random.chance(0.3) ? { budget: { credits: 1 + random.below(100), period } } : {}
    const minted = await this.ask(owner, 'mintApiKey', { input: { name: this.#name('Key'), ...expires, ...budget } })
    if (minted) keys.push(minted.apiKey.id)
  }

  async #rotate({ owner, keys }: KnownCompany, keyId: string | null): Promise<void> {
    if (keyId === null) return
    const rotated = await this.ask(owner, 'rotateApiKey', { id: keyId })
    if (rotated) keys.push(rotated.apiKey.id)
  }

  async #grant(companyId: string): Promise<void> {
    const random = this.#random
    const isRepeated = this.#grants.length > 0 && random.chance(0.3)
    const key = random.chance(0.7) ? { idempotencyKey: this.#name('grant') } : {}
    const lots = this.#lots
    const terms = {
      ...(lots.chance(LAPSING_SHARE) && { expiresAt: this.#in(1_000 + lots.fraction() * LOT_LIFE_MS_MAX) }),
      ...(lots.chance(PROMOTIONAL_SHARE) && { promotional: true }),
    }
    // Some are so small that a few calls burn them.
    const credits = lots.chance(0.5) ? 1 + random.below(1_000) : 1 + lots.below(10)
    const fresh = { companyId, credits, reason: this.#name('a gift'), ...terms, ...key }
    const args = isRepeated ? random.pick(this.#grants) : fresh
    if (!isRepeated && args.idempotencyKey) this.#grants.push(args)
    await this.ask(ROOT, 'grantCredits', args, { companyId: args.companyId })
  }

  /** Takes part of a grant or of a refund back, or adds to it. */
  async #adjust(): Promise<void> {
    const random = this.#random
    const entries = this.#correctable()
    if (entries.length === 0) return
    const { companyId, transactionId } = random.pick(entries)
    const corrects = random.chance(0.7) ? { corrects: transactionId } : {}
    const credits = (random.chance(0.7) ? -1 : 1) * (1 + random.below(5))
    const key = random.chance(0.5) ? { idempotencyKey: this.#name('adjustment') } : {}
    const args = { companyId, credits, reason: this.#name('a correction'), ...corrects, ...key }
    await this.ask(ROOT, 'adjustCredits', args, { companyId })
  }

  /** As an admin sees them: grants by hand, or what was bought and refunded. */
  #correctable(): readonly { readonly companyId: string; readonly transactionId: string }[] {
    const { server, pglite } = this.#simulation
    if (!server.isFree) return []
    const isPaid = this.#random.chance(0.5)
    const rows = rowsOf(
      pglite,
      `select company_id, transaction_id from read_models.credit_transactions
       where type ${isPaid ? "in ('PACK_PURCHASE', 'SUBSCRIPTION', 'REFUND')" : "= 'ADJUSTMENT'"}
       order by company_id, revision`,
    )
    return rows.map(([companyId, transactionId]) => ({
      companyId: companyId ?? '',
      transactionId: transactionId ?? '',
    }))
  }

  async #publishPrices(book: { readonly isScheduled: boolean; readonly companyId: string | null }): Promise<void> {
    const random = this.#random
    const prices = ALIASES.map((alias) => {
      const inputPerMillionTokens = 100 + random.below(900)
      return { alias, ...priceInput(inputPerMillionTokens, this.#details) }
    })
    const later = book.isScheduled ? { effectiveFrom: this.#in(10_000 + random.fraction() * PRICE_LEAD_MS_MAX) } : {}
    const ids: Record<string, string> = book.companyId === null ? {} : { companyId: book.companyId }
    await this.ask(ROOT, 'publishPriceBook', { input: { prices, ...later, ...ids } }, ids)
  }

  async #createPlan(billingMode: 'PREPAID' | 'POSTPAID', price: number): Promise<void> {
    const creditsPerPeriod = 100 * price
    const input = { name: this.#name('Plan'), billingMode, price, currency: 'usd', creditsPerPeriod }
    const plan = await this.ask(ROOT, 'createPlan', { input })
    if (plan) (billingMode === 'PREPAID' ? this.#plans : this.#postpaidPlans).push(plan.id)
  }

  async #createPack(): Promise<void> {
    const price = 5 + this.#random.below(45)
    const input = { name: this.#name('Pack'), credits: 10 * price, price, currency: 'usd', sortOrder: 1 }
    const pack = await this.ask(ROOT, 'createCreditPack', { input })
    if (pack) this.packs.push(pack.id)
  }

  async #rename(): Promise<void> {
    const name = this.#name('Renamed')
    if (this.#random.chance(0.5)) {
      await this.ask(ROOT, 'updateCreditPack', { id: this.#random.pick(this.packs), input: { name } })
    } else await this.ask(ROOT, 'updatePlan', { id: this.#random.pick(this.#plans), input: { name } })
  }

  #name(what: string): string {
    this.#names += 1
    return `${what} ${this.#names}`
  }

  #in(ms: number): string {
    return isoTime(Math.floor(this.#simulation.scheduler.nowMs + ms))
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
