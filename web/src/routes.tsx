import { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorRouteComponent,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { type Name, Refused, session } from './api.ts'
import { patiently } from './patiently.ts'
import type { Search } from './search.ts'
import { allows } from './session.ts'
import { applyPreferences } from './shell/preferences.ts'
import { Shell } from './shell/shell.tsx'
import { setZone } from './shown.tsx'
import { Broken } from './ui/broken.tsx'
import { Missing } from './ui/missing.tsx'
import { onlyFor } from './ui/not-allowed.tsx'
import { setCountry } from './words.ts'

export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 15_000, retry: (n, error) => !(error instanceof Refused) && n < 2 } },
})

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet })
/** The page that is open stays until the next one is loaded. */
const load = <M extends Record<K, RouteComponent>, K extends keyof M & string>(bring: () => Promise<M>, name: K) =>
  lazyRouteComponent(() => patiently(bring as () => Promise<Record<K, RouteComponent>>), name)

/** Without a session the sign-in page comes first; it is a page of the server, and comes back here. */
async function signedIn(context: { queries: QueryClient }) {
  try {
    const signed = await context.queries.ensureQueryData(session)
    applyPreferences(signed.user.preferences)
    return signed
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
    return new Promise<never>(() => {})
  }
}

const app = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: async ({ context }) => {
    const { organizations } = await signedIn(context)
    const last = localStorage.getItem('organization')
    const org = organizations.find(({ id }) => id === last) ?? organizations[0]
    throw org ? redirect({ to: '/o/$org', params: { org: org.id } }) : redirect({ to: '/welcome' })
  },
})
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  beforeLoad: async ({ context }) => void (await signedIn(context)),
  component: load(() => import('./screens/welcome/welcome.tsx'), 'Welcome'),
})
/** For the first frame of the next visit, which is drawn before anybody knows the role. */
const rememberDashboard = (id: string, isAllowed: boolean) =>
  isAllowed ? localStorage.removeItem('noDashboard') : localStorage.setItem('noDashboard', id)

const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$org',
  beforeLoad: async ({ context, params }) => {
    const { organizations } = await signedIn(context)
    const here = organizations.find(({ id }) => id === params.org)
    if (!here) throw redirect({ to: '/app' })
    localStorage.setItem('organization', here.id)
    rememberDashboard(here.id, allows(here.role, 'dashboard_get'))
    setCountry(here.country)
    setZone(here.timezone)
  },
  component: Shell,
})

/**
 * A screen of an organization, for those who may do what it is for. What the address holds besides the path is for the screen to
 * read.
 */
const screen = <P extends string, M extends Record<K, RouteComponent>, K extends keyof M & string>(
  path: P,
  bring: () => Promise<M>,
  name: K,
  needs?: Name,
) =>
  createRoute({
    getParentRoute: () => org,
    path,
    validateSearch: (search: Record<string, unknown>) => search as Search,
    component: needs ? (onlyFor(needs, load(bring, name)) as RouteComponent) : load(bring, name),
  })

/** The dashboard; whoever may not see it has payslips of their own. */
const home = createRoute({
  getParentRoute: () => org,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => search as Search,
  beforeLoad: async ({ context, params }) => {
    const { organizations } = await signedIn(context)
    const role = organizations.find(({ id }) => id === params.org)?.role
    if (!allows(role, 'dashboard_get'))
      throw redirect({ to: '/o/$org/$area', params: { org: params.org, area: 'my-payslips' }, replace: true })
  },
  component: load(() => import('./screens/dashboard/dashboard.tsx'), 'Dashboard'),
})

const tree = root.addChildren([
  app,
  welcome,
  org.addChildren([
    home,
    screen('/documents', () => import('./screens/documents/list/list.tsx'), 'Documents', 'invoices_list'),
    screen('/documents/new', () => import('./screens/documents/editor/editor.tsx'), 'NewDocument', 'invoices_create'),
    screen('/documents/$id', () => import('./screens/documents/document/document.tsx'), 'DocumentPage', 'invoices_get'),
    screen(
      '/documents/$id/edit',
      () => import('./screens/documents/editor/editor.tsx'),
      'EditDocument',
      'invoices_create',
    ),
    screen('/customers', () => import('./screens/customers/list.tsx'), 'Customers', 'customers_list'),
    screen('/customers/new', () => import('./screens/customers/form.tsx'), 'NewCustomer', 'customers_create'),
    screen('/customers/$id', () => import('./screens/customers/customer.tsx'), 'CustomerPage', 'customers_get'),
    screen('/payments', () => import('./screens/payments/list.tsx'), 'Payments', 'invoices_payments_list'),
    screen('/payments/new', () => import('./screens/payments/record.tsx'), 'RecordPayment', 'invoices_payments_create'),
    screen('/automations', () => import('./screens/automations/lists/list.tsx'), 'Automations', 'automations_list'),
    screen(
      '/automations/new',
      () => import('./screens/automations/lists/new.tsx'),
      'NewAutomation',
      'automations_create',
    ),
    screen(
      '/automations/deliveries',
      () => import('./screens/automations/runs/deliveries.tsx'),
      'Deliveries',
      'automations_deliveries',
    ),
    screen('/automations/$id', () => import('./screens/automations/graph/canvas.tsx'), 'Canvas', 'automations_get'),
    screen('/automations/$id/runs', () => import('./screens/automations/runs/runs.tsx'), 'Runs', 'automations_runs'),
    screen('/automations/$id/runs/$run', () => import('./screens/automations/runs/run.tsx'), 'Run', 'automations_runs'),
    screen('/reports', () => import('./screens/reports/list.tsx'), 'Reports', 'reports_profit_and_loss'),
    screen('/reports/$name', () => import('./screens/reports/report.tsx'), 'Report'),
    screen('/reports/files/$file', () => import('./screens/reports/file.tsx'), 'FilePage', 'reports_statutory_file'),
    screen('/settings', () => import('./screens/settings/organization.tsx'), 'OrganizationSettings', 'settings_get'),
    screen('/settings/team', () => import('./screens/settings/team.tsx'), 'Team', 'users_members'),
    screen('/settings/keys', () => import('./screens/settings/keys.tsx'), 'Keys'),
    screen('/settings/apps', () => import('./screens/settings/apps.tsx'), 'ConnectedApps'),
    screen(
      '/settings/webhooks',
      () => import('./screens/settings/webhooks.tsx'),
      'WebhookSettings',
      'settings_webhook_secret',
    ),
    screen(
      '/settings/tax-authority',
      () => import('./screens/settings/authority.tsx'),
      'TaxAuthority',
      'integrations_tax_authority',
    ),
    screen('/settings/audit', () => import('./screens/settings/audit.tsx'), 'Audit', 'organizations_audit'),
    screen('/$area', () => import('./screens/areas/list.tsx'), 'AreaPage'),
  ]),
])
export const router = createRouter({
  routeTree: tree,
  context: { queries },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: Broken as ErrorRouteComponent,
  defaultNotFoundComponent: Missing,
})
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
