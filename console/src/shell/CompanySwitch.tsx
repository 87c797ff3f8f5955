import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { execute } from '../api/execute.ts'
import { CompaniesDocument } from '../graphql/generated.ts'
import { SelectField } from '../parts/Field.tsx'
import { useViewer } from './viewer.ts'

/** Lets super admins choose the company. The choice is part of the address, so that links keep it. */
export function CompanySwitch() {
  const { user, asCompany } = useViewer()
  const navigate = useNavigate()
  const companies = useQuery({ queryKey: ['companies'], queryFn: () => execute(CompaniesDocument, {}) })
  const own = { value: '', label: user.company ? `${user.company.name} (own)` : 'Choose a company' }
  const others = (companies.data?.companies ?? []).filter(({ id }) => id !== user.company?.id)
  const pick = (id: string) => navigate({ to: '/', search: { as: id || undefined } })
  return (
    <SelectField
      label="Company"
      value={asCompany ?? ''}
      onPick={(id) => void pick(id)}
      options={[own, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
