import type { Position } from '../../../../contracts/position.ts'

/**
 * Remembers the latest positions: at least as many as asked for, at most twice as many. Half of them are dropped at
 * once, because removing the oldest one each time leaves gaps in a set that every search for the next oldest has to
 * skip.
 */
export class RecentPositions {
  readonly #countMin: number
  #newer = new Set<Position>()
  #older = new Set<Position>()

  constructor(countMin: number) {
    this.#countMin = countMin
  }

  add(position: Position): void {
    if (this.#newer.size >= this.#countMin) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(position)
  }

  has(position: Position): boolean {
    return this.#newer.has(position) || this.#older.has(position)
  }
}
