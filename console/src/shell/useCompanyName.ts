import { useQuery } from '@tanstack/react-query'
import { execute } from '../api/execute.ts'
import { CompaniesDocument } from '../graphql/generated.ts'
import { useViewer } from './viewer.ts'

/** The name of the viewed company; undefined while loading. */
export function useCompanyName(): string | undefined {
  const { user, asCompany } = useViewer()
  const companies = useQuery({
    queryKey: ['companies'],
    queryFn: () => execute(CompaniesDocument, {}),
    enabled: asCompany !== null,
  })
  if (asCompany === null) return user.company?.name
  return companies.data?.companies.find(({ id }) => id === asCompany)?.name
}
