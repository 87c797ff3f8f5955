import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Company } from '../load/accounts.ts'
import type { Attempt } from '../load/attempt.ts'
import type { ProviderCall } from '../parties/modelProvider.ts'

/** What is known about calls: stored events, and what callers, admins and providers have written down. */
export type CallFacts = {
  events(): readonly RecordedEvent[]
  companies(): readonly Company[]
  attempts(): readonly Attempt[]
  /** Calls at all providers; `provider` counts them in the order in which they are asked. */
  provided(): readonly (ProviderCall & { readonly provider: number })[]
  /** Whether this process was neither paused nor behind the store at a moment between the two: it knows what was before. */
  keptUp(process: string, fromMs: number, toMs: number): boolean
  /** Whether this process stood still, or did not get answers, at a moment between the two. */
  wasPaused(process: string, fromMs: number, toMs: number): boolean
  /** Whether this process did not reach the shared state, and so could not learn of a change in time. */
  wasCutOff(process: string, fromMs: number, toMs: number): boolean
  /** Whether the disk has lost that this call is unsettled. */
  isLost(callId: string): boolean
  /** How far the clock of the database is ahead. */
  readonly aheadMs: number
}
