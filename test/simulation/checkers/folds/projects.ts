import { grouped, only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

const projects: Fold = {
  table: 'projects',
  key: ['project_id'],
  rowsOf: (events) => {
    const changes = grouped(only(events, 'ProjectUpdated', 'ProjectBudgetSet'), ({ data }) => data.projectId)
    return only(events, 'ProjectCreated').map(({ data }): Row => {
      const own = changes.get(data.projectId) ?? []
      const settings = Object.assign({}, ...only(own, 'ProjectUpdated').map((event) => event.data)) as Partial<Settings>
      const budget = only(own, 'ProjectBudgetSet').at(-1)?.data.budget
      return {
        project_id: data.projectId,
        company_id: data.companyId,
        name: settings.name ?? data.name,
        member_ids: settings.memberIds ?? data.memberIds,
        limits: settings.limits ?? data.limits,
        budget_micros: budget?.amountMicros,
        budget_period: budget?.period,
        archived: settings.archived ?? false,
        created_at: data.createdAt,
      }
    })
  },
}

type Settings = {
  readonly name: string
  readonly memberIds: readonly string[]
  readonly limits: object
  readonly archived: boolean
}

/** A removed budget leaves its row behind. */
const labelBudgets: Fold = {
  table: 'label_budgets',
  key: ['company_id', 'label'],
  rowsOf: (events) =>
    [...grouped(only(events, 'LabelBudgetSet'), ({ data }) => `${data.companyId} ${data.label}`).values()].map(
      (all): Row => {
        const last = all.at(-1)?.data
        return {
          company_id: last?.companyId,
          label: last?.label,
          budget_micros: last?.budget?.amountMicros,
          budget_period: last?.budget?.period,
        }
      },
    ),
}

export const projectFolds: readonly Fold[] = [projects, labelBudgets]
