import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { abilityFor } from './access.ts'
import {
  BillingIcon,
  CallsIcon,
  CompaniesIcon,
  KeysIcon,
  ModelsIcon,
  OperationsIcon,
  OverviewIcon,
  PaymentsIcon,
  PeopleIcon,
  PricesIcon,
  SetupIcon,
  StatementIcon,
  TrailIcon,
  UsageIcon,
} from './icons.tsx'
import type { PLATFORM_PAGES } from './platform.ts'
import { useViewer } from './viewer.ts'

type Path =
  | '/'
  | '/keys'
  | '/calls'
  | '/usage'
  | '/statement'
  | '/trail'
  | '/billing'
  | '/people'
  | (typeof PLATFORM_PAGES)[number]
type Entry = { readonly to: Path; readonly name: string; readonly icon: ReactNode }

const PLATFORM_ENTRIES: readonly Entry[] = [
  { to: '/companies', name: 'Companies', icon: <CompaniesIcon /> },
  { to: '/payments', name: 'Payments', icon: <PaymentsIcon /> },
  { to: '/prices', name: 'Prices', icon: <PricesIcon /> },
  { to: '/models', name: 'Models', icon: <ModelsIcon /> },
  { to: '/setup', name: 'Set-up', icon: <SetupIcon /> },
  { to: '/operations', name: 'Operations', icon: <OperationsIcon /> },
]

const COMPANY_ENTRIES: readonly Entry[] = [
  { to: '/', name: 'Overview', icon: <OverviewIcon /> },
  { to: '/keys', name: 'Keys', icon: <KeysIcon /> },
  { to: '/usage', name: 'Usage', icon: <UsageIcon /> },
  { to: '/calls', name: 'Calls', icon: <CallsIcon /> },
  { to: '/billing', name: 'Billing', icon: <BillingIcon /> },
  { to: '/statement', name: 'Statement', icon: <StatementIcon /> },
  { to: '/trail', name: 'Trail', icon: <TrailIcon /> },
  { to: '/people', name: 'People', icon: <PeopleIcon /> },
]

/** Links to the pages that the viewer's role can use. */
export function Navigation({ onPick }: { readonly onPick?: () => void }) {
  const { user, asCompany, may } = useViewer()
  const companyEntries = COMPANY_ENTRIES.filter(({ to }) => {
    const ability = abilityFor(to)
    return ability === null || may(ability)
  })
  const picked = onPick ? { onPick } : {}
  return (
    <>
      {user.isSuperAdmin && <Links label="The installation" entries={PLATFORM_ENTRIES} {...picked} />}
      {(user.company !== null || asCompany !== null) && <Links label="Pages" entries={companyEntries} {...picked} />}
    </>
  )
}

type LinksProps = { readonly label: string; readonly entries: readonly Entry[]; readonly onPick?: () => void }

function Links({ label, entries, onPick }: LinksProps) {
  return (
    <nav className="nav" aria-label={label}>
      {entries.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          {...(onPick ? { onClick: onPick } : {})}
        >
          {icon}
          {name}
        </Link>
      ))}
    </nav>
  )
}
