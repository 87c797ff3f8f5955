/** Work that is done at once after a quiet time, and otherwise at most this often, however often it is asked for. */
export class Paced {
  readonly #everyMs: number
  readonly #work: () => void
  #lastAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null

  constructor(everyMs: number, work: () => void) {
    this.#everyMs = everyMs
    this.#work = work
  }

  soon(): void {
    if (this.#timer) return
    const wait = this.#lastAt + this.#everyMs - performance.now()
    if (wait <= 0) this.now()
    else this.#timer = setTimeout(() => this.now(), wait)
  }

  now(): void {
    this.stop()
    this.#lastAt = performance.now()
    this.#work()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
