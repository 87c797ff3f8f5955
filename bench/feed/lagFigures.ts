import type { Figure } from '../figure.ts'
import type { Lags } from './lag.ts'
import { EVENTS_PER_SECOND } from './steadyAppends.ts'

/** If a bare append takes longer than this, the bound is a ratio instead: the same bound for a slower disk. */
const BARE_APPEND_MS_MAX = 20

/** `p99MsMax` is the bound for a machine with fast bare appends. */
export function lagFigures(name: string, bareAppends: readonly number[], lags: Lags, p99MsMax: number): Figure[] {
  const bare = percentile(bareAppends, 99)
  const rate = `${EVENTS_PER_SECOND.toLocaleString('en')} events/s`
  const of = (what: string, times: readonly number[], rank: number): Figure => {
    const value = percentile(times, rank)
    const reference = percentile(bareAppends, rank)
    const figure = `${what} at ${rate}, ${name}, p${rank}`
    return { name: figure, value, unit: 'ms', reference, ratio: value / reference, bound: null, met: true }
  }
  return [of('append', lags.appends, 99), of('lag', lags.rows, 50), bounded(of('lag', lags.rows, 99), bare, p99MsMax)]
}

function bounded(figure: Figure, bareP99: number, p99MsMax: number): Figure {
  if (bareP99 < BARE_APPEND_MS_MAX) return { ...figure, bound: `≤ ${p99MsMax} ms`, met: figure.value <= p99MsMax }
  const ratioMax = p99MsMax / BARE_APPEND_MS_MAX
  return { ...figure, bound: `ratio ≤ ${ratioMax}`, met: (figure.ratio ?? 0) <= ratioMax }
}

/** The nth percentile of the samples. */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * rank) / 100) - 1)] ?? 0
}
