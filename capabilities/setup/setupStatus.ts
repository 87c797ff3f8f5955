import { nextPriceFrom, priceListOf, pricesAt } from '../../domain/pricing/priceBook.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { packsWithoutPrice } from '../../projections/creditPacks/queries.ts'
import { allPlans, needsProviderPricing } from '../../projections/plans/queries.ts'
import { priceBookOf, priceBooksOf } from '../../projections/priceBooks/queries.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { paymentEventsByStatus } from '../../projections/webhooks/queries.ts'
import { configuredProviders } from '../providers/configuredProviders.ts'
import { freshReports } from '../providers/gatewayReports.ts'
import { mergedReports } from '../providers/mergedReports.ts'
import { type ProviderFault, providerFaults } from '../providers/providerProbe.ts'
import type { ProviderTable } from '../providers/providersFile.ts'
import { wasSeen } from './setupSeen.ts'

/** Something that an installation needs before it can serve customers. */
export type SetupStep = {
  readonly name: string
  readonly done: boolean
  /** What to do if it is not done; otherwise what was found. */
  readonly hint: string
}

export type SetupParts = { readonly config: Config; readonly database: Database; readonly clock: Clock }

/** How many names a hint contains; the rest is counted. */
const NAMES_SHOWN_MAX = 10

/** The steps from a new installation to one that sells calls, in the order in which an operator takes them. */
export async function setupStatus({ config, database, clock }: SetupParts): Promise<SetupStep[]> {
  const routes = await knownRoutes(config, database)
  const at = isoTime(clock.now())
  return Promise.all([
    providersStep(routes, clock),
    pricesStep(routes, database, at),
    offersStep(database, at),
    mailStep(database),
    paymentEventStep(database),
  ])
}

/** The providers as read by this process or, if it has no file, as reported by gateways; or why they cannot be read. */
type Routes =
  | {
      readonly aliases: readonly string[]
      /** Aliases of the file whose abandoned calls cost their callers nothing. */
      readonly undrained: readonly string[]
      readonly faults: (clock: Clock) => Promise<readonly ProviderFault[]>
    }
  | { readonly unknown: string }

async function knownRoutes(config: Config, database: Database): Promise<Routes> {
  if (!config.sandbox && config.PROVIDERS_FILE === undefined) return reportedRoutes(database)
  try {
    const table = configuredProviders(config)
    const undrained = config.PROVIDERS_FILE === undefined ? [] : undrainedAliases(table)
    return { aliases: Object.keys(table), undrained, faults: (clock) => providerFaults(table, clock) }
  } catch (error) {
    return { unknown: `Correct the providers file: ${(error as Error).message}` }
  }
}

function undrainedAliases(table: ProviderTable): string[] {
  return Object.keys(table).filter((alias) => table[alias]?.abandoned !== 'drain')
}

async function reportedRoutes(database: Database): Promise<Routes> {
  const reports = await freshReports(database)
  if (reports.length === 0) return { unknown: 'Start a gateway: none reports its providers.' }
  const models = mergedReports(reports)
  const providers = models.flatMap((model) => model.providers)
  const failing = new Set(providers.filter(({ breaker }) => breaker !== 'closed').map(({ provider }) => provider))
  const faults = [...failing].map((provider) => ({ provider, fault: 'fails (its circuit breaker is open)' }))
  return { aliases: models.map(({ alias }) => alias), undrained: [], faults: async () => faults }
}

/** The aliases with a provider; null if unknown. */
export async function routedAliases(config: Config, database: Database): Promise<readonly string[] | null> {
  const routes = await knownRoutes(config, database)
  return 'aliases' in routes ? routes.aliases : null
}

async function providersStep(routes: Routes, clock: Clock): Promise<SetupStep> {
  const name = 'providers'
  if ('unknown' in routes) return { name, done: false, hint: routes.unknown }
  if (routes.aliases.length === 0)
    return { name, done: false, hint: 'Name at least one alias and its provider in PROVIDERS_FILE.' }
  const faults = await routes.faults(clock)
  if (faults.length === 0) return { name, done: true, hint: `No provider fails.${drainHint(routes.undrained)}` }
  const list = listed(faults.map(({ provider, fault }) => `${provider} ${fault}`))
  return { name, done: false, hint: `Check baseUrl and key in PROVIDERS_FILE: ${list}.` }
}

/** A recommendation: the step is done without it. */
function drainHint(undrained: readonly string[]): string {
  if (undrained.length === 0) return ''
  return ` Calls that callers leave are free for ${listed(undrained)}; "abandoned": "drain" in PROVIDERS_FILE charges what was used.`
}

async function pricesStep(routes: Routes, database: Database, at: string): Promise<SetupStep> {
  const name = 'prices'
  if ('unknown' in routes) return { name, done: false, hint: routes.unknown }
  const list = priceListOf((await priceBooksOf(database, null)).map(priceBookOf))
  const prices = pricesAt([list], at)
  const { aliases } = routes
  const unpriced = aliases.filter((alias) => !prices.has(alias))
  const [firstFrom] = unpriced.flatMap((alias) => nextPriceFrom(list, alias, at) ?? []).sort()
  // A clock that was set back looks the same as prices that were never published.
  const later = firstFrom === undefined ? '' : ` One begins at ${firstFrom}, and the server's clock says ${at}.`
  const hint = `Publish a price with publishPriceBook for ${listed(unpriced)}: calls to an alias without one get 503.${later}`
  if (unpriced.length > 0) return { name, done: false, hint }
  const unrouted = [...prices.keys()].filter((alias) => !aliases.includes(alias))
  const rest = unrouted.length > 0 ? ` No provider, so they cannot be called: ${listed(unrouted)}.` : ''
  return { name, done: aliases.length > 0, hint: `${aliases.length} aliases have a provider and a price.${rest}` }
}

async function offersStep(database: Database, at: string): Promise<SetupStep> {
  const name = 'plans and packs'
  const plans = (await allPlans(database)).filter(needsProviderPricing).map((plan) => plan.name)
  const packs = (await packsWithoutPrice(database, at, NAMES_SHOWN_MAX + 1)).map((pack) => pack.name)
  if (plans.length > 0)
    return { name, done: false, hint: `Call syncAllPlansProviderPricing: ${listed(plans)} cannot be bought yet.` }
  if (packs.length > 0)
    return {
      name,
      done: false,
      hint: `Check STRIPE_SECRET_KEY: ${listed(packs)} has no price at the payment provider.`,
    }
  return { name, done: true, hint: 'Every plan and pack for sale has a price at the payment provider.' }
}

async function mailStep(database: Database): Promise<SetupStep> {
  const done = await wasSeen(database, 'mail')
  const hint = 'No mail was sent yet. Check SMTP_URL and MAIL_FROM; parkedTasks lists mails that failed.'
  return { name: 'mail', done, hint: done ? 'The mail server has taken a mail.' : hint }
}

async function paymentEventStep(database: Database): Promise<SetupStep> {
  const done = (await paymentEventsByStatus(database, null, 1)).length > 0
  const hint =
    'No event of the payment provider arrived yet. Point its webhook at <backend>/payments/webhook and set STRIPE_WEBHOOK_SECRET.'
  return { name: 'webhook', done, hint: done ? 'Events of the payment provider arrive.' : hint }
}

export function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN_MAX
  return names.slice(0, NAMES_SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
