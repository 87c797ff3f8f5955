import { randomUUID } from 'node:crypto'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { Installation } from '../../capabilities/installation.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { DEFAULT_SCOPES } from '../../contracts/scopes.ts'
import { type Category, PRICING_STREAM, type StreamName, streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { formatCredits } from '../../domain/credits.ts'
import type { Decider } from '../../domain/decider.ts'
import { pricingDecider } from '../../domain/pricing/decider.ts'
import { type PriceBook, priceListOf, pricesAt } from '../../domain/pricing/priceBook.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { mintRawKey } from '../../platform/secrets/rawKeys.ts'
import type { InitPlan } from './initPlan.ts'
import type { Questions } from './questions.ts'
import { type KnownUser, registerUser, userOf } from './users.ts'

const ACTOR = { kind: 'system', name: 'admin' } as const

/** The resulting state. `created`: by this run, not by an earlier one. */
export type InitResult = {
  readonly superAdmin: { readonly userId: string; readonly email: string; readonly created: boolean }
  readonly company: { readonly companyId: string; readonly name: string; readonly created: boolean }
  readonly user: { readonly userId: string; readonly email: string; readonly created: boolean }
  /** The aliases whose prices this run published. */
  readonly priced: readonly string[]
  /** null: the company already has credits or charges. */
  readonly creditsGranted: string | null
  /** The secret is null for a key of an earlier run. */
  readonly key: { readonly keyId: string; readonly name: string; readonly secret: string | null }
}

/** The current common prices, by alias. */
export async function currentPrices({ store }: Installation) {
  const books: PriceBook[] = []
  for await (const { data, revision } of store.readStream(PRICING_STREAM)) books.push({ ...data, revision })
  return pricesAt([priceListOf(books)], isoTime(systemClock.now()))
}

/**
 * Carries out the plan step by step. A step that an earlier run completed changes nothing, so the next run completes an
 * interrupted one. It only reads the event store, because read models may not exist yet.
 */
export async function runInit(
  engines: Installation,
  config: Pick<Config, 'DEFAULT_KEY_RPM' | 'DEFAULT_KEY_TPM'>,
  plan: InitPlan,
  questions: Pick<Questions, 'password'>,
): Promise<InitResult> {
  const known = { superAdmin: await userOf(engines, plan.superAdmin), user: await userOf(engines, plan.user) }
  const knownCompanyId = await companyNamed(engines, plan.company)
  requireFitting(plan, known, knownCompanyId)
  // All questions are asked before the first change.
  const passwords = {
    superAdmin: known.superAdmin ? null : await questions.password(plan.superAdmin),
    user: known.user ? null : await questions.password(plan.user),
  }
  const superAdminId =
    known.superAdmin?.userId ??
    (await registerUser(engines, { email: plan.superAdmin, password: passwords.superAdmin ?? '', companyId: null }))
  const companyId = knownCompanyId ?? (await registerCompany(engines, plan.company))
  const userId =
    known.user?.userId ?? (await registerUser(engines, { email: plan.user, password: passwords.user ?? '', companyId }))
  return {
    superAdmin: { userId: superAdminId, email: plan.superAdmin, created: known.superAdmin === null },
    company: { companyId, name: plan.company, created: knownCompanyId === null },
    user: { userId, email: plan.user, created: known.user === null },
    priced: await publishPrices(engines, plan),
    creditsGranted: await grantOnce(engines, companyId, plan.creditsMicros),
    key: await mintOnce(engines, config, companyId, plan.keyName),
  }
}

function requireFitting(
  plan: InitPlan,
  { superAdmin, user }: Readonly<Record<'superAdmin' | 'user', KnownUser | null>>,
  companyId: string | null,
): void {
  if (superAdmin && !superAdmin.isSuperAdmin)
    throw new Error(`${plan.superAdmin} is the address of a user who is no super admin: choose another --email`)
  if (user && (companyId === null || user.companyId !== companyId))
    throw new Error(`${plan.user} is the address of a user outside the company ${plan.company}: choose another --user`)
}

/** The first company of that name; null if there is none. */
async function companyNamed({ store }: Installation, name: string): Promise<string | null> {
  for (let after = BEGINNING; ; ) {
    const page = await store.readAll({ after, categories: ['company'], limit: READ_PAGE_EVENTS_MAX })
    for (const { type, data } of page.events) {
      if (type === 'CompanyRegistered' && data.name === name) return data.companyId
    }
    if (page.position === after) return null
    after = page.position
  }
}

async function registerCompany(engines: Installation, name: string): Promise<string> {
  const companyId = randomUUID()
  const command = { type: 'RegisterCompany', companyId, name, billingMode: 'PREPAID', at: now() } as const
  await send(engines, companyDecider, streamName('company', companyId), command)
  return companyId
}

/** Publishes the prices that differ from the current ones, and returns their aliases. */
export async function publishPrices(engines: Installation, { prices }: Pick<InitPlan, 'prices'>): Promise<string[]> {
  const current = await currentPrices(engines)
  const changed = Object.entries(prices).filter(([alias, price]) => {
    const { bookId: _, ...rates } = current.get(alias) ?? { bookId: '' }
    return JSON.stringify(Object.entries(rates).sort()) !== JSON.stringify(Object.entries(price).sort())
  })
  if (changed.length === 0) return []
  const book = { bookId: randomUUID(), companyId: null, effectiveFrom: null, prices: Object.fromEntries(changed) }
  await send(engines, pricingDecider, PRICING_STREAM, { type: 'PublishPriceBook', ...book, retired: [], at: now() })
  return changed.map(([alias]) => alias)
}

async function grantOnce(engines: Installation, companyId: string, amountMicros: bigint): Promise<string | null> {
  if (await exists(engines, streamName('ledger', companyId))) return null
  const grantId = deterministicId(`init:${companyId}:credits`)
  const grant = { companyId, grantId, source: 'ADJUSTMENT', amountMicros, reason: 'first credits', at: now() } as const
  await engines.ledger.book(engines.ledger.draft({ type: 'GrantCredits', ...grant }), companyId, ACTOR)
  return formatCredits(amountMicros)
}

async function mintOnce(
  engines: Installation,
  { DEFAULT_KEY_RPM: rpm, DEFAULT_KEY_TPM: tpm }: Pick<Config, 'DEFAULT_KEY_RPM' | 'DEFAULT_KEY_TPM'>,
  companyId: string,
  name: string,
): Promise<InitResult['key']> {
  // The id is derived from company and name, so only one of two runs mints the key.
  const keyId = deterministicId(`init:${companyId}:key:${name}`)
  const stream = streamName('apiKey', keyId)
  if (await exists(engines, stream)) return { keyId, name, secret: null }
  const { raw, hash, hint } = mintRawKey()
  const rights = { scopes: DEFAULT_SCOPES, models: null, rpm, tpm, expiresAt: null, label: null, budget: null }
  const key = { keyId, companyId, name, hash, hint, ...rights, rotatedFrom: null, at: now() }
  await send(engines, apiKeyDecider, stream, { type: 'MintApiKey', ...key })
  return { keyId, name, secret: raw }
}

async function send<C extends Category, State, Command>(
  { commands }: Installation,
  decider: Decider<State, Command, EventOf<C>>,
  stream: StreamName<C>,
  command: Command,
): Promise<void> {
  const commandId = randomUUID()
  await commands.handle(decider, stream, command, { commandId, correlationId: commandId, actor: ACTOR })
}

async function exists({ store }: Installation, stream: StreamName): Promise<boolean> {
  for await (const _ of store.readStream(stream, { limit: 1 })) return true
  return false
}

function now(): string {
  return isoTime(systemClock.now())
}
