import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { loadPage, serverAnswers } from './api/loadPage.ts'
import { hasEnded, sessionQuery } from './api/session.ts'
import { SignInPage } from './gate/SignInPage.tsx'
import { callsSearch } from './pages/calls/callsSearch.ts'
import { paymentsSearch } from './pages/payments/paymentsSearch.ts'
import { statementSearch } from './pages/statement/statementSearch.ts'
import { trailSearch } from './pages/trail/trailSearch.ts'
import { usageSearch } from './pages/usage/usageSearch.ts'
import { ErrorBox } from './parts/ErrorBox.tsx'
import { Shell } from './shell/Shell.tsx'

type Context = { readonly queries: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet, errorComponent: RouteFault })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  /** `to`: the requested page, which must be a path of this console. `ended`: the session ended while it was open. */
  validateSearch: ({ to, ended }: Record<string, unknown>): { to?: string; ended?: boolean } => ({
    ...(typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {}),
    ...(ended === true ? { ended } : {}),
  }),
  component: SignInPage,
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyRouteComponent(
    () => loadPage(() => import('./gate/ForgottenPasswordPage.tsx')),
    'ForgottenPasswordPage',
  ),
})

// Mails link to these two, so their paths must not change.
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/console/invitation',
  component: lazyRouteComponent(() => loadPage(() => import('./gate/ChoosePassword.tsx')), 'InvitationPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/console/reset-password',
  component: lazyRouteComponent(() => loadPage(() => import('./gate/ChoosePassword.tsx')), 'ResetPasswordPage'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: ({ as }: Record<string, unknown>): { as?: string } => (typeof as === 'string' ? { as } : {}),
  search: { middlewares: [retainSearchParams(['as'])] },
  beforeLoad: async ({ context, location }) => {
    const user = await context.queries.ensureQueryData(sessionQuery)
    if (!user) {
      const to = location.href === '/' ? {} : { to: location.href }
      throw redirect({ to: '/sign-in', search: { ...to, ...(hasEnded(context.queries) ? { ended: true } : {}) } })
    }
    return { user }
  },
  component: function SignedIn() {
    const { user } = shell.useRouteContext()
    const { as } = shell.useSearch()
    return <Shell user={user} asCompany={user.isSuperAdmin ? (as ?? null) : null} />
  },
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  /** A super admin who has not chosen a company starts with the list of companies. */
  beforeLoad: ({ context: { user }, search: { as } }) => {
    if (user.isSuperAdmin && !user.company && !as) throw redirect({ to: '/companies' })
  },
  component: lazyRouteComponent(() => loadPage(() => import('./pages/overview/OverviewPage.tsx')), 'OverviewPage'),
})

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/keys/KeysPage.tsx')), 'KeysPage'),
})

const usage = createRoute({
  getParentRoute: () => shell,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/usage/UsagePage.tsx')), 'UsagePage'),
})

const calls = createRoute({
  getParentRoute: () => shell,
  path: '/calls',
  validateSearch: callsSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/calls/CallsPage.tsx')), 'CallsPage'),
})

const call = createRoute({
  getParentRoute: () => shell,
  path: '/calls/$id',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/calls/CallPage.tsx')), 'CallPage'),
})

const companies = createRoute({
  getParentRoute: () => shell,
  path: '/companies',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/companies/CompaniesPage.tsx')), 'CompaniesPage'),
})

const payments = createRoute({
  getParentRoute: () => shell,
  path: '/payments',
  validateSearch: paymentsSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/payments/PaymentsPage.tsx')), 'PaymentsPage'),
})

const prices = createRoute({
  getParentRoute: () => shell,
  path: '/prices',
  validateSearch: pricesSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/prices/PricesPage.tsx')), 'PricesPage'),
})

const statement = createRoute({
  getParentRoute: () => shell,
  path: '/statement',
  validateSearch: statementSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/statement/StatementPage.tsx')), 'StatementPage'),
})

const trail = createRoute({
  getParentRoute: () => shell,
  path: '/trail',
  validateSearch: trailSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/trail/TrailPage.tsx')), 'TrailPage'),
})

const models = createRoute({
  getParentRoute: () => shell,
  path: '/models',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/models/ModelsPage.tsx')), 'ModelsPage'),
})

const setup = createRoute({
  getParentRoute: () => shell,
  path: '/setup',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/setup/SetupPage.tsx')), 'SetupPage'),
})

const operations = createRoute({
  getParentRoute: () => shell,
  path: '/operations',
  component: lazyRouteComponent(
    () => loadPage(() => import('./pages/operations/OperationsPage.tsx')),
    'OperationsPage',
  ),
})

const billing = createRoute({
  getParentRoute: () => shell,
  path: '/billing',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/billing/BillingPage.tsx')), 'BillingPage'),
})

const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/people/PeoplePage.tsx')), 'PeoplePage'),
})

const routeTree = root.addChildren([
  signIn,
  forgottenPassword,
  invitation,
  resetPassword,
  shell.addChildren([
    overview,
    keys,
    usage,
    calls,
    call,
    statement,
    trail,
    billing,
    people,
    companies,
    payments,
    prices,
    models,
    setup,
    operations,
  ]),
])

export function consoleRouter(queries: QueryClient) {
  return createRouter({ routeTree, context: { queries }, defaultPreload: 'intent', defaultErrorComponent: RouteFault })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>
  }
}

/** A page that could not be shown. */
function RouteFault({ error }: ErrorComponentProps) {
  const retry = async () => {
    if (await serverAnswers()) location.reload()
  }
  return <ErrorBox error={error} onRetry={() => void retry()} />
}

/** Whether the page shows a company's prices or the common ones. */
type PricesSearch = { readonly of?: string }

function pricesSearch({ of }: Record<string, unknown>): PricesSearch {
  return typeof of === 'string' && of !== '' ? { of } : {}
}
