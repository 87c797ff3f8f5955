import { hash } from 'node:crypto'

/** 32 bytes of SHA-256. */
export type Hash = Uint8Array

export const HASH_BYTES = 32

export const sha256 = (bytes: Uint8Array | string): Hash => hash('sha256', bytes, 'buffer')

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Hash = sha256('')

/** RFC 6962, section 2.1: leaves and inner nodes begin with different bytes, so that none can pass for the other. */
export function leafHash(entry: Uint8Array): Hash {
  const bytes = new Uint8Array(1 + entry.length)
  bytes.set(entry, 1)
  return sha256(bytes)
}

/** Hashing is synchronous, so one buffer serves every pair. */
const pair = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1)

export function nodeHash(left: Hash, right: Hash): Hash {
  pair.set(left, 1)
  pair.set(right, 1 + HASH_BYTES)
  return sha256(pair)
}

/** The largest power of two that is smaller than `count`, which is at least 2. Exact for every safe integer. */
export function splitPoint(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/**
 * The root over hashes of subtrees. All subtrees but the last are perfect and of one size; the last may be smaller, which
 * gives the tree that RFC 6962 defines over all of their leaves.
 */
export function rootOver(hashes: readonly Hash[]): Hash {
  const [first] = hashes
  if (first === undefined) return EMPTY_ROOT
  if (hashes.length === 1) return first
  const split = splitPoint(hashes.length)
  return nodeHash(rootOver(hashes.slice(0, split)), rootOver(hashes.slice(split)))
}
