import { hash } from 'node:crypto'

/** 32 bytes of SHA-256. */
export type Hash = Uint8Array

export const HASH_BYTES = 32

/** In node:crypto, allocating a separate digest takes longer than computing it. */
export const sha256 = (bytes: Uint8Array | string): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1')

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Hash = sha256('')

/** RFC 6962, section 2.1: leaves and inner nodes begin with different bytes, so that one cannot pass for the other. */
export function leafHash(entry: Uint8Array): Hash {
  const bytes = entry.length === HASH_BYTES ? leaf : new Uint8Array(1 + entry.length)
  bytes.set(entry, 1)
  return sha256(bytes)
}

/** Hashing is synchronous, so one buffer serves every entry, and another every pair. */
const leaf = new Uint8Array(1 + HASH_BYTES)
const pair = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1)

export function nodeHash(left: Hash, right: Hash): Hash {
  pair.set(left, 1)
  pair.set(right, 1 + HASH_BYTES)
  return sha256(pair)
}

/**
 * The root over a power of two of consecutive hashes. Each level overwrites the one below it: separate allocations
 * would double the time.
 */
export function perfectRoot(hashes: Uint8Array): Hash {
  const level = Buffer.from(hashes)
  for (let pairs = hashes.length / (2 * HASH_BYTES); pairs >= 1; pairs /= 2) {
    for (let at = 0; at < pairs; at++) {
      level.copy(pair, 1, 2 * at * HASH_BYTES, 2 * (at + 1) * HASH_BYTES)
      level.write(hash('sha256', pair, 'binary'), at * HASH_BYTES, HASH_BYTES, 'latin1')
    }
  }
  return Buffer.from(level.subarray(0, HASH_BYTES))
}

/** The largest power of two that is smaller than `count`, which is at least 2. Exact for every safe integer. */
export function splitPoint(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/**
 * The root over hashes of subtrees. All subtrees but the last are perfect and of equal size; the last may be smaller,
 * which gives the tree that RFC 6962 defines over all of their leaves.
 */
export function rootOver(hashes: readonly Hash[]): Hash {
  return hashes.length === 0 ? EMPTY_ROOT : rootOfRange(hashes, 0, hashes.length)
}

function rootOfRange(hashes: readonly Hash[], from: number, to: number): Hash {
  if (to - from === 1) return hashes[from] as Hash
  const middle = from + splitPoint(to - from)
  return nodeHash(rootOfRange(hashes, from, middle), rootOfRange(hashes, middle, to))
}
