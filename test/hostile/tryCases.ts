import { faultsOf } from './faults.ts'
import { sendCase } from './sendCase.ts'
import type { Target } from './target/target.ts'
import type { WireCase } from './wireCase.ts'

const AT_ONCE = 16

/** Sends all cases, several at a time, and returns what was wrong with the answers. */
export async function tryCases(
  target: Target,
  cases: readonly WireCase[],
  msMax = 8_000,
  atOnce = AT_ONCE,
): Promise<string[]> {
  const faults: string[] = []
  const waiting = cases.toReversed()
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const outcome = await sendCase(target, next, { msMax })
      for (const fault of faultsOf(target, next, outcome)) faults.push(`${next.name}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return faults
}
