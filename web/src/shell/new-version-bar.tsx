import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { loadAgain } from '../new-version.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useWords, words } from '../words.ts'

const said = words(
  { there: 'Kontor was updated. What you typed is kept when you load the new version.', load: 'Load it now' },
  { there: 'Kontor עודכן. מה שהקלדתם יישמר כשתטענו את הגרסה החדשה.', load: 'טעינה עכשיו' },
)

/** Says that the server has a newer version. It is loaded on demand, or with the next page that somebody goes to. */
export function NewVersionBar() {
  const say = useWords(said)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(path)
  useEffect(() => {
    if (path !== first.current) loadAgain()
  }, [path])
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 bg-info-wash">
      <Icon name="again" />
      <span className="flex-1 min-w-40">{say.there}</span>
      <Button onPress={loadAgain}>{say.load}</Button>
    </p>
  )
}
