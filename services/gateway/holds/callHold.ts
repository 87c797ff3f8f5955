import type { Position } from '../../../contracts/position.ts'

/** What is kept back of a balance for one call, until the call has ended on the ledger. Each of the ends may be told again. */
export interface CallHold {
  /**
   * Before a charge is sent: how much of this cost may be charged. Less than all only where a provider tells of more
   * than the call could cost, and the balance does not cover it. Throws when the hold was lost and there is none anew.
   */
  cover(costMicros: bigint): Promise<bigint>
  /** The charge stands on the ledger. */
  settle(position: Position, chargedMicros: bigint): Promise<void>
  /** There is no charge, and there will be none. */
  release(): void
}
