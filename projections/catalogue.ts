import { apiKeys } from './apiKeys/projection.ts'
import { companies } from './companies/projection.ts'
import { creditBalances } from './creditBalances/projection.ts'
import { creditTransactions } from './creditTransactions/projection.ts'
import { jobs } from './jobs/projection.ts'
import { matchScores } from './matchScores/projection.ts'
import { priceBooks } from './priceBooks/projection.ts'
import type { Projection } from './projection.ts'
import { talents } from './talents/projection.ts'
import { usage } from './usage/projection.ts'
import { users } from './users/projection.ts'

/** Every read model, by name. A projector runs them all; rebuild and hash find them here. */
export const PROJECTIONS: readonly Projection[] = [
  creditBalances,
  creditTransactions,
  apiKeys,
  usage,
  companies,
  priceBooks,
  jobs,
  users,
  talents,
  matchScores,
]

export function projectionNamed(name: string): Projection | undefined {
  return PROJECTIONS.find((projection) => projection.name === name)
}
