import { randomUUID } from 'node:crypto'
import type { Position } from '../../../contracts/position.ts'
import { DEFAULT_SCOPES } from '../../../contracts/scopes.ts'
import { pricingStream, streamName } from '../../../contracts/streams.ts'
import { type ApiKeyCommand, apiKeyDecider } from '../../../domain/apiKey/decider.ts'
import { type CompanyCommand, companyDecider } from '../../../domain/company/decider.ts'
import { Refusal } from '../../../domain/decider.ts'
import { pricingDecider } from '../../../domain/pricing/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { KeyStamp } from '../../../platform/secrets/keyStamp.ts'
import type { Random } from '../scheduler/random.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { MemoryInstallation } from '../store/memoryInstallation.ts'
import type { Load } from '../world.ts'
import { AdminCommands } from './adminCommands.ts'
import type { CallerKey } from './attempt.ts'
import { anyPrice } from './prices.ts'

const PAUSE_MS_MAX = 3_000
const SCHEDULED_MS_MIN = 5_000
const KEYS_USED_MAX = 8
const SCHEDULED_MS_MAX = 20_000
const LAPSING_SHARE = 0.4
const LOT_LIFE_MS = { min: 2_000, max: 40_000 }
const PROMOTIONAL_SHARE = 0.3
const MICROS = 1_000_000

/** From when on a change holds: between the moment when it was sent and that of its answer. */
export type Change = { readonly sentAtMs: number; answeredAtMs: number | null }

export type Budget = { readonly micros: number; readonly period: 'DAY' | 'TOTAL'; readonly set: Change }

export type Grant = {
  readonly micros: number
  /** By the clock of the database; null if the credits do not expire. */
  readonly expiresAtMs: number | null
  readonly granted: Change
}

export type Key = CallerKey & { readonly minted: Change; readonly budgets: Budget[]; revoked: Change | null }

export type Company = {
  readonly companyId: string
  readonly hasHardCap: boolean
  readonly isPostpaid: boolean
  readonly keys: Key[]
  readonly grants: Grant[]
  /** In their order. */
  readonly suspensions: { readonly suspended: Change; resumed: Change | null }[]
}

/** Admins who create and change companies, keys and prices while they are used. Writes down what was answered. */
export class Accounts implements Load {
  readonly companies: Company[] = []
  readonly aliases: readonly string[]
  readonly #simulation: Simulation
  readonly #installation: MemoryInstallation
  readonly #random: Random
  readonly #details: Random
  readonly #lots: Random
  readonly #stamp: KeyStamp
  readonly #owner = new SimulatedProcess('admins')
  #admin: AdminCommands | null = null
  #isOn = false
  #used: Key[] = []

  constructor(simulation: Simulation, installation: MemoryInstallation, aliases: readonly string[]) {
    this.#simulation = simulation
    this.#installation = installation
    this.aliases = aliases
    this.#random = simulation.random('accounts')
    this.#details = simulation.random('details of prices')
    this.#lots = simulation.random('lots')
    this.#stamp = new KeyStamp(installation.internalToken)
  }

  /** Keys that callers use: also some that were revoked. */
  get keys(): readonly Key[] {
    return this.#used
  }

  /** A key of a company that can always pay. */
  get probeKey(): Key {
    return (this.companies[0] as Company).keys[0] as Key
  }

  /** Prices, and the first companies. Nothing fails yet. */
  async prepare(): Promise<void> {
    await this.#simulation.scheduler.processes.run(this.#owner, async () => {
      this.#admin = new AdminCommands(await this.#installation.open(this.#owner))
      await this.#publish(null, this.aliases, null)
      await this.#register({ hasHardCap: false, isPostpaid: false, micros: 1_000 * MICROS })
      for (let n = 0; n < 2; n += 1) await this.#registerAny()
    })
  }

  start(): void {
    this.#isOn = true
    this.#simulation.scheduler.processes.run(this.#owner, () => this.#actOnAndOn())
  }

  stop(): void {
    this.#isOn = false
  }

  #actOnAndOn(): void {
    if (!this.#isOn) return
    setTimeout(() => this.#actOnAndOn(), this.#random.fraction() * PAUSE_MS_MAX)
    void this.#act()
  }

  async #act(): Promise<void> {
    const random = this.#random
    const others = this.companies.slice(1)
    const company = random.pick(others)
    const action = random.below(100)
    if (action < 12) await this.#registerAny()
    else if (action < 40) await this.#mint(company)
    else if (action < 52) await this.#revoke(random.pick(this.#used.filter((key) => key !== this.probeKey)))
    else if (action < 64) await this.#suspendOrResume(random.pick(others))
    else if (action < 80) await this.#grant(company, random.between(0.2, 2) * MICROS)
    else if (action < 88) await this.#raiseBudget(random.pick(this.#used))
    else await this.#publishAny(company)
  }

  async #registerAny(): Promise<void> {
    const random = this.#random
    const hasHardCap = random.chance(0.5)
    const isPostpaid = !hasHardCap && random.chance(0.3)
    const micros = random.chance(0.6) ? random.between(0.3, 3) * MICROS : 1_000 * MICROS
    const company = await this.#register({ hasHardCap, isPostpaid, micros })
    if (random.chance(0.5)) await this.#mint(company)
  }

  async #register(wanted: { hasHardCap: boolean; isPostpaid: boolean; micros: number }): Promise<Company> {
    const { hasHardCap, isPostpaid, micros } = wanted
    const companyId = randomUUID()
    const planId = isPostpaid ? randomUUID() : null
    const billingMode = isPostpaid ? 'POSTPAID' : 'PREPAID'
    await this.#ofCompany(companyId, {
      type: 'RegisterCompany',
      companyId,
      name: 'Company',
      billingMode,
      planId,
      at: this.#at(),
    })
    if (hasHardCap)
      await this.#ofCompany(companyId, { type: 'ChangeHardCap', companyId, hardCap: true, at: this.#at() })
    const company: Company = { companyId, hasHardCap, isPostpaid, keys: [], grants: [], suspensions: [] }
    await this.#grant(company, micros)
    await this.#mint(company)
    this.companies.push(company)
    return company
  }

  async #grant({ companyId, grants }: Company, credits: number): Promise<void> {
    const lots = this.#lots
    const micros = Math.floor(credits)
    const granted = this.#begin()
    // The company of the probe key must always be able to pay.
    const mayLapse = this.companies.length > 0 && lots.chance(LAPSING_SHARE)
    const lifeMs = lots.between(LOT_LIFE_MS.min, LOT_LIFE_MS.max)
    const expiresAtMs = mayLapse ? Math.floor(this.#installation.nowMs + lifeMs) : null
    grants.push({ micros, expiresAtMs, granted })
    const isPromotional = lots.chance(PROMOTIONAL_SHARE)
    await this.#commands.grant({ companyId, micros, expiresAtMs, isPromotional })
    this.#answered(granted)
  }

  async #mint(company: Company): Promise<void> {
    const random = this.#random
    const { companyId } = company
    const keyId = randomUUID()
    const { raw, hash, hint } = this.#stamp.mint(this.#installation.nowMs)
    const isFirst = this.companies.length === 0
    const minted = this.#begin()
    const budget: Budget | null =
      !isFirst && random.chance(0.4)
        ? { micros: Math.floor(random.between(0.2, 2) * MICROS), period: random.pick(['DAY', 'TOTAL']), set: minted }
        : null
    await this.#ofKey(keyId, {
      ...({
        type: 'MintApiKey',
        keyId,
        companyId,
        name: 'Key',
        hash,
        hint,
        rotatedFrom: null,
        at: this.#at(),
      } as const),
      ...{ scopes: DEFAULT_SCOPES, models: null, rpm: 100_000, tpm: 100_000_000, expiresAt: null, label: null },
      budget: budget && { amountMicros: BigInt(budget.micros), period: budget.period },
    })
    this.#answered(minted)
    const key: Key = { keyId, raw, companyId, minted, budgets: budget ? [budget] : [], revoked: null }
    company.keys.push(key)
    this.#used = [...this.#used, key].slice(-KEYS_USED_MAX)
    // Its owner uses it at once.
    this.onMinted(key)
  }

  /** Called with each new key, in the same step as its answer. */
  onMinted: (key: CallerKey) => void = () => {}

  async #revoke(key: Key | undefined): Promise<void> {
    if (!key || key.revoked) return
    key.revoked = this.#begin()
    await this.#ofKey(key.keyId, { type: 'RevokeApiKey', keyId: key.keyId, at: this.#at() })
    this.#answered(key.revoked)
  }

  async #raiseBudget(key: Key): Promise<void> {
    const last = key.budgets.at(-1)
    // Of two that are under way, the smaller one might be stored last.
    if (!last || last.set.answeredAtMs === null || key.revoked) return
    const micros = last.micros + Math.floor(this.#random.between(0.1, 1) * MICROS)
    const raised = { ...last, micros, set: this.#begin() }
    key.budgets.push(raised)
    const budget = { amountMicros: BigInt(raised.micros), period: raised.period }
    const command = { type: 'UpdateApiKey', keyId: key.keyId, changes: { budget }, at: this.#at() } as const
    const position = await this.#ofKey(key.keyId, command).catch((error: unknown) => {
      // A revocation that was sent later has overtaken it.
      if (!(error instanceof Refusal)) throw error
      return null
    })
    if (position === null) return
    await this.#commands.recordChange(key.companyId, 'apiKey', position)
    this.#answered(raised.set)
  }

  async #suspendOrResume(company: Company): Promise<void> {
    const { companyId, suspensions } = company
    const last = suspensions.at(-1)
    if (last && !last.resumed) {
      if (last.suspended.answeredAtMs === null) return
      last.resumed = this.#begin()
      const position = await this.#ofCompany(companyId, { type: 'ResumeCompany', companyId, at: this.#at() })
      await this.#commands.recordChange(companyId, 'company', position)
      return this.#answered(last.resumed)
    }
    if (last && last.resumed?.answeredAtMs === null) return
    const suspended = this.#begin()
    suspensions.push({ suspended, resumed: null })
    const reason = `reason ${suspensions.length}`
    await this.#ofCompany(companyId, { type: 'SuspendCompany', companyId, reason, at: this.#at() })
    this.#answered(suspended)
  }

  async #publishAny({ companyId }: Company): Promise<void> {
    const random = this.#random
    const aliases = this.aliases.filter(() => random.chance(0.6))
    if (aliases.length === 0) return
    const fromMs = this.#installation.nowMs + random.between(SCHEDULED_MS_MIN, SCHEDULED_MS_MAX)
    await this.#publish(random.chance(0.5) ? companyId : null, aliases, random.chance(0.5) ? isoTime(fromMs) : null)
  }

  async #publish(companyId: string | null, aliases: readonly string[], effectiveFrom: string | null): Promise<void> {
    const prices = Object.fromEntries(aliases.map((alias) => [alias, anyPrice(this.#random, this.#details)]))
    const bookId = randomUUID()
    const wanted = { bookId, companyId, effectiveFrom, prices, retired: [] }
    const command = (at: string) => ({ type: 'PublishPriceBook', ...wanted, at }) as const
    await this.#commands.handle(pricingDecider, pricingStream(companyId), command).catch((error: unknown) => {
      // The wanted start has passed while the command was repeated.
      if (!(error instanceof Refusal)) throw error
    })
  }

  get #commands(): AdminCommands {
    if (!this.#admin) throw new Error('the accounts are not prepared')
    return this.#admin
  }

  #ofCompany(companyId: string, command: CompanyCommand): Promise<Position | null> {
    return this.#commands.handle(companyDecider, streamName('company', companyId), () => command)
  }

  #ofKey(keyId: string, command: ApiKeyCommand): Promise<Position | null> {
    return this.#commands.handle(apiKeyDecider, streamName('apiKey', keyId), () => command)
  }

  #begin(): Change {
    return { sentAtMs: this.#simulation.scheduler.nowMs, answeredAtMs: null }
  }

  #answered(change: Change): void {
    change.answeredAtMs = this.#simulation.scheduler.nowMs
  }

  #at(): string {
    return isoTime(this.#installation.nowMs)
  }
}
