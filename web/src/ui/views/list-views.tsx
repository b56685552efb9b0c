import { useNavigate, useParams } from '@tanstack/react-router'
import type { Search as Address } from '../../search.ts'
import { useWords, words } from '../../words.ts'
import { lazily } from '../lazily.tsx'
import { addressOf, useSavedViews, viewOf } from './saved-views.ts'
import { ViewTabs } from './view-tabs.tsx'

const SavedViews = lazily(() => import('./saved-view-tools.tsx'), 'SavedViews')

const said = words({ views: 'Views', all: 'All' }, { views: 'תצוגות', all: 'הכול' })

/** A view that a list has by itself. */
export type OwnView = { key: string; label: string; count?: number | undefined }

type ViewsProps = {
  screen: string
  address: Address
  to: string
  own: readonly OwnView[] | undefined
}

/** The views of the list as tabs: its own, then those that were saved. */
export function Views({ screen, address, to, own }: ViewsProps) {
  const say = useWords(said)
  const { org } = useParams({ from: '/o/$org' })
  const navigate = useNavigate()
  const saved = useSavedViews(screen)
  const now = viewOf(address)
  const shown = saved.find(({ id }) => id === address.saved) ?? saved.find(({ search }) => search === now)
  const isOwn = now === '' || (own?.some(({ key }) => now === viewOf({ view: key })) ?? false)
  const isNew = shown ? shown.search !== now : !isOwn
  const all = own ?? (saved.length > 0 || isNew ? [{ key: 'all', label: say.all }] : [])
  if (all.length === 0) return null
  const builtIn = all.map((each, at) => ({
    ...each,
    search: at === 0 ? {} : { view: each.key },
    here: !shown && (at === 0 ? address.view === undefined : address.view === each.key),
  }))
  const kept = saved.map((view) => ({
    key: view.id,
    label: <bdi>{view.name}</bdi>,
    search: { ...addressOf(view.search), saved: view.id },
    here: shown?.id === view.id,
    ...(view.shared && { icon: 'team' as const }),
  }))
  const onShow = (next: Address) => void navigate({ to: '.', search: (() => next) as never, replace: true })
  return (
    <ViewTabs
      label={say.views}
      to={to}
      params={{ org }}
      views={[...builtIn, ...kept]}
      end={<SavedViews screen={screen} address={address} shown={shown} isNew={isNew} onShow={onShow} />}
    />
  )
}
