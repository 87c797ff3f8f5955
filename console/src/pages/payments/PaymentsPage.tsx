import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../parts/Page.tsx'
import { useCompanyNames } from '../../shell/useCompanyName.ts'
import { DisputesCard } from './DisputesCard.tsx'
import { thisMonth } from './paymentsSearch.ts'
import { ReconciliationCard } from './ReconciliationCard.tsx'

const route = getRouteApi('/shell/payments')

/** What a super admin has to know about payments: those that are disputed, and those that the ledgers do not have. */
export function PaymentsPage() {
  const { month = thisMonth() } = route.useSearch()
  const navigate = route.useNavigate()
  const names = useCompanyNames()
  return (
    <Page title="Payments" description="Disputed payments, and the payments of a month against the ledgers.">
      <DisputesCard names={names} />
      <ReconciliationCard
        month={month}
        names={names}
        onPick={(picked) => void navigate({ search: (search) => ({ ...search, month: picked }), replace: true })}
      />
    </Page>
  )
}
