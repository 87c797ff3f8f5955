import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut } from '../api/session.ts'
import { Menu } from '../parts/Menu.tsx'
import { roleName } from './roleName.ts'
import { applyTheme, readTheme, THEMES } from './theme.ts'
import { useViewer } from './viewer.ts'

const THEME_NAMES = { system: 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' } as const
/** Shows who is signed in, and offers the colour scheme and sign-out. */
export function AccountMenu() {
  const { user } = useViewer()
  const [theme, setTheme] = useState(readTheme)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const switchTheme = () => {
    applyTheme(next)
    setTheme(next)
  }
  const leave = async () => {
    await signOut()
    queries.clear()
    await navigate({ to: '/sign-in', search: {} })
  }
  return (
    <Menu
      align="start"
      heading={user.email}
      trigger={
        <button type="button" className="account">
          <span className="who">
            {user.email}
            <small>{roleName(user)}</small>
          </span>
          <span aria-hidden="true">⋯</span>
        </button>
      }
      items={[
        { label: THEME_NAMES[next], onPick: switchTheme },
        { label: 'Sign out', onPick: () => void leave() },
      ]}
    />
  )
}
