import { streamName } from '../../../../../contracts/streams.ts'
import { companyDecider } from '../../../../../domain/company/decider.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { DEFAULT_RULE, type LowBalanceRule } from '../../../../../domain/ledger/lowBalanceRule.ts'
import { companies as companiesModel } from '../../../../../projections/companies/projection.ts'
import { companyById, ruleOf } from '../../../../../projections/companies/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { change, nowOf } from '../../context.ts'
import type { NoticeSettings, Resolvers } from '../../generated.ts'

export const notices: Resolvers = {
  Query: {
    noticeSettings: async (_source, _args, context) => {
      const row = await companyById(context.runtime.engines.database, requireCompany(context))
      return shownSettings(row ? ruleOf(row) : DEFAULT_RULE)
    },
  },

  Mutation: {
    setNoticeSettings: async (_source, { lowBalanceCredits }, context) => {
      const companyId = requireCompany(context)
      const lowBalance = requestedRule(lowBalanceCredits)
      const command = { type: 'ChangeNoticeSettings', companyId, lowBalance, at: nowOf(context) } as const
      const stream = streamName('company', companyId)
      return shownSettings(ruleOf(await change(context, companiesModel, companyDecider, stream, command)))
    },
  },
}

function requestedRule(credits: number | null | undefined): LowBalanceRule {
  if (credits === undefined) return DEFAULT_RULE
  return credits === null ? { kind: 'OFF' } : { kind: 'AMOUNT', amountMicros: creditsOf(credits) }
}

function shownSettings(rule: LowBalanceRule): NoticeSettings {
  return {
    lowBalance: rule.kind,
    lowBalanceCredits: rule.kind === 'AMOUNT' ? creditsNumber(rule.amountMicros) : null,
  }
}
