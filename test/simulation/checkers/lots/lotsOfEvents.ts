import type { LotTerms as GrantTerms } from '../../../../contracts/events/lotTerms.ts'
import type { LedgerEvent } from '../folds/ledger.ts'
import { LotLedger, UNLIMITED } from './lotLedger.ts'

/** The part of a stored event that lots follow from. World A has other fields. */
export type LotEvent = Pick<LedgerEvent, 'id' | 'type' | 'data'>

/** Follows the ledger of one company, each event once and in its order. */
export class LotsOfEvents {
  readonly ledger = new LotLedger()
  readonly #events = new Map<string, LotEvent>()

  constructor(events: Iterable<LotEvent> = []) {
    for (const event of events) this.add(event)
  }

  add(event: LotEvent): void {
    this.#events.set(event.id, event)
    this.#apply(event as LedgerEvent)
  }

  #apply(event: LedgerEvent): void {
    const { ledger } = this
    if (!('amountMicros' in event.data)) return
    const micros = BigInt(event.data.amountMicros)
    switch (event.type) {
      case 'CreditsGranted':
        ledger.grant(termsOf(event.data), micros, Date.parse(event.data.grantedAt))
        break
      case 'CallCharged':
        ledger.charge(event.data.callId, micros, Date.parse(event.data.admittedAt))
        break
      case 'ChargeReversed':
        ledger.reverse(event.data.callId, micros, Date.parse(event.data.reversedAt))
        break
      case 'CreditsRefunded': {
        const { grantId, refundId, refundedAt } = event.data
        ledger.take(this.#lotOf(grantId), 'refund', refundId, micros, Date.parse(refundedAt))
        break
      }
      case 'CreditsWithdrawn': {
        const { grantId, disputeId, withdrawnAt } = event.data
        ledger.take(this.#lotOf(grantId), 'dispute', disputeId, micros, Date.parse(withdrawnAt))
        break
      }
      case 'CreditsReinstated': {
        const { grantId, disputeId, reinstatedAt } = event.data
        const [lotId, atMs] = [this.#lotOf(grantId), Date.parse(reinstatedAt)]
        if (disputeId === null) ledger.reinstate(lotId, micros, atMs)
        else ledger.giveBack(lotId, 'dispute', disputeId, micros, atMs)
        break
      }
      case 'CreditsExpired':
        ledger.expire(event.data.grantId, micros, Date.parse(event.data.expiredAt))
        break
      case 'CreditsAdjusted':
        this.#adjust(event.data, micros)
        break
      case 'InvoiceSettled': {
        const terms = { ...UNLIMITED, lotId: `settlement:${event.data.month}` }
        ledger.grant(terms, micros, Date.parse(event.data.settledAt))
        break
      }
    }
  }

  /** A correction goes to the lot of what it corrects, and is a lot or a charge of its own if it corrects nothing. */
  #adjust({ adjustmentId, corrects, adjustedAt }: Adjustment, micros: bigint): void {
    const { ledger } = this
    const atMs = Date.parse(adjustedAt)
    const amount = micros < 0n ? -micros : micros
    const corrected = corrects === null ? undefined : (this.#events.get(corrects) as LedgerEvent | undefined)
    const move = (lotId: string, reason: string, taking: string) => {
      if (micros < 0n) ledger.take(lotId, reason, taking, amount, atMs)
      else ledger.giveBack(lotId, reason, taking, amount, atMs)
    }
    const charge = corrected?.type === 'CallCharged' ? corrected.data.callId : null
    if (corrected?.type === 'CreditsGranted') move(termsOf(corrected.data).lotId, 'correction', corrected.id)
    else if (corrected?.type === 'CreditsRefunded') {
      move(this.#lotOf(corrected.data.grantId), 'refund', corrected.data.refundId)
    } else if (micros < 0n) ledger.charge(charge ?? adjustmentId, amount, atMs)
    else if (charge !== null) ledger.reverse(charge, amount, atMs)
    else ledger.grant({ ...UNLIMITED, lotId: adjustmentId }, amount, atMs)
  }

  /** Grants from before lots had terms are one lot. */
  #lotOf(grantId: string | null): string {
    return grantId !== null && this.ledger.lot(grantId) ? grantId : UNLIMITED.lotId
  }
}

type Adjustment = Extract<LedgerEvent, { type: 'CreditsAdjusted' }>['data']
type Granted = Extract<LedgerEvent, { type: 'CreditsGranted' }>['data']

/** Promotional lots have the highest priority, whatever their terms say. */
function termsOf({ grantId, source, lot }: Pick<Granted, 'grantId' | 'source'> & { readonly lot: GrantTerms | null }) {
  if (lot === null) return UNLIMITED
  const priority = source === 'PROMOTION' ? Math.max(lot.priority, 1) : lot.priority
  return { lotId: grantId, priority, expiresMs: lot.expiresAt === null ? null : Date.parse(lot.expiresAt) }
}
