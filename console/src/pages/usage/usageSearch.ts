import type { UsageGroup } from '../../graphql/generated.ts'

/** The filters of the usage page, as URL search parameters. */
export type UsageSearch = {
  readonly by?: UsageGroup
  readonly and?: UsageGroup
  readonly key?: string
  readonly label?: string
  readonly days?: number
}

export const GROUPS: readonly { readonly value: UsageGroup; readonly label: string }[] = [
  { value: 'ALIAS', label: 'Model' },
  { value: 'KEY', label: 'Key' },
  { value: 'LABEL', label: 'Label' },
  { value: 'DAY', label: 'Day' },
  { value: 'MONTH', label: 'Month' },
]

export const DAYS = [7, 30, 90] as const

export function usageSearch(search: Record<string, unknown>): UsageSearch {
  const by = GROUPS.find(({ value }) => value === search.by)?.value
  const and = GROUPS.find(({ value }) => value === search.and && value !== by)?.value
  const days = DAYS.find((one) => one === search.days)
  return {
    ...(by && { by }),
    ...(and && { and }),
    ...(typeof search.key === 'string' && { key: search.key }),
    ...((typeof search.label === 'string' || typeof search.label === 'number') && { label: String(search.label) }),
    ...(days && { days }),
  }
}
