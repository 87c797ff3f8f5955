import { useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import { CompaniesDocument } from '../graphql/generated.ts'
import { microsOf } from '../parts/values/credits.ts'
import { useViewer } from './viewer.ts'

/** All companies, which only super admins can read. */
function useCompanies({ enabled = true } = {}) {
  const query = { queryKey: ['companies'], queryFn: () => execute(CompaniesDocument, {}) }
  return useQuery({ ...query, enabled }).data?.companies
}

/** The names of all companies by id. */
export function useCompanyNames(): ReadonlyMap<string, string> {
  return new Map(useCompanies()?.map(({ id, name }) => [id, name]))
}

/** The name of the viewed company; undefined while loading. */
export function useCompanyName(): string | undefined {
  const { user, asCompany } = useViewer()
  const all = useCompanies({ enabled: asCompany !== null })
  return asCompany === null ? user.company?.name : all?.find(({ id }) => id === asCompany)?.name
}

/** How the viewed company pays. */
export type Billing = {
  readonly isPostpaid: boolean
  /** How far below zero its balance may go; null if nothing limits it. */
  readonly limitMicros: bigint | null
}

/** How the viewed company pays; undefined while loading. */
export function useBilling(): Billing | undefined {
  const { user, asCompany } = useViewer()
  const all = useCompanies({ enabled: asCompany !== null })
  if (asCompany === null) {
    const { billingMode, creditLimitMicros } = user.company ?? { billingMode: 'PREPAID', creditLimitMicros: null }
    return {
      isPostpaid: billingMode === 'POSTPAID',
      limitMicros: creditLimitMicros === null ? null : BigInt(creditLimitMicros),
    }
  }
  const found = all?.find(({ id }) => id === asCompany)
  if (!found) return undefined
  const { billingMode, creditLimit } = found
  return { isPostpaid: billingMode === 'POSTPAID', limitMicros: creditLimit === null ? null : microsOf(creditLimit) }
}
