import { type Figure, floorFigure, limitFigure, median, plainFigure } from '../figure.ts'
import { type MeasuredRun, measureRun } from './generatorRun.ts'

const SMALL = { jobs: 100, talents: 100 }
const LARGE = { jobs: 200, talents: 500 }
const ROUNDS = 3
const PAIRS_PER_SECOND_MIN = 2_000
/** The bound on the time for ten times the pairs; 10 would be linear. */
const GROWTH_MAX = 13

/** Pairs that the rules decide: the model is only asked for embeddings. */
export async function benchRules(): Promise<Figure[]> {
  const small: MeasuredRun[] = []
  const large: MeasuredRun[] = []
  for (let round = 0; round < ROUNDS; round++) {
    small.push(await measureRun(SMALL, 'decided'))
    large.push(await measureRun(LARGE, 'decided'))
  }
  const rate = (runs: readonly MeasuredRun[]) => median(runs.map((run) => run.pairsPerSecond))
  const seconds = (runs: readonly MeasuredRun[]) => median(runs.map((run) => run.seconds))
  return [
    floorFigure('10,000 pairs by rule', 'pairs/s', rate(small), PAIRS_PER_SECOND_MIN),
    floorFigure('100,000 pairs by rule', 'pairs/s', rate(large), PAIRS_PER_SECOND_MIN),
    limitFigure('time of 100,000 to that of 10,000', 'times', seconds(large) / seconds(small), GROWTH_MAX),
    plainFigure('100,000 pairs until all can be read', 's', median(large.map((run) => run.shownSeconds))),
  ]
}
