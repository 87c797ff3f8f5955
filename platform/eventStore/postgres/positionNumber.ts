import { BEGINNING, type Position } from '../../../contracts/position.ts'

/** Wide enough for every safe integer, so that the strings sort like the numbers. */
const DIGITS = 16

/** A position of the Postgres event store is the number of the event, counting from 1. */
export function positionOf(number: number): Position {
  return number === 0 ? BEGINNING : (String(number).padStart(DIGITS, '0') as Position)
}

export function numberOf(position: Position): number {
  if (position === BEGINNING) return 0
  const number = Number(position)
  if (position.length !== DIGITS || !Number.isSafeInteger(number)) {
    throw new Error(`${JSON.stringify(position)} is not a position of the Postgres event store`)
  }
  return number
}
