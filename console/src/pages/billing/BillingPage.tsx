import { useQuery } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import { BillingDocument, OffersDocument } from '../../graphql/generated.ts'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { CreditsCard } from './CreditsCard.tsx'
import { PurchasesCard, SubscriptionsCard } from './HistoryCards.tsx'
import { InvoicesCard } from './InvoicesCard.tsx'
import { LimitsCard } from './LimitsCard.tsx'
import { PacksCard } from './PacksCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { TopUpCard } from './TopUpCard.tsx'
import { WebhooksCard } from './WebhooksCard.tsx'

/** How often payments are refetched: the provider reports them with a short delay. */
const LIVE_MS = 5_000

export function BillingPage() {
  const { may } = useViewer()
  const mayPay = may('pay')
  const offers = useQuery({ queryKey: ['offers'], queryFn: () => execute(OffersDocument, {}) })
  const billing = useCompanyQuery(BillingDocument, {}, { refetchInterval: LIVE_MS })
  const error = offers.error ?? billing.error
  return (
    <Page title="Billing" description="Credits, plans, invoices and notifications.">
      {error && <ErrorBox error={error} onRetry={() => void Promise.all([offers.refetch(), billing.refetch()])} />}
      {(!offers.data || !billing.data) && !error && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {offers.data && billing.data && (
        <>
          <CreditsCard />
          <div className="halves">
            <PacksCard packs={offers.data.creditPacks} terms={offers.data.creditPackTerms} mayPay={mayPay} />
            <PlanCard plans={offers.data.plans} running={runningOf(billing.data.subscription)} mayPay={mayPay} />
          </div>
          <TopUpCard packs={offers.data.creditPacks} mayPay={mayPay} />
          <InvoicesCard invoices={billing.data.invoices} />
          <PurchasesCard purchases={billing.data.purchases} packs={offers.data.creditPacks} />
          <SubscriptionsCard subscriptions={billing.data.subscriptions} plans={offers.data.plans} />
          <LimitsCard notice={billing.data.noticeSettings} mayPay={mayPay} />
        </>
      )}
      {may('readWebhooks') && <WebhooksCard />}
    </Page>
  )
}

/** The API returns the newest subscription if none is active. */
function runningOf<Subscription extends { readonly isActive: boolean; readonly status: string }>(
  subscription: Subscription | null,
): Subscription | null {
  return subscription?.isActive ? subscription : null
}
