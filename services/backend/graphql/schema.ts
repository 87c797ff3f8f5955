import { readFileSync } from 'node:fs'
import { type GraphQLSchema, isObjectType } from 'graphql'
import { createSchema } from 'graphql-yoga'
import { apiError } from './apiError.ts'
import type { GraphqlContext } from './context.ts'
import type { Resolvers } from './generated.ts'
import { guardOperations } from './limits/operationGuard.ts'
import { documents } from './resolvers/hiring/documents.ts'
import { jobs } from './resolvers/hiring/jobs.ts'
import { matchScores } from './resolvers/hiring/matchScores.ts'
import { meetingInsights } from './resolvers/hiring/meetingInsights.ts'
import { talents } from './resolvers/hiring/talents.ts'
import { ledgerLog } from './resolvers/ledger/ledgerLog.ts'
import { receipts } from './resolvers/ledger/receipts.ts'
import { statements } from './resolvers/ledger/statements.ts'
import { trail } from './resolvers/ledger/trail.ts'
import { calls } from './resolvers/models/calls.ts'
import { generator } from './resolvers/models/generator.ts'
import { margin } from './resolvers/models/margin.ts'
import { models } from './resolvers/models/models.ts'
import { pricing } from './resolvers/models/pricing.ts'
import { trialCalls } from './resolvers/models/trialCalls.ts'
import { usage } from './resolvers/models/usage.ts'
import { installation } from './resolvers/operation/installation.ts'
import { live } from './resolvers/operation/live.ts'
import { notices } from './resolvers/operation/notices.ts'
import { parkedTasks } from './resolvers/operation/parkedTasks.ts'
import { webhookEndpoints } from './resolvers/operation/webhookEndpoints.ts'
import { checkouts } from './resolvers/payments/checkouts.ts'
import { creditLots } from './resolvers/payments/creditLots.ts'
import { credits } from './resolvers/payments/credits.ts'
import { disputes } from './resolvers/payments/disputes.ts'
import { endInvoices } from './resolvers/payments/endInvoices.ts'
import { packs } from './resolvers/payments/packs.ts'
import { paymentEvents } from './resolvers/payments/paymentEvents.ts'
import { plans } from './resolvers/payments/plans.ts'
import { reconciliation } from './resolvers/payments/reconciliation.ts'
import { paymentRecords } from './resolvers/payments/records.ts'
import { subscriptionChanges } from './resolvers/payments/subscriptionChanges.ts'
import { topUps } from './resolvers/payments/topUps.ts'
import { account } from './resolvers/people/account.ts'
import { apiKeys } from './resolvers/people/apiKeys.ts'
import { companies } from './resolvers/people/companies.ts'
import { invitations } from './resolvers/people/invitations.ts'
import { passwordResets } from './resolvers/people/passwordResets.ts'
import { sessions } from './resolvers/people/sessions.ts'
import { users } from './resolvers/people/users.ts'
import { DateTime, JSONObject, Upload } from './scalars.ts'

/** One file per area, with the operations that it resolves. */
const AREAS: readonly Resolvers[] = [
  account,
  sessions,
  users,
  invitations,
  passwordResets,
  apiKeys,
  credits,
  creditLots,
  usage,
  calls,
  trail,
  receipts,
  statements,
  jobs,
  talents,
  matchScores,
  companies,
  notices,
  pricing,
  margin,
  reconciliation,
  disputes,
  endInvoices,
  models,
  trialCalls,
  live,
  plans,
  packs,
  checkouts,
  topUps,
  paymentRecords,
  subscriptionChanges,
  paymentEvents,
  documents,
  meetingInsights,
  parkedTasks,
  installation,
  generator,
  ledgerLog,
  webhookEndpoints,
]

const SDL = new URL('../../../contracts/graphql/schema.graphql', import.meta.url)

export function loadSchema(): GraphQLSchema {
  const schema = createSchema<GraphqlContext>({
    typeDefs: readFileSync(SDL, 'utf8'),
    resolvers: [{ DateTime, JSONObject, Upload }, ...AREAS],
  })
  for (const name of unansweredOperations(schema)) refuse(schema, name)
  guardOperations(rootTypes(schema), unansweredOperations(schema))
  return schema
}

/** Operations of the schema without a resolver, as Type.field. */
export function unansweredOperations(schema: GraphQLSchema): string[] {
  return rootTypes(schema).flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ resolve, subscribe }) => !(resolve && resolve !== refused) && !subscribe)
      .map((field) => `${type.name}.${field.name}`),
  )
}

export function rootTypes(schema: GraphQLSchema) {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return types.filter((type) => isObjectType(type))
}

/** Without this, a nullable operation without a resolver would answer null as if that were the data. */
function refuse(schema: GraphQLSchema, operation: string): void {
  const [typeName = '', fieldName = ''] = operation.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (field) field.resolve = refused
}

function refused(_source: unknown, _args: unknown, _context: unknown, { fieldName }: { fieldName: string }): never {
  throw apiError('INTERNAL_SERVER_ERROR', `${fieldName} has no resolver`)
}
