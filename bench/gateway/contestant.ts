import type { Call } from '../processes/chatRequest.ts'
import type { Measured } from './benchProcess.ts'

/** One of the programs between the load and the upstream. */
export type Contestant = Pick<Measured, 'usage'> & { readonly name: string; readonly call: Call }

/** One that keeps the timelines of its calls. */
export type TimedContestant = Contestant & Measured

/** One that charges its calls on a ledger. */
export type ChargingContestant = TimedContestant & {
  /** Calls that are durably charged on the ledger. */
  charges(): Promise<number>
}
