import { LIMITS } from '../../../contracts/limits.ts'
import type { Position } from '../../../contracts/position.ts'
import { formatCredits } from '../../../domain/credits.ts'
import type { AppendResult } from '../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../platform/eventStore/pursuit.ts'
import { sendBytes } from '../../platform/http/answers.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from '../call/clientWriter.ts'
import { CHARGE_NOT_STORED, withheld } from '../call/withheld.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { GatewayParts } from '../parts.ts'
import { deltaMicros } from '../views/balances.ts'
import type { Claim } from './claim.ts'
import type { CallCharge, KeptAnswer } from './keptAnswer.ts'

/** The answer of the first call, byte for byte, under that call's id: its charge is the only one. */
export async function replay(parts: GatewayParts, exchange: KeyedExchange, kept: KeptAnswer): Promise<void> {
  const { response, headers } = exchange
  const { contentType, bytes, charge } = kept
  headers['x-request-id'] = charge.callId
  if (bytes === null) {
    throw new GatewayError(
      'answerNotKept',
      `The first call with this 'Idempotency-Key' was charged, but its answer is larger than ${LIMITS.keptAnswerBytesMax} bytes and was not kept. Another key makes the call anew.`,
    )
  }
  headers['idempotent-replayed'] = 'true'
  parts.metrics.replayed()
  parts.log.info({ callId: charge.callId, keyId: charge.keyId, alias: charge.alias }, 'replay')
  if (contentType === EVENT_STREAM_TYPE) {
    beginEvents(response, headers)
    await writeToClient(response, bytes)
    return endWithin(response)
  }
  headers['x-credits-charged'] = formatCredits(BigInt(charge.amountMicros))
  sendBytes(response, 200, contentType, bytes, headers)
}

/**
 * The charge of an answer that somebody kept and then died. It may have been booked all the same: its id, which is the
 * call's, makes it one. When it cannot be booked the answer stays for the next one who asks.
 */
export async function bookInherited(parts: GatewayParts, claim: Claim, charge: CallCharge): Promise<void> {
  const { ledger, views, background, log } = parts
  const { callId, companyId, keyId } = charge
  const draft = ledger.draftOf({ type: 'CallCharged', data: charge })
  const hold = await holdInherited(parts, charge).catch((error: unknown) => {
    claim.release()
    throw error
  })
  const settle = (position: Position) => hold?.settle(position, BigInt(charge.amountMicros))
  views.balances.expect(draft.eventId, companyId, deltaMicros(draft.event), hold !== null)
  try {
    const { repeated, position } = await ledger.book(draft, callId, { kind: 'apiKey', id: keyId })
    await settle(position)
    // The feed may have brought it long ago, and does so once.
    if (repeated) views.balances.forget(draft.eventId)
    claim.charged()
    log.warn({ callId, repeated }, 'the charge of a kept answer was booked when it was asked for again')
  } catch (error) {
    const forget = () => views.balances.forget(draft.eventId)
    const undo = () => {
      hold?.release()
      forget()
    }
    const found = async ({ repeated, position }: AppendResult) => {
      await settle(position)
      if (repeated) forget()
    }
    if (!(error instanceof AppendStillUnknown)) undo()
    else background.add(error.settled.then(found, undo))
    claim.release()
    log.error({ err: error, callId }, 'the charge of a kept answer could not be stored')
    throw withheld(CHARGE_NOT_STORED)
  }
}

/** What was held for the call may be gone with who made it. One that was charged all the same needs nothing more. */
async function holdInherited(parts: GatewayParts, charge: CallCharge): Promise<CallHold | null> {
  const { companyId, callId, amountMicros } = charge
  if (!parts.views.companies.hasHardCap(companyId) || (await parts.isBooked(charge))) return null
  const hold = await parts.holds.place(companyId, callId, BigInt(amountMicros))
  await hold.cover(BigInt(amountMicros))
  return hold
}
