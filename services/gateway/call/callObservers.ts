import type { SentCall } from '../../../capabilities/providers/answerReceiver.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { Usage, UsageBound } from '../../../domain/pricing/usage.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { Outcome } from '../gatewayMetrics.ts'
import type { Caller, RequestContext } from '../requestContext.ts'
import type { AdmittedCall } from './admission.ts'
import type { CallInFlight } from './callsInFlight.ts'
import { CallTimeline, timelines } from './callTimeline.ts'
import type { CallUsage } from './callUsage.ts'

/** An admitted call and its request. */
export type RecordedCall = {
  readonly context: Pick<RequestContext, 'key' | 'callId' | 'claim' | 'beganAtMs' | 'trace'>
  readonly caller: Pick<Caller, 'destroyed'>
  readonly call: AdmittedCall
  readonly endpoint: string
  readonly streamed: boolean
}

/**
 * Reports what happens to one call to the trace, the timeline, the metrics, the log and the list of calls in flight. These
 * are observers: they do not affect how the call ends.
 */
export class CallObservers {
  readonly #deps: Pick<GatewayDependencies, 'metrics' | 'log' | 'clock' | 'callsInFlight'>
  readonly #recorded: RecordedCall
  readonly #used: Pick<CallUsage, 'provider' | 'cost'>
  readonly #timeline: CallTimeline | undefined
  #sent: Pick<SentCall, 'endedAtMs'> | null = null
  #firstByteAtMs: number | undefined
  /** A call that asks several providers keeps the time of the first. */
  #firstSentAtMs: number | null = null

  /** The call was admitted. */
  constructor(deps: GatewayDependencies, recorded: RecordedCall, used: Pick<CallUsage, 'provider' | 'cost'>) {
    const { callId, beganAtMs, trace } = recorded.context
    this.#deps = deps
    this.#recorded = recorded
    this.#used = used
    this.#timeline = timelines.hasSubscribers ? new CallTimeline(callId, deps.clock) : undefined
    this.#timeline?.done('head read', beganAtMs)
    this.#timeline?.done('admitted')
    deps.callsInFlight.begin(callId, this)
    trace?.admitted(recorded.call.alias)
  }

  get inFlight(): CallInFlight {
    const { context, call, endpoint, streamed } = this.#recorded
    const { alias, label, admittedAt } = call
    return { keyId: context.key.keyId, alias, endpoint, streamed, label, admittedAt }
  }

  /** The fields that identify the call in a log line. */
  get ids(): { readonly callId: string; readonly traceId: string | undefined } {
    const { callId, trace } = this.#recorded.context
    return { callId, traceId: trace?.traceId }
  }

  sentTo(provider: Provider): void {
    const { context, endpoint, streamed } = this.#recorded
    context.trace?.sentTo(provider, endpoint, streamed)
  }

  /** The provider has begun to answer. */
  answering(sent: Pick<SentCall, 'endedAtMs'>, firstSentAtMs: number): void {
    this.#sent = sent
    this.#firstByteAtMs ??= this.#deps.clock.now()
    this.#firstSentAtMs ??= firstSentAtMs
    this.#recorded.context.trace?.firstByte()
    this.#timeline?.done('provider asked', firstSentAtMs)
    this.#timeline?.done('first byte of the provider')
  }

  answered(usage: Usage): void {
    this.#recorded.context.trace?.answered(usage)
  }

  usageBeyondBound(reported: Usage, bound: UsageBound): void {
    const { log, metrics } = this.#deps
    const { alias } = this.#recorded.call
    const { provider } = this.#used
    const facts = { ...this.ids, alias, provider, reported, bound }
    log.error(facts, 'provider reported usage beyond what the call can have; the bound is charged')
    metrics.usageBeyondBound(alias, provider ?? '')
  }

  chargeSubmitted(): void {
    this.#timeline?.done('append submitted')
  }

  chargeStored(): void {
    this.#timeline?.done('append stored')
  }

  streamAborted(reason: string): void {
    this.#deps.metrics.streamAborted(reason)
  }

  tokensAbandoned(tokens: number): void {
    this.#deps.metrics.tokensAbandoned(tokens)
  }

  /** Counts how the call ended and logs one structured line for it, without prompt or key. */
  ended(
    outcome: Outcome,
    reason?: string,
    usage?: Pick<Usage, 'tokensIn' | 'tokensOut'>,
    micros = 0n,
    credits = '0',
  ): void {
    const { metrics, log, clock, callsInFlight } = this.#deps
    const { context, call, streamed } = this.#recorded
    const { key, callId, trace } = context
    const { alias, label, admittedAtMs } = call
    const { provider, cost } = this.#used
    callsInFlight.end(callId)
    const ms = clock.now() - admittedAtMs
    metrics.callEnded({ alias, provider, outcome, ms, usage, micros, cost: usage ? cost : null, reason })
    if (outcome === 'failed') trace?.unanswered(reason ?? '')
    trace?.finished(outcome, credits, reason)
    const firstByteAtMs = this.#firstByteAtMs
    const line = {
      callId,
      companyId: key.companyId,
      keyId: key.keyId,
      alias,
      provider: provider ?? undefined,
      label: label ?? undefined,
      streamed,
      outcome,
      reason,
      tokensIn: usage?.tokensIn,
      tokensOut: usage?.tokensOut,
      credits,
      ms,
      firstByteMs: firstByteAtMs === undefined ? undefined : firstByteAtMs - admittedAtMs,
      // Does not include writing the answer, which comes later.
      addedMs: outcome === 'charged' ? roundedMs(this.#addedMs()) : undefined,
      traceId: trace?.traceId,
    }
    // Logged after the answer, which is written in this turn of the event loop. A drain takes more turns, so no line is lost.
    setImmediate(() => log.info(line, 'call'))
  }

  /** The answer of a charged call was handed to the caller's connection. */
  answerWritten(): void {
    const addedMs = this.#addedMs()
    if (addedMs !== undefined) this.#deps.metrics.added(this.#recorded.call.alias, addedMs)
    this.#timeline?.done('last byte of the provider', this.#sent?.endedAtMs ?? null)
    this.#timeline?.done('answer written')
    this.#timeline?.publish()
  }

  /** The time since the request, without the time from asking the first provider to the last byte of its answer. */
  #addedMs(): number | undefined {
    const endedAtMs = this.#sent?.endedAtMs ?? null
    if (endedAtMs === null || this.#firstSentAtMs === null) return undefined
    return this.#deps.clock.monotonicMs() - this.#recorded.context.beganAtMs - (endedAtMs - this.#firstSentAtMs)
  }
}

/** To a tenth of a millisecond. */
function roundedMs(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10
}
