import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { disputesWrong } from './disputes.ts'
import { type EventNamed, grouped, ofCategory, only, type StoredEvent, storedEvents } from './events.ts'
import { newest } from './folds/reports.ts'
import { takenWrong } from './takenCredits.ts'

/** Credits follow payments: each is granted once, and refunds and corrections take back what they must and no more. */
export function payments({ pglite }: Simulation): Checker {
  return {
    invariant: 'credits follow payments',
    end: () => {
      const events = storedEvents(pglite)
      return attemptsWrong(events) ?? bookingsWrong(events) ?? grantsWrong(events) ?? takenWrong(events)
    },
  }
}

/** Each event of the provider is stored once, and each attempt at it ends once. */
export function attemptsWrong(events: readonly StoredEvent[]): string | null {
  for (const [stream, own] of grouped(ofCategory(events, 'webhook'), (event) => event.stream)) {
    if (only(own, 'WebhookReceived').length !== 1) return `${stream} was received more than once`
    const ended = new Set<number>()
    for (const { data } of only(own, 'WebhookProcessed', 'WebhookFailed')) {
      if (ended.has(data.attempt)) return `attempt ${data.attempt} of ${stream} has ended twice`
      ended.add(data.attempt)
    }
    const attempts = 1 + only(own, 'WebhookReplayed').length
    if (own.at(-1)?.type === 'WebhookReceived' || own.at(-1)?.type === 'WebhookReplayed') {
      return `${stream} was not processed`
    }
    if (ended.size > attempts) return `${stream} was processed without being asked for`
  }
  return null
}

type Booking = { readonly companyId: string; readonly amount: string }

/** What was decided on purchases and invoices is booked on the ledger exactly once, and nothing else is. */
export function bookingsWrong(events: readonly StoredEvent[]): string | null {
  return (
    notOnce('grant', grantsDecided(events), grantsBooked(events)) ??
    notOnce('refund', refundsDecided(events), refundsBooked(events)) ??
    notOnce('correction', correctionsDecided(events), correctionsBooked(events)) ??
    notOnce('withdrawal', withdrawalsDecided(events), withdrawalsBooked(events)) ??
    notOnce('reinstatement', reinstatementsDecided(events), reinstatementsBooked(events)) ??
    notOnce('settlement', settlementsDecided(events), settlementsBooked(events))
  )
}

type Bookings = readonly (readonly [id: string, booking: Booking])[]

function notOnce(what: string, decided: Bookings, booked: Bookings): string | null {
  const left = new Map<string, string>()
  for (const [id, booking] of decided) {
    if (left.has(id)) return `${what} ${id} was decided twice`
    left.set(id, JSON.stringify(booking))
  }
  for (const [id, booking] of booked) {
    const expected = left.get(id)
    if (expected === undefined) return `${what} ${id} is on the ledger without reason, or twice`
    if (expected !== JSON.stringify(booking)) return `${what} ${id} is ${JSON.stringify(booking)}, and not ${expected}`
    left.delete(id)
  }
  const [missing] = left.keys()
  return missing === undefined ? null : `${what} ${missing} is not on the ledger`
}

function grantsDecided(events: readonly StoredEvent[]): Bookings {
  return [
    ...only(events, 'PurchaseCompleted').map(
      ({ data }) => [data.grantId, { companyId: data.companyId, amount: data.creditsMicros }] as const,
    ),
    ...only(events, 'InvoicePaid').flatMap(({ data }) =>
      data.grant
        ? [[data.grant.grantId, { companyId: data.companyId, amount: data.grant.creditsMicros }] as const]
        : [],
    ),
  ]
}

/** Where grants come from that follow from a payment. */
const PAID: ReadonlySet<string> = new Set(['PACK_PURCHASE', 'SUBSCRIPTION'])

function grantsBooked(events: readonly StoredEvent[]): Bookings {
  return only(events, 'CreditsGranted')
    .filter(({ data }) => PAID.has(data.source))
    .map(({ data }) => [data.grantId, { companyId: data.companyId, amount: data.amountMicros }] as const)
}

function refundsDecided(events: readonly StoredEvent[]): Bookings {
  return only(events, 'PurchaseCreditsTakenBack', 'InvoiceCreditsTakenBack').map(
    ({ data }) => [data.refundId, { companyId: data.companyId, amount: data.amountMicros }] as const,
  )
}

function refundsBooked(events: readonly StoredEvent[]): Bookings {
  return only(events, 'CreditsRefunded').map(
    ({ data }) => [data.refundId, { companyId: data.companyId, amount: data.amountMicros }] as const,
  )
}

function correctionsDecided(events: readonly StoredEvent[]): Bookings {
  return only(events, 'PurchaseCreditsCorrected', 'InvoiceCreditsCorrected').map(
    ({ data }) =>
      [
        `${data.correction} of ${data.refundId ?? data.grantId}`,
        { companyId: data.companyId, amount: data.amountMicros },
      ] as const,
  )
}

/** Corrections of grants that were paid for, and of their refunds. Others are decided on the ledger. */
function correctionsBooked(events: readonly StoredEvent[]): Bookings {
  const corrected = new Map<string, string>()
  for (const event of only(events, 'CreditsGranted')) {
    if (PAID.has(event.data.source)) corrected.set(event.id, event.data.grantId)
  }
  for (const event of only(events, 'CreditsRefunded')) corrected.set(event.id, event.data.refundId)
  return only(events, 'CreditsAdjusted').flatMap(({ data }) => {
    const entry = corrected.get(data.corrects ?? '')
    if (entry === undefined) return []
    return [[`${data.correction} of ${entry}`, { companyId: data.companyId, amount: data.amountMicros }] as const]
  })
}

const withdrawalsDecided = (events: readonly StoredEvent[]): Bookings =>
  only(events, 'PurchaseCreditsWithdrawn', 'InvoiceCreditsWithdrawn').map(withdrawal)

const withdrawalsBooked = (events: readonly StoredEvent[]): Bookings => only(events, 'CreditsWithdrawn').map(withdrawal)

function withdrawal({
  data: { disputeId, withdrawal: number, companyId, amountMicros: amount },
}: EventNamed<'CreditsWithdrawn' | 'PurchaseCreditsWithdrawn' | 'InvoiceCreditsWithdrawn'>) {
  return [`${number} of ${disputeId}`, { companyId, amount }] as const
}

const reinstatementsDecided = (events: readonly StoredEvent[]): Bookings =>
  only(events, 'PurchaseCreditsReinstated', 'InvoiceCreditsReinstated').map(reinstatement)

/** Others give credits back that expired too early. */
const reinstatementsBooked = (events: readonly StoredEvent[]): Bookings =>
  only(events, 'CreditsReinstated')
    .filter(({ data }) => data.disputeId !== null)
    .map(reinstatement)

function reinstatement({
  data: { disputeId, reinstatedBeforeMicros, companyId, amountMicros: amount },
}: EventNamed<'CreditsReinstated' | 'PurchaseCreditsReinstated' | 'InvoiceCreditsReinstated'>) {
  return [`after ${reinstatedBeforeMicros} of ${disputeId}`, { companyId, amount }] as const
}

function settlementsDecided(events: readonly StoredEvent[]): Bookings {
  return only(events, 'UsageInvoiceSettled').map(
    ({ data }) =>
      [`${data.companyId} ${data.month}`, { companyId: data.companyId, amount: data.creditsMicros }] as const,
  )
}

/** Without those of free plans, which have no invoice. */
function settlementsBooked(events: readonly StoredEvent[]): Bookings {
  return only(events, 'InvoiceSettled')
    .filter(({ data }) => data.invoiceId !== null)
    .map(
      ({ data }) =>
        [`${data.companyId} ${data.month}`, { companyId: data.companyId, amount: data.amountMicros }] as const,
    )
}

type Refunds = EventNamed<
  | 'PurchaseRefundSeen'
  | 'InvoiceRefundSeen'
  | 'PurchaseCreditsTakenBack'
  | 'InvoiceCreditsTakenBack'
  | 'PurchaseCreditsCorrected'
  | 'InvoiceCreditsCorrected'
>

/** Refunds and corrections of a grant never take more than was granted, and refunds take what the refunded money is worth. */
export function grantsWrong(events: readonly StoredEvent[]): string | null {
  const streams = [...ofCategory(events, 'purchase'), ...ofCategory(events, 'invoice')]
  for (const [stream, own] of grouped(streams, (event) => event.stream)) {
    const completed = only(own, 'PurchaseCompleted')
    const paid = only(own, 'InvoicePaid').filter(({ data }) => data.grant !== null)
    if (completed.length + paid.length > 1) return `${stream} was paid for twice`
    const granted = BigInt(completed[0]?.data.creditsMicros ?? paid[0]?.data.grant?.creditsMicros ?? 0)
    const found = grantWrong(own, granted)
    if (found !== null) return `${stream} of ${granted} millionths: ${found}`
  }
  return null
}

function grantWrong(own: readonly StoredEvent[], granted: bigint): string | null {
  let corrected = 0n
  let taken = 0n
  let isWaived = false
  const kinds = ['RefundSeen', 'CreditsTakenBack', 'CreditsCorrected']
  const types = kinds.flatMap((kind) => [`Purchase${kind}`, `Invoice${kind}`]) as Refunds['type'][]
  const reports: { facts: { status: string; charged: bigint; refunded: bigint }; saidAt: string; askedAt?: string }[] =
    []
  for (const event of only(own, ...types) as Refunds[]) {
    if ('refundedMinor' in event.data) {
      const { chargedMinor, refundedMinor, saidAt, askedAt } = event.data
      const facts = { status: '', charged: BigInt(chargedMinor), refunded: BigInt(refundedMinor) }
      reports.push({ facts, saidAt, ...(askedAt !== null && { askedAt }) })
      continue
    }
    const amount = BigInt(event.data.amountMicros)
    if ('totalMicros' in event.data) taken += amount
    else if (event.data.refundId === null) corrected -= amount
    else {
      taken -= amount
      if (event.data.adjustedBy !== null) isWaived = true
    }
    if (taken < 0n || corrected < 0n) return `more is given back than was taken (event ${event.id})`
    if (taken + corrected > granted) return `${taken} are taken by refunds and ${corrected} by corrections`
  }
  const { charged, refunded } = newest(reports, () => false)?.facts ?? { charged: 0n, refunded: 0n }
  const disputed = disputesWrong(own, granted, granted - corrected - taken)
  if (disputed !== null) return disputed
  if (granted === 0n || charged === 0n) return taken === 0n ? null : `${taken} are taken back without a refund`
  const worth = refunded >= charged ? granted : (granted * refunded) / charged
  const due = worth < granted - corrected ? worth : granted - corrected
  if (taken > due || (taken < due && !isWaived)) return `refunds have taken ${taken}, and not ${due}`
  return null
}
