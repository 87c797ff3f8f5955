import type { Actor } from '../../contracts/envelope.ts'
import type { InvoiceEvent } from '../../contracts/events/invoice.ts'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { type StreamName, streamName } from '../../contracts/streams.ts'
import { type GrantedCredits, NOTHING_GRANTED } from '../../domain/grantedCredits.ts'
import { type CorrectionRequest, correctionsOf, type EarlierCorrection } from '../../domain/grantedCreditsDecisions.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { correctionsOf as correctionRowsOf } from '../../projections/creditTransactions/queries.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import type { CommandContext, CommandHandler } from '../commands/commandHandler.ts'
import { deterministicId } from '../commands/eventId.ts'
import { type BookingParts, bookInOrder, correctedEntryId } from './bookings.ts'

/** The purchase or invoice on whose stream the refunds and corrections of a grant are decided. */
export type GrantOrigin = { readonly purchaseId: string } | { readonly invoiceId: string; readonly companyId: string }

export function streamOf(
  origin: { readonly purchaseId: string } | { readonly invoiceId: string },
): StreamName<'purchase' | 'invoice'> {
  return 'invoiceId' in origin ? streamName('invoice', origin.invoiceId) : streamName('purchase', origin.purchaseId)
}

export async function grantedBy(commands: CommandHandler, origin: GrantOrigin): Promise<GrantedCredits> {
  if ('invoiceId' in origin) {
    return (await commands.stateOf(invoiceDecider, streamName('invoice', origin.invoiceId))).granted
  }
  const state = await commands.stateOf(purchaseDecider, streamName('purchase', origin.purchaseId))
  return state.status === 'unknown' ? NOTHING_GRANTED : state.granted
}

type GrantCommand =
  | ({ readonly type: 'CorrectCredits' } & CorrectionRequest)
  | {
      readonly type: 'AdoptCorrections'
      readonly earlier: readonly EarlierCorrection[]
      readonly refundId: string
      readonly at: string
    }

export async function decideOnGrant(
  commands: CommandHandler,
  origin: GrantOrigin,
  command: GrantCommand,
  context: CommandContext,
): Promise<readonly (PurchaseEvent | InvoiceEvent)[]> {
  if ('invoiceId' in origin) {
    const stream = streamName('invoice', origin.invoiceId)
    return (await commands.handle(invoiceDecider, stream, { ...origin, ...command }, context)).events
  }
  const stream = streamName('purchase', origin.purchaseId)
  return (await commands.handle(purchaseDecider, stream, { ...origin, ...command }, context)).events
}

/** Corrections of a grant that are on the ledger but not on the stream of its purchase or invoice. */
export type EarlierCorrections = (companyId: string, granted: GrantedCredits) => Promise<EarlierCorrection[]>

/** Such corrections come only from versions that booked them without deciding them on that stream. */
export function earlierCorrectionsIn(database: Sql, store: TypedEventStore): EarlierCorrections {
  return async (companyId, granted) => {
    const { grantId, refunds } = granted
    if (grantId === null) return []
    const found: EarlierCorrection[] = []
    for (const corrected of [null, ...refunds.map(({ refundId }) => refundId)]) {
      const rows = await correctionRowsOf(database, companyId, correctedEntryId(grantId, corrected))
      for (const { revision } of rows.slice(correctionsOf(granted, corrected))) {
        const at = { from: Number(revision), limit: 1 }
        for await (const event of store.readStream(streamName('ledger', companyId), at)) {
          if (event.type !== 'CreditsAdjusted' || event.data.correction === null) continue
          const { correction, amountMicros, adjustmentId, reason, adjustedBy, adjustedAt } = event.data
          const by = { adjustmentId, reason, adjustedBy, correctedAt: adjustedAt }
          found.push({ corrected, correction, amountMicros, ...by })
        }
      }
    }
    return found
  }
}

/** Adds corrections that were booked without the grant's stream to it, before anything is decided there. */
export async function adoptEarlierCorrections(
  parts: BookingParts & {
    readonly commands: CommandHandler
    readonly earlierCorrections: EarlierCorrections
  },
  origin: GrantOrigin,
  companyId: string,
  actor: Actor,
  at: string,
): Promise<void> {
  const { commands, ledger, store, earlierCorrections } = parts
  const granted = await grantedBy(commands, origin)
  const earlier = await earlierCorrections(companyId, granted)
  if (earlier.length === 0) return
  const numbers = earlier.map(({ corrected, correction }) => `${corrected ?? granted.grantId}.${correction}`)
  const id = `earlier corrections:${numbers.join(':')}`
  const command = { type: 'AdoptCorrections', earlier, refundId: deterministicId(id), at } as const
  const events = await decideOnGrant(commands, origin, command, { commandId: id, correlationId: id, actor })
  await bookInOrder({ ledger, store }, streamOf(origin), events)
}
