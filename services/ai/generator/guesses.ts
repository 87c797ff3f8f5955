import { setImmediate as breath } from 'node:timers/promises'
import { LIMITS } from '../../../contracts/limits.ts'
import { Credits, ruleScore } from '../../../domain/matching/score.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { ModelFailure } from '../models/modelFailure.ts'
import type { PendingPair } from './pendingPairs.ts'

export type GuessedPair = PendingPair & { readonly guess: number }

/** Pairs between which others of the process have their turn. */
const PAIRS_PER_TURN = 2_000

/**
 * How well a pair may fit, before anybody has looked at it: how near the two texts lie. Without embeddings the rules
 * guess.
 */
export class Guesses {
  readonly #models: Pick<BackgroundModels, 'embed' | 'restMs'>
  /** By version, the oldest first. */
  readonly #vectors = new Map<string, Float32Array>()

  constructor(models: Pick<BackgroundModels, 'embed' | 'restMs'>) {
    this.#models = models
  }

  /** The best guess last, where it is taken from. */
  async order(pairs: readonly PendingPair[]): Promise<GuessedPair[]> {
    const vectors = await this.#vectorsOf(pairs).catch((error: unknown) => {
      if (error instanceof ModelFailure) return null
      throw error
    })
    const credits = new Credits()
    const guessed: GuessedPair[] = []
    for (const { job, talent } of pairs) {
      if (guessed.length % PAIRS_PER_TURN === PAIRS_PER_TURN - 1) await breath()
      const guess = vectors
        ? nearness(vectors.get(job.version), vectors.get(talent.version))
        : ruleScore(job.profile, talent.profile, credits).score
      guessed.push({ job, talent, guess })
    }
    return guessed.sort((a, b) => a.guess - b.guess)
  }

  /** null: the service rests, so nobody is asked. */
  async #vectorsOf(pairs: readonly PendingPair[]): Promise<ReadonlyMap<string, Float32Array> | null> {
    if (this.#models.restMs('embed') > 0) return null
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
    for (let at = 0; at < missing.length; at += LIMITS.textsPerEmbeddingMax) {
      const part = missing.slice(at, at + LIMITS.textsPerEmbeddingMax)
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
    if (this.#vectors.size > LIMITS.matchVectorsMax && oldest !== undefined) this.#vectors.delete(oldest)
  }
}

/** Of vectors of length one, which providers give, the cosine. */
function nearness(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other || one.length !== other.length) return 0
  let sum = 0
  for (let n = 0; n < one.length; n++) sum += (one[n] as number) * (other[n] as number)
  return sum
}
