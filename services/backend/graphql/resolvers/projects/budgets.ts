import { streamName } from '../../../../../contracts/streams.ts'
import { apiKeyDecider } from '../../../../../domain/apiKey/decider.ts'
import { type Budget, storedBudget } from '../../../../../domain/budget.ts'
import { type CompanyCommand, companyDecider } from '../../../../../domain/company/decider.ts'
import { projectDecider } from '../../../../../domain/project/decider.ts'
import { familyOf } from '../../../../../projections/apiKeys/family.ts'
import { apiKeys } from '../../../../../projections/apiKeys/projection.ts'
import { companies } from '../../../../../projections/companies/projection.ts'
import { companyById } from '../../../../../projections/companies/queries.ts'
import { labelBudgets } from '../../../../../projections/labelBudgets/projection.ts'
import { projects } from '../../../../../projections/projects/projection.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { requireVisibleKey } from '../../access/visibleKeys.ts'
import { requireProject } from '../../access/visibleProjects.ts'
import { apiError } from '../../apiError.ts'
import { budgetFrom } from '../../budgets/budgetAmounts.ts'
import { type SetBudget, setBudgetsOf, shownBudgets } from '../../budgets/setBudgets.ts'
import { type GraphqlContext, nowOf, recordChange, send, shownIn } from '../../context.ts'
import type { BudgetPeriod, BudgetTarget, Maybe, Resolvers } from '../../generated.ts'

export const budgets: Resolvers = {
  Query: {
    budgets: async (_source, _args, context) => {
      const companyId = requireCompany(context)
      return shownBudgets(context, companyId, await setBudgetsOf(context, companyId))
    },
  },

  Mutation: {
    setBudget: async (_source, { target, credits, period }, context) => {
      const budget = wantedBudget(credits, period)
      const set = await change(context, target, budget)
      if (budget === null) return null
      const named = { ...set, budget: storedBudget(budget, 'the budget') }
      const [shown] = await shownBudgets(context, requireCompany(context), [named])
      return shown ?? null
    },
  },
}

function wantedBudget(credits: Maybe<number> | undefined, period: Maybe<BudgetPeriod> | undefined): Budget | null {
  if (credits === undefined) throw apiError('BAD_USER_INPUT', 'give credits, or null to remove the budget')
  if (credits === null) return null
  if (period == null) throw apiError('BAD_USER_INPUT', 'a budget needs a period: DAY, MONTH or TOTAL')
  return budgetFrom({ credits, period })
}

type Target = Omit<SetBudget, 'budget'>

/** Sets or removes the budget, and waits until it is shown. */
async function change(context: GraphqlContext, target: BudgetTarget, budget: Budget | null): Promise<Target> {
  if (target.keyId !== undefined) return changeKey(context, target.keyId, budget)
  if (target.projectId !== undefined) return changeProject(context, target.projectId, budget)
  const subject = { companyId: requireCompany(context), by: requireUser(context).userId, at: nowOf(context) }
  if (target.label !== undefined) {
    const { label } = target
    await changeCompany(context, { type: 'SetLabelBudget', ...subject, label, budget }, labelBudgets)
    return { spender: { level: 'LABEL', label }, targetId: null, name: label }
  }
  if (!target.company)
    throw apiError('BAD_USER_INPUT', 'company must be true: name another target, or the whole company')
  await changeCompany(context, { type: 'SetCompanyBudget', ...subject, budget }, companies)
  const company = await companyById(context.runtime.engines.database, subject.companyId)
  return { spender: { level: 'COMPANY' }, targetId: subject.companyId, name: company?.name ?? '' }
}

async function changeCompany(
  context: GraphqlContext,
  command: CompanyCommand,
  model: { readonly name: string },
): Promise<void> {
  const stream = streamName('company', command.companyId)
  const { position } = await send(context, companyDecider, stream, command)
  await recordChange(context, command.companyId, 'company', position)
  await shownIn(context, model, stream, position)
}

async function changeProject(context: GraphqlContext, id: string, budget: Budget | null): Promise<Target> {
  const { projectId, companyId, name } = await requireProject(context, id)
  const stream = streamName('project', projectId)
  const by = requireUser(context).userId
  const command = { type: 'SetProjectBudget', projectId, budget, by, at: nowOf(context) } as const
  const { position } = await send(context, projectDecider, stream, command)
  await recordChange(context, companyId, 'project', position)
  await shownIn(context, projects, stream, position)
  return { spender: { level: 'PROJECT', projectId }, targetId: projectId, name }
}

/** All keys of a rotation have the budget that was set last in any of them. */
async function changeKey(context: GraphqlContext, id: string, budget: Budget | null): Promise<Target> {
  const { keyId, name, companyId } = await requireVisibleKey(context, id)
  const stream = streamName('apiKey', keyId)
  const command = { type: 'UpdateApiKey', keyId, changes: { budget }, at: nowOf(context) } as const
  const { position } = await send(context, apiKeyDecider, stream, command)
  await recordChange(context, companyId, 'apiKey', position)
  await shownIn(context, apiKeys, stream, position)
  const family = await familyOf(context.runtime.engines.database, keyId)
  return { spender: { level: 'KEY', keyIds: family.map((row) => row.keyId) }, targetId: keyId, name }
}
