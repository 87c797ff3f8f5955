import type { BatchResult, BatchScore } from '../../../contracts/events/generator.ts'
import { explain } from '../../../domain/matching/explanation.ts'
import { adjusted, type Judgement, needsJudgement } from '../../../domain/matching/judgement.ts'
import { type Credits, type RuleScore, ruleScore } from '../../../domain/matching/score.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { ModelFailure } from '../models/modelFailure.ts'
import type { JobCandidate, TalentCandidate } from './candidates.ts'
import type { GuessedPair } from './guesses.ts'
import { judge } from './judge.ts'
import type { PairQueue } from './pairQueue.ts'

/** One batch of the match-score generator; its event stays well below what an event may have. */
const MATCH_BATCH_PAIRS_MAX = 200
const MATCH_BATCH_BYTES_MAX = 400 * 1024
const MATCH_BATCH_JUDGEMENTS_MAX = 100
/** Questions to a model that are under way together. */
const MATCH_JUDGEMENTS_AT_ONCE = 16

export type PlannedPair = { readonly pair: GuessedPair; readonly rule: RuleScore; readonly isJudged: boolean }

export type PlanOptions = {
  readonly credits: Credits
  /** Whether a model can be asked; otherwise pairs that need it are put off. */
  readonly canJudge: boolean
  /** Whether a side has changed since it was read: the pair is then read anew, and not scored now. */
  readonly isOutdated: (pair: GuessedPair) => boolean
}

/** More than any score's JSON has beside its explanation. */
const SCORE_BYTES = 200
/** Of the sides, which are listed once each. */
const SIDE_BYTES = 160
/** Pairs that are put off in one go before others have their turn. */
const PUT_OFF_MAX = 5_000

/** Takes the next batch from the queue, and puts off what cannot be judged now. */
export function planBatch(
  queue: PairQueue,
  { credits, canJudge, isOutdated }: PlanOptions,
): { readonly planned: PlannedPair[]; readonly putOff: number } {
  const planned: PlannedPair[] = []
  let judgements = 0
  let putOff = 0
  while (planned.length < MATCH_BATCH_PAIRS_MAX && putOff < PUT_OFF_MAX) {
    const pair = queue.take()
    if (!pair) break
    if (isOutdated(pair)) continue
    const rule = ruleScore(pair.job.profile, pair.talent.profile, credits)
    const isJudged = needsJudgement(rule.score)
    if (isJudged && !canJudge) {
      queue.defer(pair)
      putOff++
      continue
    }
    if (isJudged && judgements === MATCH_BATCH_JUDGEMENTS_MAX) {
      queue.putBack(pair)
      break
    }
    if (isJudged) judgements++
    planned.push({ pair, rule, isJudged })
  }
  return { planned, putOff }
}

export type ScoredBatch = {
  readonly result: BatchResult
  readonly failed: readonly GuessedPair[]
  /** A model answered. */
  readonly hadJudgement: boolean
  /** Planned, but the event is full. */
  readonly left: readonly GuessedPair[]
}

/** Judges what the rules leave open, a few at a time. Pairs whose judgement fails are not in the result. */
export async function scoreBatch(
  models: Pick<BackgroundModels, 'extract'>,
  planned: readonly PlannedPair[],
): Promise<ScoredBatch> {
  const judgements = new Map<PlannedPair, Judgement | ModelFailure>()
  const toJudge = planned.filter(({ isJudged }) => isJudged)
  const lanes = Array.from({ length: Math.min(MATCH_JUDGEMENTS_AT_ONCE, toJudge.length) }, async () => {
    for (let one = toJudge.pop(); one; one = toJudge.pop()) {
      judgements.set(one, await judge(models, one.pair, one.rule.score).catch(asFailure))
    }
  })
  await Promise.all(lanes)
  return gathered(planned, judgements)
}

function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  throw error
}

function gathered(
  planned: readonly PlannedPair[],
  judgements: ReadonlyMap<PlannedPair, Judgement | ModelFailure>,
): ScoredBatch {
  const sides = new Sides()
  const scores: BatchScore[] = []
  const failed: GuessedPair[] = []
  const left: GuessedPair[] = []
  let bytes = 0
  let hadJudgement = false
  for (const one of planned) {
    const { pair, rule } = one
    const judgement = judgements.get(one) ?? null
    if (judgement instanceof ModelFailure) {
      failed.push(pair)
      continue
    }
    hadJudgement ||= judgement !== null
    const explanation = explain(pair.job.profile, pair.talent.profile, rule, judgement)
    bytes += Buffer.byteLength(explanation) + SCORE_BYTES + 2 * SIDE_BYTES
    if (bytes > MATCH_BATCH_BYTES_MAX) {
      left.push(pair)
      continue
    }
    scores.push({
      ...sides.placesOf(pair.job, pair.talent),
      score: judgement ? adjusted(rule.score, judgement) : rule.score,
      parts: rule.parts,
      adjustment: judgement?.adjustment ?? null,
      explanation,
    })
  }
  return { result: { ...sides.lists(), scores, failed: failed.length }, failed, hadJudgement, left }
}

/** Each job and talent of a batch once, and their places. */
class Sides {
  readonly #jobs = new Map<JobCandidate, number>()
  readonly #talents = new Map<TalentCandidate, number>()

  placesOf(job: JobCandidate, talent: TalentCandidate): { job: number; talent: number } {
    return { job: placeOf(this.#jobs, job), talent: placeOf(this.#talents, talent) }
  }

  lists(): Pick<BatchResult, 'jobs' | 'talents'> {
    return {
      jobs: [...this.#jobs.keys()].map(({ id, companyId, version }) => ({ jobId: id, companyId, version })),
      talents: [...this.#talents.keys()].map(({ id, version }) => ({ talentId: id, version })),
    }
  }
}

function placeOf<Side>(places: Map<Side, number>, side: Side): number {
  const known = places.get(side)
  if (known !== undefined) return known
  places.set(side, places.size)
  return places.size - 1
}
