import { availableParallelism, cpus, totalmem } from 'node:os'
import { type CpuTicks, stolenSince } from './stolenTime.ts'

/** A measured figure next to the bare reference of the same run. Machines are noisy, so the ratio counts. */
export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** null if the figure has no reference. */
  readonly reference: number | null
  readonly ratio: number | null
  /** The bound as text, and whether it is met; null if the figure is only recorded. */
  readonly bound: string | null
  readonly met: boolean
}

export function ratioFigure(name: string, unit: string, value: number, reference: number, ratioMin?: number): Figure {
  return { name, value, unit, reference, ...judged(value / reference, ratioMin) }
}

/**
 * The median ratio of alternating rounds, each paired with its reference, so that a slow minute of the machine does not
 * distort it.
 */
export function pairedFigure(
  name: string,
  unit: string,
  values: readonly number[],
  references: readonly number[],
  ratioMin?: number,
): Figure {
  const ratio = median(values.map((value, round) => value / (references[round] ?? Number.NaN)))
  return { name, value: median(values), unit, reference: median(references), ...judged(ratio, ratioMin) }
}

function judged(ratio: number, ratioMin: number | undefined): Pick<Figure, 'ratio' | 'bound' | 'met'> {
  if (ratioMin === undefined) return { ratio, bound: null, met: true }
  return { ratio, bound: `ratio ≥ ${ratioMin}`, met: ratio >= ratioMin }
}

/** For a figure where less is better. */
export function atMost(figure: Figure, ratioMax: number): Figure {
  return { ...figure, bound: `ratio ≤ ${ratioMax}`, met: figure.ratio !== null && figure.ratio <= ratioMax }
}

/** A figure that is only recorded. */
export function plainFigure(name: string, unit: string, value: number): Figure {
  return { name, value, unit, reference: null, ratio: null, bound: null, met: true }
}

export function limitFigure(name: string, unit: string, value: number, max: number): Figure {
  return { name, value, unit, reference: null, ratio: null, bound: `≤ ${max} ${unit}`, met: value <= max }
}

export function floorFigure(name: string, unit: string, value: number, min: number): Figure {
  return { name, value, unit, reference: null, ratio: null, bound: `≥ ${min} ${unit}`, met: value >= min }
}

/** The median, which a single disturbed round does not affect. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The machine of the measurement. `begin` is what readCpuTicks returned at its start. */
export function machine(begin: CpuTicks | null) {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    /** The fraction of CPU time that the host took away meanwhile; null if unknown. */
    stolen: stolenSince(begin),
  }
}

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, reference, ratio, bound, met }) => [
    name,
    `${short(value)} ${unit}`,
    reference === null ? '' : `${short(reference)} ${unit}`,
    ratio === null ? '' : ratio.toFixed(2),
    bound === null ? '' : `${bound}${met ? '' : '  MISSED'}`,
  ])
  const all = [['figure', 'measured', 'reference', 'ratio', 'bound'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return `${all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
