import { Link } from '@tanstack/react-router'
import { nowMs } from '../../api/now.ts'
import { DuesDocument, KeysDocument } from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { Time } from '../../parts/Time.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { isExhausted, isExpiring } from '../keys/keyWords.ts'

/** Fewer days than this are worth a warning. */
const DAYS_LEFT_MIN = 7

/** How often invoices are read again: they change by the day. */
const DUES_MS = 60_000

type Props = { readonly balanceMicros: bigint | undefined; readonly daysLeft: number | null }

/** What needs attention: an empty or low balance, overdue invoices, keys that expire or have used up their budget. */
export function Notices({ balanceMicros, daysLeft }: Props) {
  const { may } = useViewer()
  const keys = useCompanyQuery(KeysDocument, {}, { enabled: may('readKeys') })
  const dues = useCompanyQuery(DuesDocument, {}, { enabled: may('readMoney'), refetchInterval: DUES_MS })
  const all = keys.data?.apiKeys ?? []
  const overdue = (dues.data?.invoices ?? []).filter((invoice) => invoice.overdue)
  const isEmpty = balanceMicros !== undefined && balanceMicros <= 0n
  const see = <Link to="/keys">See the keys</Link>
  const buy = may('pay') ? <Link to="/billing">Buy credits</Link> : null
  return (
    <>
      {isEmpty && (
        <Banner kind="danger" action={buy}>
          <strong>No credits are left.</strong> Calls are refused until credits are bought or granted.
        </Banner>
      )}
      {!isEmpty && daysLeft !== null && daysLeft < DAYS_LEFT_MIN && (
        <Banner kind="warning" action={buy}>
          <strong>
            Credits for {daysLeft === 0 ? 'less than a day' : `${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`}
          </strong>{' '}
          are left at the rate of the last week.
        </Banner>
      )}
      {overdue.map(({ id, amount, currency, dueDate, hostedUrl }) => (
        <Banner
          key={id}
          kind="danger"
          action={
            hostedUrl && (
              <a className="button" href={hostedUrl} rel="noreferrer">
                Pay
              </a>
            )
          }
        >
          <strong>
            An invoice of {amount} {currency.toUpperCase()} is overdue
          </strong>
          {dueDate && (
            <>
              {' '}
              since <Time at={dueDate} />
            </>
          )}
          .
        </Banner>
      ))}
      {all.filter(isExhausted).map(({ id, name }) => (
        <Banner key={id} kind="warning" action={see}>
          The budget of <strong>{name}</strong> is used up; its calls are refused.
        </Banner>
      ))}
      {all
        .filter((key) => isExpiring(key, nowMs()))
        .map(({ id, name, expiresAt }) => (
          <Banner key={id} kind="warning" action={see}>
            <strong>{name}</strong> expires <Time at={expiresAt ?? ''} relative />.
          </Banner>
        ))}
    </>
  )
}
