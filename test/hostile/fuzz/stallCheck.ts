import { sendCase } from '../sendCase.ts'
import type { Target } from '../target/target.ts'
import type { WireCase } from '../wireCase.ts'

/** The most CPU time that the main thread may spend in one turn of its event loop. */
export const STALL_MS_MAX = 50
const TRIES = 5
const MOST_TRIES = 3
const HANG_MS_MAX = 1_000

export type Stall = { readonly stallMs: number; readonly cases: readonly WireCase[] }

/** How long to wait for an answer to a case. Documents are read for ten seconds each, and wait for one another. */
export function answerMsMax({ mayHang, name }: WireCase): number {
  if (mayHang) return HANG_MS_MAX
  return name.includes('/parse/') ? 90_000 : 15_000
}

/**
 * The stall that these cases cause, and the one of them that causes it by itself, if there is one. A case that stalls
 * the process does so nearly every time it is sent; a collection of garbage, or code that is compiled at its first use,
 * may fall into any one of them and is no finding.
 */
export function confirmStall(target: Target, round: readonly WireCase[]): Promise<Stall | null> {
  return findStall(round, async (cases) => {
    await target.read()
    await Promise.all(cases.map((each) => sendCase(target, each, { msMax: answerMsMax(each) })))
    return (await target.read()).stallMs
  })
}

/** Sends cases, and resolves to the longest stall meanwhile. */
type SendTogether = (cases: readonly WireCase[]) => Promise<number>

export async function findStall(round: readonly WireCase[], send: SendTogether): Promise<Stall | null> {
  // All of them first: a case that stalls on its own also stalls beside others, and most stalls are chance.
  const together = await repeatedStall(round, send)
  if (together === null) return null
  for (const one of round) {
    const stallMs = await repeatedStall([one], send)
    if (stallMs !== null) return { stallMs, cases: [one] }
  }
  return { stallMs: together, cases: round }
}

/** The shortest of the stalls if most of the tries have one, otherwise null. */
async function repeatedStall(cases: readonly WireCase[], send: SendTogether): Promise<number | null> {
  const stallsMs: number[] = []
  for (let n = 1; n <= TRIES; n++) {
    const stallMs = await send(cases)
    if (stallMs > STALL_MS_MAX) stallsMs.push(stallMs)
    if (stallsMs.length >= MOST_TRIES) return Math.min(...stallsMs)
    if (n - stallsMs.length >= MOST_TRIES) return null
  }
  return null
}
