import type { IncomingMessage } from 'node:http'
import { providersInOrder } from '../../../capabilities/providers/providerOrder.ts'
import { routeOf } from '../../../capabilities/providers/providersFile.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { type Disguise, disguiseOf } from '../wire/answers/answerModel.ts'
import type { InferenceRequest, Refused } from '../wire/requests/inferenceRequest.ts'
import type { WireFormat } from '../wire/wireFormat.ts'
import { type AdmittedCall, admitCall, checkKnown } from './admission.ts'
import { type Answered, askProviders } from './askProviders.ts'
import { CallRecord } from './callRecord.ts'
import { requestBound, usageMax } from './costBound.ts'
import type { LateReads } from './lateReads.ts'
import { checkFields, checkWire, withOfferedTools } from './refusedFields.ts'

const HEADER_CHARS_MAX = 1_000
/** The header values that client libraries send. Other values would make the request to the provider fail. */
const VISIBLE = /^[ -~]*$/

/** The parts of a request that a billed call needs, whether it came over REST or from a tool. */
type BilledField = 'key' | 'callId' | 'label' | 'response' | 'claim' | 'beganAtMs' | 'trace'
export type BilledContext = Pick<RequestContext, BilledField>

export type CallToBegin = {
  readonly context: BilledContext
  readonly wire: WireFormat
  readonly request: InferenceRequest | Refused
  /** The caller's headers that are passed to the provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A call whose provider has begun to answer, with the record that ends it on the ledger. */
export type BegunCall = Answered & {
  readonly wire: WireFormat
  readonly request: InferenceRequest
  readonly disguise: Disguise
  readonly companyId: string
  readonly largeJson: GatewayDependencies['largeJson']
  readonly answerGrowth: GatewayDependencies['answerGrowth']
  readonly record: CallRecord
  /** Set if the alias has answers read to their end although their callers have left. */
  readonly drain: LateReads | null
  /** The most tokens of output that the request and the alias allow. */
  readonly tokensOutMax: number
}

/** Refuses a request that its alias does not accept. Returns the request without tools that the alias drops. */
export function checkRequest(
  deps: Pick<GatewayDependencies, 'providerTable' | 'views' | 'clock'>,
  key: RequestContext['key'],
  wire: WireFormat,
  request: InferenceRequest,
): InferenceRequest {
  checkKnown(deps, key, request.model)
  const route = routeOf(deps.providerTable, request.model)
  checkWire(request, wire, route)
  checkFields(request, route)
  return withOfferedTools(request, route)
}

/** Admits a call and asks the providers of its alias until one begins to answer. */
export async function beginCall(
  deps: GatewayDependencies,
  { context, wire, request: received, headers }: CallToBegin,
): Promise<BegunCall> {
  if ('refused' in received) throw invalidRequest(received.refused)
  const request = checkRequest(deps, context.key, wire, received)
  const { model, stream: streamed, serviceTier: requestedTier } = request
  const call = await admitCall(deps, context, model, requestBound(request), { streamed, requestedTier })
  const caller = context.response
  const record = new CallRecord(deps, { context, caller, call, endpoint: wire.endpoint, streamed })
  const drain = drainOf(deps, call)
  const answered = await askProviders(deps, {
    alias: call.alias,
    providers: providersInOrder(call.providers, wire.name, context.callId),
    wire: wire.name,
    path: wire.endpoint,
    keyHeader: wire.keyHeader,
    headers,
    callId: context.callId,
    companyId: context.key.companyId,
    caller,
    drain,
    trace: context.trace,
    sentTo: (provider) => record.sentTo(provider),
    body: (provider) => request.forwardedAs(provider.model),
    failed: (reason, callerLeft) => (callerLeft ? record.failUnread(reason, request) : record.fail(reason)),
  })
  record.answeredBy(answered, usageMax(request, call.providers.contextLength), request.searches?.certain)
  const disguise = disguiseOf(call.alias, deps.redaction)
  const { largeJson, answerGrowth } = deps
  const { tokensOut: tokensOutMax } = requestBound(request)(call.providers.maxOutputTokens)
  const { companyId } = context.key
  const begun = { ...answered, wire, request, disguise, companyId, largeJson, answerGrowth }
  return { ...begun, record, drain, tokensOutMax }
}

/** What reads the answers of an alias on after their callers have left; null if they are given up. */
export function drainOf(
  { lateReads }: Pick<GatewayDependencies, 'lateReads'>,
  { providers }: Pick<AdmittedCall, 'providers'>,
): LateReads | null {
  return providers.abandoned === 'drain' ? lateReads : null
}

/** The caller's headers that are passed to the provider; undefined if the API has none. */
export function passedOnHeaders(
  { passedOn }: Pick<WireFormat, 'passedOn'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Readonly<Record<string, string>> | undefined {
  if (passedOn === undefined) return undefined
  const found: Record<string, string> = {}
  for (const name of passedOn) {
    const value = headers[name]
    if (typeof value !== 'string') continue
    if (value.length > HEADER_CHARS_MAX || !VISIBLE.test(value)) {
      throw invalidRequest(`The header '${name}' must be at most ${HEADER_CHARS_MAX} visible ASCII characters.`)
    }
    found[name] = value
  }
  return found
}
