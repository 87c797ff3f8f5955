import type { Features } from './features.ts'

/** Each feature adds to this many dimensions, so that two features that collide in one differ in the others. */
const PLACES = 8

/**
 * A unit vector; texts that share features have vectors near each other. Features are hashed to dimensions with a sign,
 * so that those of unrelated texts cancel out. The same text always gets the same vector.
 */
export function vectorOf(features: Features, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const [feature, weight] of features) {
    let state = hash(feature)
    for (let place = 0; place < PLACES; place++) {
      state = scramble(state + 0x9e3779b9)
      const at = (state >>> 1) % dimensions
      sums[at] = (sums[at] as number) + ((state & 1) === 0 ? weight : -weight)
    }
  }
  const length = Math.sqrt(sums.reduce((sum, each) => sum + each * each, 0))
  // All features may have canceled each other out. The vector must have length one even then.
  if (length === 0) sums[0] = 1
  return Float32Array.from(sums, (sum) => sum / (length || 1))
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return state >>> 0
}

/** Mixes the bits, so that similar states give unrelated results. */
function scramble(state: number): number {
  let mixed = state >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
