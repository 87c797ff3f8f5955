import { streamName } from '../../../../../contracts/streams.ts'
import { type CompanyCommand, companyDecider } from '../../../../../domain/company/decider.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { planDecider } from '../../../../../domain/plan/decider.ts'
import { type CompanyRow, companies as companiesModel } from '../../../../../projections/companies/projection.ts'
import { companiesByAge } from '../../../../../projections/companies/queries.ts'
import { requireSuperAdmin, requireUser } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { changed, type GraphqlContext, nowOf, recordChange, send } from '../../context.ts'
import type { Company, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

export const companies: Resolvers = {
  Query: {
    companies: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const rows = await companiesByAge(context.runtime.engines.database, LIST_ROWS_MAX)
      return rows.map(shownCompany)
    },
  },

  Mutation: {
    createCompany: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const { name } = input
      const billingMode = input.billingMode ?? 'PREPAID'
      const planId = await postpaidPlan(context, input.planId)
      if (billingMode === 'POSTPAID' && planId === null) {
        throw new Refusal('INVALID', 'a POSTPAID company needs a plan: give its planId')
      }
      const company = { companyId: context.runtime.ids.uuid(), name, billingMode, planId } as const
      return carryOut(context, { type: 'RegisterCompany', ...company, at: nowOf(context) })
    },
    setCompanyBillingMode: async (_source, { companyId, billingMode, planId }, context) => {
      requireSuperAdmin(context)
      const id = requireId(companyId, 'company')
      const change = { companyId: id, billingMode, planId: await postpaidPlan(context, planId) }
      return carryOut(context, { type: 'ChangeBillingMode', ...change, at: nowOf(context) })
    },
    setHardCap: (_source, { companyId, hardCap }, context) => {
      const id = requireId(companyId, 'company')
      const { isSuperAdmin, companyId: own } = requireUser(context)
      if (!isSuperAdmin && id !== own) throw notFound('company', id)
      return carryOut(context, { type: 'ChangeHardCap', companyId: id, hardCap, at: nowOf(context) })
    },
    setCreditLimit: (_source, { companyId: id, credits }, context) => {
      requireSuperAdmin(context)
      const companyId = requireId(id, 'company')
      const limitMicros = credits === null || credits === undefined ? null : creditsOf(credits)
      return carryOut(context, { type: 'ChangeCreditLimit', companyId, limitMicros, at: nowOf(context) })
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

/** The id of a plan by which a company can pay from now on; null if none is given. */
async function postpaidPlan(context: GraphqlContext, id: string | null | undefined): Promise<string | null> {
  if (id === null || id === undefined) return null
  const planId = requireId(id, 'plan')
  const plan = await context.runtime.engines.commands.stateOf(planDecider, streamName('plan', planId))
  if (plan.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no plan ${planId}`)
  if (plan.billingMode !== 'POSTPAID') throw new Refusal('INVALID', `plan ${planId} is not a POSTPAID plan`)
  if (plan.status === 'retired') throw new Refusal('CONFLICT', `plan ${planId} is retired`)
  return planId
}

async function carryOut(context: GraphqlContext, command: CompanyCommand): Promise<Company> {
  const stream = streamName('company', command.companyId)
  const { position } = await send(context, companyDecider, stream, command)
  await recordChange(context, command.companyId, 'company', position)
  return shownCompany(await changed(context, companiesModel, stream, position))
}

function shownCompany({ companyId, name, billingMode, hardCap, registeredAt, ...row }: CompanyRow): Company {
  const suspension = { suspendedAt: row.suspendedAt ?? null, suspendedReason: row.suspendedReason ?? null }
  const { creditLimitMicros: limit } = row
  const creditLimit = limit === null ? null : creditsNumber(BigInt(limit))
  const mode = { billingMode, planId: row.planId, hardCap, creditLimit }
  return { id: companyId, name, ...mode, createdAt: registeredAt, ...suspension }
}
