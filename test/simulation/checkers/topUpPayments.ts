import { type EventNamed, grouped, only, type StoredEvent } from './events.ts'

/** A payment at the provider that names an attempt. */
export type TopUpPayment = {
  readonly id: string
  readonly attemptId: string
  readonly companyId: string
  readonly isPaid: boolean
  readonly minor: number
  readonly atMs: number
}

/** A process that was paused or was not answered may go on with what it has read before. */
const KNOWN_WITHIN_MS = 30_000

/** What the provider was asked to charge is what attempts say, once each, and never while it was not allowed. */
export function paymentsWrong(events: readonly StoredEvent[], payments: readonly TopUpPayment[]): string | null {
  const started = new Map(only(events, 'TopUpStarted').map(({ data }) => [data.attemptId, data]))
  const made = grouped(payments, ({ attemptId }) => attemptId)
  for (const [attemptId, own] of made) {
    const attempt = started.get(attemptId)
    if (!attempt) return `payment ${own[0]?.id} is for attempt ${attemptId}, which was not started`
    if (own.length > 1) return `attempt ${attemptId} has ${own.length} payments`
    if (own.some(({ minor }) => String(minor) !== attempt.amountMinor)) return `attempt ${attemptId} has another price`
  }
  const succeeded = grouped(only(events, 'TopUpSucceeded'), ({ data }) => data.attemptId)
  const bought = grouped(only(events, 'PurchaseCompleted'), ({ data }) => data.purchaseId)
  for (const [attemptId, { purchaseId }] of started) {
    const paid = made.get(attemptId)?.filter(({ isPaid }) => isPaid).length ?? 0
    const known = succeeded.get(attemptId)?.length ?? 0
    const purchases = bought.get(purchaseId)?.length ?? 0
    if (known !== paid || purchases !== paid) {
      return `attempt ${attemptId} is paid ${paid} times, known as paid ${known} times, and bought ${purchases} packs`
    }
  }
  return payments.map((payment) => blockedWrong(events, payment)).find((found) => found !== null) ?? null
}

function blockedWrong(events: readonly StoredEvent[], { id, companyId, atMs }: TopUpPayment): string | null {
  const blocked = [
    ...suspensionsOf(only(events, 'CompanySuspended', 'CompanyResumed'), companyId),
    ...disputesOf(only(events, 'DisputeOpened', 'DisputeUpdated', 'DisputeClosed'), companyId),
  ].find(({ fromMs, toMs }) => atMs > fromMs + KNOWN_WITHIN_MS && atMs < toMs)
  if (!blocked) return null
  const seconds = Math.round((atMs - blocked.fromMs) / 1_000)
  return `payment ${id} was made ${seconds} s after company ${companyId} was ${blocked.why}, and still is`
}

type Blocked = { readonly why: string; readonly fromMs: number; readonly toMs: number }

function suspensionsOf(changes: readonly EventNamed<'CompanySuspended' | 'CompanyResumed'>[], companyId: string) {
  const own = changes.filter(({ data }) => data.companyId === companyId)
  return spansOf('suspended', own, ({ type }) => type === 'CompanySuspended')
}

function disputesOf(
  reports: readonly EventNamed<'DisputeOpened' | 'DisputeUpdated' | 'DisputeClosed'>[],
  companyId: string,
): Blocked[] {
  const own = reports.filter(({ data }) => data.companyId === companyId)
  const open = ['NEEDS_RESPONSE', 'UNDER_REVIEW']
  return [...grouped(own, ({ stream }) => stream).values()].flatMap((dispute) =>
    spansOf('disputed', dispute, ({ data }) => open.includes(data.facts.status)),
  )
}

function spansOf<Event extends StoredEvent>(
  why: string,
  events: readonly Event[],
  blocks: (event: Event) => boolean,
): Blocked[] {
  const spans: Blocked[] = []
  let fromMs: number | null = null
  for (const event of events) {
    const ms = Date.parse(event.recordedAt)
    if (blocks(event)) fromMs ??= ms
    else if (fromMs !== null) {
      spans.push({ why, fromMs, toMs: ms })
      fromMs = null
    }
  }
  return fromMs === null ? spans : [...spans, { why, fromMs, toMs: Number.POSITIVE_INFINITY }]
}
