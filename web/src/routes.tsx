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
import { Refused, session } from './api.ts'
import { patiently } from './patiently.ts'
import type { Search } from './search.ts'
import { applyPreferences } from './shell/preferences.ts'
import { Shell } from './shell/shell.tsx'
import { setZone } from './shown.tsx'
import { Broken } from './ui/broken.tsx'
import { Missing } from './ui/missing.tsx'
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
const org = createRoute({
  getParentRoute: () => root,
  path: '/o/$org',
  beforeLoad: async ({ context, params }) => {
    const { organizations } = await signedIn(context)
    const here = organizations.find(({ id }) => id === params.org)
    if (!here) throw redirect({ to: '/app' })
    localStorage.setItem('organization', here.id)
    setCountry(here.country)
    setZone(here.timezone)
  },
  component: Shell,
})

/** A screen of an organization. What the address holds besides the path is for the screen to read. */
const screen = <P extends string, M extends Record<K, RouteComponent>, K extends keyof M & string>(
  path: P,
  bring: () => Promise<M>,
  name: K,
) =>
  createRoute({
    getParentRoute: () => org,
    path,
    validateSearch: (search: Record<string, unknown>) => search as Search,
    component: load(bring, name),
  })

const tree = root.addChildren([
  app,
  welcome,
  org.addChildren([
    screen('/', () => import('./screens/dashboard/dashboard.tsx'), 'Dashboard'),
    screen('/documents', () => import('./screens/documents/list.tsx'), 'Documents'),
    screen('/documents/new', () => import('./screens/documents/editor.tsx'), 'NewDocument'),
    screen('/documents/$id', () => import('./screens/documents/document.tsx'), 'DocumentPage'),
    screen('/documents/$id/edit', () => import('./screens/documents/editor.tsx'), 'EditDocument'),
    screen('/customers', () => import('./screens/customers/list.tsx'), 'Customers'),
    screen('/customers/new', () => import('./screens/customers/form.tsx'), 'NewCustomer'),
    screen('/customers/$id', () => import('./screens/customers/customer.tsx'), 'CustomerPage'),
    screen('/payments', () => import('./screens/payments/list.tsx'), 'Payments'),
    screen('/payments/new', () => import('./screens/payments/record.tsx'), 'RecordPayment'),
    screen('/automations', () => import('./screens/automations/list.tsx'), 'Automations'),
    screen('/automations/new', () => import('./screens/automations/new.tsx'), 'NewAutomation'),
    screen('/automations/deliveries', () => import('./screens/automations/deliveries.tsx'), 'Deliveries'),
    screen('/automations/$id', () => import('./screens/automations/canvas.tsx'), 'Canvas'),
    screen('/automations/$id/runs', () => import('./screens/automations/runs.tsx'), 'Runs'),
    screen('/automations/$id/runs/$run', () => import('./screens/automations/run.tsx'), 'Run'),
    screen('/reports', () => import('./screens/reports/list.tsx'), 'Reports'),
    screen('/reports/$name', () => import('./screens/reports/report.tsx'), 'Report'),
    screen('/settings', () => import('./screens/settings/organization.tsx'), 'OrganizationSettings'),
    screen('/settings/team', () => import('./screens/settings/team.tsx'), 'Team'),
    screen('/settings/keys', () => import('./screens/settings/keys.tsx'), 'Keys'),
    screen('/settings/apps', () => import('./screens/settings/apps.tsx'), 'ConnectedApps'),
    screen('/settings/webhooks', () => import('./screens/settings/webhooks.tsx'), 'WebhookSettings'),
    screen('/settings/audit', () => import('./screens/settings/audit.tsx'), 'Audit'),
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
