import { formatCredits } from '../credits.ts'
import { Refusal } from '../decider.ts'

/** A ledger entry that an adjustment corrects, and its earlier corrections. */
export type CorrectedEntry = {
  readonly eventId: string
  /** By how much the entry changed the balance. */
  readonly deltaMicros: bigint
  /** How much its corrections, and the reversal of a charge, have changed since. */
  readonly correctedMicros: bigint
  /** How many corrections name it. */
  readonly corrections: number
  /** The entry that it corrects itself; null for all others. */
  readonly corrects: string | null
}

/**
 * After its corrections an entry is worth between zero and its original amount: a grant of 100 can be corrected by -100
 * at most, and such a correction can be undone by one of 100 that names the same grant.
 */
export function checkCorrection(entry: CorrectedEntry, amountMicros: bigint): void {
  const { eventId, deltaMicros, correctedMicros, corrects } = entry
  if (corrects !== null) {
    throw new Refusal('INVALID', `entry ${eventId} is a correction itself: name the entry ${corrects} that it corrects`)
  }
  const worth = deltaMicros + correctedMicros
  const after = worth + amountMicros
  if (isWithin(after, deltaMicros)) return
  const [now, first] = [formatCredits(worth), formatCredits(deltaMicros)]
  throw new Refusal(
    'INVALID',
    `entry ${eventId} of ${first} credits is worth ${now} after its corrections, and ${formatCredits(amountMicros)} would ` +
      `make that ${formatCredits(after)}: it must stay between 0 and ${first}`,
  )
}

/** Whether an entry that changed the balance by `deltaMicros` may be worth this much. */
export function isWithin(worthMicros: bigint, deltaMicros: bigint): boolean {
  return deltaMicros > 0n
    ? worthMicros >= 0n && worthMicros <= deltaMicros
    : worthMicros >= deltaMicros && worthMicros <= 0n
}
