/** What a budget can stand on: a company, a project, a key with those rotated from it, or a label that callers cannot change. */
export const BUDGET_LEVELS = ['company', 'project', 'key', 'label'] as const
export type BudgetLevel = (typeof BUDGET_LEVELS)[number]

export function projectAccount(projectId: string): string {
  return `project:${projectId}`
}

/** A label is another one in each company. */
export function labelAccount(companyId: string, label: string): string {
  return `label:${companyId}:${label}`
}

type Bound = {
  readonly companyId: string
  readonly projectId: string | null
  readonly label: string | null
  readonly labelFixed: boolean
}

/** The project and the fixed label of a call. */
export function boundAccounts({ companyId, projectId, label, labelFixed }: Bound): string[] {
  const accounts: string[] = []
  if (projectId !== null) accounts.push(projectAccount(projectId))
  if (labelFixed && label !== null) accounts.push(labelAccount(companyId, label))
  return accounts
}
