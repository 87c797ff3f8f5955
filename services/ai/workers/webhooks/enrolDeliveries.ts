import type { Installation } from '../../../../capabilities/installation.ts'
import {
  addDelivery,
  addNotices,
  deliveryIdOf,
  deliveryTask,
  nextNumber,
} from '../../../../capabilities/webhooks/deliveryTable.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import type { WebhookEndpoint } from '../../../../domain/company/webhookEndpoints.ts'
import { type Clock, isoTime } from '../../../../platform/clock/clock.ts'
import type { Ids } from '../../../../platform/ids/ids.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import type { Enrol, Notice } from '../worker.ts'

/** The clocks of the process that wrote an event, of the payment provider and of the backend differ. */
const CLOCK_SKEW_MS = 60_000

export type EnrolmentOptions = {
  readonly engines: Pick<Installation, 'store' | 'commands'>
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * Turns notices into one delivery for each endpoint that wants them, numbered by endpoint. It runs in the transaction that
 * records the notice as read, so a crash loses none and sends none twice. The endpoints are read from the event store:
 * a read model might not show one yet that exists already.
 */
export function enrolment({ engines, clock, ids }: EnrolmentOptions): Enrol {
  return async (sql, notices) => {
    const at = isoTime(clock.now())
    const fresh = await addNotices(
      sql,
      notices.map(({ messageId }) => messageId),
      at,
    )
    for (const companyId of [...new Set(notices.map((notice) => notice.companyId))].sort()) {
      const news = notices.filter((notice) => notice.companyId === companyId && fresh.delete(notice.messageId))
      if (news.length === 0) continue
      const company = await engines.commands.stateOf(companyDecider, streamName('company', companyId))
      if (company.status !== 'registered') continue
      const relevant = news.filter(({ type }) => !(company.billingMode === 'POSTPAID' && type.startsWith('balance.')))
      // Always in the same order, because each endpoint's counter stays locked until the end.
      const endpoints = Object.entries(company.webhookEndpoints ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
      for (const [endpointId, endpoint] of endpoints) {
        for (const notice of relevant) if (isFor(endpoint, notice)) await queue(sql, endpointId, notice, at)
      }
    }
  }

  async function queue(sql: Sql, endpointId: string, notice: Notice, at: string): Promise<void> {
    const { messageId, type, companyId, data } = notice
    const subject = { deliveryId: deliveryIdOf(endpointId, messageId), endpointId, companyId }
    const { taskId } = deliveryTask({ ...subject, type }, 1)
    // The tables may have been emptied since, by a restore or because it was long ago.
    if (await wasSent(taskId)) return
    const { number, series } = await nextNumber(sql, endpointId, ids.uuid())
    const body = JSON.stringify({ type, timestamp: notice.at, series, number: Number(number), data })
    await addDelivery(sql, { ...subject, type, messageId, number, body }, at)
  }

  async function wasSent(taskId: string): Promise<boolean> {
    for await (const { type } of engines.store.readStream(streamName('task', taskId))) {
      if (type === 'TaskCompleted') return true
    }
    return false
  }
}

/** An endpoint gets nothing that happened before it was created. */
function isFor({ types, disabled, createdAt }: WebhookEndpoint, { type, at }: Notice): boolean {
  return disabled === null && types.includes(type) && Date.parse(at) + CLOCK_SKEW_MS >= Date.parse(createdAt)
}
