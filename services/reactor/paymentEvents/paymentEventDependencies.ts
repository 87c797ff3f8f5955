import { type CommandContext, type CommandHandler, REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import type { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { EarlierCorrections } from '../../../capabilities/payments/grantStream.ts'
import type { PaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import { ownId, type PaymentEventBody, timeOf } from '../../../capabilities/payments/providerObjects.ts'
import type { SavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'

/** The requests to the provider for what its events do not contain. */
export type AskedProvider = Pick<
  PaymentProvider,
  'subscription' | 'invoice' | 'charge' | 'dispute' | 'companyOfCustomer' | 'event'
>

/** The dependencies for turning a payment event into commands. */
export type PaymentEventDependencies = {
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  readonly store: Pick<TypedEventStore, 'readStream'>
  readonly provider: AskedProvider
  readonly savedPayments: Pick<SavedPayments, 'methodOf'>
  readonly clock: Clock
  readonly earlierCorrections: EarlierCorrections
  /** Whether a company is suspended while a payment of it is disputed. */
  readonly disputesSuspend: boolean
}

/** The cause of a command: a payment event, or an answer that replaces one. */
export type Cause = Pick<PaymentEventBody, 'id' | 'created'>

/** Deterministic for each event, so that processing it again is recognised as a repetition. */
export function contextOf({ id }: Pick<Cause, 'id'>): CommandContext {
  return { commandId: `webhook:${id}`, correlationId: id, actor: REACTOR }
}

/** The id of the ledger refund that may follow from this event. */
export function refundIdOf({ id }: Pick<Cause, 'id'>): string {
  return deterministicId(`refund:${id}`)
}

export function saidAtOf({ created }: Pick<Cause, 'created'>): string {
  return timeOf(created)
}

type Metadata = Readonly<Record<string, string>> | null | undefined

/** The company of an object, from its metadata or its customer; null if it is not one of ours. */
export async function companyOf(
  { provider }: PaymentEventDependencies,
  customer: string | null,
  ...metadata: Metadata[]
): Promise<string | null> {
  for (const one of metadata) {
    const companyId = ownId(one?.companyId)
    if (companyId) return companyId
  }
  return customer === null ? null : ownId(await provider.companyOfCustomer(customer))
}

export const NOT_OURS = 'nothing: it names none of our companies'
