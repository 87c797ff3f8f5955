import type { Installation } from '../../../../capabilities/installation.ts'
import {
  addDelivery,
  addNotices,
  deliveryIdOf,
  deliveryTask,
  nextNumber,
  unknownNotices,
} from '../../../../capabilities/webhooks/deliveryTable.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import type { WebhookEndpoint } from '../../../../domain/company/webhookEndpoints.ts'
import { type Clock, isoTime } from '../../../../platform/clock/clock.ts'
import type { Ids } from '../../../../platform/ids/ids.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import type { Enrolment, Notice } from '../worker.ts'

/** The clocks of the process that wrote an event, of the payment provider and of the backend differ. */
const CLOCK_SKEW_MS = 60_000

export type EnrolmentOptions = {
  readonly engines: Pick<Installation, 'database' | 'store' | 'commands'>
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * Turns notices into one delivery for each endpoint that wants them, numbered by endpoint. They are stored in the
 * transaction that records the notice as read, so a crash loses none and sends none twice. The endpoints are read from
 * the event store: a read model might not show one yet that exists already. That happens before the transaction, because
 * a transaction that waits for another connection of its pool waits for ever once all of them do.
 */
export function enrolment({ engines, clock, ids }: EnrolmentOptions): Enrolment {
  return {
    plan: async (notices) => {
      const unknown = await unknownNotices(
        engines.database,
        notices.map(({ messageId }) => messageId),
      )
      // What falls due by time is reported again in each round.
      const news = notices.filter(({ messageId }) => unknown.delete(messageId))
      const deliveries: PlannedDelivery[] = []
      for (const companyId of [...new Set(news.map((notice) => notice.companyId))].sort()) {
        const own = news.filter((notice) => notice.companyId === companyId)
        for (const planned of await deliveriesTo(companyId, own)) {
          // The tables may have been emptied since, by a restore or because it was long ago.
          if (!(await wasSent(planned))) deliveries.push(planned)
        }
      }
      return async (sql) => {
        const at = isoTime(clock.now())
        // Another process may have been faster.
        const fresh = await addNotices(
          sql,
          news.map(({ messageId }) => messageId),
          at,
        )
        for (const planned of deliveries) if (fresh.has(planned.notice.messageId)) await queue(sql, planned, at)
      }
    },
  }

  async function deliveriesTo(companyId: string, notices: readonly Notice[]): Promise<PlannedDelivery[]> {
    const company = await engines.commands.stateOf(companyDecider, streamName('company', companyId))
    if (company.status !== 'registered') return []
    const relevant = notices.filter(({ type }) => !(company.billingMode === 'POSTPAID' && type.startsWith('balance.')))
    // Always in the same order, because each endpoint's counter stays locked until the end.
    const endpoints = Object.entries(company.webhookEndpoints ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
    return endpoints.flatMap(([endpointId, endpoint]) =>
      relevant.filter((notice) => isFor(endpoint, notice)).map((notice) => ({ endpointId, notice })),
    )
  }

  async function queue(sql: Sql, planned: PlannedDelivery, at: string): Promise<void> {
    const { endpointId, notice } = planned
    const { messageId, type, data } = notice
    const { number, series } = await nextNumber(sql, endpointId, ids.uuid())
    const body = JSON.stringify({ type, timestamp: notice.at, series, number: Number(number), data })
    await addDelivery(sql, { ...subjectOf(planned), type, messageId, number, body }, at)
  }

  async function wasSent(planned: PlannedDelivery): Promise<boolean> {
    const { taskId } = deliveryTask({ ...subjectOf(planned), type: planned.notice.type }, 1)
    for await (const { type } of engines.store.readStream(streamName('task', taskId))) {
      if (type === 'TaskCompleted') return true
    }
    return false
  }
}

type PlannedDelivery = { readonly endpointId: string; readonly notice: Notice }

function subjectOf({ endpointId, notice: { messageId, companyId } }: PlannedDelivery) {
  return { deliveryId: deliveryIdOf(endpointId, messageId), endpointId, companyId }
}

/** An endpoint gets nothing that happened before it was created. */
function isFor({ types, disabled, createdAt }: WebhookEndpoint, { type, at }: Notice): boolean {
  return disabled === null && types.includes(type) && Date.parse(at) + CLOCK_SKEW_MS >= Date.parse(createdAt)
}
