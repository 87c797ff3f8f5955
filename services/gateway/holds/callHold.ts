import type { Position } from '../../../contracts/position.ts'

/** The part of a balance that is reserved for one call until it ends on the ledger. Ending it twice does nothing. */
export interface CallHold {
  /**
   * Called before a charge is sent: how much of this cost may be charged. It is less than all only if a provider reports
   * more usage than the call could have, and the balance does not cover it. Throws if the hold was lost and could not be
   * placed again.
   */
  cover(costMicros: bigint): Promise<bigint>
  /** Whether a charge that is sent now is stored while the hold still counts. */
  isSafe(): boolean
  /** The charge is on the ledger. */
  settle(position: Position, chargedMicros: bigint): Promise<void>
  /** There is no charge, and there will be none. */
  release(): void
}
