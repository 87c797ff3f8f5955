import { sendCase } from '../sendCase.ts'
import type { Target } from '../target/target.ts'
import type { WireCase } from '../wireCase.ts'

/** The most CPU time that the main thread may spend in one turn of its event loop. */
export const STALL_MS_MAX = 50
const REPEATS = 3
const HANG_MS_MAX = 1_000

export type Stall = { readonly stallMs: number; readonly cases: readonly WireCase[] }

/** How long to wait for an answer to a case. Documents are read for ten seconds each, and wait for one another. */
export function answerMsMax({ mayHang, name }: WireCase): number {
  if (mayHang) return HANG_MS_MAX
  return name.includes('/parse/') ? 90_000 : 15_000
}

/**
 * Finds which of the cases of a round stalls the process by itself, or that all of them together do, if it happens again
 * in one of a few repetitions. What happens once (code that is compiled at its first use) is no finding.
 */
export async function confirmStall(target: Target, round: readonly WireCase[]): Promise<Stall | null> {
  for (const one of round) {
    const stallMs = await repeatedStall(target, [one])
    if (stallMs > STALL_MS_MAX) return { stallMs, cases: [one] }
  }
  const stallMs = await repeatedStall(target, round)
  return stallMs > STALL_MS_MAX ? { stallMs, cases: round } : null
}

/** The longest of several stalls that the cases cause; the first one over the limit ends the search. */
async function repeatedStall(target: Target, cases: readonly WireCase[]): Promise<number> {
  let longest = 0
  for (let n = 0; n < REPEATS && longest <= STALL_MS_MAX; n++) {
    await target.read()
    await Promise.all(cases.map((each) => sendCase(target, each, { msMax: answerMsMax(each) })))
    longest = Math.max(longest, (await target.read()).stallMs)
  }
  return longest
}
