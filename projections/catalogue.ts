import { apiKeys } from './apiKeys/projection.ts'
import { calls } from './calls/projection.ts'
import { companies } from './companies/projection.ts'
import { creditBalances } from './creditBalances/projection.ts'
import { creditPacks } from './creditPacks/projection.ts'
import { creditTransactions } from './creditTransactions/projection.ts'
import { dailyMargins } from './dailyMargins/projection.ts'
import { dailyTokens } from './dailyTokens/projection.ts'
import { disputes } from './disputes/projection.ts'
import { documents } from './documents/projection.ts'
import { invitations } from './invitations/projection.ts'
import { invoices } from './invoices/projection.ts'
import { jobs } from './jobs/projection.ts'
import { keySpend } from './keySpend/projection.ts'
import { ledgerBlocks } from './ledgerBlocks/projection.ts'
import { ledgerParts } from './ledgerParts/projection.ts'
import { ledgerTotals } from './ledgerTotals/projection.ts'
import { matchScores } from './matchScores/projection.ts'
import { meetingInsights } from './meetingInsights/projection.ts'
import { members } from './members/projection.ts'
import { monthCloses } from './monthCloses/projection.ts'
import { parkedTasks } from './parkedTasks/projection.ts'
import { plans } from './plans/projection.ts'
import { priceBooks } from './priceBooks/projection.ts'
import type { Projection } from './projection.ts'
import { purchases } from './purchases/projection.ts'
import { subscriptions } from './subscriptions/projection.ts'
import { talents } from './talents/projection.ts'
import { topUps } from './topUps/projection.ts'
import { trail } from './trail/projection.ts'
import { usage } from './usage/projection.ts'
import { usageByCompany } from './usageByCompany/projection.ts'
import { usageByLabel } from './usageByLabel/projection.ts'
import { users } from './users/projection.ts'
import { webhooks } from './webhooks/projection.ts'

/** Every read model. A projector runs them all; rebuild and hash look them up here by name. */
export const PROJECTIONS: readonly Projection[] = [
  creditBalances,
  creditTransactions,
  apiKeys,
  usage,
  usageByCompany,
  usageByLabel,
  calls,
  keySpend,
  dailyTokens,
  dailyMargins,
  monthCloses,
  ledgerBlocks,
  ledgerParts,
  ledgerTotals,
  companies,
  members,
  invitations,
  priceBooks,
  jobs,
  documents,
  meetingInsights,
  parkedTasks,
  plans,
  creditPacks,
  purchases,
  topUps,
  subscriptions,
  invoices,
  disputes,
  webhooks,
  users,
  talents,
  matchScores,
  trail,
]

/**
 * Read models that show the past and grow with every call. They play no part in admitting, charging or refusing calls,
 * so a start brings them up to date after the others, while requests are served.
 */
export const HISTORY_PROJECTIONS: readonly Projection[] = [
  creditTransactions,
  usage,
  usageByCompany,
  calls,
  dailyMargins,
  ledgerBlocks,
  ledgerParts,
  ledgerTotals,
  trail,
]

export function projectionNamed(name: string): Projection | undefined {
  return PROJECTIONS.find((projection) => projection.name === name)
}
