import type { WebhookType } from '../../../contracts/events/webhook.ts'
import type { IdKind } from './providerIds.ts'
import type { ProviderState } from './state/providerState.ts'

/** What every part of the provider works with: what it knows, what time it is, and how the world hears of a change. */
export type ProviderContext = {
  readonly state: ProviderState
  /** Seconds since 1970, as the provider counts time. */
  now(): number
  newId(kind: IdKind): string
  /** Where the pages of the sandbox are. */
  url(): string
  /** Records an event of those that the endpoint is registered for, and has it delivered once the change that it belongs to is kept. */
  emit(type: WebhookType, object: object, previous?: object): void
}
