import type { ServerResponse } from 'node:http'
import { formatCredits } from '../../../domain/credits.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import type { AppendResult } from '../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../platform/eventStore/pursuit.ts'
import { sendBytes } from '../../platform/http/answers.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from '../call/clientWriter.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { chargeNotStored, GatewayError } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { RequestContext } from '../requestContext.ts'
import { setRequestId } from '../requestId.ts'
import type { Claim } from './claim.ts'
import { type CallCharge, KEPT_ANSWER_BYTES_MAX, type KeptAnswer } from './keptAnswer.ts'

/** The answer of the first call, byte for byte, under that call's id: its charge is the only one. */
export function replayed(
  { metrics, log }: GatewayDependencies,
  response: ServerResponse,
  { contentType, bytes, charge }: KeptAnswer,
): Buffer {
  setRequestId(response, charge.callId)
  if (bytes === null) {
    throw new GatewayError(
      'answerNotKept',
      `The first call with this 'Idempotency-Key' was charged, but its answer is larger than ${KEPT_ANSWER_BYTES_MAX} bytes and was not kept. Another key makes the call anew.`,
    )
  }
  response.setHeader('idempotent-replayed', 'true')
  // A stream's first bytes leave before it is charged.
  if (contentType !== EVENT_STREAM_TYPE) {
    response.setHeader('x-credits-charged', formatCredits(BigInt(charge.amountMicros)))
  }
  metrics.replayed()
  log.info({ callId: charge.callId, keyId: charge.keyId, alias: charge.alias }, 'replay')
  return bytes
}

/** Over HTTP: a stream is a stream again. */
export async function sendAgain(deps: GatewayDependencies, context: RequestContext, kept: KeptAnswer): Promise<void> {
  const { response } = context
  const bytes = replayed(deps, response, kept)
  if (kept.contentType === EVENT_STREAM_TYPE) {
    beginEvents(response)
    await writeToClient(response, bytes)
    return endWithin(response)
  }
  sendBytes(response, 200, kept.contentType, bytes)
}

/**
 * The charge of an answer that somebody kept and then died. It may have been booked all the same: its id, which is the
 * call's, makes it one. When it cannot be booked the answer stays for the next one who asks.
 */
export async function bookInherited(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<void> {
  const { ledger, views, background, log } = deps
  const { callId, companyId, keyId } = charge
  const draft = ledger.draftOf({ type: 'CallCharged', data: charge })
  const micros = -deltaMicros(draft.event)
  const hold = await heldAnew(deps, claim, charge)
  views.balances.expect(draft.eventId, companyId, -micros, hold !== null)
  try {
    const { repeated, position } = await ledger.book(draft, callId, { kind: 'apiKey', id: keyId })
    await hold?.settle(position, micros)
    // The feed may have brought it long ago, and does so once.
    if (repeated) views.balances.forget(draft.eventId)
    claim.charged()
    log.warn({ callId, repeated }, 'the charge of a kept answer was booked when it was asked for again')
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
    log.error({ err: error, callId }, 'the charge of a kept answer could not be stored')
    throw chargeNotStored()
  }
}

/**
 * Under a hard cap, what the dead gateway held may have gone to other calls since; the answer then waits for a top-up. One
 * that it had charged needs nothing more.
 */
async function heldAnew(deps: GatewayDependencies, claim: Claim, charge: CallCharge): Promise<CallHold | null> {
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
