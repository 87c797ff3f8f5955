import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { Refusal } from '../../../domain/decider.ts'
import type { CorrectedEntry } from '../../../domain/ledger/correction.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { type CreditTransactionRow, creditTransactions } from '../../../projections/creditTransactions/projection.ts'
import {
  adjustmentsSince,
  correctionsOf,
  reversalOf,
  transactionById,
} from '../../../projections/creditTransactions/queries.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { deterministicId } from '../../platform/commands/eventId.ts'
import { notFound } from './apiError.ts'
import { actorOf, type GraphqlContext, nowOf, recordChange, shownIn } from './context.ts'

type Adjusted = Extract<LedgerEvent, { type: 'CreditsAdjusted' }>

export type AskedAdjustment = {
  readonly companyId: string
  /** Signed. */
  readonly amountMicros: bigint
  readonly reason: string
  /** The id of the transaction that it corrects. */
  readonly corrects: string | null
  /** The user who asks for it. */
  readonly by: string
  /** Makes it once, whenever it is sent again; null: the same adjustment is made once within REPEATED_MS. */
  readonly idempotencyKey: string | null
}

/** The same adjustment by the same person counts as sent twice for so long. */
const REPEATED_MS = 24 * 60 * 60 * 1_000
/** How often a correction is tried again that another correction of the same entry has overtaken. */
const OVERTAKEN_MAX = 5

/** Books an adjustment once, however often it is asked for, and returns it as the ledger has it. */
export async function adjustCredits(context: GraphqlContext, asked: AskedAdjustment): Promise<Recorded<Adjusted>> {
  const { engines } = context.runtime
  const { companyId, amountMicros, reason, by, corrects } = asked
  const stream = streamName('ledger', companyId)
  const at = nowOf(context)
  const adjustmentId = adjustmentIdOf(asked, at)
  for (let attempt = 1; attempt <= OVERTAKEN_MAX; attempt++) {
    const found = corrects === null ? null : await entryOf(context, companyId, corrects)
    const made = await madeBefore(context, asked, adjustmentId, found?.corrections)
    if (made) return made
    const command = { type: 'AdjustCredits', companyId, adjustmentId, amountMicros, reason, by, at } as const
    const draft = engines.ledger.draft({ ...command, corrects: found?.entry ?? null })
    const { revision, position } = await engines.ledger.book(draft, context.correlationId, actorOf(context))
    await recordChange(context, companyId, 'ledger', position)
    await Promise.all([creditBalances, creditTransactions].map((model) => shownIn(context, model, stream, position)))
    // Of two events with one id the store keeps the first, which may be another correction of the same entry.
    const stored = await adjustmentAt(context, companyId, revision)
    if (stored?.data.adjustmentId === adjustmentId) return requireSame(stored, asked)
  }
  throw new Refusal('CONFLICT', `transaction ${corrects} is being corrected by others at the moment; try again`)
}

function adjustmentIdOf({ idempotencyKey, ...asked }: AskedAdjustment, at: string): string {
  const { companyId, amountMicros, reason, by, corrects } = asked
  const name =
    idempotencyKey === null ? [by, String(amountMicros), reason, corrects, at.slice(0, 10)] : [idempotencyKey]
  return deterministicId(`adjustment of credits:${JSON.stringify([companyId, ...name])}`)
}

/** The entry to correct, and the corrections that name it. */
async function entryOf(
  { runtime }: GraphqlContext,
  companyId: string,
  transactionId: string,
): Promise<{ readonly entry: CorrectedEntry; readonly corrections: readonly CreditTransactionRow[] }> {
  const { database } = runtime.engines
  const row = await transactionById(database, companyId, transactionId)
  if (!row) throw notFound('transaction', transactionId)
  const corrections = await correctionsOf(database, companyId, transactionId)
  const reversal = row.type === 'USAGE' && row.call_id ? await reversalOf(database, companyId, row.call_id) : null
  const undone = reversal ? [...corrections, reversal] : corrections
  const entry = {
    eventId: transactionId,
    deltaMicros: BigInt(row.amount_micros),
    correctedMicros: undone.reduce((sum, { amount_micros }) => sum + BigInt(amount_micros), 0n),
    corrections: corrections.length,
    corrects: row.corrects,
  }
  return { entry, corrections }
}

/** The adjustment, if it is a repetition that the read model shows. Any other is found when it is booked. */
async function madeBefore(
  context: GraphqlContext,
  asked: AskedAdjustment,
  adjustmentId: string,
  corrections: readonly CreditTransactionRow[] | undefined,
): Promise<Recorded<Adjusted> | null> {
  const { companyId, amountMicros, reason, corrects, by, idempotencyKey } = asked
  const { engines, clock } = context.runtime
  const since = isoTime(clock.now() - REPEATED_MS)
  const recent = () => (idempotencyKey === null ? adjustmentsSince(engines.database, companyId, since) : [])
  const rows = corrections ?? (await recent())
  for (const row of rows) {
    const isSame = BigInt(row.amount_micros) === amountMicros && row.reason === reason && row.corrects === corrects
    // Under a key, a repetition may be older, and may differ, which is refused.
    if (idempotencyKey === null && !(isSame && row.occurred_at >= since)) continue
    const made = await adjustmentAt(context, companyId, Number(row.revision))
    if (!made) continue
    if (idempotencyKey === null ? made.data.adjustedBy === by : made.data.adjustmentId === adjustmentId) {
      return requireSame(made, asked)
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

function requireSame(made: Recorded<Adjusted>, asked: AskedAdjustment): Recorded<Adjusted> {
  const { amountMicros, reason, corrects } = made.data
  if (BigInt(amountMicros) === asked.amountMicros && reason === asked.reason && corrects === asked.corrects) return made
  throw new Refusal('CONFLICT', `idempotencyKey ${asked.idempotencyKey} was used for another adjustment`)
}
