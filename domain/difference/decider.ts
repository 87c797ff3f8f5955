import type { DifferenceEvent } from '../../contracts/events/difference.ts'
import type { Decider } from '../decider.ts'
import { requireText } from '../text.ts'

const REASON_CHARS_MAX = 500

/** `reason` is null as long as the difference is not explained. */
export type DifferenceState = { readonly reason: string | null }

export function evolve(_: DifferenceState, { data: { reason } }: DifferenceEvent): DifferenceState {
  return { reason }
}

export type DifferenceCommand = {
  readonly type: 'ExplainDifference'
  readonly differenceId: string
  readonly reason: string
  readonly by: string
  readonly at: string
}

export function decide(command: DifferenceCommand, state: DifferenceState): DifferenceEvent[] {
  const { differenceId, by: explainedBy, at: explainedAt } = command
  const reason = requireText(command.reason, 'the reason', REASON_CHARS_MAX)
  if (reason === state.reason) return []
  return [{ type: 'DifferenceExplained', data: { differenceId, reason, explainedBy, explainedAt } }]
}

export const differenceDecider: Decider<DifferenceState, DifferenceCommand, DifferenceEvent> = {
  initialState: () => ({ reason: null }),
  evolve,
  decide,
}
