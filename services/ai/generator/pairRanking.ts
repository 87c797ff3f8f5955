import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Credits, ruleScore } from '../../../domain/matching/score.ts'
import { type BackgroundModels, TEXTS_PER_EMBEDDING_MAX } from '../models/backgroundModels.ts'
import { ModelFailure } from '../models/modelFailure.ts'
import type { PendingPair } from './pendingPairs.ts'

/** Embeddings kept in memory. */
const MATCH_VECTORS_MAX = 4_000

export type RankedPair = PendingPair & { readonly estimate: number }

/** Pairs processed before other work of the event loop gets a turn. */
const PAIRS_PER_TURN = 2_000
/** Each bucket is sorted by itself: sorting 100,000 pairs at once would block a gateway in the same process. */
const BUCKETS = 2_048

/** Orders pairs by an estimate of their score: the similarity of their embeddings, or the rules if there are none. */
export class PairRanking {
  readonly #models: Pick<BackgroundModels, 'embed' | 'cooldownLeftMs'>
  /** By version of the job or talent, the oldest first. */
  readonly #vectors = new Map<string, Float32Array>()

  constructor(models: Pick<BackgroundModels, 'embed' | 'cooldownLeftMs'>) {
    this.#models = models
  }

  /** The best pair comes last, where the queue takes from. */
  async order(pairs: readonly PendingPair[]): Promise<RankedPair[]> {
    const vectors = await this.#vectorsOf(pairs).catch((error: unknown) => {
      if (error instanceof ModelFailure) return null
      throw error
    })
    const credits = new Credits()
    const buckets = Array.from({ length: BUCKETS }, (): RankedPair[] => [])
    for (const [n, { job, talent }] of pairs.entries()) {
      if (n % PAIRS_PER_TURN === PAIRS_PER_TURN - 1) await yieldToEventLoop()
      const estimate = vectors
        ? similarity(vectors.get(job.version), vectors.get(talent.version))
        : ruleScore(job.profile, talent.profile, credits).score / 100
      buckets[bucketOf(estimate)]?.push({ job, talent, estimate })
    }
    return inOrder(buckets)
  }

  /** null if the circuit breaker of the service is open. */
  async #vectorsOf(pairs: readonly PendingPair[]): Promise<ReadonlyMap<string, Float32Array> | null> {
    if (this.#models.cooldownLeftMs('embed') > 0) return null
    const texts = new Map<string, string>()
    for (const { job, talent } of pairs) {
      texts.set(job.version, job.text)
      texts.set(talent.version, talent.text)
    }
    const vectors = new Map<string, Float32Array>()
    const missing: [string, string][] = []
    for (const [version, text] of texts) {
      const known = this.#vectors.get(version)
      if (known) vectors.set(version, known)
      else missing.push([version, text])
    }
    for (let at = 0; at < missing.length; at += TEXTS_PER_EMBEDDING_MAX) {
      const part = missing.slice(at, at + TEXTS_PER_EMBEDDING_MAX)
      const made = await this.#models.embed(
        'match_embedding',
        part.map(([, text]) => text),
      )
      for (const [n, [version]] of part.entries()) this.#keep(vectors, version, made[n] as Float32Array)
    }
    return vectors
  }

  #keep(vectors: Map<string, Float32Array>, version: string, vector: Float32Array): void {
    vectors.set(version, vector)
    this.#vectors.set(version, vector)
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > MATCH_VECTORS_MAX && oldest !== undefined) this.#vectors.delete(oldest)
  }
}

/** Estimates are between -1 and 1. */
function bucketOf(estimate: number): number {
  return Math.max(0, Math.min(BUCKETS - 1, Math.floor(((estimate + 1) / 2) * BUCKETS)))
}

async function inOrder(buckets: readonly RankedPair[][]): Promise<RankedPair[]> {
  const ordered: RankedPair[] = []
  let sinceTurn = 0
  for (const bucket of buckets) {
    sinceTurn += bucket.length
    if (sinceTurn >= PAIRS_PER_TURN) {
      await yieldToEventLoop()
      sinceTurn = 0
    }
    for (const pair of bucket.sort((a, b) => a.estimate - b.estimate)) ordered.push(pair)
  }
  return ordered
}

/** The cosine of the two vectors, which providers normalise to length one. */
function similarity(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other || one.length !== other.length) return 0
  let sum = 0
  for (let n = 0; n < one.length; n++) sum += (one[n] as number) * (other[n] as number)
  return sum
}
