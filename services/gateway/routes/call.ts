import { z } from 'zod'
import { isUuid } from '../../../contracts/uuid.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import type { CallInFlight } from '../call/callsInFlight.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { MOUNT } from './mount.ts'

/** A call on another gateway is unknown here until it has ended. */
const RETRY_SECONDS = 1

const STATES = { CHARGED: 'charged', FAILED: 'failed', REVERSED: 'reversed' } as const

const callAnswer = z
  .object({
    object: z.literal('call'),
    id: z.string(),
    state: z.enum(['charged', 'failed', 'reversed', 'in_flight']),
    model: z.string(),
    endpoint: z.string(),
    streamed: z.boolean(),
    label: z.string().nullable(),
    tokens_in: z.number(),
    tokens_cached: z.number().nullable().meta({ description: 'part of tokens_in; null if it is not known' }),
    tokens_out: z.number(),
    credits: z.number().meta({ description: 'what it costs in the end: 0 if it failed or was reversed' }),
    admitted_at: z.string(),
    finished_at: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'why it failed or was reversed' }),
    abandoned: z.boolean().meta({ description: 'whether the caller had left before the answer was complete' }),
  })
  .meta({ id: 'Call' })

/** One call of the key itself, by the `x-request-id` of its answer. */
export const call = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/calls/:id`,
    access: 'key',
    scope: 'usage:read',
    tag: 'Usage',
    summary: 'Reports what became of one call of this key, by its request id.',
    query: anyQuery,
    answer: callAnswer,
    refusals: { 404: 'This key has made no such call, or another gateway is still making it (`retry-after`).' },
    handle: ({ caller, params }: { caller: RequestContext; params: Readonly<Record<string, string>> }) =>
      callReport(deps, caller.key, params.id ?? ''),
  })

async function callReport(
  { callsInFlight, readCall }: Pick<GatewayDependencies, 'callsInFlight' | 'readCall'>,
  { companyId, keyId }: RequestContext['key'],
  id: string,
): Promise<z.infer<typeof callAnswer>> {
  if (!isUuid(id)) throw new GatewayError('unknownCall', 'The id of a call is the x-request-id of its answer.')
  const inFlight = callsInFlight.find(id)
  if (inFlight?.keyId === keyId) return shownInFlight(id, inFlight)
  const ended = await readCall(companyId, id)
  if (ended?.keyId === keyId) return shownEnded(ended)
  const message = `This key has made no call ${id}, or the call has not ended yet.`
  throw new GatewayError('unknownCall', message, { retryAfterSeconds: RETRY_SECONDS })
}

function shownInFlight(id: string, call: CallInFlight) {
  const { alias, endpoint, streamed, label, admittedAt } = call
  return {
    ...{ object: 'call' as const, id, state: 'in_flight' as const, model: alias, endpoint, streamed, label },
    ...{ tokens_in: 0, tokens_cached: null, tokens_out: 0, credits: 0 },
    ...{ admitted_at: admittedAt, finished_at: null, reason: null, abandoned: false },
  }
}

function shownEnded(row: CallRow) {
  const { callId: id, alias: model, endpoint, streamed, label, reason } = row
  return {
    ...{ object: 'call' as const, id, state: STATES[row.state], model, endpoint, streamed, label },
    tokens_in: Number(row.tokensIn),
    tokens_cached: row.tokensCached === null ? null : Number(row.tokensCached),
    tokens_out: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    ...{ admitted_at: row.admittedAt, finished_at: row.finishedAt, reason, abandoned: row.abandoned },
  }
}
