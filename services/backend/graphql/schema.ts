import { readFileSync } from 'node:fs'
import { type GraphQLSchema, isObjectType } from 'graphql'
import { createSchema } from 'graphql-yoga'
import { apiError } from './apiError.ts'
import type { GraphqlContext } from './context.ts'
import type { Resolvers } from './generated.ts'
import { guardOperations } from './operationGuard.ts'
import { account } from './resolvers/account.ts'
import { apiKeys } from './resolvers/apiKeys.ts'
import { calls } from './resolvers/calls.ts'
import { companies } from './resolvers/companies.ts'
import { credits } from './resolvers/credits.ts'
import { documents } from './resolvers/documents.ts'
import { generator } from './resolvers/generator.ts'
import { invitations } from './resolvers/invitations.ts'
import { jobs } from './resolvers/jobs.ts'
import { leases } from './resolvers/leases.ts'
import { ledgerLog } from './resolvers/ledgerLog.ts'
import { live } from './resolvers/live.ts'
import { logs } from './resolvers/logs.ts'
import { margin } from './resolvers/margin.ts'
import { matchScores } from './resolvers/matchScores.ts'
import { meetingInsights } from './resolvers/meetingInsights.ts'
import { models } from './resolvers/models.ts'
import { modelTests } from './resolvers/modelTests.ts'
import { notices } from './resolvers/notices.ts'
import { parkedTasks } from './resolvers/parkedTasks.ts'
import { passwordResets } from './resolvers/passwordResets.ts'
import { checkouts } from './resolvers/paymentsCheckouts.ts'
import { packs } from './resolvers/paymentsPacks.ts'
import { plans } from './resolvers/paymentsPlans.ts'
import { paymentRecords } from './resolvers/paymentsRecords.ts'
import { webhookRecords } from './resolvers/paymentsWebhooks.ts'
import { pricing } from './resolvers/pricing.ts'
import { readModels } from './resolvers/readModels.ts'
import { receipts } from './resolvers/receipts.ts'
import { reconciliation } from './resolvers/reconciliation.ts'
import { sessions } from './resolvers/sessions.ts'
import { setup } from './resolvers/setup.ts'
import { statements } from './resolvers/statements.ts'
import { subscriptionChanges } from './resolvers/subscriptionChanges.ts'
import { talents } from './resolvers/talents.ts'
import { trail } from './resolvers/trail.ts'
import { usage } from './resolvers/usage.ts'
import { users } from './resolvers/users.ts'
import { webhookEndpoints } from './resolvers/webhookEndpoints.ts'
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
  setup,
  margin,
  reconciliation,
  models,
  modelTests,
  logs,
  live,
  plans,
  packs,
  checkouts,
  paymentRecords,
  subscriptionChanges,
  webhookRecords,
  documents,
  meetingInsights,
  parkedTasks,
  readModels,
  leases,
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
