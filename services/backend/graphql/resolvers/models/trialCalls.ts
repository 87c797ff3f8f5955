import { freshReports } from '../../../../../capabilities/providers/gatewayReports.ts'
import { mergedReports, type ServedModel } from '../../../../../capabilities/providers/mergedReports.ts'
import { WIRES, type WireName } from '../../../../../capabilities/providers/wires.ts'
import {
  readTrialCall,
  requestTrialCall,
  TRIAL_CALL_MS_MAX,
  TRIAL_CALL_TAKEN_MS_MAX,
  TRIAL_CALLS_PER_MINUTE_MAX,
  type TrialCall,
  type TrialCallResult,
} from '../../../../../capabilities/trialCalls/trialCallTable.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { apiError, notFound } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'

/** How often a backend polls for the result. */
const RESULT_LOOK_MS = 200
/** Added to the gateway's time limit, for storing the result and for clock differences. */
const RESULT_LATE_MS = 5_000

export const trialCalls: Resolvers = {
  Mutation: {
    testModel: async (_source, { alias, provider, wire }, context) => {
      const { userId } = requireSuperAdmin(context)
      const { ids, engines } = context.runtime
      const served = mergedReports(await freshReports(engines.database)).find((model) => model.alias === alias)
      if (!served) throw notFound('route of a running gateway for', alias)
      const call = { callId: ids.uuid(), alias, ...routeOf(served, provider ?? null, wire ?? null) }
      const waitMs = await requestTrialCall(engines.database, call, userId)
      if (waitMs !== null) {
        const seconds = Math.ceil(waitMs / 1_000)
        const limit = `${TRIAL_CALLS_PER_MINUTE_MAX} trial calls a minute are the limit`
        throw apiError('RATE_LIMITED', `${limit}; try again in ${seconds} s`, { retryAfterSeconds: seconds })
      }
      const { callId: id, provider: calledProvider, wire: spoken } = call
      return { id, provider: calledProvider, wire: spoken, ...(await resultOf(context, call)) }
    },
  },
}

/** The default provider and API of a trial call. */
function routeOf(
  { alias, providers }: ServedModel,
  name: string | null,
  wire: string | null,
): Pick<TrialCall, 'provider' | 'wire'> {
  if (wire !== null && !isWire(wire)) throw apiError('BAD_USER_INPUT', `wire is one of ${WIRES.join(', ')}`)
  const named = providers.filter((each) => name === null || each.provider === name)
  if (named.length === 0) throw notFound(`provider of ${alias}`, name ?? '')
  // Chat first, which most callers use.
  for (const api of wire === null ? WIRES : [wire]) {
    const found = named.find(({ wires }) => wires.includes(api))
    if (found) return { provider: found.provider, wire: api }
  }
  throw apiError('BAD_USER_INPUT', `${name ?? `no provider of ${alias}`} serves ${name ? 'no ' : ''}${wire}`)
}

function isWire(text: string): text is WireName {
  return (WIRES as readonly string[]).includes(text)
}

async function resultOf({ runtime }: GraphqlContext, { callId }: TrialCall): Promise<TrialCallResult> {
  const { clock, engines } = runtime
  const askedAtMs = clock.monotonicMs()
  for (;;) {
    // Before the read: what a slow read found may have changed since.
    const waitedMs = clock.monotonicMs() - askedAtMs - RESULT_LATE_MS
    const state = await readTrialCall(engines.database, callId)
    if (state !== null && typeof state === 'object') return state
    if (state === 'waiting' && waitedMs > TRIAL_CALL_TAKEN_MS_MAX) {
      const seconds = TRIAL_CALL_TAKEN_MS_MAX / 1_000
      throw apiError('PROVIDER_ERROR', `no gateway took the trial call within ${seconds} s: check that one runs`)
    }
    if (waitedMs > TRIAL_CALL_TAKEN_MS_MAX + TRIAL_CALL_MS_MAX) {
      throw apiError('PROVIDER_ERROR', 'the gateway that took the trial call reported no result; try again')
    }
    await clock.delay(RESULT_LOOK_MS)
  }
}
