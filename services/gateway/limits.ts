import type { CallLimits } from '../../contracts/events/callLimits.ts'
import { GatewayError } from './gatewayError.ts'
import type { CallHold } from './holds/callHold.ts'
import type { HeldAccount, HoldKeeper } from './holds/holdKeeper.ts'
import type { GatewayViews } from './views/gatewayViews.ts'
import type { LiveKey } from './views/keys.ts'

/** The limits of a company or a project that the calls of a key share with those of others. */
export type SharedLimits = { readonly level: 'company' | 'project'; readonly id: string; readonly limits: CallLimits }

const NONE: readonly SharedLimits[] = []

/** From the narrowest to the widest, so that a key with too many requests uses nothing of what others share. */
export function sharedLimits(
  { limits }: Pick<GatewayViews, 'limits'>,
  { companyId, projectId }: Pick<LiveKey, 'companyId' | 'projectId'>,
): readonly SharedLimits[] {
  if (limits.isEmpty) return NONE
  const shared: SharedLimits[] = []
  const ofProject = projectId === null ? null : limits.of(projectId)
  if (projectId !== null && ofProject) shared.push({ level: 'project', id: projectId, limits: ofProject })
  const ofCompany = limits.of(companyId)
  if (ofCompany) shared.push({ level: 'company', id: companyId, limits: ofCompany })
  return shared
}

type FlightParts = { readonly views: Pick<GatewayViews, 'limits'>; readonly holds: Pick<HoldKeeper, 'place'> }

/**
 * Takes a place among the calls in flight of the key, its project and its company, over all gateways; null if none of them is
 * limited. A place is held like money: one against each limit.
 */
export function takePlace({ views, holds }: FlightParts, key: LiveKey, callId: string): Promise<CallHold> | null {
  const accounts: HeldAccount[] = []
  const add = (level: SharedLimits['level'] | 'key', id: string, limit: () => number | null) => {
    const present = limit()
    if (present === null) return
    accounts.push({
      name: `in-flight:${level}:${id}`,
      // It may be changed or removed while the call is in flight.
      leftMicros: () => BigInt(limit() ?? Number.MAX_SAFE_INTEGER),
      refusal: () => tooManyInFlight(level, present),
    })
  }
  add('key', key.keyId, () => key.callsInFlight)
  for (const { level, id } of sharedLimits(views, key)) {
    add(level, id, () => views.limits.of(id)?.callsInFlight ?? null)
  }
  if (accounts.length === 0) return null
  return holds.place({ companyId: key.companyId, callId: placeOf(callId), amountMicros: 1n, accounts })
}

/** The id under which a call holds its place. */
export function placeOf(callId: string): string {
  return `${callId}:in-flight`
}

function tooManyInFlight(level: SharedLimits['level'] | 'key', limit: number): GatewayError {
  const message = `Too many calls in flight ${WITH[level]}: the limit is ${limit}. Retry when others have ended.`
  return new GatewayError('rateLimited', message, { retryAfterSeconds: 1 })
}

export const WITH = { key: 'with this key', project: 'in the project of this key', company: 'in the company' } as const
