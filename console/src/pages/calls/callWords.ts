import type { CallChargeFragment, CallFieldsFragment } from '../../graphql/generated.ts'
import type { Tone } from '../../parts/Badge.tsx'

export type Call = CallFieldsFragment
/** A call with how its charge was computed. */
export type ChargedCall = CallFieldsFragment & CallChargeFragment

export const STATE: Readonly<Record<Call['state'], { readonly name: string; readonly tone: Tone }>> = {
  CHARGED: { name: 'Charged', tone: 'good' },
  FAILED: { name: 'Failed', tone: 'danger' },
  REVERSED: { name: 'Reversed', tone: 'warning' },
}

export function durationMs({ admittedAt, finishedAt }: Call): number {
  return Date.parse(finishedAt) - Date.parse(admittedAt)
}
