import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { dashboardOf } from './dashboard-query.ts'
import { earlyDashboards } from './early.ts'
import { firstLanguage } from './language.ts'
import { loadRefusals, nameFields } from './refusals.ts'
import { queries, router } from './routes.tsx'
import { applyTheme, lastTheme } from './shell/theme.ts'
import { Toasts } from './ui/overlays/toast.tsx'
import { locales, setLanguage, useLanguage } from './words.ts'

setLanguage(firstLanguage())
applyTheme(lastTheme())
for (const { organizationId, year } of earlyDashboards()) void queries.prefetchQuery(dashboardOf(organizationId, year))
void import('./ui/schema/schema-words.ts').then(({ labelOf }) => nameFields(labelOf))

function App() {
  const lang = useLanguage()
  useEffect(() => void loadRefusals(lang), [lang])
  return (
    <I18nProvider locale={locales[lang]}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>
  )
}

const at = document.getElementById('root')
if (at) createRoot(at).render(<App />)
