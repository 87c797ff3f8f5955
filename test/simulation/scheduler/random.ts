/** A generator of pseudo-random numbers (sfc32): every draw follows from the seed. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number) {
    this.#a = seed >>> 0
    this.#b = Math.floor(seed / 2 ** 32) >>> 0
    this.#c = 0x9e3779b9
    for (let n = 0; n < 15; n += 1) this.uint32()
  }

  /** The source of one part of a run. Another part that is added or draws more does not change it. */
  static named(seed: number, name: string): Random {
    let hash = 2166136261
    for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 16777619)
    return new Random(seed + (hash >>> 0) * 2 ** 21)
  }

  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.uint32() / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  between(least: number, limit: number): number {
    return least + this.fraction() * (limit - least)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('there is nothing to pick from')
    return items[this.below(items.length)] as Item
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.uint32() & 0xff
  }

  /** A generator of its own, so that one part's draws do not shift another's. */
  fork(): Random {
    return new Random(this.uint32() + this.uint32() * 2 ** 21)
  }
}
