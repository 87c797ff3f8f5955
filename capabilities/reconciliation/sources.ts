import type { Booking, Reference } from '../../domain/reconciliation/match.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { bookedBetween, paymentRecords } from '../../projections/trail/bookings.ts'
import type { TrailRow } from '../../projections/trail/projection.ts'
import { grantIdOf } from '../payments/bookings.ts'
import type { PaymentLists } from '../payments/paymentLists.ts'
import type { Entry, Sources } from './port.ts'

/** The payment provider on one side, the read model of all bookings on the other. */
export function sourcesOf(sql: Sql, lists: PaymentLists): Sources {
  const recorded = (references: readonly Reference[]) =>
    paymentRecords(sql, {
      purchaseIds: idsOf(references, 'purchase'),
      invoiceIds: idsOf(references, 'invoice'),
      grantIds: references.map(grantOf),
    })
  return {
    payments: (from, to) => lists.payments(from, to),
    refunds: (from, to) => lists.refunds(from, to),
    entries: async function* (from, to) {
      for await (const rows of bookedBetween(sql, from, to)) yield rows.map(entryOf)
    },
    bookings: async (references) => {
      if (references.length === 0) return new Map()
      const bookings = new Map<Reference, Booking>()
      const grants = new Map(references.map((reference) => [grantOf(reference), reference]))
      for (const row of await recorded(references)) {
        const reference = referenceOf(row) ?? grants.get(String(row.facts.grantId)) ?? null
        if (reference) bookings.set(reference, withRecord(bookings.get(reference) ?? nothingOf(reference), row))
      }
      return bookings
    },
    lookUp: async (reference) => {
      const [kind, id = ''] = reference.split(' ')
      if (kind === 'invoice') return (await lists.paidInvoice(id)) ?? { payment: null }
      const rows = await recorded([reference])
      const intent = rows.map(({ facts }) => facts.paymentIntentId).find((one) => typeof one === 'string')
      return { payment: intent === undefined ? null : await lists.paymentOfIntent(String(intent)) }
    },
  }
}

function grantOf(reference: Reference): string {
  const [kind, id = ''] = reference.split(' ')
  return grantIdOf(kind === 'purchase' ? 'purchase' : 'invoice', id)
}

function idsOf(references: readonly Reference[], kind: 'purchase' | 'invoice'): string[] {
  return references.flatMap((reference) => (reference.startsWith(`${kind} `) ? [reference.slice(kind.length + 1)] : []))
}

/** A purchase takes precedence over an invoice, as in the payments: the invoice of a purchase is not booked separately. */
function referenceOf({ purchaseId, invoiceId }: TrailRow): Reference | null {
  if (purchaseId !== null) return `purchase ${purchaseId}`
  return invoiceId === null ? null : `invoice ${invoiceId}`
}

const KINDS = { CreditsGranted: 'grant', InvoiceSettled: 'settlement', CreditsRefunded: 'refund' } as const

/** Sources of grants without a payment. */
const UNPAID: ReadonlySet<unknown> = new Set(['ADJUSTMENT', 'PROMOTION', 'ROLLOVER'])

function entryOf(row: TrailRow): Entry {
  const { amountMicros, bookedAt, reason = '', source } = row.facts
  return {
    kind: UNPAID.has(source) ? 'byHand' : KINDS[row.type as keyof typeof KINDS],
    companyId: row.companyId,
    micros: BigInt(String(amountMicros)),
    at: String(bookedAt),
    reason: String(reason),
    reference: referenceOf(row),
  }
}

function nothingOf(reference: Reference): Booking {
  return {
    reference,
    companyId: null,
    paid: null,
    dueMicros: null,
    booked: null,
    refund: null,
    takenBackMicros: 0n,
    correctedMicros: 0n,
    waivedMicros: 0n,
    disputes: [],
    withdrawnMicros: 0n,
  }
}

function withRecord(before: Booking, { type, companyId, facts, actorKind }: TrailRow): Booking {
  const booking = { ...before, companyId }
  const micros = (name: string) => (facts[name] === undefined ? null : BigInt(String(facts[name])))
  const currency = String(facts.currency)
  switch (type) {
    case 'PurchaseCompleted':
      return {
        ...booking,
        paid: { amountMinor: micros('paidMinor') ?? 0n, currency },
        dueMicros: micros('creditsMicros'),
      }
    case 'InvoicePaid': {
      const paid = { amountMinor: micros('amountMinor') ?? 0n, currency }
      return { ...booking, paid, dueMicros: micros('creditsMicros') ?? booking.dueMicros }
    }
    case 'UsageInvoiceDrafted':
      return { ...booking, dueMicros: micros('creditsMicros') }
    case 'CreditsGranted':
    case 'InvoiceSettled': {
      const kind = type === 'CreditsGranted' ? 'grant' : 'settlement'
      const booked = { kind, micros: micros('amountMicros') ?? 0n, at: String(facts.bookedAt) } as const
      const sum = (before.booked?.micros ?? 0n) + booked.micros
      return { ...booking, booked: { ...booked, micros: sum } }
    }
    case 'PurchaseRefundSeen':
    case 'InvoiceRefundSeen': {
      const refund = { chargedMinor: String(facts.chargedMinor), refundedMinor: String(facts.refundedMinor) }
      return { ...booking, refund }
    }
    case 'CreditsRefunded':
      return { ...booking, takenBackMicros: booking.takenBackMicros + (micros('amountMicros') ?? 0n) }
    case 'PurchaseCreditsCorrected':
    case 'InvoiceCreditsCorrected': {
      const amount = micros('amountMicros') ?? 0n
      if (facts.refundId === null) return { ...booking, correctedMicros: booking.correctedMicros - amount }
      const waivedMicros = booking.waivedMicros + (actorKind === 'system' ? 0n : amount)
      return { ...booking, takenBackMicros: booking.takenBackMicros - amount, waivedMicros }
    }
    case 'PurchaseDisputeSeen':
    case 'InvoiceDisputeSeen': {
      const disputeId = String(facts.disputeId)
      const money = { chargedMinor: String(facts.chargedMinor), disputedMinor: String(facts.disputedMinor) }
      const others = booking.disputes.filter((one) => one.disputeId !== disputeId)
      return { ...booking, disputes: [...others, { disputeId, ...money }] }
    }
    case 'CreditsWithdrawn':
      return { ...booking, withdrawnMicros: booking.withdrawnMicros + (micros('amountMicros') ?? 0n) }
    case 'CreditsReinstated':
      return { ...booking, withdrawnMicros: booking.withdrawnMicros - (micros('amountMicros') ?? 0n) }
    default:
      return booking
  }
}
