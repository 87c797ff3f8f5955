import type { Engines } from '../../platform/engines.ts'
import { boundaryAt } from './ledgerBoundary.ts'

export type StatementPeriod = {
  readonly companyId: string
  /** Inclusive, ISO 8601 in UTC with milliseconds. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** What a statement is about: consecutive entries of a company's ledger. */
export type StatementRange = StatementPeriod & {
  /** The number of the first entry, or of the next one if there are none. */
  readonly first: number
  readonly count: number
  readonly openingMicros: bigint
  readonly closingMicros: bigint
  /** The revision to read from in this store. */
  readonly revision: number
}

export class InvalidPeriod extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidPeriod'
  }
}

/** The entries of a period, by when they were stored. If the period has not ended, those stored so far. */
export async function statementRange(
  engines: Pick<Engines, 'database' | 'store'>,
  { companyId, from, to }: StatementPeriod,
): Promise<StatementRange> {
  if (from >= to) throw new InvalidPeriod(`from must be before to, and ${from} is not before ${to}`)
  const [begin, end] = await Promise.all([from, to].map((time) => boundaryAt(engines, companyId, time)))
  if (!begin || !end) throw new Error('a range has two boundaries')
  // The end may have been read first, with entries stored in between.
  const count = Math.max(0, end.number - begin.number)
  return {
    ...{ companyId, from, to, count },
    first: begin.number,
    openingMicros: begin.balanceMicros,
    closingMicros: count === 0 ? begin.balanceMicros : end.balanceMicros,
    revision: begin.revision,
  }
}
