import { isModelAlias, type ModelAlias } from '../../../contracts/aliases.ts'
import type { PriceApplied } from '../../../contracts/events/ledger.ts'
import { costMicros } from '../../../domain/pricing/priceBook.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { AliasProviders } from '../../platform/providers/providersFile.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TokensMax } from './costBound.ts'

/** A call that may go to a provider, and what it will be charged by. */
export type AdmittedCall = {
  readonly alias: ModelAlias
  readonly price: PriceApplied
  readonly providers: AliasProviders
  /** Of a company with a hard cap. */
  readonly hold: CallHold | null
  readonly admittedAt: string
  readonly admittedAtMs: number
  /** How long it took to admit it: limits and holds may be kept by others. */
  readonly admissionMs: number
}

/** What admission reads of a request, and the headers it tells the limits in. */
type AdmittedContext = Pick<RequestContext, 'key' | 'callId' | 'response'>

/** The steps between the body and the provider, in this order: allowlist, overdue invoice, balance, tokens per minute, price, hold. */
export async function admitCall(
  deps: GatewayDependencies,
  context: AdmittedContext,
  model: string,
  tokensMax: TokensMax,
): Promise<AdmittedCall> {
  const { key, callId, response } = context
  const { views, clock } = deps
  const beganAtMs = clock.now()
  // An unknown alias is outside every allowlist.
  if (!isModelAlias(model) || (key.models && !key.models.has(model))) {
    throw new GatewayError(
      'modelNotAllowed',
      `This key may not call the model ${JSON.stringify(model.slice(0, 100))}. GET /models lists those it may.`,
    )
  }
  refuseOverdue(deps, key.companyId)
  if (views.companies.billingMode(key.companyId) === 'PREPAID' && views.balances.balanceMicros(key.companyId) <= 0n) {
    throw new GatewayError('insufficientCredits', 'The credit balance of the company is used up. Top up to go on.')
  }
  await deps.rateLimiter.admitTokens(key, response)
  refuseWhileHeldUp(deps)
  const admittedAtMs = clock.now()
  const admittedAt = isoTime(admittedAtMs)
  const price = views.prices.priceAt(model, admittedAt)
  const providers = deps.providerTable[model]
  if (!price || !providers) {
    throw new GatewayError('unavailable', `The model ${model} has no ${price ? 'provider' : 'price'} at present.`, {
      retryAfterSeconds: 60,
    })
  }
  // Last, so that nothing behind it can refuse the call. Who has no hard cap waits for nobody here.
  const hold = views.companies.hasHardCap(key.companyId)
    ? await deps.holds.place(key.companyId, callId, costMicros(price, tokensMax(providers.maxOutputTokens)))
    : null
  return { alias: model, price, providers, hold, admittedAt, admittedAtMs, admissionMs: clock.now() - beganAtMs }
}

/** Who pays afterwards is trusted until it does not pay. */
function refuseOverdue({ views, clock }: GatewayDependencies, companyId: string): void {
  if (views.companies.billingMode(companyId) !== 'POSTPAID' || !views.invoices.hasOverdue(companyId, clock.now()))
    return
  throw new GatewayError('planLimitExceeded', 'An invoice of the company is overdue. Pay it to go on.')
}

/** Its charge could not be stored, so its answer would be withheld, and the provider asked for nothing. */
function refuseWhileHeldUp({ ledger }: GatewayDependencies): void {
  if (!ledger.isHeldUp) return
  const message = 'Charges cannot be stored at present, so no call is taken that would need one. Retry with backoff.'
  throw new GatewayError('unavailable', message, { retryAfterSeconds: 1 })
}
