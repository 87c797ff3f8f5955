import { type AliasProviders, routeOf } from '../../../capabilities/providers/providersFile.ts'
import type { PriceApplied } from '../../../contracts/events/pricing.ts'
import { periodOf } from '../../../domain/apiKey/budgetPeriod.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { chargeMaxMicros } from '../../../domain/pricing/charge.ts'
import { unpricedUnits } from '../../../domain/pricing/price.ts'
import type { UsageBound } from '../../../domain/pricing/usage.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import { budgetAccountOf, budgetExceeded, budgetInWords } from '../holds/budgetAccount.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { CallToHold } from '../holds/callHolds.ts'
import type { ShownWindow } from '../rateLimiter.ts'
import type { RequestContext } from '../requestContext.ts'
import type { LiveKey } from '../views/keys.ts'
import type { BoundOf } from './costBound.ts'

/** A call that may go to a provider, with the price it will be charged by. */
export type AdmittedCall = {
  readonly alias: string
  /** The usage label of the call. */
  readonly label: string | null
  readonly price: PriceApplied
  /** The service tier that the caller asked for; null if none. */
  readonly requestedTier: string | null
  readonly providers: AliasProviders
  /** Only for a company with a hard cap. */
  readonly hold: CallHold | null
  readonly admittedAt: string
  readonly admittedAtMs: number
  /** The token limit as shown in the response headers. */
  readonly tokensShown?: ShownWindow
}

/** The parts of a request that admission needs, and the response whose headers show the limits. */
type AdmittedContext = Pick<RequestContext, 'key' | 'callId' | 'label' | 'response'>

type AdmissionOptions = {
  readonly streamed?: boolean
  readonly requestedTier?: string | null
  /** The tool or route that chose the model, if the request did not name it. */
  readonly usedBy?: string
}

/**
 * The checks between the body and the provider: allowlist, suspension, overdue invoice, credit limit, balance, budget, tokens per minute,
 * age of the prices, abandoned tokens, price of the alias and of all units, hold.
 */
export async function admitCall(
  deps: GatewayDependencies,
  context: AdmittedContext,
  model: string,
  boundOf: BoundOf,
  { streamed = false, requestedTier = null, usedBy }: AdmissionOptions = {},
): Promise<AdmittedCall> {
  const { key, callId, response } = context
  const { views, clock } = deps
  const refused = checkMayCall(deps, key, model)
  if (refused) await refused
  const tokensShown = await deps.rateLimiter.admitTokens(key, response)
  refuseWhileHeldUp(deps)
  const outdated = deps.priceCurrency.require()
  if (outdated) await outdated
  const admittedAtMs = clock.now()
  const admittedAt = isoTime(admittedAtMs)
  deps.abandonedStreams.admit(key.companyId, admittedAt, streamed)
  const price = views.prices.priceAt(key.companyId, model, admittedAt)
  const providers = routeOf(deps.providerTable, model)
  if (!price || !providers) {
    const priceFrom = price ? null : views.prices.nextPriceFrom(key.companyId, model, admittedAt)
    throw notCallable(model, {
      hasPrice: price !== null,
      hasProvider: providers !== undefined,
      usedBy,
      priceFrom,
      now: admittedAt,
    })
  }
  const bound = boundOf(providers.maxOutputTokens)
  requireUnitPrices(model, price, bound)
  // Last, so that no later check can refuse a call that already has a hold. Without a hard cap there is no hold to wait for.
  const hold = views.companies.hasHardCap(key.companyId)
    ? await placeHold(deps, key.companyId, () => ({
        companyId: key.companyId,
        callId,
        amountMicros: chargeMaxMicros(price, bound, requestedTier),
        budget: budgetAccountOf(key.family, admittedAt),
      }))
    : null
  const label = views.labels.admit(key.companyId, context.label, admittedAt)
  return { alias: model, label, price, requestedTier, providers, hold, admittedAt, admittedAtMs, tokensShown }
}

type NotCallable = {
  readonly hasPrice: boolean
  readonly hasProvider: boolean
  readonly usedBy?: string
  /** The start of a published price that is not in force yet. */
  readonly priceFrom: string | null
  readonly now: string
}

/**
 * An alias can be called only with a provider and a price, and the message names what the operator has to add. A price that begins
 * later is named with the server's time, because a clock that was set back looks the same.
 */
function notCallable(model: string, { hasPrice, hasProvider, usedBy, priceFrom, now }: NotCallable): GatewayError {
  const missing = [hasProvider ? null : 'provider', hasPrice ? null : 'price'].filter((each) => each !== null)
  const which = usedBy === undefined ? model : `${model}, which ${usedBy} uses,`
  const later = priceFrom === null ? '' : ` Its price begins at ${priceFrom}, and the server's clock says ${now}.`
  return new GatewayError('unavailable', `The model ${which} has no ${missing.join(' and no ')} at present.${later}`, {
    retryAfterSeconds: 60,
  })
}

/** A unit has no kind above it whose price it could have, and must not be free by mistake. */
function requireUnitPrices(model: string, price: PriceApplied, { units }: UsageBound): void {
  const [unpriced] = unpricedUnits(price, Object.keys(units))
  if (unpriced === undefined) return
  const name = JSON.stringify(unpriced.slice(0, 100))
  throw invalidRequest(`The model ${model} has no price for ${name}, which this request may use.`)
}

/** Refuses a model that is neither in the key's list nor an alias with a provider or a price. */
export function checkKnown(
  { providerTable, views, clock }: Pick<GatewayDependencies, 'providerTable' | 'views' | 'clock'>,
  key: RequestContext['key'],
  model: string,
): void {
  if (key.models?.has(model) || routeOf(providerTable, model)) return
  if (views.prices.priceAt(key.companyId, model, isoTime(clock.now())) === null) throw modelNotAllowed(model)
}

/** Places the hold. If it is refused and the views lacked a change of the company, tries once more. */
async function placeHold(
  { holds, companyCatchUp }: Pick<GatewayDependencies, 'holds' | 'companyCatchUp'>,
  companyId: string,
  callToHold: () => CallToHold,
): Promise<CallHold> {
  try {
    return await holds.place(callToHold())
  } catch (error) {
    if (!isRefusedForMoney(error)) throw error
    if (!(await companyCatchUp.hasCaughtUp(companyId, { decidedEarlier: true }))) throw error
    // The budget may have another period now, and the account of the old one no longer has a limit.
    return holds.place(callToHold())
  }
}

const MONEY_REFUSALS: ReadonlySet<string> = new Set(['insufficientCredits', 'creditLimitExceeded', 'keyBudgetExceeded'])

function isRefusedForMoney(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  return MONEY_REFUSALS.has(error.error)
}

/** The views that decide whether a company may call, and the wait for a change that they may lack. */
type PayingParts = Pick<GatewayDependencies, 'views' | 'clock' | 'companyCatchUp'>

/**
 * The checks that need neither the body nor a limit, made before work that costs us. Like `checkCanPay`, it returns a promise
 * only for a call that would be refused, so that other calls do not wait for a turn of the event loop.
 */
export function checkMayCall(deps: PayingParts, key: RequestContext['key'], model: string): Promise<void> | undefined {
  checkAllowed(key, model)
  return checkCanPay(deps, key)
}

/** The list of models of the key. */
export function checkAllowed({ models }: RequestContext['key'], model: string): void {
  if (models && !models.has(model)) throw modelNotAllowed(model)
}

function modelNotAllowed(model: string): GatewayError {
  const name = JSON.stringify(model.slice(0, 100))
  return new GatewayError('modelNotAllowed', `This key may not call the model ${name}. GET /models lists those it may.`)
}

/** The checks that need no model: suspension, overdue invoice, credit limit, balance and the key's budget. */
export function checkCanPay(deps: PayingParts, key: Pick<LiveKey, 'companyId' | 'family'>): Promise<void> | undefined {
  const refusal = payingRefusal(deps, key)
  return refusal === null
    ? undefined
    : refuseUnlessChanged(deps, key.companyId, refusal, () => payingRefusal(deps, key))
}

function payingRefusal(
  deps: Pick<GatewayDependencies, 'views' | 'clock'>,
  key: Pick<LiveKey, 'companyId' | 'family'>,
): GatewayError | null {
  const { companyId } = key
  return (
    suspensionOf(deps, companyId) ??
    overdueRefusal(deps, companyId) ??
    creditLimitRefusal(deps, companyId) ??
    balanceRefusal(deps, companyId) ??
    budgetRefusal(deps, key)
  )
}

/** Checks again if the views lacked a change of the company, such as a grant of credits or a raised budget. */
async function refuseUnlessChanged(
  { companyCatchUp }: Pick<GatewayDependencies, 'companyCatchUp'>,
  companyId: string,
  refusal: GatewayError,
  decide: () => GatewayError | null,
): Promise<void> {
  const refused = (await companyCatchUp.hasCaughtUp(companyId)) ? decide() : refusal
  if (refused !== null) throw refused
}

function balanceRefusal({ views }: Pick<GatewayDependencies, 'views'>, companyId: string): GatewayError | null {
  if (views.companies.billingMode(companyId) !== 'PREPAID' || views.balances.balanceMicros(companyId) > 0n) return null
  return new GatewayError('insufficientCredits', 'The credit balance of the company is used up. Top up to continue.')
}

/** Calls in progress end as usual. */
export function refuseSuspended(deps: PayingParts, companyId: string): Promise<void> | undefined {
  const refusal = suspensionOf(deps, companyId)
  return refusal === null
    ? undefined
    : refuseUnlessChanged(deps, companyId, refusal, () => suspensionOf(deps, companyId))
}

function suspensionOf({ views }: Pick<GatewayDependencies, 'views'>, companyId: string): GatewayError | null {
  if (!views.companies.isSuspended(companyId)) return null
  const message = 'The company is suspended, so its calls are refused. Its owner has been told why.'
  return new GatewayError('companySuspended', message)
}

/** A POSTPAID company may call until an invoice is overdue. */
function overdueRefusal(
  { views, clock }: Pick<GatewayDependencies, 'views' | 'clock'>,
  companyId: string,
): GatewayError | null {
  if (views.companies.billingMode(companyId) !== 'POSTPAID') return null
  const overdue = views.invoices.overdue(companyId, clock.now())
  if (!overdue) return null
  const where = overdue.payUrl === null ? '' : ` at ${overdue.payUrl}`
  return new GatewayError('planLimitExceeded', `An invoice of the company is overdue. Pay it${where} to continue.`)
}

/** A POSTPAID company may have a limit of what it owes. The call that exceeds it is still charged in full. */
function creditLimitRefusal({ views }: Pick<GatewayDependencies, 'views'>, companyId: string): GatewayError | null {
  const limitMicros = views.companies.creditLimitMicros(companyId)
  if (limitMicros === null || views.balances.balanceMicros(companyId) >= -limitMicros) return null
  const limit = formatCredits(limitMicros)
  const message = `The company owes more than its credit limit of ${limit} credits. Pay its invoices, or ask the operator to raise it.`
  return new GatewayError('creditLimitExceeded', message)
}

/** The charge could not be stored and the answer would be withheld, so no provider is called. */
function refuseWhileHeldUp({ ledger }: GatewayDependencies): void {
  if (!ledger.isHeldUp) return
  const message = 'Charges cannot be stored at present, so no billed call is accepted. Retry with backoff.'
  throw new GatewayError('unavailable', message, { retryAfterSeconds: 1 })
}

/** Refuses a call if the key's budget is used up, whichever of the keys that share it spent it. */
function budgetRefusal(
  { views, clock }: Pick<GatewayDependencies, 'views' | 'clock'>,
  { family }: Pick<LiveKey, 'family'>,
): GatewayError | null {
  if (family.budget === null) return null
  const period = periodOf(family.budget.period, isoTime(clock.now()))
  if (views.keySpend.spentMicros(family.keyIds, period) < family.budget.amountMicros) return null
  return budgetExceeded(`The budget of this key, ${budgetInWords(family.budget)}, is used up.`)
}
