import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CallsIcon, KeysIcon, OverviewIcon, UsageIcon } from './icons.tsx'
import { useViewer } from './viewer.ts'

type Entry = { readonly to: '/' | '/keys' | '/calls' | '/usage'; readonly name: string; readonly icon: ReactNode }

/** The pages that the viewer's role can use. */
export function Navigation({ onPick }: { readonly onPick?: () => void }) {
  const { may } = useViewer()
  const entries: Entry[] = [
    { to: '/', name: 'Overview', icon: <OverviewIcon /> },
    ...(may('readKeys') ? [{ to: '/keys', name: 'Keys', icon: <KeysIcon /> } as const] : []),
    { to: '/usage', name: 'Usage', icon: <UsageIcon /> },
    { to: '/calls', name: 'Calls', icon: <CallsIcon /> },
  ]
  return (
    <nav className="nav" aria-label="Pages">
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
