import type { NewEvent } from '../../contracts/envelope.ts'
import type { PaymentEventType } from '../../contracts/events/paymentEvent.ts'
import { streamName } from '../../contracts/streams.ts'
import { decide, paymentEventDecider } from '../../domain/paymentEvent/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { EventRefused, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import { inStep } from '../../platform/tracing/activeSpan.ts'
import { deterministicId } from '../commands/eventId.ts'
import type { Runtime } from '../installation.ts'
import { SubjectErased } from '../personalData/personalData.ts'
import { ownId, type PaymentEventBody, timeOf } from './providerObjects.ts'

/** Fields of the provider's objects that contain personal data. None of our decisions needs them. */
const PERSONAL_FIELDS = new Set([
  'address',
  'billing_details',
  'card',
  'customer_address',
  'customer_details',
  'customer_email',
  'customer_name',
  'customer_phone',
  'customer_shipping',
  'description',
  'email',
  'name',
  'payment_method_details',
  'phone',
  'receipt_email',
  'shipping',
  'shipping_details',
])

export type ProviderEvent = PaymentEventBody & { readonly type: PaymentEventType }

type Receiving = { readonly engines: Pick<Runtime['engines'], 'store' | 'personal'>; readonly clock: Runtime['clock'] }

/**
 * Stores an event of the provider; it is durable when this resolves. The append expects that its stream does not exist,
 * so a repeated delivery is recognised no matter how late or in which process it arrives.
 */
export function receivePaymentEvent(
  runtime: Receiving,
  event: ProviderEvent,
  body: string,
): Promise<'stored' | 'repeated' | 'too large'> {
  return inStep('append webhook', { kind: 'producer' }, (span) =>
    store(runtime, event, body, span?.traceparent ?? null),
  )
}

async function store(
  { engines, clock }: Receiving,
  event: ProviderEvent,
  body: string,
  traceparent: string | null,
): Promise<'stored' | 'repeated' | 'too large'> {
  const { personal } = engines
  const at = isoTime(clock.now())
  const sealed = await personal
    .protect(receivedEvent(event, userOf(event.data.object), body, at, traceparent))
    .catch((error: unknown) => {
      if (!(error instanceof SubjectErased)) throw error
      // The user was erased: the event is stored without their personal data.
      return personal.protect(receivedEvent(event, null, withoutPerson(body), at, traceparent))
    })
  try {
    const { repeated } = await engines.store.append(streamName('webhook', event.id), 'none', [sealed])
    return repeated ? 'repeated' : 'stored'
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return 'repeated'
    if (error instanceof EventRefused) return 'too large'
    throw error
  }
}

function receivedEvent(
  { id: eventId, type: paymentEventType, created }: ProviderEvent,
  userId: string | null,
  body: string,
  at: string,
  traceparent: string | null,
): NewEvent {
  const command = {
    type: 'ReceivePaymentEvent',
    eventId,
    paymentEventType,
    userId,
    body,
    saidAt: timeOf(created),
    at,
  } as const
  const [received] = decide(command, paymentEventDecider.initialState())
  if (!received) throw new Error(`webhook event ${eventId} led to no domain event`)
  const cause = { correlationId: eventId, causationId: eventId, actor: { kind: 'system', name: 'webhook' } } as const
  return newEvent(
    deterministicId(`webhook:${eventId}`),
    received,
    traceparent === null ? cause : { ...cause, traceparent },
  )
}

type Named = { readonly userId?: unknown } | null | undefined

/** The user that the event is about, from the metadata that we attached when the checkout began. */
function userOf(object: Readonly<Record<string, unknown>>): string | null {
  const { metadata, subscription_details: details } = object
  const own = (metadata as Named)?.userId ?? (details as { metadata?: Named } | null)?.metadata?.userId
  return typeof own === 'string' ? ownId(own) : null
}

/** The same event with these fields set to null, at any depth. */
function withoutPerson(body: string): string {
  return JSON.stringify(JSON.parse(body, (name, value: unknown) => (PERSONAL_FIELDS.has(name) ? null : value)))
}
