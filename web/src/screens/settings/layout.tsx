import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useOrganization } from '../../session.ts'
import { useTitle } from '../../ui/title.ts'
import { useWords } from '../../words.ts'
import { settingsWords } from './words.ts'

/** On a phone the sections are a line that is longer than the screen; the one that is open is in sight. */
const intoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** A page of the settings, with the way to the others. */
export function SettingsPage({ title, children }: { title: string; children: ReactNode }) {
  const say = useWords(settingsWords)
  useTitle(title)
  const may = useMay()
  const { id: org } = useOrganization()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const sections: readonly { key: keyof typeof say.sections; to: string }[] = [
    { key: 'organization', to: '/o/$org/settings' },
    { key: 'team', to: '/o/$org/settings/team' },
    { key: 'bank', to: '/o/$org/bank-accounts' },
    { key: 'categories', to: '/o/$org/categories' },
    { key: 'keys', to: '/o/$org/settings/keys' },
    { key: 'apps', to: '/o/$org/settings/apps' },
    ...(may('settings_webhook_secret') ? ([{ key: 'webhooks', to: '/o/$org/settings/webhooks' }] as const) : []),
    { key: 'authorities', to: '/o/$org/settings/tax-authority' },
    { key: 'imports', to: '/o/$org/imports' },
    ...(may('organizations_audit') ? ([{ key: 'audit', to: '/o/$org/settings/audit' }] as const) : []),
  ]
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[72rem] p-4 md:px-8 md:py-6 grid lg:grid-cols-[13rem_minmax(0,1fr)] gap-x-8 gap-y-4 items-start">
        <nav
          aria-label={say.title}
          className="lg:sticky lg:top-0 flex lg:grid gap-1 overflow-x-auto [scrollbar-width:none]"
        >
          {sections.map(({ key, to }) => {
            const here = path === to.replace('$org', org)
            return (
              <Link
                key={key}
                to={to}
                params={{ org }}
                ref={here ? intoView : undefined}
                aria-current={here ? 'page' : undefined}
                className={`flex items-center h-8 pointer-coarse:h-11 px-2.5 rounded-md whitespace-nowrap ${here ? 'bg-tint font-medium' : 'text-soft hover:text-ink hover:bg-tint'}`}
              >
                {say.sections[key]}
              </Link>
            )
          })}
        </nav>
        <div className="grid gap-5 min-w-0">
          <h1 className="font-serif text-xl font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </div>
  )
}
