import { atMost, type Figure, pairedFigure } from '../figure.ts'

/** The factor in time, or in the rate, from the fewest events to the most. */
export const GROWTH_MAX = 1.2

export type Growth = Figure & {
  readonly part: string
  /** In the store; the reference is the one with the fewest. */
  readonly events: number
}

type Sized = { readonly events: number }

export type Subject<S extends Sized> = {
  readonly part: string
  readonly name: string
  readonly unit: string
  readonly rounds: number
  readonly warmUpRounds?: number
  /** Without a bound, because it grows by nature and is reported per event. */
  readonly isRecordedOnly?: boolean
  /** A rate: more is better. */
  readonly isRate?: boolean
  measure(sized: S, round: number): Promise<number>
}

/**
 * Measures each size once per round, in changing order, so that other activity on the machine slows down all of them
 * alike. The ratio is the median of those to the fewest events of the same round.
 */
export async function alternating<S extends Sized>(sizes: readonly S[], subject: Subject<S>): Promise<Growth[]> {
  const values = new Map<S, number[]>(sizes.map((sized) => [sized, []]))
  for (let round = -(subject.warmUpRounds ?? 1); round < subject.rounds; round++) {
    for (const sized of round % 2 === 0 ? sizes : sizes.toReversed()) {
      const value = await subject.measure(sized, round)
      if (round >= 0) values.get(sized)?.push(value)
    }
  }
  const [fewest] = sizes.toSorted((a, b) => a.events - b.events)
  const references = (fewest && values.get(fewest)) ?? []
  return sizes.map((sized) => {
    const { part, name, unit } = subject
    const label = `${name} with ${sized.events.toLocaleString('en')} events`
    const figure = pairedFigure(label, unit, values.get(sized) ?? [], references)
    return { ...judged(figure, subject, sized === fewest), part, events: sized.events }
  })
}

function judged(figure: Figure, { isRecordedOnly, isRate }: Subject<Sized>, isReference: boolean): Figure {
  if (isReference || isRecordedOnly) return figure
  if (!isRate) return atMost(figure, GROWTH_MAX)
  const ratioMin = Number((1 / GROWTH_MAX).toFixed(2))
  return { ...figure, bound: `ratio ≥ ${ratioMin}`, met: figure.ratio !== null && figure.ratio >= ratioMin }
}
