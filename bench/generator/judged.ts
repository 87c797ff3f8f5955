import { type Figure, plainFigure } from '../figure.ts'
import { measureRun } from './generatorRun.ts'

const SIZE = { jobs: 100, talents: 100 }

/** Pairs of which a model judges many. Recorded without a bound, because the provider dominates. */
export async function benchJudged(): Promise<Figure[]> {
  const { pairsPerSecond, judged } = await measureRun(SIZE, 'open')
  return [
    plainFigure('10,000 pairs, the open ones judged', 'pairs/s', pairsPerSecond),
    plainFigure('of them judged', 'pairs', judged),
  ]
}
