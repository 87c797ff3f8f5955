import type { WebhookType } from '../../../contracts/events/webhook.ts'
import { streamName } from '../../../contracts/streams.ts'
import { decide, webhookDecider } from '../../../domain/webhook/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/commands/eventCodec.ts'
import { deterministicId } from '../../platform/commands/eventId.ts'
import { EventRefused, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import { ownId, timeOf, type WebhookBody } from '../../platform/payments/providerObjects.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { withoutPerson } from './withoutPerson.ts'

/**
 * Puts an event of the provider on record: durable when this resolves. The stream may not exist yet, so whoever comes
 * second finds it taken, however much later and in whichever process.
 */
export async function receiveWebhook(
  { engines, clock }: Pick<Runtime, 'engines' | 'clock'>,
  event: WebhookBody & { readonly type: WebhookType },
  body: string,
): Promise<'stored' | 'repeated' | 'too large'> {
  const { store, personal } = engines
  const namedUser = userOf(event.data.object)
  // Whoever was erased stays erased: what the provider still says of them is kept without what is theirs.
  const isErased = namedUser !== null && (await personal.isErased(`user-${namedUser}`))
  const [received] = decide(
    {
      type: 'ReceiveWebhook',
      eventId: event.id,
      webhookType: event.type,
      userId: isErased ? null : namedUser,
      body: isErased ? withoutPerson(body) : body,
      saidAt: timeOf(event.created),
      at: isoTime(clock.now()),
    },
    webhookDecider.initialState(),
  )
  if (!received) throw new Error(`webhook event ${event.id} was decided to be nothing`)
  const id = deterministicId(`webhook:${event.id}`)
  const cause = { correlationId: event.id, causationId: event.id, actor: { kind: 'system', name: 'webhook' } } as const
  try {
    const protectedEvent = await personal.protect(newEvent(id, received, cause))
    const { repeated } = await store.append(streamName('webhook', event.id), 'none', [protectedEvent])
    return repeated ? 'repeated' : 'stored'
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return 'repeated'
    if (error instanceof EventRefused) return 'too large'
    throw error
  }
}

type Named = { readonly userId?: unknown } | null | undefined

/** Who the event is about: where we wrote it when they began to pay. */
function userOf(object: Readonly<Record<string, unknown>>): string | null {
  const { metadata, subscription_details: details } = object
  const own = (metadata as Named)?.userId ?? (details as { metadata?: Named } | null)?.metadata?.userId
  return typeof own === 'string' ? ownId(own) : null
}
