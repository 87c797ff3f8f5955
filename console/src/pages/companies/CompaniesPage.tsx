import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { lastDays } from '../../api/now.ts'
import { AllCompaniesDocument, CompanyFiguresDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { FILTERED_ROWS_MIN, NameFilter } from '../../parts/NameFilter.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'
import { companyQuery } from '../../shell/viewer.ts'
import { CompanyDialog, type Open } from './CompanyDialogs.tsx'
import { CompanyTable } from './CompanyTable.tsx'
import { type Company, figuresOf, matches } from './companyWords.ts'

/** Each company's figures are a separate request, so that only visible rows are fetched. */
const PAGE_ROWS = 20
const DAYS = 30

export function CompaniesPage() {
  const [filter, setFilter] = useState('')
  const [rows, setRows] = useState(PAGE_ROWS)
  const [open, setOpen] = useState<Open | null>(null)
  const navigate = useNavigate()
  const companies = usePlatformQuery(AllCompaniesDocument, {})
  const all = companies.data?.companies ?? []
  const found = all.filter((company) => matches(company, filter))
  const listed = found.slice(0, rows)
  const { figures, error, retry } = useFigures(listed)
  const more = found.length > rows && (
    <Button onClick={() => setRows((before) => before + PAGE_ROWS)}>Show more companies</Button>
  )
  return (
    <Page
      title="Companies"
      description="All customers, with amounts in credits. Your access to a company's figures is recorded for its auditors, once an hour."
    >
      {all.length >= FILTERED_ROWS_MIN && (
        <NameFilter label="Company" placeholder="Part of the name, or id" value={filter} onChange={setFilter} />
      )}
      <Card title={companies.data ? `${found.length} ${found.length === 1 ? 'company' : 'companies'}` : 'Companies'}>
        {companies.isPending && <Skeleton lines={6} />}
        {companies.error && <ErrorBox error={companies.error} onRetry={() => void companies.refetch()} />}
        {companies.data && found.length === 0 && (
          <EmptyState title={all.length === 0 ? 'No companies yet' : 'No company matches'}>
            {all.length === 0
              ? 'Companies and their owners are created through the API. The guide for admins (docs/admins.md) has the commands.'
              : 'Search for part of its name or the beginning of its id.'}
          </EmptyState>
        )}
        {error && <ErrorBox error={error} onRetry={retry} />}
        {listed.length > 0 && (
          <CompanyTable
            companies={listed}
            figures={figures}
            onRead={({ id }) => void navigate({ to: '/', search: { as: id } })}
            onAct={(action, company) => setOpen({ action, company })}
            foot={more || null}
          />
        )}
      </Card>
      {open && <CompanyDialog {...open} onClose={() => setOpen(null)} />}
    </Page>
  )
}

/** The figures by company, the first error if some could not be read, and a function to retry those. */
function useFigures(companies: readonly Company[]) {
  const days = lastDays(DAYS)
  const answers = useQueries({
    queries: companies.map(({ id }) => companyQuery({ asCompany: id }, CompanyFiguresDocument, days)),
  })
  const figures = new Map(
    companies.map(({ id }, n) => {
      const answer = answers[n]
      return [id, answer?.data ? figuresOf(answer.data) : answer?.error ? null : undefined]
    }),
  )
  const failed = answers.filter(({ isError }) => isError)
  const retry = () => void Promise.all(failed.map(({ refetch }) => refetch()))
  return { figures, error: failed[0]?.error ?? null, retry }
}
