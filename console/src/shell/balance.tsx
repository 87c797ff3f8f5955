import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { BalanceChangedDocument, BalanceDocument } from '../graphql/generated.ts'
import { Money } from '../parts/values/Money.tsx'
import { useCompanySubscription } from './useCompanySubscription.ts'
import { companyQuery, useCompanyQuery, useViewer } from './viewer.ts'

/** How often the balance is polled without live updates. */
const UNSENT_MS = 5_000

const IsSent = createContext(false)

/** Keeps the company's balance up to date for all pages. */
export function LiveBalance({ children }: { readonly children: ReactNode }) {
  const viewer = useViewer()
  const queries = useQueryClient()
  const { queryKey } = companyQuery(viewer, BalanceDocument, {})
  const isSent = useCompanySubscription(
    BalanceChangedDocument,
    ({ balanceChanged: creditBalance }) => queries.setQueryData(queryKey, { creditBalance }),
    { enabled: seesBalance(viewer) },
  )
  return <IsSent value={isSent}>{children}</IsSent>
}

export function useBalance() {
  const isSent = useContext(IsSent)
  // The last live update is newer than any result of a query.
  const reading = isSent ? { staleTime: Number.POSITIVE_INFINITY } : { refetchInterval: UNSENT_MS }
  return useCompanyQuery(BalanceDocument, {}, { enabled: seesBalance(useViewer()), ...reading })
}

/** The balance on every page. It links to the statement. */
export function BalanceLink({ onPick }: { readonly onPick?: () => void }) {
  const { data } = useBalance()
  if (!data) return null
  return (
    <Link to="/statement" className="balance" {...(onPick ? { onClick: onPick } : {})}>
      <span>Balance</span>{' '}
      <span>
        <Money micros={data.creditBalance.amountMicros} short /> credits
      </span>
    </Link>
  )
}

function seesBalance({ user, asCompany, may }: ReturnType<typeof useViewer>): boolean {
  return (user.company !== null || asCompany !== null) && may('readMoney')
}
