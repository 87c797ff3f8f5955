import { deterministicId } from '../../../../capabilities/commands/eventId.ts'
import { bookInOrder, correctedEntryId } from '../../../../capabilities/payments/bookings.ts'
import {
  adoptEarlierCorrections,
  decideOnGrant,
  earlierCorrectionsIn,
  type GrantOrigin,
  grantedBy,
  streamOf,
} from '../../../../capabilities/payments/grantStream.ts'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../../contracts/events/ledger.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { Refusal } from '../../../../domain/decider.ts'
import type { CorrectedEntry } from '../../../../domain/ledger/correction.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import type { CreditTransactionRow } from '../../../../projections/creditTransactions/projection.ts'
import {
  adjustmentsSince,
  correctionsOf,
  reversalOf,
  transactionById,
} from '../../../../projections/creditTransactions/queries.ts'
import { paymentOf } from '../../../../projections/trail/trailRecords.ts'
import { notFound } from '../apiError.ts'
import { actorOf, type GraphqlContext, nowOf } from '../context.ts'
import { ledgerShown } from './ledgerShown.ts'

type Adjusted = Extract<LedgerEvent, { type: 'CreditsAdjusted' }>

export type AdjustmentRequest = {
  readonly companyId: string
  /** Signed. */
  readonly amountMicros: bigint
  readonly reason: string
  /** The id of the transaction that it corrects. */
  readonly corrects: string | null
  /** The user who asks for it. */
  readonly by: string
  /** The idempotency key; null: the same adjustment is made once within REPEATED_MS. */
  readonly idempotencyKey: string | null
}

/** How long the same adjustment by the same person counts as a repetition. */
const REPEATED_MS = 24 * 60 * 60 * 1_000
/** How many times a correction is retried after a concurrent correction of the same entry. */
const OVERTAKEN_MAX = 5

/** Books an adjustment once, however often it is asked for, and returns it as the ledger has it. */
export async function adjustCredits(context: GraphqlContext, request: AdjustmentRequest): Promise<Recorded<Adjusted>> {
  const { engines } = context.runtime
  const { companyId, amountMicros, reason, by, corrects } = request
  const at = nowOf(context)
  const adjustmentId = adjustmentIdOf(request, at)
  for (let attempt = 1; attempt <= OVERTAKEN_MAX; attempt++) {
    const found = corrects === null ? null : await entryOf(context, companyId, corrects)
    const made = await madeBefore(context, request, adjustmentId, found?.corrections)
    if (made) return made
    if (found?.origin) return correctGrant(context, request, adjustmentId, found.entry.eventId, found.origin)
    const command = { type: 'AdjustCredits', companyId, adjustmentId, amountMicros, reason, by, at } as const
    const draft = engines.ledger.draft({ ...command, corrects: found?.entry ?? null })
    const booking = await engines.ledger.book(draft, context.correlationId, actorOf(context))
    await ledgerShown(context, companyId, booking.position)
    // Of two events with one id the store keeps the first, which may be another correction of the same entry.
    const stored = await adjustmentAt(context, companyId, booking.revision)
    if (stored?.data.adjustmentId === adjustmentId) return requireSame(stored, request)
  }
  throw new Refusal('CONFLICT', `transaction ${corrects} is being corrected by others at the moment; try again`)
}

function adjustmentIdOf({ idempotencyKey, ...request }: AdjustmentRequest, at: string): string {
  const { companyId, amountMicros, reason, by, corrects } = request
  const name =
    idempotencyKey === null ? [by, String(amountMicros), reason, corrects, at.slice(0, 10)] : [idempotencyKey]
  return deterministicId(`adjustment of credits:${JSON.stringify([companyId, ...name])}`)
}

/** The entry to correct, and the corrections that name it. */
async function entryOf(
  { runtime }: GraphqlContext,
  companyId: string,
  transactionId: string,
): Promise<{
  readonly entry: CorrectedEntry
  readonly corrections: readonly CreditTransactionRow[]
  /** What granted the credits, if the entry is such a grant or a refund of one. */
  readonly origin: GrantOrigin | null
}> {
  const { database } = runtime.engines
  const row = await transactionById(database, companyId, transactionId)
  if (!row) throw notFound('transaction', transactionId)
  const corrections = await correctionsOf(database, companyId, transactionId)
  const reversal = row.type === 'USAGE' && row.callId ? await reversalOf(database, companyId, row.callId) : null
  const undone = reversal ? [...corrections, reversal] : corrections
  const entry = {
    eventId: transactionId,
    deltaMicros: BigInt(row.amountMicros),
    correctedMicros: undone.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n),
    corrections: corrections.length,
    corrects: row.corrects,
  }
  return { entry, corrections, origin: originOf(row) }
}

/** Refunds concern these too, so their corrections are decided where refunds are. */
const REFUNDABLE = new Set(['PACK_PURCHASE', 'SUBSCRIPTION', 'REFUND'])

function originOf({ type, reason, companyId }: CreditTransactionRow): GrantOrigin | null {
  if (!REFUNDABLE.has(type)) return null
  const { purchaseId, invoiceId } = paymentOf(reason ?? '')
  if (purchaseId !== null) return { purchaseId }
  return invoiceId === null ? null : { invoiceId, companyId }
}

/** A reactor books what was decided too, so that a crash in between leaves no correction unbooked. */
async function correctGrant(
  context: GraphqlContext,
  request: AdjustmentRequest,
  adjustmentId: string,
  entryId: string,
  origin: GrantOrigin,
): Promise<Recorded<Adjusted>> {
  const { commands, ledger, database, store } = context.runtime.engines
  const { companyId, amountMicros, reason, by, idempotencyKey } = request
  const [at, actor, { correlationId }] = [nowOf(context), actorOf(context), context]
  const earlierCorrections = earlierCorrectionsIn(database, store)
  await adoptEarlierCorrections({ commands, ledger, store, earlierCorrections }, origin, companyId, actor, at)
  const { grantId, refunds } = await grantedBy(commands, origin)
  const entries = grantId === null ? [] : [null, ...refunds.map(({ refundId }) => refundId)]
  const corrected = entries.find((one) => correctedEntryId(grantId ?? '', one) === entryId)
  if (corrected === undefined) throw notFound('transaction', entryId)
  const refundId = deterministicId(`refund after adjustment:${adjustmentId}`)
  const about = { adjustmentId, corrected, amountMicros: String(amountMicros), reason, by, refundId, at }
  const commandId = `adjustment:${adjustmentId}`
  const command = { type: 'CorrectCredits', ...about } as const
  const events = await decideOnGrant(commands, origin, command, { commandId, correlationId, actor }).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'CONFLICT' && idempotencyKey !== null)) throw error
      throw usedBefore(idempotencyKey)
    },
  )
  const booked = await bookInOrder({ ledger, store }, streamOf(origin), events)
  const last = booked.at(-1)
  if (last) await ledgerShown(context, companyId, last.position)
  const stored = booked[0] && (await adjustmentAt(context, companyId, booked[0].revision))
  if (!stored) throw new Error(`correction ${adjustmentId} is not on the ledger of ${companyId}`)
  return stored
}

/** The adjustment, if it is a repetition that the read model shows. Any other is found when it is booked. */
async function madeBefore(
  context: GraphqlContext,
  request: AdjustmentRequest,
  adjustmentId: string,
  corrections: readonly CreditTransactionRow[] | undefined,
): Promise<Recorded<Adjusted> | null> {
  const { companyId, amountMicros, reason, corrects, by, idempotencyKey } = request
  const { engines, clock } = context.runtime
  const since = isoTime(clock.now() - REPEATED_MS)
  const recent = async () => {
    if (idempotencyKey === null) return adjustmentsSince(engines.database, companyId, since)
    // A store may no longer know the id of an event that is long past.
    const row = await transactionById(engines.database, companyId, deterministicId(`adjustment:${adjustmentId}`))
    return row ? [row] : []
  }
  const rows = corrections ?? (await recent())
  for (const row of rows) {
    const isSame = BigInt(row.amountMicros) === amountMicros && row.reason === reason && row.corrects === corrects
    // Under a key, a repetition may be older, and may differ, which is refused.
    if (idempotencyKey === null && !(isSame && row.occurredAt >= since)) continue
    const made = await adjustmentAt(context, companyId, Number(row.revision))
    if (!made) continue
    if (idempotencyKey === null ? made.data.adjustedBy === by : made.data.adjustmentId === adjustmentId) {
      return requireSame(made, request)
    }
  }
  return null
}

async function adjustmentAt(
  { runtime }: GraphqlContext,
  companyId: string,
  revision: number,
): Promise<Recorded<Adjusted> | null> {
  const stream = streamName('ledger', companyId)
  for await (const event of runtime.engines.store.readStream(stream, { from: revision, limit: 1 })) {
    if (event.type === 'CreditsAdjusted') return event
  }
  return null
}

function requireSame(made: Recorded<Adjusted>, request: AdjustmentRequest): Recorded<Adjusted> {
  const { amountMicros, reason, corrects } = made.data
  if (BigInt(amountMicros) === request.amountMicros && reason === request.reason && corrects === request.corrects)
    return made
  throw usedBefore(request.idempotencyKey)
}

function usedBefore(idempotencyKey: string | null): Refusal {
  return new Refusal('CONFLICT', `idempotencyKey ${idempotencyKey} was used for another adjustment`)
}
