import type { Pace } from '../benchCommand.ts'
import { type Figure, limitFigure, plainFigure, ratioFigure } from '../figure.ts'
import { startHelper } from './benchProcess.ts'
import { fullLoad, requireCharges, withContestants } from './contestants.ts'

const CONNECTIONS = 32
const CALLS = { whole: 200_000, short: 40_000 }
const WARM_UP_MS = 3_000
const ROUND_MS = 2_000
/**
 * Even the least that could leak per call, its id in a map, takes more. The newest events, which are kept up to a
 * limit, make the heap rise and fall by some MiB: over few calls that looks like growth, and is not judged.
 */
const GROWTH_BYTES_PER_CALL_MAX = 50
const MIB = 2 ** 20

/** The gateway's memory over many calls: what remains after a collection must not grow with them. */
export function benchMemory({ isShort }: Pace): Promise<Figure[]> {
  return withContestants(['chatUpstream.ts'], async ({ folder, tollgate, proxy, portkey }) => {
    const generator = await startHelper(folder, 'loadGenerator.ts')
    const length = { connections: CONNECTIONS, warmUpMs: 0, measureMs: ROUND_MS }
    let calls = 0
    const load = async (measureMs: number) => {
      calls += (await fullLoad(generator, tollgate, { ...length, measureMs })).calls
    }
    await load(WARM_UP_MS)
    const rssAtFirst = (await tollgate.usage()).rssBytes
    const samples: { readonly calls: number; readonly heapBytes: number }[] = []
    const callsMin = isShort ? CALLS.short : CALLS.whole
    while (calls < callsMin) {
      await load(ROUND_MS)
      const { heapBytes } = await tollgate.usage('usage after a collection')
      samples.push({ calls, heapBytes })
      process.stderr.write(`  ${calls} calls, heap ${(heapBytes / MIB).toFixed(1)} MiB\n`)
    }
    await requireCharges(tollgate, calls)
    const rssAtLast = (await tollgate.usage()).rssBytes
    const projectorRss = (await tollgate.projector.usage()).rssBytes
    for (const other of [proxy, portkey]) await fullLoad(generator, other, { ...length, measureMs: 2 * WARM_UP_MS })
    const proxyRss = (await proxy.usage()).rssBytes
    const portkeyRss = (await portkey.usage()).rssBytes
    const secondHalf = samples.filter((sample) => sample.calls >= calls / 2)
    const growth = slope(secondHalf.map(({ calls, heapBytes }) => [calls, heapBytes]))
    const over = `${Math.round(calls / 1_000)},000 calls`
    const grows = [`heap growth, second half of ${over}`, 'bytes/call', growth] as const
    return [
      isShort ? plainFigure(...grows) : limitFigure(...grows, GROWTH_BYTES_PER_CALL_MAX),
      plainFigure('heap after a collection, at the end', 'MiB', (samples.at(-1)?.heapBytes ?? 0) / MIB),
      ratioFigure(`resident memory after ${over}, to that after warm-up`, 'MiB', rssAtLast / MIB, rssAtFirst / MIB),
      ratioFigure('resident memory, to the bare proxy', 'MiB', rssAtLast / MIB, proxyRss / MIB),
      ratioFigure('resident memory, to Portkey', 'MiB', rssAtLast / MIB, portkeyRss / MIB),
      plainFigure("the projector's resident memory", 'MiB', projectorRss / MIB),
    ]
  })
}

/** The slope of the best-fitting line: how much y grows with each x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return covariance / variance
}
