export type SeededRandom = {
  /** At least 0, below 1. */
  next(): number
  /** A whole number, both ends included. */
  between(min: number, max: number): number
}

/** The same numbers for the same seed (mulberry32), so that a failed run can be repeated. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, between: (min, max) => min + Math.floor(next() * (max - min + 1)) }
}
