import * as Dialog from '@radix-ui/react-dialog'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import icon from '../icon.svg'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { MenuPlace } from '../parts/Menu.tsx'
import { Page } from '../parts/Page.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { abilityFor } from './access.ts'
import { BalanceLink, LiveBalance } from './balance.tsx'
import { CatchUpNotice } from './CatchUpNotice.tsx'
import { ClockNotice } from './ClockNotice.tsx'
import { CompanySwitch } from './CompanySwitch.tsx'
import { Navigation } from './Navigation.tsx'
import { isPlatformPage } from './platform.ts'
import { roleName } from './roleName.ts'
import { SuspensionNotice } from './SuspensionNotice.tsx'
import { useViewer, type Viewer, ViewerContext } from './viewer.ts'

/** The frame of all pages: the navigation, the account, and the chosen company. */
export function Shell(viewer: Viewer) {
  return (
    <ViewerContext value={viewer}>
      <LiveBalance>
        <a href="#content" className="skip button">
          Skip to the content
        </a>
        <div className="shell">
          <aside className="side">
            <Side />
          </aside>
          <TopBar />
          <main className="content" id="content" tabIndex={-1}>
            <SuspensionNotice />
            <CatchUpNotice />
            <CompanyNotices />
            <Suspense fallback={<Skeleton lines={6} />}>
              <Content />
            </Suspense>
          </main>
        </div>
      </LiveBalance>
    </ViewerContext>
  )
}

function CompanyNotices() {
  const { user, asCompany } = useViewer()
  const { pathname } = useLocation()
  return (user.company || asCompany) && !isPlatformPage(pathname) ? <ClockNotice /> : null
}

function Content() {
  const { user, asCompany, may } = useViewer()
  const { pathname } = useLocation()
  if (isPlatformPage(pathname)) return user.isSuperAdmin ? <Outlet /> : <OnlySuperAdmins />
  const ability = abilityFor(pathname)
  if (user.company || asCompany) return ability === null || may(ability) ? <Outlet /> : <OtherRoles />
  return (
    <Page title="Welcome">
      <Card>
        <EmptyState title="Choose a company" action={<CompanySwitch />}>
          You do not belong to a company. Choose one to see its keys, calls and usage; your access is recorded.
        </EmptyState>
      </Card>
    </Page>
  )
}

function OtherRoles() {
  const { user } = useViewer()
  return (
    <Page title="Not for your role">
      <Card>
        <EmptyState title="Your role cannot read this page" action={<Link to="/">Go to the overview</Link>}>
          You are {user.email}, {roleName(user)} of {user.company?.name}. An owner or admin of the company can give you
          another role.
        </EmptyState>
      </Card>
    </Page>
  )
}

function OnlySuperAdmins() {
  return (
    <Page title="Not for your role">
      <Card>
        <EmptyState title="This page is for super admins" action={<Link to="/">Go to the overview</Link>}>
          It shows the whole installation. Ask its operators if you need something from it.
        </EmptyState>
      </Card>
    </Page>
  )
}

function Side({ onPick }: { readonly onPick?: () => void }) {
  const { user } = useViewer()
  return (
    <>
      <Mark />
      <Navigation {...(onPick ? { onPick } : {})} />
      <div className="side-foot">
        <BalanceLink {...(onPick ? { onPick } : {})} />
        {user.isSuperAdmin ? <CompanySwitch /> : <p className="company">{user.company?.name}</p>}
        <AccountMenu />
      </div>
    </>
  )
}

function Mark() {
  return (
    <Link to="/" className="mark">
      <img src={icon} alt="" />
      Tollgate
    </Link>
  )
}

/** On narrow screens the navigation is in a drawer. */
function TopBar() {
  const [open, setOpen] = useState(false)
  const [drawer, setDrawer] = useState<HTMLElement | null>(null)
  return (
    <header className="top">
      <Mark />
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <Button kind="quiet">Menu</Button>
        </Dialog.Trigger>
        <Dialog.Portal>
          <div className="shade" />
          <Dialog.Content className="drawer" aria-describedby={undefined} ref={setDrawer}>
            <Dialog.Title className="hidden-label">Navigation</Dialog.Title>
            <MenuPlace value={drawer}>
              <Side onPick={() => setOpen(false)} />
            </MenuPlace>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  )
}
