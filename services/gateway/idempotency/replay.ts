import type { ServerResponse } from 'node:http'
import { formatCredits } from '../../../domain/credits.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import type { AppendResult } from '../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../platform/eventStore/pursuit.ts'
import { sendBytes } from '../../platform/http/answers.ts'
import { collectedHeaders, setAnswerHeader, setRequestId } from '../answerHeaders.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from '../call/clientWriter.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { chargeNotStored, GatewayError } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { RequestContext } from '../requestContext.ts'
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
 * Books the charge of an answer that was kept by a gateway which then died. If the charge was booked before, the append is
 * a repetition, because its event id is the call id. If it cannot be booked, the answer stays for the next request.
 */
export async function bookInherited(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<void> {
  const { ledger, views, background, log } = deps
  const { callId, companyId, keyId } = charge
  const draft = ledger.draftOf({ type: 'CallCharged', data: charge })
  const micros = -deltaMicros(draft.event)
  const hold = await heldAgain(deps, claim, charge)
  views.balances.expect(draft.eventId, companyId, -micros, hold !== null)
  try {
    const { repeated, position } = await ledger.book(draft, callId, { kind: 'apiKey', id: keyId })
    await hold?.settle(position, micros)
    // The feed may have delivered a repeated charge long ago, and does so only once.
    if (repeated) views.balances.forget(draft.eventId)
    claim.charged()
    log.warn({ callId, repeated }, 'charge of a kept answer was booked by a repeated request')
  } catch (error) {
    const forget = () => views.balances.forget(draft.eventId)
    const notStored = () => {
      hold?.release()
      forget()
    }
    const storedAfterAll = async ({ repeated, position }: AppendResult) => {
      await hold?.settle(position, micros)
      if (repeated) forget()
    }
    if (!(error instanceof AppendStillUnknown)) notStored()
    else background.add(error.settled.then(storedAfterAll, notStored))
    claim.release()
    log.error({ err: error, callId }, 'charge of a kept answer could not be stored')
    throw chargeNotStored()
  }
}

/**
 * With a hard cap, the amount that the dead gateway held may have been spent by other calls since; the answer then waits
 * for a top-up. A charge that is already booked needs no hold.
 */
async function heldAgain(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<CallHold | null> {
  const { companyId, amountMicros } = charge
  if (!deps.views.companies.hasHardCap(companyId)) return null
  try {
    if (await deps.isBooked(charge)) return null
    const micros = BigInt(amountMicros)
    const hold = await deps.holds.place(companyId, claim.callId, micros)
    await hold.cover(micros)
    return hold
  } catch (error) {
    claim.release()
    throw error
  }
}
