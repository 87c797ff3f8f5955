import type { KeyRules as StoredRules } from '../../../../../contracts/events/company.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { NO_LIMITS } from '../../../../../domain/callLimits.ts'
import { type CompanyCommand, companyDecider } from '../../../../../domain/company/decider.ts'
import { NO_KEY_RULES } from '../../../../../domain/company/spending.ts'
import { type CompanyRow, companies } from '../../../../../projections/companies/projection.ts'
import { companyById } from '../../../../../projections/companies/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { budgetOrNull, shownAmount } from '../../budgets/budgetAmounts.ts'
import { limitsFrom } from '../../budgets/callLimits.ts'
import { changed, type GraphqlContext, nowOf, recordChange, send } from '../../context.ts'
import type { KeyRules, Resolvers } from '../../generated.ts'

/** What the calls of a company may use together, and what keys of its developers may have. */
export const companySettings: Resolvers = {
  Query: {
    companyLimits: async (_source, _args, context) => (await ownCompany(context))?.limits ?? NO_LIMITS,
    keyRules: async (_source, _args, context) => shownRules((await ownCompany(context))?.keyRules ?? NO_KEY_RULES),
  },

  Mutation: {
    setCompanyLimits: async (_source, { input }, context) => {
      const command = { type: 'SetCompanyLimits', ...subject(context), limits: limitsFrom(input) } as const
      return (await carryOut(context, command)).limits
    },

    setKeyRules: async (_source, { input }, context) => {
      const { defaultBudget, maximumBudget, projectRequired } = input
      const rules = {
        defaultBudget: budgetOrNull(defaultBudget),
        maximumBudget: budgetOrNull(maximumBudget),
        projectRequired: projectRequired ?? false,
      }
      const row = await carryOut(context, { type: 'SetKeyRules', ...subject(context), rules })
      return shownRules(row.keyRules)
    },
  },
}

function ownCompany(context: GraphqlContext): Promise<CompanyRow | null> {
  return companyById(context.runtime.engines.database, requireCompany(context))
}

function subject(context: GraphqlContext) {
  return { companyId: requireCompany(context), by: requireUser(context).userId, at: nowOf(context) }
}

async function carryOut(context: GraphqlContext, command: CompanyCommand): Promise<CompanyRow> {
  const stream = streamName('company', command.companyId)
  const { position } = await send(context, companyDecider, stream, command)
  await recordChange(context, command.companyId, 'company', position)
  return changed(context, companies, stream, position)
}

function shownRules({ defaultBudget, maximumBudget, projectRequired }: StoredRules): KeyRules {
  return { defaultBudget: shownAmount(defaultBudget), maximumBudget: shownAmount(maximumBudget), projectRequired }
}
