import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import type { Search } from '../../search.ts'
import { useMay } from '../../session.ts'
import { useLanguage, useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { lazily } from '../lazily.tsx'
import { Menu } from '../overlays/menu.tsx'
import { say as tell } from '../overlays/toast.tsx'
import { addressOf, type SavedView, viewOf } from './saved-views.ts'

const ViewDialog = lazily(() => import('./view-dialog.tsx'), 'ViewDialog')

const said = words(
  {
    save: 'Save this view',
    change: (name: string) => `Change the view ${name}`,
    rename: 'Rename…',
    update: 'Keep what is shown now',
    share: 'For everybody in the organization',
    remove: 'Delete the view',
    removed: (name: string) => `The view ${name} is deleted`,
    undo: 'Undo',
  },
  {
    save: 'שמירת התצוגה',
    change: (name) => `שינוי התצוגה ${name}`,
    rename: 'שינוי השם…',
    update: 'שמירת מה שמוצג עכשיו',
    share: 'לכולם בארגון',
    remove: 'מחיקת התצוגה',
    removed: (name) => `התצוגה ${name} נמחקה`,
    undo: 'ביטול המחיקה',
  },
)

type SavedViewsProps = {
  screen: string
  address: Search
  /** The saved view that is shown, if any. */
  shown: SavedView | undefined
  /** Whether the list is narrowed or sorted in a way that no tab has. */
  isNew: boolean
  onShow: (address: Search) => void
}

/** At the end of the tabs: save what is shown, or change the saved view that is open. */
export function SavedViews({ screen, address, shown, isNew, onShow }: SavedViewsProps) {
  const say = useWords(said)
  const may = useMay()
  const change = useChange()
  const [asking, setAsking] = useState<'save' | 'rename'>()
  const now = viewOf(address)
  const own = shown && shown.rights !== 'READ'
  if (!isNew && !own) return null
  return (
    <span className="flex items-center shrink-0">
      {isNew && (
        <Button look="quiet" icon="plus" onPress={() => setAsking('save')}>
          {say.save}
        </Button>
      )}
      {own && (
        <Menu
          trigger={<Button look="quiet" icon="more" label={say.change(shown.name)} />}
          entries={[
            ...(isNew ? [{ label: say.update, on: () => void change.update(shown.id, { search: now }) }] : []),
            { label: say.rename, icon: 'edit' as const, on: () => setAsking('rename') },
            ...(may('customers_create')
              ? [
                  {
                    label: say.share,
                    checked: shown.shared,
                    on: () => void change.update(shown.id, { shared: !shown.shared }),
                  },
                ]
              : []),
            'rule' as const,
            {
              label: say.remove,
              icon: 'trash' as const,
              danger: true,
              on: () => {
                onShow({})
                void change.remove(shown)
              },
            },
          ]}
        />
      )}
      {asking && (
        <ViewDialog
          screen={screen}
          search={now}
          {...(asking === 'rename' && shown && { view: shown })}
          onClose={() => setAsking(undefined)}
          onSaved={(view) => {
            setAsking(undefined)
            onShow({ ...addressOf(view.search), saved: view.id })
          }}
        />
      )}
    </span>
  )
}

/** Changes of a saved view. A deleted one can be brought back: it is nothing but a name and an address. */
function useChange() {
  const say = useWords(said)
  const lang = useLanguage()
  const queries = useQueryClient()
  const again = () => queries.invalidateQueries({ queryKey: ['views_list'] })
  const tried = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      tell(problemText(lang, error as Error), { bad: true })
    }
    await again()
  }
  return {
    update: (id: string, changes: { search?: string; shared?: boolean }) =>
      tried(() => call('views_update', { id, ...changes })),
    remove: ({ id, organizationId, name, screen, search, shared, position }: SavedView) =>
      tried(async () => {
        await call('views_delete', { id })
        const back = () =>
          void tried(() => call('views_create', { organizationId, name, screen, search, shared, position }))
        tell(say.removed(name), { undo: { label: say.undo, on: back } })
      }),
  }
}
