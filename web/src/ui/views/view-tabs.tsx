import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { shownNumber } from '../../shown.tsx'
import { useLanguage } from '../../words.ts'
import { Icon, type IconName } from '../icon.tsx'

export type View = {
  key: string
  label: ReactNode
  search: object
  here: boolean
  count?: number | undefined
  icon?: IconName
}

/** The views of a list as tabs with their counts. A view is nothing but an address. */
export function ViewTabs({
  label,
  to,
  params,
  views,
  end,
}: {
  label: string
  to: string
  params: object
  views: readonly View[]
  /** What can be done with the views, after the last tab. */
  end?: ReactNode
}) {
  const lang = useLanguage()
  return (
    <nav
      aria-label={label}
      className="flex items-center gap-1 px-3 md:px-4 border-b border-rule overflow-x-auto shrink-0 [scrollbar-width:none]"
    >
      {views.map(({ key, label: name, search, here, count, icon }) => (
        <Link
          key={key}
          to={to}
          params={params as never}
          search={search as never}
          aria-current={here ? 'page' : undefined}
          className={`relative flex items-center gap-1.5 h-9 pointer-coarse:h-11 px-2 whitespace-nowrap ${here ? 'font-medium after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-accent' : 'text-soft hover:text-ink'}`}
        >
          {icon && <Icon name={icon} size={14} className="text-soft" />}
          {name}
          <span className="text-xs text-soft tabular-nums">{count === undefined ? '' : shownNumber(lang, count)}</span>
        </Link>
      ))}
      {end}
    </nav>
  )
}
