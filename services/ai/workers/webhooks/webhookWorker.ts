import type { Installation } from '../../../../capabilities/installation.ts'
import {
  cancelDelivery,
  type DeliveryRow,
  deliveryById,
  forgetDeliveries,
  type Outcome,
  recordAttempt,
  WEBHOOK_WORKER,
} from '../../../../capabilities/webhooks/deliveryTable.ts'
import { nextAttemptMs } from '../../../../capabilities/webhooks/retrySchedule.ts'
import type { WebhookAnswer, WebhookClient } from '../../../../capabilities/webhooks/webhookClient.ts'
import type { WebhookSecrets } from '../../../../capabilities/webhooks/webhookSecrets.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import type { WebhookEndpoint } from '../../../../domain/company/webhookEndpoints.ts'
import { type Clock, isoTime } from '../../../../platform/clock/clock.ts'
import type { Log } from '../../../../platform/logger/logger.ts'
import { NotNow, TryAgain, type Worker } from '../worker.ts'
import type { RunnerLimits } from '../workerRunner.ts'

/** Attempts of all endpoints at once, and of one endpoint: a receiver that does not answer keeps few places. */
export const WEBHOOK_RUNNER_LIMITS = { atOnceMax: 64, perQueueMax: 2 } satisfies Partial<RunnerLimits>
const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60_000
/** Longer than any period of a budget, so that what is noticed again in each round is known. */
const NOTICES_KEPT_MS = 400 * 24 * 60 * 60_000
const GONE = 410

export type WebhookWorkerOptions = {
  readonly engines: Pick<Installation, 'database' | 'commands'>
  readonly client: Pick<WebhookClient, 'send'>
  readonly secrets: Pick<WebhookSecrets, 'open'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Sends messages to the webhook endpoints of companies. A message is sent at least once: after a crash between the answer
 * and its record it is sent again with the same id. The outcome is recorded with the delivery, and a task is completed when
 * its delivery needs no further attempt, whether it arrived or not: a dead endpoint is not for the operator to repair.
 */
export function webhookWorker({ engines, client, secrets, clock, log }: WebhookWorkerOptions): Worker<never> {
  const { database, commands } = engines
  const now = () => isoTime(clock.now())

  async function attempt(
    delivery: DeliveryRow,
    endpoint: WebhookEndpoint,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const secret = secrets.open(endpoint.sealedSecret, delivery.endpointId)
    if (secret === null) {
      log.error(
        { endpointId: delivery.endpointId, companyId: delivery.companyId },
        'the secret of a webhook endpoint cannot be decrypted: WEBHOOK_SECRETS_KEY lacks the key that it was created with',
      )
      return { status: null, error: 'the message could not be signed' }
    }
    const { messageId, body } = delivery
    return client.send({ url: endpoint.url, messageId, body, secret }, signal)
  }

  async function disable({ companyId, endpointId }: DeliveryRow): Promise<void> {
    const reason = `the receiver answered ${GONE}, which says that it is gone`
    await commands.handle(
      companyDecider,
      streamName('company', companyId),
      { type: 'DisableWebhookEndpoint', companyId, endpointId, reason, at: now() },
      {
        commandId: `disable webhook endpoint:${endpointId}`,
        correlationId: endpointId,
        actor: { kind: 'system', name: WEBHOOK_WORKER },
      },
    )
  }

  return {
    name: WEBHOOK_WORKER,
    categories: [],
    consider: () => ({ tasks: [] }),
    cleanUp: () =>
      forgetDeliveries(database, isoTime(clock.now() - DELIVERIES_KEPT_MS), isoTime(clock.now() - NOTICES_KEPT_MS)),
    perform: async ({ payload }, signal) => {
      const { deliveryId, sendings } = payload as { deliveryId: string; sendings: number }
      const delivery = await deliveryById(database, deliveryId)
      if (delivery?.state !== 'PENDING' || delivery.sendings !== sendings) return
      const waitMs = Date.parse(delivery.nextAttemptAt ?? now()) - clock.now()
      // A process died after it had recorded the attempt before.
      if (waitMs > 0) throw new NotNow('the next attempt is not due', waitMs)
      const company = await commands.stateOf(companyDecider, streamName('company', delivery.companyId))
      const endpoint = company.status === 'registered' ? company.webhookEndpoints?.[delivery.endpointId] : undefined
      if (!endpoint || endpoint.disabled) {
        await cancelDelivery(database, deliveryId, endpoint?.disabled?.reason ?? 'the endpoint was deleted')
        return
      }
      const answer = await attempt(delivery, endpoint, signal)
      // The attempt was canceled, for example by a shutdown: what came of it is not known.
      signal.throwIfAborted()
      if (answer.status === GONE) await disable(delivery)
      const outcome = outcomeOf(delivery, answer, clock.now())
      await recordAttempt(database, delivery, outcome, now())
      if (outcome.nextAttemptAt === null) return
      throw new TryAgain(outcome.lastError ?? '', Date.parse(outcome.nextAttemptAt) - clock.now())
    },
  }
}

/** Only 2xx is a success; redirects are not followed. */
export function outcomeOf(delivery: DeliveryRow, answer: WebhookAnswer, nowMs: number): Outcome {
  const { status } = answer
  if (status !== null && status >= 200 && status <= 299) {
    return { state: 'DELIVERED', lastStatus: status, lastError: null, nextAttemptAt: null }
  }
  const lastError = status === null ? answer.error : errorOf(status)
  const { deliveryId, sentFrom } = delivery
  const nextMs =
    status === GONE
      ? null
      : nextAttemptMs({ deliveryId, attempts: delivery.attempts + 1, sinceMs: Date.parse(sentFrom), nowMs })
  const nextAttemptAt = nextMs === null ? null : isoTime(nextMs)
  return { state: nextMs === null ? 'FAILED' : 'PENDING', lastStatus: status, lastError, nextAttemptAt }
}

function errorOf(status: number): string {
  return status >= 300 && status <= 399
    ? `the receiver answered ${status}; redirects are not followed`
    : `the receiver answered ${status}`
}
