import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { session } from '../src/api.ts'
import { firstLanguage } from '../src/language.ts'
import { loadRefusals } from '../src/refusals.ts'
import { setZone } from '../src/shown.tsx'
import { Toasts } from '../src/ui/overlays/toast.tsx'
import { locales, setCountry, setLanguage, useLanguage } from '../src/words.ts'
import { Controls } from './controls.tsx'
import { Forms } from './forms.tsx'
import { Lists } from './lists.tsx'
import { signedIn } from './session.ts'

// Every part of ui/ in every state, for the tests: /o/kit/controls, /o/kit/lists, /o/kit/forms. It is not part of the product.

const language = firstLanguage()
setLanguage(language)
setCountry('SG')
setZone('Asia/Singapore')
void loadRefusals(language)

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
queries.setQueryData(session.queryKey, signedIn)

const root = createRootRoute({ component: Outlet })
const kit = createRoute({ getParentRoute: () => root, path: '/o/$org', component: Outlet })
const parts = [
  createRoute({ getParentRoute: () => kit, path: '/controls', component: Controls }),
  createRoute({ getParentRoute: () => kit, path: '/lists', component: Lists }),
  createRoute({ getParentRoute: () => kit, path: '/forms', component: Forms }),
]
const router = createRouter({ routeTree: root.addChildren([kit.addChildren(parts)]) })

function Kit() {
  const lang = useLanguage()
  return (
    <I18nProvider locale={locales[lang]}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>
  )
}

const at = document.getElementById('root')
if (at) createRoot(at).render(<Kit />)
