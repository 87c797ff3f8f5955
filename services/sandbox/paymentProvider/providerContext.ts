import type { PaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import type { IdKind } from './providerIds.ts'
import type { ProviderState } from './state/providerState.ts'

/** What the operations of the provider share: its records, the time, new ids, and the events that it sends. */
export type ProviderContext = {
  readonly state: ProviderState
  /** Seconds since 1970, the provider's unit of time. */
  now(): number
  newId(kind: IdKind): string
  /** The base URL of the sandbox's pages. */
  url(): string
  /** Records a payment event within the current transaction. It is delivered after the transaction is committed. */
  emit(type: PaymentEventType, object: object, previous?: object): void
}
