import { streamName } from '../../../../contracts/streams.ts'
import { type CompanyCommand, companyDecider } from '../../../../domain/company/decider.ts'
import { type CompanyRow, companies as companiesModel } from '../../../../projections/companies/projection.ts'
import { companiesByAge } from '../../../../projections/companies/queries.ts'
import { requireSuperAdmin, requireUser } from '../access.ts'
import { notFound } from '../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../context.ts'
import type { Company, Resolvers } from '../generated.ts'
import { requireId } from '../ids.ts'
import { LIST_ROWS_MAX } from '../paging.ts'

export const companies: Resolvers = {
  Query: {
    companies: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const rows = await companiesByAge(context.runtime.engines.database, LIST_ROWS_MAX)
      return rows.map(shownCompany)
    },
  },

  Mutation: {
    createCompany: (_source, { input }, context) => {
      requireSuperAdmin(context)
      const { name } = input
      const company = {
        companyId: context.runtime.ids.uuid(),
        name,
        billingMode: input.billingMode ?? 'PREPAID',
      } as const
      return carryOut(context, { type: 'RegisterCompany', ...company, at: nowOf(context) })
    },
    setCompanyBillingMode: (_source, { companyId, billingMode }, context) => {
      requireSuperAdmin(context)
      const id = requireId(companyId, 'company')
      return carryOut(context, { type: 'ChangeBillingMode', companyId: id, billingMode, at: nowOf(context) })
    },
    setHardCap: (_source, { companyId, hardCap }, context) => {
      const id = requireId(companyId, 'company')
      const { isSuperAdmin, companyId: own } = requireUser(context)
      if (!isSuperAdmin && id !== own) throw notFound('company', id)
      return carryOut(context, { type: 'ChangeHardCap', companyId: id, hardCap, at: nowOf(context) })
    },
    suspendCompany: (_source, { id, reason }, context) => {
      requireSuperAdmin(context)
      const companyId = requireId(id, 'company')
      return carryOut(context, { type: 'SuspendCompany', companyId, reason, at: nowOf(context) })
    },
    resumeCompany: (_source, { id }, context) => {
      requireSuperAdmin(context)
      const companyId = requireId(id, 'company')
      return carryOut(context, { type: 'ResumeCompany', companyId, at: nowOf(context) })
    },
  },
}

async function carryOut(context: GraphqlContext, command: CompanyCommand): Promise<Company> {
  const stream = streamName('company', command.companyId)
  return shownCompany(await change(context, companiesModel, companyDecider, stream, command))
}

function shownCompany({ company_id, name, billing_mode, hard_cap, registered_at, ...row }: CompanyRow): Company {
  const suspension = { suspendedAt: row.suspended_at ?? null, suspendedReason: row.suspended_reason ?? null }
  return { id: company_id, name, billingMode: billing_mode, hardCap: hard_cap, createdAt: registered_at, ...suspension }
}
