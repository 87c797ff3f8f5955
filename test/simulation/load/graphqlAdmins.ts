import { HOOKS_HOST, type WebhookReceivers } from '../parties/webhookReceivers.ts'
import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Budget, Change, Grant, Key } from './accounts.ts'
import type { CallerKey } from './attempt.ts'
import type { Books, Company } from './books.ts'
import type { Client, Result } from './client.ts'
import { patiently, pause } from './patience.ts'

const COMPANIES_MAX = 4
const NEXT_COMPANY_MS_MAX = 15_000
const CHANGE_MS_MAX = 6_000
/** More than all calls of a run cost. */
const PLENTY_CREDITS = 100
/** A call of the load costs about 0.1 credits, so that a few calls use up a budget or a balance. */
const FEW_CREDITS = { min: 0.3, max: 1.5 }
const LAPSING_SHARE = 0.4
/** Long enough that a repeated request is not refused because the time has passed. */
const LOT_LIFE_MS = { min: 8_000, max: 40_000 }
const TOO_LATE = /cannot expire before they are granted/
const PROMOTIONAL_SHARE = 0.3
const MICROS = 1_000_000
const HARD_CAP_SHARE = 0.4
const SMALL_BALANCE_SHARE = 0.6
const BUDGET_SHARE = 0.4
const WEBHOOK_TYPES = ['balance.low', 'balance.exhausted', 'key.expiring', 'key.budget_reached', 'company.suspended']

export type GraphqlAdminsOptions = {
  readonly simulation: Simulation
  readonly owner: SimulatedProcess
  readonly client: Client
  readonly books: Books
  readonly receivers: WebhookReceivers
  /** The token of a super admin. */
  readonly token: string
}

/** Admins of the platform and of companies, over GraphQL: companies, keys, budgets, credits, suspensions, endpoints. */
export class GraphqlAdmins implements Load {
  readonly #options: GraphqlAdminsOptions
  readonly #random: Random
  readonly #lots: Random
  #isOn = true
  /** Called with each new key as soon as its owner knows it. */
  onMinted: (key: CallerKey) => void = () => {}

  constructor(options: GraphqlAdminsOptions) {
    this.#options = options
    this.#random = options.simulation.random('admins')
    this.#lots = options.simulation.random('lots')
  }

  /** Opens a company to which nothing happens. Returns its key. */
  async prepare(): Promise<CallerKey> {
    const company = await this.#open(0)
    const [key] = company?.keys ?? []
    if (!key) throw new Error('the first company has no key')
    return key
  }

  start(): void {
    const { simulation, owner } = this.#options
    simulation.scheduler.processes.run(owner, () => void this.#openCompanies())
  }

  stop(): void {
    this.#isOn = false
  }

  async #openCompanies(): Promise<void> {
    for (let n = 1; n <= COMPANIES_MAX && this.#isOn; n += 1) {
      void this.#run(n)
      await pause(this.#random.fraction() * NEXT_COMPANY_MS_MAX)
    }
  }

  async #run(n: number): Promise<void> {
    const company = await this.#open(n)
    if (!company) return
    await this.#createEndpoint(company, n)
    while (this.#isOn) {
      await this.#changeSomething(company)
      await pause(this.#random.fraction() * CHANGE_MS_MAX)
    }
  }

  /** Creates a company with credits, a key, and an owner who is signed in. */
  async #open(n: number): Promise<Company | null> {
    const { books, token } = this.#options
    const created = await this.#done(
      'mutation($name: String!) { createCompany(input: {name: $name}) { id } }',
      { name: `Company ${n}` },
      token,
    )
    if (!created?.data) return null
    const companyId = created.data.createCompany.id as string
    const hasHardCap = n > 0 && this.#random.chance(HARD_CAP_SHARE) && (await this.#setHardCap(companyId))
    const isSmall = n > 0 && this.#random.chance(SMALL_BALANCE_SHARE)
    const grants: Grant[] = []
    await this.#grant({ companyId, grants }, isSmall ? this.#fewCredits() : PLENTY_CREDITS)
    const user = { email: `owner-${n}@company.example`, password: 'a password of an owner', companyId }
    await this.#done('mutation($user: CreateUserInput!) { createUser(input: $user) { id } }', { user }, token)
    const { email, password } = user
    const signedIn = await this.#done(
      'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email, password },
      null,
    )
    if (!signedIn?.data) return null
    const { token: ownToken } = signedIn.data.login
    const company: Company = {
      companyId,
      token: ownToken,
      hasHardCap,
      isPostpaid: false,
      keys: [],
      grants,
      suspensions: [],
    }
    await this.#mint(company, n > 0)
    books.companies.push(company)
    return company
  }

  async #changeSomething(company: Company): Promise<void> {
    const live = company.keys.filter(({ revoked }) => revoked === null)
    const draw = this.#random.fraction()
    if (live.length === 0 || draw < 0.3) return this.#mint(company)
    const key = this.#random.pick(live)
    if (draw < 0.5) return this.#revoke(company, key)
    if (draw < 0.65) return this.#raiseBudget(company, key)
    if (draw < 0.8) return this.#suspend(company)
    await this.#grant(company, this.#fewCredits())
  }

  #fewCredits(): number {
    return rounded(this.#random.between(FEW_CREDITS.min, FEW_CREDITS.max))
  }

  /** Before the company has a key: all its calls are under the cap. */
  async #setHardCap(companyId: string): Promise<boolean> {
    const query = 'mutation($id: ID!) { setHardCap(companyId: $id, hardCap: true) { id } }'
    return (await this.#done(query, { id: companyId }, this.#options.token)) !== null
  }

  async #grant({ companyId, grants }: Pick<Company, 'companyId' | 'grants'>, credits: number): Promise<void> {
    const { simulation } = this.#options
    const granted = this.#begin()
    const lifeMs = this.#lots.between(LOT_LIFE_MS.min, LOT_LIFE_MS.max)
    const isLapsing = credits < PLENTY_CREDITS && this.#lots.chance(LAPSING_SHARE)
    const expiresAtMs = isLapsing ? Math.floor(simulation.scheduler.nowMs + lifeMs) : null
    const lot = {
      expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
      promotional: this.#lots.chance(PROMOTIONAL_SHARE),
    }
    grants.push({ micros: Math.round(credits * MICROS), expiresAtMs, granted })
    const idempotencyKey = `grant ${this.#random.uint32()}`
    const answer = await this.#done(
      `mutation($companyId: ID!, $credits: Float!, $idempotencyKey: String!, $expiresAt: DateTime, $promotional: Boolean!) {
         grantCredits(companyId: $companyId, credits: $credits, reason: "load", idempotencyKey: $idempotencyKey,
           expiresAt: $expiresAt, promotional: $promotional) { id }
       }`,
      { companyId, credits, idempotencyKey, ...lot },
      this.#options.token,
    )
    if (answer && answer.code === undefined) this.#answered(granted)
  }

  async #mint({ companyId, token, keys }: Company, mayHaveBudget = true): Promise<void> {
    const hasBudget = mayHaveBudget && this.#random.chance(BUDGET_SHARE)
    const limit = hasBudget
      ? { credits: this.#fewCredits(), period: this.#random.pick(['DAY', 'TOTAL'] as const) }
      : null
    const minted = this.#begin()
    const answer = await this.#done(
      'mutation($budget: KeyBudgetInput) { mintApiKey(input: {name: "load", budget: $budget}) { secret apiKey { id } } }',
      { budget: limit },
      token,
    )
    if (!answer?.data) return
    this.#answered(minted)
    const { secret, apiKey } = answer.data.mintApiKey
    const budgets = limit ? [budgetOf(limit.credits, limit.period, minted)] : []
    const key: Key = { keyId: apiKey.id, raw: secret, companyId, minted, budgets, revoked: null }
    keys.push(key)
    this.onMinted(key)
  }

  async #revoke({ token }: Company, key: Key): Promise<void> {
    key.revoked = this.#begin()
    const query = 'mutation($id: ID!) { revokeApiKey(id: $id) { id } }'
    if (await this.#done(query, { id: key.keyId }, token)) this.#answered(key.revoked)
  }

  async #raiseBudget({ token }: Company, key: Key): Promise<void> {
    const last = key.budgets.at(-1)
    if (!last) return
    const credits = rounded(last.micros / MICROS + this.#fewCredits())
    const raised = budgetOf(credits, last.period, this.#begin())
    key.budgets.push(raised)
    const answer = await this.#done(
      'mutation($id: ID!, $budget: KeyBudgetInput!) { updateApiKey(id: $id, input: {budget: $budget}) { id } }',
      { id: key.keyId, budget: { credits, period: last.period } },
      token,
    )
    if (answer) this.#answered(raised.set)
  }

  async #suspend(company: Company): Promise<void> {
    const { books, token, simulation } = this.#options
    const { companyId } = company
    const reason = `reason ${this.#random.uint32()}`
    const suspension: Company['suspensions'][number] = { suspended: this.#begin(), resumed: null }
    company.suspensions.push(suspension)
    const askedAtMs = simulation.scheduler.elapsedMs
    const suspended = await this.#done(
      'mutation($id: ID!, $reason: String!) { suspendCompany(id: $id, reason: $reason) { id } }',
      { id: companyId, reason },
      token,
    )
    if (!suspended) return
    this.#answered(suspension.suspended)
    books.suspensions.push({ companyId, reason, askedAtMs })
    await pause(this.#random.fraction() * CHANGE_MS_MAX)
    suspension.resumed = this.#begin()
    const resumed = await this.#done('mutation($id: ID!) { resumeCompany(id: $id) { id } }', { id: companyId }, token)
    if (resumed) this.#answered(suspension.resumed)
  }

  #begin(): Change {
    return { sentAtMs: this.#options.simulation.scheduler.nowMs, answeredAtMs: null }
  }

  #answered(change: Change): void {
    change.answeredAtMs = this.#options.simulation.scheduler.nowMs
  }

  async #createEndpoint({ companyId, token }: Company, n: number): Promise<void> {
    const { books, receivers, simulation } = this.#options
    let path = ''
    const created = await this.#done(
      `mutation($url: String!, $types: [String!]!) {
         createWebhookEndpoint(url: $url, types: $types) { secret endpoint { id } }
       }`,
      () => {
        // Without an answer, the endpoint may exist, but its secret is lost.
        path = `/company-${n}-${this.#random.uint32()}`
        return { url: `https://${HOOKS_HOST}${path}`, types: WEBHOOK_TYPES }
      },
      token,
    )
    if (!created?.data) return
    const { secret, endpoint } = created.data.createWebhookEndpoint
    receivers.trust(path, secret)
    books.endpoints.push({ companyId, endpointId: endpoint.id, path, createdAtMs: simulation.scheduler.elapsedMs })
  }

  /** Asks until it is done. A change whose answer did not come may have been made, so the next attempt may be refused. */
  #done(query: string, variables: object | (() => object), token: string | null): Promise<Result | null> {
    const { client, simulation, books } = this.#options
    let attempts = 0
    return patiently(
      () => this.#isOn,
      async () => {
        attempts += 1
        const result = await client.ask(query, typeof variables === 'function' ? variables() : variables, token)
        if (result.code === undefined) return result
        simulation.scheduler.record(`admin is refused: ${result.code} ${result.message} by ${query.slice(0, 60)}`)
        simulation.counters.hit(`admin is refused: ${result.code}`)
        if (result.code !== 'BAD_USER_INPUT') return null
        // A request may arrive so late that its credits would have expired before.
        if (attempts === 1 && !TOO_LATE.test(result.message ?? ''))
          books.broken.push(`${query} is refused: ${result.message}`)
        return result
      },
    )
  }
}

function rounded(credits: number): number {
  return Math.round(credits * 100) / 100
}

function budgetOf(credits: number, period: Budget['period'], set: Change): Budget {
  return { micros: Math.round(credits * MICROS), period, set }
}
