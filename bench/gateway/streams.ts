import type { Pace } from '../benchCommand.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { startHelper } from './benchProcess.ts'
import { fullLoad, requireCharges, withContestants } from './contestants.ts'
import { eachRound } from './eachRound.ts'

const CONNECTIONS = 32
const CHUNKS_PER_STREAM = 200
const FIRST_WARM_UP_MS = 3_000
const WARM_UP_MS = 500
const MEASURE_MS = 2_000
const ROUNDS = 4

/** Chunks per second of streams that reach their end, with an upstream that sends as fast as it is read. */
export function benchStreams({ isShort }: Pace): Promise<Figure[]> {
  const upstream = ['streamUpstream.ts', String(CHUNKS_PER_STREAM)] as const
  return withContestants(upstream, async ({ folder, proxy, tollgate, portkey }) => {
    const generator = await startHelper(folder, 'loadGenerator.ts')
    const contestants = [proxy, tollgate, portkey]
    const chunks = new Map(contestants.map((contestant) => [contestant, [] as number[]]))
    let charged = 0
    const measure = async (warmUpMs: number, keep: boolean) => {
      const length = { connections: CONNECTIONS, warmUpMs, measureMs: MEASURE_MS, isStreamed: true }
      for (const contestant of contestants) {
        const round = await fullLoad(generator, contestant, length)
        if (keep) chunks.get(contestant)?.push(round.callsPerSecond * CHUNKS_PER_STREAM)
        if (contestant === tollgate) charged += round.calls
      }
    }
    await measure(isShort ? WARM_UP_MS : FIRST_WARM_UP_MS, false)
    await eachRound(isShort ? 2 : ROUNDS, () => measure(WARM_UP_MS, true))
    await requireCharges(tollgate, charged)
    const compared = (other: typeof proxy) =>
      pairedFigure(
        `stream chunks, ${CONNECTIONS} connections, to ${other.name}`,
        'chunks/s',
        chunks.get(tollgate) ?? [],
        chunks.get(other) ?? [],
      )
    return [compared(proxy), compared(portkey)]
  })
}
