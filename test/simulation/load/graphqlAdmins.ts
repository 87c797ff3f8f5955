import { HOOKS_HOST, type WebhookReceivers } from '../parties/webhookReceivers.ts'
import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { CallerKey } from './attempt.ts'
import type { Books, Company, MintedKey } from './books.ts'
import type { Client, Result } from './client.ts'
import { patiently, pause } from './patience.ts'

const COMPANIES_MAX = 4
const NEXT_COMPANY_MS_MAX = 15_000
const CHANGE_MS_MAX = 6_000
const GRANT_CREDITS = 100
/** A call of the load costs about 0.02 credits, so that a few calls use it up. */
const BUDGET_CREDITS = 0.1
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
  #isOn = true
  /** Called with each new key as soon as its owner knows it. */
  onMinted: (key: CallerKey) => void = () => {}

  constructor(options: GraphqlAdminsOptions) {
    this.#options = options
    this.#random = options.simulation.random('admins')
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
    await this.#grant(companyId)
    const user = { email: `owner-${n}@company.example`, password: 'a password of an owner', companyId }
    await this.#done('mutation($user: CreateUserInput!) { createUser(input: $user) { id } }', { user }, token)
    const { email, password } = user
    const signedIn = await this.#done(
      'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email, password },
      null,
    )
    if (!signedIn?.data) return null
    const company: Company = { companyId, token: signedIn.data.login.token, keys: [], suspensions: [] }
    await this.#mint(company)
    books.companies.push(company)
    return company
  }

  async #changeSomething(company: Company): Promise<void> {
    const { counters } = this.#options.simulation
    const live = company.keys.filter(({ revokingFromMs }) => revokingFromMs === null)
    const draw = this.#random.fraction()
    if (live.length === 0 || draw < 0.3) return this.#mint(company)
    const key = this.#random.pick(live)
    if (draw < 0.5) return this.#revoke(company, key)
    if (draw < 0.65) return this.#limit(company, key)
    if (draw < 0.8) return this.#suspend(company)
    counters.hit('credits are granted')
    await this.#grant(company.companyId)
  }

  async #grant(companyId: string): Promise<void> {
    const idempotencyKey = `grant ${this.#random.uint32()}`
    await this.#done(
      `mutation($companyId: ID!, $credits: Float!, $idempotencyKey: String!) {
         grantCredits(companyId: $companyId, credits: $credits, reason: "load", idempotencyKey: $idempotencyKey) { id }
       }`,
      { companyId, credits: GRANT_CREDITS, idempotencyKey },
      this.#options.token,
    )
  }

  async #mint({ companyId, token, keys }: Company): Promise<void> {
    const minted = await this.#done(
      'mutation { mintApiKey(input: {name: "load"}) { secret apiKey { id } } }',
      {},
      token,
    )
    if (!minted?.data) return
    const { secret, apiKey } = minted.data.mintApiKey
    const key: MintedKey = { keyId: apiKey.id, raw: secret, companyId, revokingFromMs: null }
    keys.push(key)
    this.#options.simulation.counters.hit('key is minted')
    this.onMinted(key)
  }

  async #revoke({ token }: Company, key: MintedKey): Promise<void> {
    const { scheduler, counters } = this.#options.simulation
    key.revokingFromMs = scheduler.nowMs
    const revoked = await this.#done('mutation($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.keyId }, token)
    if (revoked) counters.hit('key is revoked')
  }

  async #limit({ token }: Company, key: MintedKey): Promise<void> {
    const budget = { credits: BUDGET_CREDITS, period: 'DAY' }
    await this.#done(
      'mutation($id: ID!, $budget: KeyBudgetInput!) { updateApiKey(id: $id, input: {budget: $budget}) { id } }',
      { id: key.keyId, budget },
      token,
    )
  }

  async #suspend(company: Company): Promise<void> {
    const { books, token, simulation } = this.#options
    const { companyId } = company
    const reason = `reason ${this.#random.uint32()}`
    const suspension: Company['suspensions'][number] = { fromMs: simulation.scheduler.nowMs, toMs: null }
    company.suspensions.push(suspension)
    const askedAtMs = simulation.scheduler.elapsedMs
    const suspended = await this.#done(
      'mutation($id: ID!, $reason: String!) { suspendCompany(id: $id, reason: $reason) { id } }',
      { id: companyId, reason },
      token,
    )
    if (!suspended) return
    books.suspensions.push({ companyId, reason, askedAtMs })
    simulation.counters.hit('company is suspended')
    await pause(this.#random.fraction() * CHANGE_MS_MAX)
    const resumed = await this.#done('mutation($id: ID!) { resumeCompany(id: $id) { id } }', { id: companyId }, token)
    if (resumed) suspension.toMs = simulation.scheduler.nowMs
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
        if (attempts === 1) books.broken.push(`${query} is refused: ${result.message}`)
        return result
      },
    )
  }
}
