import type { ServerResponse } from 'node:http'
import { formatCredits } from '../../../domain/credits.ts'
import { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import { sendBytes } from '../../../platform/http/answer/answers.ts'
import { collectedHeaders, setAnswerHeader, setRequestId } from '../answerHeaders.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from '../call/clientWriter.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { chargeNotStored, GatewayError } from '../gatewayError.ts'
import { budgetAccountOf } from '../holds/budgetAccount.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { RequestContext } from '../requestContext.ts'
import { settleUnknown } from '../settlement/settleUnknown.ts'
import { expectCharge, forgetCharge } from '../views/balances.ts'
import type { Claim } from './claim.ts'
import { type CallCharge, KEPT_ANSWER_BYTES_MAX, type KeptAnswer } from './keptAnswer.ts'

/** The first call's answer, byte for byte, under that call's id. There is no second charge. */
export function replayed(
  { metrics, log }: GatewayDependencies,
  response: ServerResponse,
  { contentType, bytes, charge }: KeptAnswer,
): Buffer {
  setRequestId(response, charge.callId)
  if (bytes === null) {
    throw new GatewayError(
      'answerNotKept',
      `The first call with this 'Idempotency-Key' was charged, but its answer is larger than ${KEPT_ANSWER_BYTES_MAX} bytes and was not kept. Send another key to make the call again.`,
    )
  }
  setAnswerHeader(response, 'idempotent-replayed', 'true')
  // The first bytes of a stream were sent before it was charged, so it never had this header.
  if (contentType !== EVENT_STREAM_TYPE) {
    setAnswerHeader(response, 'x-credits-charged', formatCredits(BigInt(charge.amountMicros)))
  }
  metrics.replayed()
  log.info({ callId: charge.callId, keyId: charge.keyId, alias: charge.alias }, 'replay')
  return bytes
}

/** Sends a kept answer over HTTP; a stream is replayed as a stream. */
export async function sendAgain(deps: GatewayDependencies, context: RequestContext, kept: KeptAnswer): Promise<void> {
  const { response } = context
  const bytes = replayed(deps, response, kept)
  if (kept.contentType === EVENT_STREAM_TYPE) {
    beginEvents(response)
    await writeToClient(response, bytes)
    return endWithin(response)
  }
  sendBytes(response, 200, kept.contentType, bytes, collectedHeaders(response))
}

/**
 * Books the charge of an answer that was kept by a gateway which then died. A charge that is on the ledger already may
 * be that of a caller which has its answer, so it stays in any case. The caller gets the answer when it is written that the
 * charge stays, because the earlier gateway may be about to reverse it. If another one cannot be booked, the answer stays
 * for the next request; if its outcome is unknown, only until the call is settled.
 */
export async function bookInherited(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<void> {
  const { ledger, views, log } = deps
  const { callId, keyId } = charge
  if (await isOnLedger(deps, claim, charge)) {
    if (await claim.charged()) return
    throw chargeNotStored()
  }
  const draft = ledger.draftOf({ type: 'CallCharged', data: charge })
  const micros = BigInt(charge.amountMicros)
  const hold = await heldAgain(deps, claim, charge)
  expectCharge(views, draft.eventId, charge, micros, hold !== null)
  try {
    const { repeated, position } = await ledger.book(
      draft,
      callId,
      { kind: 'apiKey', id: keyId },
      { mayBeSent: hold?.isSafe },
    )
    await hold?.settle(position, micros)
    // The feed may have delivered a repeated charge long ago, and does so only once.
    if (repeated) forgetCharge(views, draft.eventId)
    log.warn({ callId, repeated }, 'charge of a kept answer was booked by a repeated request')
  } catch (error) {
    if (error instanceof AppendStillUnknown) await settleUnknown(deps, { charge, claim, hold }, error)
    else {
      hold?.release()
      forgetCharge(views, draft.eventId)
    }
    claim.release()
    log.error({ err: error, callId }, 'charge of a kept answer could not be stored')
    throw chargeNotStored()
  }
  if (!(await claim.charged())) throw chargeNotStored()
}

async function isOnLedger({ isBooked, log }: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<boolean> {
  try {
    return await isBooked(charge)
  } catch (error) {
    claim.release()
    log.error({ err: error, callId: charge.callId }, 'ledger could not be searched for the charge of a kept answer')
    throw chargeNotStored()
  }
}

/**
 * With a hard cap, the amount that the dead gateway held may have been spent by other calls since; the answer then waits
 * for a top-up, or for a larger budget.
 */
async function heldAgain(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<CallHold | null> {
  const { companyId, keyId, admittedAt, amountMicros } = charge
  if (!deps.views.companies.hasHardCap(companyId)) return null
  try {
    const micros = BigInt(amountMicros)
    const family = deps.views.keys.familyOf(keyId)
    const budget = family && budgetAccountOf(family, admittedAt)
    const hold = await deps.holds.place({ companyId, callId: claim.callId, amountMicros: micros, budget })
    await hold.cover(micros)
    return hold
  } catch (error) {
    claim.release()
    throw error
  }
}
