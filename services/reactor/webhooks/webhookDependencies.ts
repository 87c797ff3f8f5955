import type { CommandContext, CommandHandler } from '../../platform/commands/commandHandler.ts'
import { deterministicId } from '../../platform/commands/eventId.ts'
import type { LedgerWriter } from '../../platform/ledger/ledgerWriter.ts'
import type { PaymentProvider } from '../../platform/payments/paymentProvider.ts'
import { ownId, timeOf, type WebhookBody } from '../../platform/payments/providerObjects.ts'

/** What the provider is asked where its events do not say enough. */
export type AskedProvider = Pick<PaymentProvider, 'subscription' | 'invoice' | 'companyOfCustomer' | 'event'>

/** What an event of the provider is turned into commands with. */
export type WebhookDependencies = {
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  readonly provider: AskedProvider
}

export const REACTOR = { kind: 'system', name: 'reactor' } as const

/** The same for the same event, whoever handles it and however often: that makes a repetition one. */
export function contextOf({ id }: WebhookBody): CommandContext {
  return { commandId: `webhook:${id}`, correlationId: id, actor: REACTOR }
}

/** Of what may have to be taken back because of this event. */
export function refundIdOf({ id }: WebhookBody): string {
  return deterministicId(`refund:${id}`)
}

export function saidAtOf({ created }: WebhookBody): string {
  return timeOf(created)
}

type Metadata = Readonly<Record<string, string>> | null | undefined

/** Whose an object is: as we wrote it there, or on its customer. null: not of a company of ours. */
export async function companyOf(
  { provider }: WebhookDependencies,
  customer: string | null,
  ...metadata: Metadata[]
): Promise<string | null> {
  for (const one of metadata) {
    const companyId = ownId(one?.companyId)
    if (companyId) return companyId
  }
  return customer === null ? null : ownId(await provider.companyOfCustomer(customer))
}

export const NOT_OURS = 'nothing: it names no company of ours'
