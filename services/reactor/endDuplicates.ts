import { REACTOR } from '../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import type { PaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { type SubscriptionObject, subscriptionFactsOf } from '../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../contracts/streams.ts'
import { isActive, subscriptionDecider } from '../../domain/subscription/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { Pauses } from '../../platform/clock/pauses.ts'
import type { SubscriptionRow } from '../../projections/subscriptions/projection.ts'
import { competingSubscriptions, openDuplicates } from '../../projections/subscriptions/queries.ts'

const COMPANIES_PER_ROUND = 10
/** The delay before a company or a duplicate is retried. */
const RETRY_MS = 60_000

type Parts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'commands'>
  readonly provider: Pick<PaymentProvider, 'subscription' | 'refundPeriod' | 'cancelNow'>
}

/**
 * Keeps a company at one running subscription: two checkout pages that were open at once may both be paid. The one that was
 * created later is canceled and refunded. That it is a duplicate is recorded first, so that a crash leaves no half of this.
 */
export function createDuplicateEnding(parts: Parts): () => Promise<void> {
  const { engines, clock, log } = parts
  const newPauses = () => new Pauses({ nowMs: () => clock.now(), doneMs: RETRY_MS, failedMs: RETRY_MS })
  const companies = newPauses()
  const duplicates = newPauses()
  const attempt = (pauses: Pauses, id: string, work: () => Promise<void>) =>
    pauses.attempt(id, work, (error) =>
      log.warn({ err: error, id }, 'second subscription of a company could not be ended, retrying later'),
    )
  return async () => {
    const rows = await competingSubscriptions(engines.database, companies.ids(), COMPANIES_PER_ROUND)
    // Those that are found now are not in the read model yet.
    const found = new Set<string>()
    for (const [companyId, ofCompany] of Map.groupBy(rows, ({ companyId }) => companyId)) {
      await attempt(companies, companyId, async () => {
        for (const id of await markDuplicates(parts, ofCompany)) found.add(id)
      })
    }
    const open = await openDuplicates(engines.database, duplicates.ids(), COMPANIES_PER_ROUND)
    for (const id of new Set([...found, ...open.map(({ subscriptionId }) => subscriptionId)])) {
      await attempt(duplicates, id, () => endDuplicate(parts, id))
    }
  }
}

/** Records which subscriptions are duplicates, by what runs at the provider, and returns them. */
async function markDuplicates(
  { engines, provider, clock, log }: Parts,
  rows: readonly SubscriptionRow[],
): Promise<string[]> {
  const objects = await Promise.all(rows.map(({ subscriptionId: id }) => provider.subscription(id)))
  const [kept, ...later] = objects.filter((object) => isActive(subscriptionFactsOf(object).status)).toSorted(byCreation)
  if (!kept) return []
  for (const { id } of later) {
    const at = isoTime(clock.now())
    const command = { type: 'MarkDuplicate', subscriptionId: id, keptSubscriptionId: kept.id, at } as const
    const context = { commandId: `duplicate:${id}`, correlationId: `duplicate:${id}`, actor: REACTOR }
    await engines.commands.handle(subscriptionDecider, streamName('subscription', id), command, context)
    log.warn({ subscription: id, kept: kept.id }, 'company has two subscriptions, the later one is being ended')
  }
  return later.map(({ id }) => id)
}

function byCreation(one: SubscriptionObject, other: SubscriptionObject): number {
  const createdAt = ({ created, start_date }: SubscriptionObject) => created ?? start_date ?? 0
  return createdAt(one) - createdAt(other) || (one.id < other.id ? -1 : 1)
}

/**
 * Every step can be repeated after a crash: the provider cancels and refunds once, and the event is recorded last. It is
 * canceled first, because no payment can follow after that: a change of its plan may be under way.
 */
async function endDuplicate({ engines, provider, clock, log }: Parts, subscriptionId: string): Promise<void> {
  const stream = streamName('subscription', subscriptionId)
  const context = (commandId: string) => ({ commandId, correlationId: `duplicate:${subscriptionId}`, actor: REACTOR })
  const askedAt = isoTime(clock.now())
  const canceled = await provider.cancelNow(subscriptionId)
  const refunded = await provider.refundPeriod(canceled)
  const answer = { facts: subscriptionFactsOf(canceled), askedAt }
  // A canceled subscription is final, so the answer counts whatever was reported meanwhile.
  await engines.commands.handle(
    subscriptionDecider,
    stream,
    { type: 'RecordAnswer', subscriptionId, answer },
    context(`duplicate canceled:${subscriptionId}:${askedAt}`),
  )
  await engines.commands.handle(
    subscriptionDecider,
    stream,
    { type: 'EndDuplicate', subscriptionId, refunded, at: isoTime(clock.now()) },
    context(`duplicate ended:${subscriptionId}:${askedAt}`),
  )
  log.info({ subscription: subscriptionId, refunded }, 'second subscription of a company was canceled and refunded')
}
