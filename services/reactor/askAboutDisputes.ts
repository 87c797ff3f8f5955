import { type DisputeWithCharge, disputeFactsOf } from '../../capabilities/payments/disputeObject.ts'
import { ownId } from '../../capabilities/payments/providerObjects.ts'
import type { DisputeFacts } from '../../contracts/events/dispute.ts'
import { streamName } from '../../contracts/streams.ts'
import { disputeDecider, isClosed } from '../../domain/dispute/decider.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { type Parts, report, type Sweep, since, unlessRefused } from './reportAnswer.ts'

/** The credits of a disputed payment can be spent until the dispute is known, so other objects are asked about less often. */
export const ASK_ABOUT_DISPUTES_EVERY_MS = 60 * 60 * 1_000
/** Longer than banks take to decide, including appeals. */
const DISPUTES_DAYS = 365

/** Reports disputes that are new or have changed, as if their events had arrived. */
export async function askAboutDisputes(parts: Parts, sweep: Sweep): Promise<string | null> {
  const askedAt = isoTime(parts.clock.now())
  const { items, next } = await parts.provider.disputesSince(since(sweep, DISPUTES_DAYS))
  for (const dispute of items) {
    const state = await parts.engines.commands.stateOf(disputeDecider, streamName('dispute', dispute.id))
    const facts = disputeFactsOf(dispute)
    const known = state.status === 'unknown' ? null : state.known
    if (known ? !isNews(known.facts, facts) : !(await isOurs(parts, dispute))) continue
    const type = isClosed(facts) ? 'charge.dispute.closed' : known ? 'charge.dispute.updated' : 'charge.dispute.created'
    const charge = typeof dispute.charge === 'string' ? dispute.charge : dispute.charge?.id
    const news = `${dispute.status}_${dispute.amount}`
    await report(parts, type, { ...dispute, charge }, news, askedAt, known?.saidAt, 'hour')
  }
  return next
}

function isNews(known: DisputeFacts, facts: DisputeFacts): boolean {
  if (isClosed(known) && !isClosed(facts)) return false
  return (['status', 'amountMinor', 'currency', 'respondBy'] as const).some((field) => known[field] !== facts[field])
}

/** Other applications may take payments through the same account. */
async function isOurs(parts: Parts, { charge: of }: DisputeWithCharge): Promise<boolean> {
  const charge = typeof of === 'string' ? await unlessRefused(parts, of, () => parts.provider.charge(of)) : of
  if (!charge) return false
  if (ownId(charge.metadata?.companyId) || ownId(charge.metadata?.purchaseId)) return true
  if (!charge.invoice) return false
  const { companyId } = await parts.engines.commands.stateOf(invoiceDecider, streamName('invoice', charge.invoice))
  return companyId !== null
}
