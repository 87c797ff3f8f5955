import { z } from 'zod'
import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { PaymentProviderError } from '../../../capabilities/payments/paymentProvider.ts'
import { type PaymentEventBody, paymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import { ERASED, type PersonalData } from '../../../capabilities/personalData/personalData.ts'
import type { PaymentEventChange } from '../../../contracts/events/paymentEvent.ts'
import { type StreamName, streamName } from '../../../contracts/streams.ts'
import { fold, Refusal } from '../../../domain/decider.ts'
import { paymentEventDecider } from '../../../domain/paymentEvent/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { applyPaymentEvent } from './applyPaymentEvent.ts'
import type { PaymentEventDependencies } from './paymentEventDependencies.ts'

/** The delays before each retry of an event that failed with a transient error. */
const PAYMENT_EVENT_RETRIES_MS = [100, 1_000, 5_000, 30_000] as const
const PAYMENT_EVENT_ERROR_CHARS_MAX = 500

export type ProcessingDependencies = PaymentEventDependencies & {
  readonly store: TypedEventStore
  readonly personal: Pick<PersonalData, 'reveal'>
  readonly log: Log
}

type Received = Extract<PaymentEventChange, { type: 'WebhookReceived' }>['data']

const STORE_RETRY_MS = 1_000

/**
 * Processes a received or replayed event and records how it ended. Transient errors are retried a few times; permanent
 * ones fail the event at once, and an operator can replay it. Rejects only when the signal aborts.
 */
export async function processPaymentEvent(
  dependencies: ProcessingDependencies,
  change: PaymentEventChange,
  signal: AbortSignal,
): Promise<void> {
  if (change.type !== 'WebhookReceived' && change.type !== 'WebhookReplayed') return
  const attempt = change.type === 'WebhookReplayed' ? change.data.attempt : 1
  for (;;) {
    try {
      return await processAttempt(dependencies, change.data.eventId, attempt, signal)
    } catch (error) {
      if (signal.aborted) throw error
      dependencies.log.warn(
        { err: error, webhook: change.data.eventId },
        'outcome of webhook event could not be stored, retrying',
      )
      await dependencies.clock.delay(STORE_RETRY_MS, signal)
    }
  }
}

async function processAttempt(
  dependencies: ProcessingDependencies,
  eventId: string,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  const stream = streamName('webhook', eventId)
  const received = await openAttempt(dependencies, stream, attempt)
  if (!received) return
  const outcome = await carriedOut(dependencies, received, signal)
  const { commands, clock, log } = dependencies
  const context = { commandId: `end:${eventId}:${attempt}`, correlationId: eventId, actor: REACTOR }
  const end = { eventId, attempt, at: isoTime(clock.now()) }
  if ('effect' in outcome) {
    await commands.handle(paymentEventDecider, stream, { type: 'CompletePaymentEvent', ...end, ...outcome }, context)
    return
  }
  log.error(
    { webhook: eventId, type: received.type, reason: outcome.error },
    'webhook event failed; it can be replayed',
  )
  await commands.handle(paymentEventDecider, stream, { type: 'FailPaymentEvent', ...end, ...outcome }, context)
}

/** null if this attempt has ended, here before a crash or in another reactor. */
async function openAttempt(
  { store }: ProcessingDependencies,
  stream: StreamName<'webhook'>,
  attempt: number,
): Promise<Received | null> {
  const events: PaymentEventChange[] = []
  for await (const event of store.readStream(stream)) events.push(event)
  const state = fold(paymentEventDecider, events)
  const received = events.find((event) => event.type === 'WebhookReceived')
  const isOpen = state.status === 'received' && state.attempt === attempt
  return isOpen && received ? received.data : null
}

type Outcome = { readonly effect: string } | { readonly error: string }

async function carriedOut(
  dependencies: ProcessingDependencies,
  received: Received,
  signal: AbortSignal,
): Promise<Outcome> {
  for (let retry = 0; ; retry++) {
    try {
      return { effect: await applyPaymentEvent(dependencies, received.type, await bodyOf(dependencies, received)) }
    } catch (error) {
      signal.throwIfAborted()
      const waitMs = PAYMENT_EVENT_RETRIES_MS[retry]
      if (waitMs === undefined || !mayPass(error)) return { error: shown(error) }
      dependencies.log.warn({ err: error, webhook: received.eventId, waitMs }, 'webhook event failed, retrying')
      await dependencies.clock.delay(waitMs, signal)
      signal.throwIfAborted()
    }
  }
}

/** The user may have been erased meanwhile. The provider still has the event, so no credits are lost with the body. */
async function bodyOf(
  { personal, provider }: ProcessingDependencies,
  { eventId, body }: Received,
): Promise<PaymentEventBody> {
  const text = await personal.reveal(body)
  return text === ERASED ? provider.event(eventId) : paymentEventBody.parse(JSON.parse(text))
}

function mayPass(error: unknown): boolean {
  if (error instanceof PaymentProviderError) return error.isTransient
  // A conflict means that another command wrote in between; the next attempt decides again.
  if (error instanceof Refusal) return error.code === 'CONFLICT'
  return !(error instanceof z.ZodError)
}

function shown(error: unknown): string {
  const text =
    error instanceof z.ZodError ? `the object does not follow its schema: ${z.prettifyError(error)}` : String(error)
  return text.slice(0, PAYMENT_EVENT_ERROR_CHARS_MAX)
}
