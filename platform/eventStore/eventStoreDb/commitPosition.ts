import type { Position } from '../../../contracts/position.ts'

/** Wide enough for every unsigned 64-bit number, so that the strings sort like the numbers. */
const DIGITS = 20

/** The server addresses its log with signed numbers, although the protocol has unsigned ones. */
const COMMIT_MAX = 2n ** 63n - 1n

/**
 * A commit position is the offset in the log at which the event begins. An event appended over gRPC has the same prepare
 * position, so one number is enough.
 */
export function positionOf(commit: bigint | number): Position {
  if (commit < 0 || commit > COMMIT_MAX || (typeof commit === 'number' && !Number.isSafeInteger(commit))) {
    throw new Error(`${commit} is not a position in a log`)
  }
  return String(commit).padStart(DIGITS, '0') as Position
}

export function commitOf(position: Position): bigint {
  if (!/^\d{20}$/.test(position)) {
    throw new Error(`${JSON.stringify(position)} is not a position of the EventStoreDB event store`)
  }
  return BigInt(position)
}

/** The checkpoint of a subscription; null for -1, which the server sends before the first event. */
export function checkpointOf(commit: number): Position | null {
  return commit <= COMMIT_MAX ? positionOf(commit) : null
}

export function parsePosition(text: string): Position | null {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= COMMIT_MAX ? positionOf(BigInt(text)) : null
}

export function later(one: Position, other: Position): Position {
  return one > other ? one : other
}
