import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button as Press } from 'react-aria-components/Button'
import { read, send, session } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { lazily } from '../ui/lazily.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { useLanguage, useWords } from '../words.ts'
import { shellWords } from './places.ts'
import { usePreferences } from './preferences.ts'

const YouDialog = lazily(() => import('./you-dialog.tsx'), 'YouDialog')

/** Other tabs of the same person leave with this one. */
const leaving = new BroadcastChannel('kontor-sign-out')
leaving.onmessage = () => location.assign('/sign-in')

async function signOut() {
  await send('POST', '/api/auth/sign-out')
  leaving.postMessage('left')
  location.assign('/sign-in')
}

type PersonProps = { onKeys: () => void; onBell: () => void; onAsk?: (() => void) | undefined }

/** Who is signed in, at the end of the menu: language, theme, keys, account, leaving; then the companion and the bell. */
export function Person({ onKeys, onBell, onAsk }: PersonProps) {
  const say = useWords(shellWords)
  const lang = useLanguage()
  const { data } = useQuery(session)
  const { preferences, change } = usePreferences()
  const { data: told } = useQuery({ ...read('users_notifications', { limit: 50 }), refetchInterval: 300_000 })
  const unread = told?.unreadCount ?? 0
  const [you, setYou] = useState(false)
  return (
    <div className="flex items-center gap-1">
      <Menu
        align="start"
        trigger={
          <Press className="flex flex-1 items-center gap-2 h-9 pointer-coarse:h-11 px-1.5 rounded-md hover:bg-press text-start min-w-0">
            <Initials name={data?.user.name ?? ''} />
            <bdi className="truncate">{data?.user.name}</bdi>
          </Press>
        }
        entries={[
          { label: say.you, icon: 'edit', on: () => setYou(true) },
          { label: say.account, icon: 'person', on: () => location.assign(`/account?lang=${lang}`) },
          {
            label: lang === 'he' ? 'English' : 'עברית',
            icon: 'language',
            on: () => change({ language: lang === 'he' ? 'en' : 'he' }),
          },
          { label: say.keys, icon: 'keyboard', keys: '?', on: onKeys },
          'rule',
          ...(['SYSTEM', 'LIGHT', 'DARK'] as const).map((theme) => ({
            label: say.themes[theme],
            checked: preferences?.theme === theme,
            on: () => change({ theme }),
          })),
          'rule',
          {
            label: say.letters,
            checked: preferences?.keyboardLetters ?? true,
            on: () => change({ keyboardLetters: !(preferences?.keyboardLetters ?? true) }),
          },
          'rule',
          { label: say.signOut, icon: 'leave', on: () => void signOut() },
        ]}
      />
      {you && <YouDialog onClose={() => setYou(false)} />}
      {onAsk && <Button look="quiet" icon="spark" label={say.companion} onPress={onAsk} />}
      <span className="relative">
        <Button look="quiet" icon="bell" label={say.notifications(unread)} onPress={onBell} />
        {unread > 0 && <span aria-hidden className="absolute top-1.5 end-1.5 size-2 rounded-full bg-danger" />}
      </span>
    </div>
  )
}

const Initials = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="grid place-content-center size-6 shrink-0 rounded-full bg-wash text-accent text-xs font-semibold"
  >
    {[...name][0]?.toUpperCase()}
  </span>
)
