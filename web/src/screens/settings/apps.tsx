import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, useWrite } from '../../api.ts'
import { shownInstant } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/card.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Name } from '../../ui/values/name.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { SettingsPage } from './layout.tsx'
import { settingsWords } from './words.ts'

const said = words(
  {
    none: 'No app is connected',
    hint: 'Apps that you allow to act in your name appear here, with what they may do.',
    used: 'last used',
    never: 'never used',
    disconnect: 'Disconnect',
    title: (name: string) => `Disconnect ${name}?`,
    ends: 'Its access ends at once. Automations that were saved through it are paused.',
  },
  {
    none: 'אין אפליקציות מחוברות',
    hint: 'אפליקציות שתרשו להן לפעול בשמכם יופיעו כאן, עם מה שמותר להן.',
    used: 'שימוש אחרון',
    never: 'לא הייתה בשימוש',
    disconnect: 'ניתוק',
    title: (name) => `לנתק את ${name}?`,
    ends: 'הגישה שלה מסתיימת מיד. אוטומציות שנשמרו דרכה מושהות.',
  },
)
type App = Output<'users_connected_apps'>['apps'][number]

/** Apps that act in the person's name. */
export function ConnectedApps() {
  const say = useWords(said)
  const { sections } = useWords(settingsWords)
  const { data, error, refetch } = useQuery(read('users_connected_apps', {}))
  return (
    <SettingsPage title={sections.apps}>
      <Card>
        {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-24 m-4" />}
        {data?.apps.length === 0 && <Empty title={say.none}>{say.hint}</Empty>}
        <ul className="py-1">
          {data?.apps.map((app) => (
            <AppRow key={app.id} app={app} />
          ))}
        </ul>
      </Card>
    </SettingsPage>
  )
}

function AppRow({ app }: { app: App }) {
  const say = useWords(said)
  const lang = useLanguage()
  const [asking, setAsking] = useState(false)
  const revoke = useWrite('users_connected_app_revoke', ['users_connected_apps'])
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="flex-1 min-w-40">
        <Name strong>{app.clientName}</Name>
        <bdi dir="ltr" className="text-soft text-sm">
          {app.scopes.join(' ')}
        </bdi>
      </span>
      <span className="text-soft text-sm">
        {app.lastUsedAt ? `${say.used} ${shownInstant(lang, app.lastUsedAt)}` : say.never}
      </span>
      <Button look="danger" onPress={() => setAsking(true)}>
        {say.disconnect}
      </Button>
      {asking && (
        <Ask
          title={say.title(app.clientName)}
          act={say.disconnect}
          danger
          busy={revoke.isPending}
          problem={revoke.error?.message ?? ''}
          onAct={() => revoke.mutate({ id: app.id })}
          onClose={() => setAsking(false)}
        >
          {say.ends}
        </Ask>
      )}
    </li>
  )
}
