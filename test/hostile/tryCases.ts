import { PATIENCE } from '../support/time/patience.ts'
import { faultsOf } from './faults.ts'
import { sendCase } from './sendCase.ts'
import type { Target } from './target/target.ts'
import type { WireCase } from './wireCase.ts'

const AT_ONCE = 16
/** Only against answers that never come: a busy machine takes long for those to documents. */
const ANSWER_MS_MAX = 25_000 * PATIENCE
const HANG_MS_MAX = 8_000

/** Sends all cases, several at a time, and returns what was wrong with the answers. */
export async function tryCases(
  target: Target,
  cases: readonly WireCase[],
  msMax = ANSWER_MS_MAX,
  atOnce = AT_ONCE,
): Promise<string[]> {
  const faults: string[] = []
  const waiting = cases.toReversed()
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const outcome = await sendCase(target, next, { msMax: next.mayHang ? Math.min(msMax, HANG_MS_MAX) : msMax })
      for (const fault of faultsOf(target, next, outcome)) faults.push(`${next.name}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return faults
}
