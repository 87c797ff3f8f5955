export type QueueLimits = {
  /** No seed but the first is begun after it, by the clock that is given. */
  readonly untilMs?: number
  readonly stopsAtFailure?: boolean
}

/** Hands out seeds in their order. What is handed out does not depend on which worker asks. */
export class SeedQueue {
  readonly #seeds: Iterator<number>
  readonly #untilMs: number
  readonly #stopsAtFailure: boolean
  readonly #nowMs: () => number
  #handedOut = 0
  #firstFailed = Number.POSITIVE_INFINITY

  constructor(
    seeds: Iterable<number>,
    { untilMs = Number.POSITIVE_INFINITY, stopsAtFailure = false }: QueueLimits = {},
    nowMs: () => number = () => performance.now(),
  ) {
    this.#seeds = seeds[Symbol.iterator]()
    this.#untilMs = untilMs
    this.#stopsAtFailure = stopsAtFailure
    this.#nowMs = nowMs
  }

  /** null if no further seed is to be run. */
  next(): number | null {
    if (this.#stopsAtFailure && Number.isFinite(this.#firstFailed)) return null
    if (this.#handedOut > 0 && this.#nowMs() >= this.#untilMs) return null
    const next = this.#seeds.next()
    if (next.done) return null
    this.#handedOut += 1
    return next.value
  }

  failed(seed: number): void {
    this.#firstFailed = Math.min(this.#firstFailed, seed)
  }

  /** Workers may have begun later seeds when one failed; a run until the first failure ends with that one. */
  counts(seed: number): boolean {
    return !this.#stopsAtFailure || seed <= this.#firstFailed
  }
}

/** So many seeds in a row. */
export function* seedsFrom(from: number, count: number): Generator<number> {
  for (let at = 0; at < count; at += 1) yield from + at
}
