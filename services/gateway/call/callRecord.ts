import type { Booking, BookingDraft } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { SentCall } from '../../../capabilities/providers/answerReceiver.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { Actor } from '../../../contracts/envelope.ts'
import type { CallFacts, LedgerEvent } from '../../../contracts/events/ledger.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import { chargeMicros, usageWithin } from '../../../domain/pricing/charge.ts'
import type { Tokens, Usage } from '../../../domain/pricing/usage.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import { dayOf } from '../../../projections/dailyTokens/projection.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { answerWithheld, chargeNotStored } from '../gatewayError.ts'
import type { Outcome } from '../gatewayMetrics.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { Claim } from '../idempotency/claim.ts'
import type { CallCharge, FinishedAnswer } from '../idempotency/keptAnswer.ts'
import type { RequestContext } from '../requestContext.ts'
import { settleUnknown } from '../settlement/settleUnknown.ts'
import { expectCharge, forgetCharge } from '../views/expectedCharges.ts'
import { abandonedTokens, writtenTokens } from './abandonedStreams.ts'
import type { AdmittedCall } from './admission.ts'
import type { Answered } from './askProviders.ts'
import type { CallInFlight } from './callsInFlight.ts'
import { timelineOf } from './callTimeline.ts'
import { CallUsage } from './callUsage.ts'
import { tokensMax, usageWithinBound } from './costBound.ts'

type ChargeEvent = Extract<LedgerEvent, { type: 'CallCharged' }>
type FailureEvent = Extract<LedgerEvent, { type: 'CallFailed' }>

/** What the record of a call needs to know of its request. */
export type RecordedCall = Pick<RequestContext, 'key' | 'callId' | 'claim' | 'beganAtMs' | 'trace'>

/** An answer that has begun, and the most that it can have used. */
type BoundedAnswer = { readonly sent: Pick<SentCall, 'disprove' | 'endedAtMs'>; readonly usageMax: Tokens }

/** The request of a call that failed before its caller had anything of the answer. */
type UnreadRequest = Parameters<typeof tokensMax>[0]

/** The answer as the caller gets it, which for a stream includes what it cost. Asked only for a call with a claim. */
type AnswerToKeep = (creditsCharged: string) => FinishedAnswer

/** Ends one admitted call on the ledger: as charged or as failed, exactly once. */
export class CallRecord {
  readonly #deps: GatewayDependencies
  readonly #context: RecordedCall
  readonly #call: AdmittedCall
  readonly #endpoint: string
  readonly #streamed: boolean
  readonly #actor: Actor
  readonly #usage = new CallUsage()
  readonly #timeline: ReturnType<typeof timelineOf>
  #answer: BoundedAnswer | null = null
  #firstByteAtMs: number | undefined
  /** A call that asks more than once keeps its first time. */
  #firstSentAtMs: number | null = null

  constructor(
    deps: GatewayDependencies,
    context: RecordedCall,
    call: AdmittedCall,
    endpoint: string,
    streamed: boolean,
  ) {
    this.#deps = deps
    this.#context = context
    this.#call = call
    this.#endpoint = endpoint
    this.#streamed = streamed
    this.#actor = { kind: 'apiKey', id: context.key.keyId }
    this.#timeline = timelineOf(context.callId, deps.clock)
    this.#timeline?.done('head read', context.beganAtMs)
    this.#timeline?.done('admitted')
    deps.callsInFlight.begin(context.callId, this)
    context.trace?.admitted(call.alias)
  }

  get inFlight(): CallInFlight {
    const { alias, label, admittedAt } = this.#call
    const { keyId } = this.#context.key
    return { keyId, alias, endpoint: this.#endpoint, streamed: this.#streamed, label, admittedAt }
  }

  /** The call goes to this provider now; to the next one if this one does not answer. */
  sentTo(provider: Provider): void {
    this.#usage.sentTo(provider)
    this.#context.trace?.sentTo(provider, this.#endpoint, this.#streamed)
  }

  /** The provider has begun to answer, and the answer cannot have used more than this. */
  answeredBy({ sent, firstSentAtMs }: Pick<Answered, 'firstSentAtMs'> & Pick<BoundedAnswer, 'sent'>, usageMax: Tokens) {
    this.#answer = { sent, usageMax }
    this.#firstByteAtMs ??= this.#deps.clock.now()
    this.#context.trace?.firstByte()
    this.#firstSentAtMs ??= firstSentAtMs
    this.#timeline?.done('provider asked', firstSentAtMs)
    this.#timeline?.done('first byte of the provider')
  }

  /** Adds what the provider that answered reports, for a call that asks more than once. */
  use(reported: Usage): void {
    const believed = this.#answer ? this.#believed(reported, this.#answer) : reported
    this.#usage.add(believed)
    this.#context.trace?.answered(believed)
  }

  /** Charges a call that was answered once. */
  charge(usage: Usage, answer: AnswerToKeep): Promise<string> {
    this.use(usage)
    return this.chargeUsed(answer)
  }

  /**
   * Resolves with the credits charged when the charge is durable; only then may the last byte of the answer be sent. The
   * answer of a call with an Idempotency-Key is stored before the charge, so that no charge exists without its answer and
   * a later request can complete the charge. If the outcome stays unknown the caller gets 503, and the call
   * is settled later: it ends as failed, or its charge is reversed.
   */
  async chargeUsed(answer: AnswerToKeep): Promise<string> {
    const { ledger, views } = this.#deps
    const { tokens: usage } = this.#usage
    const { claim } = this.#context
    const { price, hold } = this.#call
    const charged = hold === null ? usage : await this.#covered(hold, usage)
    const { tokensIn, tokensOut } = charged
    const draft = ledger.draft({ type: 'ChargeCall', call: this.#facts(charged), tokensIn, tokensOut, price })
    const micros = -deltaMicros(draft.event)
    const creditsCharged = formatCredits(micros)
    if (claim) await this.#keep(claim, (draft.event as ChargeEvent).data, answer(creditsCharged))
    expectCharge(views, draft.eventId, (draft.event as ChargeEvent).data, micros, hold !== null)
    let booking: Booking
    this.#timeline?.done('append submitted')
    try {
      booking = await this.#book(draft)
      this.#timeline?.done('append stored')
    } catch (error) {
      if (error instanceof AppendStillUnknown) {
        const { data: charge } = draft.event as ChargeEvent
        await settleUnknown(this.#deps, { charge, claim: claim ?? null, hold }, error)
        this.#finished('uncertain', 'outcome_unknown')
      } else {
        forgetCharge(views, draft.eventId)
        this.fail('ledger_unavailable')
      }
      this.#deps.log.error({ err: error, ...this.#ids }, 'charge could not be stored')
      throw chargeNotStored()
    }
    claim?.charged()
    if (hold) await hold.settle(booking.position, micros)
    this.countUsed()
    this.#finished('charged', undefined, charged, micros, creditsCharged)
    return creditsCharged
  }

  /** The answer of a charged call was handed to the caller's connection. */
  answerWritten(): void {
    const addedMs = this.#addedMs()
    if (addedMs !== undefined) this.#deps.metrics.added(this.#call.alias, addedMs)
    this.#timeline?.done('last byte of the provider', this.#answer?.sent.endedAtMs ?? null)
    this.#timeline?.done('answer written')
    this.#timeline?.publish()
  }

  /** The time since the request, except from asking the first provider to the last byte of its answer. */
  #addedMs(): number | undefined {
    const endedAtMs = this.#answer?.sent.endedAtMs ?? null
    if (endedAtMs === null || this.#firstSentAtMs === null) return undefined
    return this.#deps.clock.monotonicMs() - this.#context.beganAtMs - (endedAtMs - this.#firstSentAtMs)
  }

  /** The call failed although its provider worked on it, before its caller had anything of the answer. */
  failUnread(reason: string, request: UnreadRequest): void {
    const { admittedAtMs, providers } = this.#call
    const { tokensOut } = tokensMax(request)(providers.maxOutputTokens)
    // What a stream has written by then is not known from the time: it was left before its first event.
    const written = this.#streamed ? 0 : writtenTokens(this.#deps.clock.now() - admittedAtMs, tokensOut)
    this.fail(reason, abandonedTokens(request, written))
  }

  /**
   * The caller does not wait for the record: a failed call costs nothing, and its answer does not depend on it.
   * `tokensAbandoned` is for a call that its caller left, or that failed after its caller had words of it.
   */
  fail(reason: string, tokensAbandoned: number | null = null): void {
    const { ledger, views, background, log } = this.#deps
    const { claim, trace } = this.#context
    trace?.unanswered(reason)
    this.#finished('failed', reason)
    const draft = ledger.draft({ type: 'FailCall', call: this.#facts(), reason, tokensAbandoned })
    if (tokensAbandoned !== null) this.#abandoned(draft, tokensAbandoned)
    const end = async (isFailed: boolean) => {
      this.#call.hold?.release()
      if (isFailed) await this.#book(draft)
      else views.dailyTokens.forget(draft.eventId)
    }
    // While another request may still find and charge the kept answer, the call has not certainly failed.
    const booked = claim ? claim.withdraw().then(end) : end(true)
    background.add(
      booked.catch((error: unknown) => {
        views.dailyTokens.forget(draft.eventId)
        log.error({ err: error, ...this.#ids }, 'failed call could not be recorded')
      }),
    )
  }

  #abandoned({ eventId, event }: BookingDraft, tokens: number): void {
    const { views, metrics } = this.#deps
    metrics.tokensAbandoned(tokens)
    const { companyId, finishedAt } = (event as FailureEvent).data
    views.dailyTokens.expect(eventId, companyId, dayOf(finishedAt), tokens)
  }

  async #keep(claim: Claim, charge: CallCharge, answer: FinishedAnswer): Promise<void> {
    try {
      if (await claim.keep(charge, answer)) return
      this.#deps.log.warn(this.#ids, 'call was taken over by another request with the same Idempotency-Key')
    } catch (error) {
      this.#deps.log.error({ err: error, ...this.#ids }, 'answer could not be stored for its Idempotency-Key')
    }
    this.fail('answer_not_kept')
    throw answerWithheld("The answer of this call could not be stored for its 'Idempotency-Key'")
  }

  /** A stream failed after it began. The tokens already delivered count against the limit per minute. */
  abort(reason: string, tokensDelivered: number, tokensAbandoned: number | null): void {
    this.#deps.metrics.streamAborted(reason)
    this.countTokens(tokensDelivered)
    this.fail(reason, tokensAbandoned)
  }

  /** The tokens of the answers that the call has got count against the limit per minute. */
  countUsed(): void {
    const { tokensIn, tokensOut } = this.#usage.tokens
    this.countTokens(tokensIn + tokensOut)
  }

  countTokens(tokens: number): void {
    const { rateLimiter, background, log } = this.#deps
    const counting = rateLimiter.countTokens(this.#context.key.keyId, tokens, this.#call.tokensShown)
    if (!counting) return
    background.add(
      counting.catch((error: unknown) => {
        log.warn({ err: error }, 'tokens could not be counted against the rate limit of a key')
      }),
    )
  }

  /** A provider that reports more than its answer can have used is charged up to the bound, and has failed. */
  #believed(reported: Usage, { sent, usageMax: bound }: BoundedAnswer): Usage {
    const believed = usageWithinBound(reported, bound)
    if (believed === reported) return reported
    const { alias } = this.#call
    const { provider } = this.#usage
    const facts = { ...this.#ids, alias, provider, reported, bound }
    this.#deps.log.error(facts, 'provider reported usage beyond what the call can have; the bound is charged')
    this.#deps.metrics.usageBeyondBound(alias, provider ?? '')
    sent.disprove()
    return believed
  }

  /** The usage that may be charged: all of it, unless a provider reports more than the hold covers. */
  async #covered(hold: CallHold, usage: Usage): Promise<Usage> {
    const { price } = this.#call
    try {
      const covered = usageWithin(price, usage, await hold.cover(chargeMicros(price, usage)))
      if (covered !== usage) {
        const facts = { ...this.#ids, reported: usage, covered }
        this.#deps.log.warn(facts, 'provider reported more usage than the hold covers; the rest is not charged')
      }
      return covered
    } catch (error) {
      this.fail('hold_lost')
      this.countUsed()
      throw error
    }
  }

  #facts(charged?: Usage): CallFacts {
    const { key, callId } = this.#context
    const { alias, label, admittedAt } = this.#call
    const finishedAt = isoTime(this.#deps.clock.now())
    const { keyId, companyId } = key
    return {
      companyId,
      callId,
      keyId,
      alias,
      endpoint: this.#endpoint,
      streamed: this.#streamed,
      admittedAt,
      finishedAt,
      label,
      ...this.#usage.facts(charged),
    }
  }

  /** Appends the event that ends the call; in its trace, if it has one. */
  #book(draft: BookingDraft): Promise<Booking> {
    const { ledger } = this.#deps
    const { callId, trace } = this.#context
    if (trace === undefined) return ledger.book(draft, callId, this.#actor)
    return trace.appending(draft.event.type, (traceparent) => ledger.book(draft, callId, this.#actor, traceparent))
  }

  /** What a log line names the call by. */
  get #ids(): { readonly callId: string; readonly traceId: string | undefined } {
    const { callId, trace } = this.#context
    return { callId, traceId: trace?.traceId }
  }

  /** Logs one structured line per call, without prompt or key. */
  #finished(outcome: Outcome, reason?: string, usage?: Tokens, micros = 0n, credits = '0'): void {
    const { metrics, log, clock, callsInFlight } = this.#deps
    const { key, callId, trace } = this.#context
    callsInFlight.end(callId)
    const { alias, label, admittedAtMs } = this.#call
    const ms = clock.now() - admittedAtMs
    const { provider, cost } = this.#usage
    metrics.callEnded({ alias, provider, outcome, ms, usage, micros, cost: usage ? cost : null, reason })
    trace?.finished(outcome, credits, reason)
    const firstByteAtMs = this.#firstByteAtMs
    const line = {
      callId,
      companyId: key.companyId,
      keyId: key.keyId,
      alias,
      provider: this.#usage.provider ?? undefined,
      label: label ?? undefined,
      streamed: this.#streamed,
      outcome,
      reason,
      tokensIn: usage?.tokensIn,
      tokensOut: usage?.tokensOut,
      credits,
      ms,
      firstByteMs: firstByteAtMs === undefined ? undefined : firstByteAtMs - admittedAtMs,
      // Without writing the answer, which follows.
      addedMs: outcome === 'charged' ? roundedMs(this.#addedMs()) : undefined,
      traceId: trace?.traceId,
    }
    // After the answer, which is written in this turn of the event loop. A drain takes further turns, so it loses no line.
    setImmediate(() => log.info(line, 'call'))
  }
}

/** To a tenth of a millisecond. */
function roundedMs(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10
}
