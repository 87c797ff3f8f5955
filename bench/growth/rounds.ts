import { atMost, type Figure, pairedFigure } from '../figure.ts'

/** Times as long, or a part of the rate, from the fewest events to the most. */
export const GROWTH_MAX = 1.2

export type Growth = Figure & {
  readonly part: string
  /** In the store; the reference is that with the fewest. */
  readonly events: number
}

type Sized = { readonly events: number }

export type Subject<S extends Sized> = {
  readonly part: string
  readonly name: string
  readonly unit: string
  readonly rounds: number
  readonly warmUpRounds?: number
  /** Not bound, because it grows by nature and is given for each event. */
  readonly isRecordedOnly?: boolean
  /** A rate: more is better. */
  readonly isRate?: boolean
  measure(sized: S, round: number): Promise<number>
}

/**
 * Measures each size once in every round, in changing order, so that what else the machine does slows down all of them
 * alike. The ratio is that to the fewest events of the same round, in the median.
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
