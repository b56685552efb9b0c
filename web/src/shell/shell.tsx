import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useState } from 'react'
import { Button as Press } from 'react-aria-components/Button'
import { session } from '../api.ts'
import { modKey, useKeys, useSendKey } from '../keys.ts'
import { useNewVersion } from '../new-version.ts'
import { useMay } from '../session.ts'
import { Button, Kbd } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { lazily } from '../ui/lazily.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { titleOf } from '../ui/title.ts'
import { Mark } from '../ui/values/mark.tsx'
import { useWords } from '../words.ts'
import { OfflineBar } from './offline-bar.tsx'
import { Person } from './person.tsx'
import { placeOf, placesFor, shellWords } from './places.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { StepUp } from './step-up.tsx'
import { useLive } from './use-live.ts'

const bringPalette = () => import('./palette.tsx')
const Palette = lazily(bringPalette, 'Palette')
const DemoBar = lazily(() => import('./demo-bar.tsx'), 'DemoBar')
const Companion = lazily(() => import('./companion/companion.tsx'), 'Companion')
const NewVersionBar = lazily(() => import('./new-version-bar.tsx'), 'NewVersionBar')
const KeysDialog = lazily(() => import('./keys-dialog.tsx'), 'KeysDialog')
const Notifications = lazily(() => import('./notifications.tsx'), 'Notifications')

/** The frame of every page of an organization: where one can go, where one is, and the way to everything else. */
export function Shell() {
  const say = useWords(shellWords)
  const isNewVersion = useNewVersion()
  const { org } = useParams({ from: '/o/$org' })
  const navigate = useNavigate()
  const may = useMay()
  const { places, place } = usePlaces(org)
  usePlaceTitle(place?.name)
  useLive(org, may('changes_stream'))
  const canAsk = may('companion_write_sessions')
  const [companion, setCompanion] = useState(false)
  const [talk, setTalk] = useState<{ org: string; id: string }>()
  const [palette, setPalette] = useState(false)
  const [drawer, setDrawer] = useState(false)
  const [keys, setKeys] = useState(false)
  const [bell, setBell] = useState(false)
  useEffect(() => void setTimeout(bringPalette, 300), []) // so that the first key typed after ⌘K is not lost
  useSendKey()
  useKeys({
    'mod+k': () => setPalette(true),
    ...(canAsk && { 'mod+j': () => setCompanion(!companion) }),
    '/': () => document.querySelector<HTMLInputElement>('[type=search]')?.focus(),
    '?': () => setKeys(true),
    'g n': () => setBell(true),
    ...Object.fromEntries(
      places.flatMap(({ to, key }) => (key ? [[`g ${key}`, () => void navigate({ to, params: { org } })]] : [])),
    ),
  })
  return (
    <div className="grid grid-rows-[minmax(0,1fr)] md:grid-cols-[14.5rem_minmax(0,1fr)] h-dvh overflow-clip">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-accent focus:text-on-accent focus:px-3 focus:py-2"
      >
        {say.skip}
      </a>
      <nav
        aria-label={say.nav}
        className={`${drawer ? 'fixed inset-0 z-30 w-72 shadow-float' : 'hidden'} md:static md:flex md:w-auto md:shadow-none flex flex-col gap-3 min-h-0 bg-tint border-e border-rule p-3`}
      >
        <Organizations org={org} stay={place?.to ?? '/o/$org'} />
        <button
          type="button"
          onClick={() => setPalette(true)}
          className="flex items-center gap-2 h-8 pointer-coarse:h-11 px-2 rounded-md border border-rule bg-card text-soft hover:text-ink"
        >
          <Icon name="search" />
          <span className="flex-1 min-w-0 truncate text-start">{say.search}</span>
          <Kbd>{`${modKey} K`}</Kbd>
        </button>
        <Places org={org} onGo={() => setDrawer(false)} />
        <Person
          onKeys={() => setKeys(true)}
          onBell={() => {
            setDrawer(false)
            setBell(true)
          }}
          onAsk={
            canAsk
              ? () => {
                  setDrawer(false)
                  setCompanion(true)
                }
              : undefined
          }
        />
      </nav>
      {drawer && (
        <button
          type="button"
          aria-label={say.close}
          className="md:hidden fixed inset-0 z-20 bg-shade"
          onClick={() => setDrawer(false)}
        />
      )}
      <main id="main" className="min-w-0 min-h-0 flex flex-col overflow-hidden">
        <div className="md:hidden flex items-center gap-1 h-13 px-2 border-b border-rule shrink-0">
          <Button look="quiet" icon="menu" label={say.nav} onPress={() => setDrawer(true)} />
          <Mark />
          <span className="flex-1" />
          <Button look="quiet" icon="search" label={say.search} onPress={() => setPalette(true)} />
        </div>
        <OfflineBar />
        {isNewVersion && <NewVersionBar />}
        <Demo />
        <div className="flex-1 min-h-0 flex">
          <div className="flex-1 min-w-0 min-h-0 flex flex-col">
            <Outlet />
          </div>
          {bell && <Notifications onClose={() => setBell(false)} />}
          {companion && (
            <Companion
              org={org}
              talkId={talk?.org === org ? talk.id : undefined}
              onTalk={(id) => setTalk(id ? { org, id } : undefined)}
              onClose={() => setCompanion(false)}
            />
          )}
        </div>
      </main>
      {palette && (
        <Palette org={org} onClose={() => setPalette(false)} {...(canAsk && { onAsk: () => setCompanion(true) })} />
      )}

      {keys && <KeysDialog onClose={() => setKeys(false)} />}
      <SignInAgain />
      <StepUp />
    </div>
  )
}

/** Where the person may go, and where they are. */
function usePlaces(org: string) {
  const places = placesFor(useMay())
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return { places, place: placeOf(path, org, places) }
}

/** Until a screen says its own title the page has that of its place; layout effects run before the effects of the screen. */
function usePlaceTitle(place: keyof (typeof shellWords)['en']['places'] | undefined) {
  const say = useWords(shellWords)
  const title = place ? say.places[place] : ''
  useLayoutEffect(() => {
    document.title = titleOf(title)
  }, [title])
}

/** Only the demo user has companies that are still being filled. */
function Demo() {
  const { data } = useQuery(session)
  return data?.user.email === 'demo@kontor.test' ? <DemoBar /> : null
}

/** Another organization opens at the place where one is. */
function Organizations({ org, stay }: { org: string; stay: string }) {
  const say = useWords(shellWords)
  const navigate = useNavigate()
  const { data } = useQuery(session)
  const here = data?.organizations.find(({ id }) => id === org)
  return (
    <Menu
      align="start"
      trigger={
        <Press className="flex items-center gap-2 h-9 pointer-coarse:h-11 px-1 rounded-md hover:bg-press text-start min-w-0">
          <Mark />
          <bdi className="flex-1 font-medium truncate">{here?.name ?? '…'}</bdi>
          <Icon name="updown" className="text-soft" />
        </Press>
      }
      entries={[
        ...(data?.organizations ?? []).map(({ id, name, country, currency }) => ({
          label: (
            <span className="flex items-baseline gap-2">
              <bdi>{name}</bdi>
              <span className="text-xs text-soft" dir="ltr">
                {country} · {currency}
              </span>
            </span>
          ),
          text: name,
          checked: id === org,
          on: () => void navigate({ to: stay, params: { org: id } }),
        })),
        'rule' as const,
        { label: say.newOrganization, icon: 'plus' as const, on: () => void navigate({ to: '/welcome' }) },
      ]}
    />
  )
}

function Places({ org, onGo }: { org: string; onGo: () => void }) {
  const say = useWords(shellWords)
  const { places, place } = usePlaces(org)
  return (
    <ul className="flex-1 grid content-start gap-px min-h-0 overflow-y-auto -mx-1 px-1 py-px [scrollbar-width:none]">
      {places.map(({ to, icon, name, key, group }, at) => {
        const here = name === place?.name
        const begins = group !== undefined && group !== places[at - 1]?.group
        return (
          <li key={to} className={begins && at > 0 ? 'mt-1.5' : ''}>
            {begins && <div className="px-2 text-xs text-soft">{say.groups[group]}</div>}
            <Link
              to={to}
              params={{ org }}
              onClick={onGo}
              aria-current={here ? 'page' : undefined}
              {...(key && { title: `${say.places[name]}  G ${key.toUpperCase()}` })}
              className={`flex items-center gap-2.5 h-7 pointer-coarse:h-11 px-2 rounded-md ${here ? 'bg-card text-ink font-medium shadow-[0_0_0_1px_var(--color-rule)]' : 'text-soft hover:text-ink hover:bg-press'}`}
            >
              <Icon name={icon as IconName} className={here ? 'text-accent' : ''} />
              {say.places[name]}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
