import { useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import { CompaniesDocument } from '../graphql/generated.ts'
import { useViewer } from './viewer.ts'

/** The names of all companies by id, which only super admins can read. */
export function useCompanyNames({ enabled = true } = {}): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['companies'],
    queryFn: () => execute(CompaniesDocument, {}),
    enabled,
  })
  return new Map(data?.companies.map(({ id, name }) => [id, name]))
}

/** The name of the viewed company; undefined while loading. */
export function useCompanyName(): string | undefined {
  const { user, asCompany } = useViewer()
  const names = useCompanyNames({ enabled: asCompany !== null })
  return asCompany === null ? user.company?.name : names.get(asCompany)
}
