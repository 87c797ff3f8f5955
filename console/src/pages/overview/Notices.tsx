import { Link } from '@tanstack/react-router'
import { nowMs } from '../../api/now.ts'
import { DuesDocument, type DuesQuery, KeysDocument } from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useBilling } from '../../shell/useCompanyName.ts'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { isExhausted, isExpiring } from '../keys/keyWords.ts'
import { balanceNotice } from './balanceNotice.ts'

/** Beyond this number, notices of one kind are combined, so that the figures stay visible. */
const EACH_MAX = 2

/** How often invoices are refetched: they change daily at most. */
const DUES_MS = 60_000

type Props = { readonly balanceMicros: bigint | undefined; readonly daysLeft: number | null }

/** What needs attention: an empty or low balance, overdue invoices, keys that expire or have used up their budget. */
export function Notices({ balanceMicros, daysLeft }: Props) {
  const { may } = useViewer()
  const keys = useCompanyQuery(KeysDocument, {}, { enabled: may('readKeys') })
  const dues = useCompanyQuery(DuesDocument, {}, { enabled: may('readMoney'), refetchInterval: DUES_MS })
  const all = keys.data?.apiKeys ?? []
  const overdue = (dues.data?.invoices ?? []).filter((invoice) => invoice.overdue)
  const exhausted = all.filter(isExhausted)
  const expiring = all
    .filter((key) => isExpiring(key, nowMs()))
    .sort((one, other) => Date.parse(one.expiresAt ?? '') - Date.parse(other.expiresAt ?? ''))
  const [first] = expiring
  const billing = useBilling()
  const notice = billing && balanceNotice(balanceMicros, daysLeft, billing)
  const see = <Link to="/keys">See the keys</Link>
  const buy = may('pay') ? <Link to="/billing">Buy credits</Link> : null
  return (
    <>
      {notice === 'empty' && (
        <Banner kind="danger" action={buy}>
          <strong>No credits are left.</strong> Calls are refused until credits are bought or granted.
        </Banner>
      )}
      {notice === 'beyond limit' && billing?.limitMicros && (
        <Banner kind="danger" action={<Link to="/billing">See the invoices</Link>}>
          <strong>
            The credit limit of <Money micros={billing.limitMicros} /> credits is reached.
          </strong>{' '}
          Calls are refused until an invoice is paid, or the operator raises the limit.
        </Banner>
      )}
      {notice === 'low' && daysLeft !== null && (
        <Banner kind="warning" action={buy}>
          <strong>
            Credits for {daysLeft === 0 ? 'less than a day' : `${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`}
          </strong>{' '}
          are left at last week's rate.
        </Banner>
      )}
      {overdue.length > EACH_MAX ? (
        <Banner kind="danger" action={<Link to="/billing">See the invoices</Link>}>
          <strong>{overdue.length} invoices are overdue.</strong>
        </Banner>
      ) : (
        overdue.map((invoice) => <Overdue key={invoice.id} invoice={invoice} />)
      )}
      {exhausted.length > EACH_MAX ? (
        <Banner kind="warning" action={see}>
          The budgets of <strong>{exhausted.length} keys</strong> are used up; their calls are refused.
        </Banner>
      ) : (
        exhausted.map(({ id, name }) => (
          <Banner key={id} kind="warning" action={see}>
            The budget of <strong>{name}</strong> is used up; its calls are refused.
          </Banner>
        ))
      )}
      {expiring.length > EACH_MAX && first ? (
        <Banner kind="warning" action={see}>
          <strong>{expiring.length} keys</strong> expire within a week, the first one (<strong>{first.name}</strong>){' '}
          <Time at={first.expiresAt ?? ''} relative />.
        </Banner>
      ) : (
        expiring.map(({ id, name, expiresAt }) => (
          <Banner key={id} kind="warning" action={see}>
            <strong>{name}</strong> expires <Time at={expiresAt ?? ''} relative />.
          </Banner>
        ))
      )}
    </>
  )
}

function Overdue({ invoice }: { readonly invoice: DuesQuery['invoices'][number] }) {
  const { amount, currency, dueDate, hostedUrl } = invoice
  const pay = hostedUrl && (
    <a className="button" href={hostedUrl} rel="noreferrer">
      Pay
    </a>
  )
  return (
    <Banner kind="danger" action={pay}>
      <strong>
        An invoice of <Price amount={amount} currency={currency} /> is overdue
      </strong>
      {dueDate && (
        <>
          {' '}
          since <Time at={dueDate} />
        </>
      )}
      .
    </Banner>
  )
}
