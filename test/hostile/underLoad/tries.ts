import type { Verdict } from './verdict.ts'

/** Of an attack during which the host gave the processor to others. */
const DISTURBED_TRIES_MAX = 6
/** A percentile of one run is a sample: what is slow for a reason of the attack is slow again. */
const FAILED_TRIES_MAX = 2

type Judged = Pick<Verdict, 'passed' | 'isDisturbed'>

/**
 * Measures one attack after the other. What was disturbed or failed is measured again after the others, when the host may
 * be quiet and nothing that came before is the same; the last try counts.
 */
export async function lastTries<Attack extends { readonly name: string }, Found extends Judged>(
  attacks: readonly Attack[],
  measure: (attack: Attack, tries: number) => Promise<Found[]>,
  onProgress: (line: string) => void,
): Promise<(Found & { readonly tries: number })[]> {
  const last: (Found & { tries: number })[] = []
  const waiting = attacks.map((attack) => ({ attack, tries: 1, failures: 0 }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { attack, tries } = next
    const found = await measure(attack, tries)
    const isDisturbed = found.some((verdict) => verdict.isDisturbed)
    const failures = next.failures + (!isDisturbed && found.some(({ passed }) => !passed) ? 1 : 0)
    const isRepeated = isDisturbed
      ? tries < DISTURBED_TRIES_MAX
      : failures > next.failures && failures < FAILED_TRIES_MAX
    if (isRepeated) {
      const why = isDisturbed ? 'the host took processor time away' : 'it failed'
      onProgress(`     ${attack.name}: ${why}; it is repeated later`)
      waiting.push({ attack, tries: tries + 1, failures })
      continue
    }
    last.push(...found.map((verdict) => ({ ...verdict, tries })))
  }
  return last
}
