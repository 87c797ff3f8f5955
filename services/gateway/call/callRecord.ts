import type { Booking, BookingDraft } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { SentCall } from '../../../capabilities/providers/answerReceiver.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { Actor } from '../../../contracts/envelope.ts'
import type { CallFacts, LedgerEvent } from '../../../contracts/events/ledger.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { chargeOf } from '../../../domain/pricing/charge.ts'
import { cachedTokens, NO_UNITS, type UnitCounts, type Usage, type UsageBound } from '../../../domain/pricing/usage.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { within } from '../../../platform/clock/within.ts'
import type { MayBeSent } from '../../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import { dayOf } from '../../../projections/dailyTokens/projection.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { answerWithheld, chargeNotStored } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { Claim } from '../idempotency/claim.ts'
import { callInProgress } from '../idempotency/claims.ts'
import type { CallCharge, FinishedAnswer } from '../idempotency/keptAnswer.ts'
import { settleUnknown } from '../settlement/settleUnknown.ts'
import { expectCharge, forgetCharge } from '../views/balances.ts'
import type { ReportedUsage } from '../wire/usage/usageShape.ts'
import { abandonedTokens, writtenTokens } from './abandonedStreams.ts'
import type { Answered } from './askProviders.ts'
import { CallObservers, type RecordedCall } from './callObservers.ts'
import { CallUsage } from './callUsage.ts'
import { requestBound, usageWithinBound } from './costBound.ts'

/**
 * A caller that gets an error must not stay charged, which cannot be guaranteed while the answer store is unavailable. So
 * the answer waits for as long as clients usually wait for a model.
 */
const UNDECIDED_MS_MAX = 600_000

type ChargeEvent = Extract<LedgerEvent, { type: 'CallCharged' }>
type FailureEvent = Extract<LedgerEvent, { type: 'CallFailed' }>

/** An answer that has begun, the most that it can have used, and the units that it used whatever is reported. */
type BoundedAnswer = {
  readonly sent: Pick<SentCall, 'disprove' | 'endedAtMs'>
  readonly usageMax: UsageBound
  readonly certain: UnitCounts
}

/** The request of a call that failed before any of the answer was delivered. */
type UnreadRequest = Parameters<typeof requestBound>[0]

/** The answer as sent to the caller, including the cost comment of a stream. Needed only for calls with a claim. */
type AnswerToKeep = (creditsCharged: string) => FinishedAnswer

/** Ends one admitted call on the ledger exactly once, as charged or as failed. */
export class CallRecord {
  readonly #deps: GatewayDependencies
  readonly #recorded: RecordedCall
  readonly #actor: Actor
  readonly #usage = new CallUsage()
  readonly #observers: CallObservers
  #answer: BoundedAnswer | null = null

  constructor(deps: GatewayDependencies, recorded: RecordedCall) {
    this.#deps = deps
    this.#recorded = recorded
    this.#actor = { kind: 'apiKey', id: recorded.context.key.keyId }
    this.#observers = new CallObservers(deps, recorded, this.#usage)
  }

  /** The call is now sent to this provider; if it does not answer, to the next one. */
  sentTo(provider: Provider): void {
    this.#usage.sentTo(provider)
    this.#observers.sentTo(provider)
  }

  /** The provider has begun to answer, and the answer cannot have used more than this. */
  answeredBy(
    { sent, firstSentAtMs }: Pick<Answered, 'firstSentAtMs'> & Pick<BoundedAnswer, 'sent'>,
    usageMax: UsageBound,
    certain = NO_UNITS,
  ): void {
    this.#answer = { sent, usageMax, certain }
    this.#observers.answering(sent, firstSentAtMs)
  }

  /** Adds the reported usage of one answer, for a call that asks more than once. */
  use(reported: ReportedUsage): void {
    const meant = this.#usage.meant(reported)
    const believed = this.#answer ? this.#believed(meant, this.#answer) : meant
    this.#usage.add(believed)
    this.#observers.answered(believed)
  }

  /** Charges a call that was answered once. */
  charge(reported: ReportedUsage, answer: AnswerToKeep): Promise<string> {
    this.use(reported)
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
    const { used: usage } = this.#usage
    const { context, call } = this.#recorded
    const { claim } = context
    const { price, requestedTier, hold } = call
    const mostMicros = hold && (await this.#covered(hold, chargeOf(price, usage, requestedTier).amountMicros))
    const charged = { usage, price, requestedTier, mostMicros, abandoned: this.#recorded.caller.destroyed }
    const draft = ledger.draft({ type: 'ChargeCall', call: this.#facts(), ...charged })
    const { data: charge } = draft.event as ChargeEvent
    const micros = BigInt(charge.amountMicros)
    const creditsCharged = formatCredits(micros)
    if (claim) {
      await this.#keep(claim, charge, answer(creditsCharged))
      // The answer store may have taken longer than the lease of the hold lasts.
      if (hold) await this.#covered(hold, micros)
    }
    expectCharge(views, draft.eventId, charge, micros, hold !== null)
    let booking: Booking
    this.#observers.chargeSubmitted()
    try {
      booking = await this.#book(draft, hold?.isSafe)
      this.#observers.chargeStored()
    } catch (error) {
      if (error instanceof AppendStillUnknown) {
        await settleUnknown(this.#deps, { charge, claim: claim ?? null, hold }, error)
        this.#observers.ended('uncertain', 'outcome_unknown')
      } else {
        forgetCharge(views, draft.eventId)
        this.fail('ledger_unavailable')
      }
      this.#deps.log.error({ err: error, ...this.#observers.ids }, 'charge could not be stored')
      throw chargeNotStored()
    }
    const stays = claim ? this.#chargeStays(claim) : true
    const [isFinal] = await Promise.all([stays, hold?.settle(booking.position, micros)])
    if (!isFinal) {
      this.#observers.ended('uncertain', 'taken_over')
      throw chargeNotStored()
    }
    this.countUsed()
    this.#observers.ended('charged', undefined, usage, micros, creditsCharged)
    return creditsCharged
  }

  /**
   * A request that has taken over the claim may not have found the charge. If it could not book the charge either, it
   * reverses it, because its own caller was told that the call failed. So the answer waits until that cannot happen any
   * more. False if the charge is reversed.
   */
  async #chargeStays(claim: Claim): Promise<boolean> {
    const { isCertain } = claim
    const stays = claim.charged()
    if (isCertain) return true
    return within(stays, UNDECIDED_MS_MAX, this.#deps.clock).catch(() => {
      throw callInProgress()
    })
  }

  /** The answer of a charged call was handed to the caller's connection. */
  answerWritten(): void {
    this.#observers.answerWritten()
  }

  /** The call failed while its provider was working on it, before any of the answer was delivered. */
  failUnread(reason: string, request: UnreadRequest): void {
    const { call, streamed } = this.#recorded
    const { admittedAtMs, providers } = call
    const { tokensOut } = requestBound(request)(providers.maxOutputTokens)
    // The time does not show what a stream has written: it was abandoned before its first event.
    const written = streamed ? 0 : writtenTokens(this.#deps.clock.now() - admittedAtMs, tokensOut)
    this.fail(reason, abandonedTokens(request, written))
  }

  /**
   * The caller does not wait for the record: a failed call costs nothing, and its answer does not depend on it.
   * `tokensAbandoned` is for a call whose caller left, or that failed after part of it was delivered.
   */
  fail(reason: string, tokensAbandoned: number | null = null): void {
    const { ledger, views, background, log } = this.#deps
    const { context, call } = this.#recorded
    const { claim } = context
    this.#observers.ended('failed', reason)
    const facts = { ...this.#facts(), ...cachedTokens(this.#usage.used) }
    const draft = ledger.draft({ type: 'FailCall', call: facts, reason, tokensAbandoned })
    if (tokensAbandoned !== null) this.#abandoned(draft, tokensAbandoned)
    const end = async (isFailed: boolean) => {
      call.hold?.release()
      if (isFailed) await this.#book(draft)
      else views.dailyTokens.forget(draft.eventId)
    }
    // The call may not have failed yet: another request may still find the kept answer and charge it.
    const booked = claim ? claim.withdraw().then(end) : end(true)
    background.add(
      booked.catch((error: unknown) => {
        views.dailyTokens.forget(draft.eventId)
        log.error({ err: error, ...this.#observers.ids }, 'failed call could not be recorded')
      }),
    )
  }

  #abandoned({ eventId, event }: BookingDraft, tokens: number): void {
    this.#observers.tokensAbandoned(tokens)
    const { companyId, finishedAt } = (event as FailureEvent).data
    this.#deps.views.dailyTokens.expect(eventId, companyId, dayOf(finishedAt), tokens)
  }

  async #keep(claim: Claim, charge: CallCharge, answer: FinishedAnswer): Promise<void> {
    try {
      if (await claim.keep(charge, answer)) return
      this.#deps.log.warn(this.#observers.ids, 'call was taken over by another request with the same Idempotency-Key')
    } catch (error) {
      this.#deps.log.error({ err: error, ...this.#observers.ids }, 'answer could not be stored for its Idempotency-Key')
    }
    this.fail('answer_not_kept')
    throw answerWithheld("The answer of this call could not be stored for its 'Idempotency-Key'")
  }

  /** A stream failed after it began. The tokens already delivered count against the limit per minute. */
  abort(reason: string, tokensDelivered: number, tokensAbandoned: number | null): void {
    this.#observers.streamAborted(reason)
    this.countTokens(tokensDelivered)
    this.fail(reason, tokensAbandoned)
  }

  /** The tokens of answers received so far count against the limit per minute. */
  countUsed(): void {
    const { tokensIn, tokensOut } = this.#usage.used
    this.countTokens(tokensIn + tokensOut)
  }

  countTokens(tokens: number): void {
    const { rateLimiter, background, log } = this.#deps
    const { context, call } = this.#recorded
    const counting = rateLimiter.countTokens(context.key.keyId, tokens, call.tokensShown)
    if (!counting) return
    background.add(
      counting.catch((error: unknown) => {
        log.warn({ err: error }, 'tokens could not be counted against the rate limit of a key')
      }),
    )
  }

  /** If a provider reports more usage than possible, the call is charged up to the bound and the provider counts as failed. */
  #believed(meant: Usage, { sent, usageMax: bound, certain }: BoundedAnswer): Usage {
    const believed = usageWithinBound(meant, bound)
    if (believed !== meant) {
      this.#observers.usageBeyondBound(meant, bound)
      sent.disprove()
    }
    return certain === NO_UNITS ? believed : { ...believed, units: { ...certain, ...believed.units } }
  }

  /** The most that may be charged: less than the usage costs only if a provider reports more than the hold covers. */
  async #covered(hold: CallHold, amountMicros: bigint): Promise<bigint> {
    try {
      const covered = await hold.cover(amountMicros)
      if (covered < amountMicros) {
        const facts = {
          ...this.#observers.ids,
          usage: this.#usage.used,
          credits: formatCredits(amountMicros - covered),
        }
        this.#deps.log.warn(facts, 'provider reported more usage than the hold covers; the rest is not charged')
      }
      return covered
    } catch (error) {
      this.fail('hold_lost')
      this.countUsed()
      throw error
    }
  }

  #facts(): Omit<CallFacts, 'tokensCached' | 'tokensCacheWrite'> {
    const { context, call, endpoint, streamed } = this.#recorded
    const { key, callId } = context
    const { alias, label, admittedAt } = call
    const finishedAt = isoTime(this.#deps.clock.now())
    const { keyId, companyId } = key
    return {
      companyId,
      callId,
      keyId,
      alias,
      endpoint,
      streamed,
      admittedAt,
      finishedAt,
      label,
      ...this.#usage.facts(),
    }
  }

  /** Appends the event that ends the call; in its trace, if it has one. */
  #book(draft: BookingDraft, mayBeSent?: MayBeSent): Promise<Booking> {
    const { ledger } = this.#deps
    const { callId, trace } = this.#recorded.context
    if (trace === undefined) return ledger.book(draft, callId, this.#actor, { mayBeSent })
    return trace.appending(draft.event.type, (traceparent) =>
      ledger.book(draft, callId, this.#actor, { traceparent, mayBeSent }),
    )
  }
}
