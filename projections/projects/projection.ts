import type { CallLimits } from '../../contracts/events/callLimits.ts'
import type { ProjectEvent } from '../../contracts/events/project.ts'
import { unexpected } from '../../domain/decider.ts'
import { type BudgetColumns, budgetColumns } from '../budgetColumns.ts'
import type { Projection } from '../projection.ts'

export type ProjectRow = BudgetColumns & {
  readonly projectId: string
  readonly companyId: string
  readonly name: string
  readonly memberIds: readonly string[]
  readonly limits: CallLimits
  readonly archived: boolean
  readonly createdAt: string
}

export const projects: Projection<ProjectRow, ProjectEvent> = {
  name: 'projects',
  version: 1,
  categories: ['project'],
  table: 'projects',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['projectId'],
  rowsOf: (event) => [{ projectId: event.data.projectId }],
  evolve: (row, event) => {
    if (event.type === 'ProjectCreated') {
      const { projectId, companyId, name, memberIds, limits, createdAt } = event.data
      return { projectId, companyId, name, memberIds, limits, ...budgetColumns(null), archived: false, createdAt }
    }
    if (!row) throw new Error(`${event.type} of project ${event.data.projectId}, which was never created`)
    switch (event.type) {
      case 'ProjectUpdated': {
        const { name = row.name, memberIds = row.memberIds, limits = row.limits, archived = row.archived } = event.data
        return { ...row, name, memberIds, limits, archived }
      }
      case 'ProjectBudgetSet':
        return { ...row, ...budgetColumns(event.data.budget) }
      default:
        return unexpected(event)
    }
  },
}
