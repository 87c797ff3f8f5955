import type { BatchResult, BatchScore } from '../../../contracts/events/generator.ts'
import { explain } from '../../../domain/matching/explanation.ts'
import { adjusted, type Judgement, needsJudgement } from '../../../domain/matching/judgement.ts'
import { type Credits, type RuleScore, ruleScore } from '../../../domain/matching/score.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { ModelFailure } from '../models/modelFailure.ts'
import type { JobCandidate, TalentCandidate } from './candidates.ts'
import { judge } from './judge.ts'
import type { PairQueue } from './pairQueue.ts'
import type { RankedPair } from './pairRanking.ts'

/** Limits of one batch. They keep its event well below the size limit of an event. */
const MATCH_BATCH_PAIRS_MAX = 200
const MATCH_BATCH_BYTES_MAX = 400 * 1024
const MATCH_BATCH_JUDGEMENTS_MAX = 100
/** Concurrent model calls. */
const MATCH_JUDGEMENTS_AT_ONCE = 16

export type PlannedPair = { readonly pair: RankedPair; readonly rule: RuleScore; readonly isJudged: boolean }

export type PlanOptions = {
  readonly credits: Credits
  /** Whether a model can be called. If not, pairs that need a judgement are deferred. */
  readonly canJudge: boolean
  /** Whether the job or the talent has changed since it was read. The pair is then skipped, and read again later. */
  readonly isOutdated: (pair: RankedPair) => boolean
}

/** Upper bound of the JSON of a score without its explanation. */
const SCORE_BYTES = 200
/** Upper bound of the JSON of a job or a talent in the lists of the batch. */
const SIDE_BYTES = 160
/** Pairs deferred in one call, so that the event loop is not blocked for long. */
const DEFERRED_MAX = 5_000

/** Takes the next batch from the queue, and defers pairs that cannot be judged now. */
export function planBatch(
  queue: PairQueue,
  { credits, canJudge, isOutdated }: PlanOptions,
): { readonly planned: PlannedPair[]; readonly deferred: number } {
  const planned: PlannedPair[] = []
  let judgements = 0
  let deferred = 0
  while (planned.length < MATCH_BATCH_PAIRS_MAX && deferred < DEFERRED_MAX) {
    const pair = queue.take()
    if (!pair) break
    if (isOutdated(pair)) continue
    const rule = ruleScore(pair.job.profile, pair.talent.profile, credits)
    const isJudged = needsJudgement(rule.score)
    if (isJudged && !canJudge) {
      queue.defer(pair)
      deferred++
      continue
    }
    if (isJudged && judgements === MATCH_BATCH_JUDGEMENTS_MAX) {
      queue.putBack(pair)
      break
    }
    if (isJudged) judgements++
    planned.push({ pair, rule, isJudged })
  }
  return { planned, deferred }
}

export type ScoredBatch = {
  readonly result: BatchResult
  readonly failed: readonly RankedPair[]
  /** Pairs whose model was not called, because a circuit breaker is open. They have not failed. */
  readonly rejected: readonly RankedPair[]
  /** At least one model call succeeded. */
  readonly hadJudgement: boolean
  /** Planned pairs that did not fit into the event. */
  readonly left: readonly RankedPair[]
}

/** Scores the pairs; a model judges those that the rules leave open. Pairs without their judgement are not in the result. */
export async function scoreBatch(
  models: Pick<BackgroundModels, 'extract'>,
  planned: readonly PlannedPair[],
): Promise<ScoredBatch> {
  const judgements = new Map<PlannedPair, Judgement | ModelFailure>()
  const toJudge = planned.filter(({ isJudged }) => isJudged)
  const callers = Array.from({ length: Math.min(MATCH_JUDGEMENTS_AT_ONCE, toJudge.length) }, async () => {
    for (let one = toJudge.pop(); one; one = toJudge.pop()) {
      judgements.set(one, await judge(models, one.pair, one.rule.score).catch(asFailure))
    }
  })
  await Promise.all(callers)
  return batchOf(planned, judgements)
}

function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  throw error
}

function batchOf(
  planned: readonly PlannedPair[],
  judgements: ReadonlyMap<PlannedPair, Judgement | ModelFailure>,
): ScoredBatch {
  const sides = new Sides()
  const scores: BatchScore[] = []
  const failed: RankedPair[] = []
  const rejected: RankedPair[] = []
  const left: RankedPair[] = []
  let bytes = 0
  let hadJudgement = false
  for (const one of planned) {
    const { pair, rule } = one
    const judgement = judgements.get(one) ?? null
    if (judgement instanceof ModelFailure) {
      const pairs = judgement.reason === 'resting' ? rejected : failed
      pairs.push(pair)
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
      ...sides.indexesOf(pair.job, pair.talent),
      score: judgement ? adjusted(rule.score, judgement) : rule.score,
      parts: rule.parts,
      adjustment: judgement?.adjustment ?? null,
      explanation,
    })
  }
  return { result: { ...sides.lists(), scores, failed: failed.length }, failed, rejected, hadJudgement, left }
}

/** Lists each job and talent of a batch once; scores refer to them by index. */
class Sides {
  readonly #jobs = new Map<JobCandidate, number>()
  readonly #talents = new Map<TalentCandidate, number>()

  indexesOf(job: JobCandidate, talent: TalentCandidate): { job: number; talent: number } {
    return { job: indexOf(this.#jobs, job), talent: indexOf(this.#talents, talent) }
  }

  lists(): Pick<BatchResult, 'jobs' | 'talents'> {
    return {
      jobs: [...this.#jobs.keys()].map(({ id, companyId, version }) => ({ jobId: id, companyId, version })),
      talents: [...this.#talents.keys()].map(({ id, version }) => ({ talentId: id, version })),
    }
  }
}

function indexOf<Side>(indexes: Map<Side, number>, side: Side): number {
  const known = indexes.get(side)
  if (known !== undefined) return known
  indexes.set(side, indexes.size)
  return indexes.size - 1
}
