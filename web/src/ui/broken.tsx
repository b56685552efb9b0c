import { useEffect } from 'react'
import { whenReachable } from '../api.ts'
import { useWords, words } from '../words.ts'
import { Button } from './button.tsx'
import { Empty } from './card.tsx'
import { Problem } from './problem.tsx'

const said = words(
  {
    title: 'This page stopped working',
    hint: 'Nothing that was saved is lost. Load it again; if it happens again, tell us what you did.',
    again: 'Load again',
  },
  {
    title: 'הדף הפסיק לעבוד',
    hint: 'דבר שנשמר לא אבד. טענו אותו שוב; אם זה חוזר, ספרו לנו מה עשיתם.',
    again: 'טעינה מחדש',
  },
)

/** A script that cannot be loaded: the server is away, or has a newer version. The page is loaded again, once. */
const isOldVersion = (error: Error) =>
  /dynamically imported module|Importing a module script failed/i.test(error.message)
const reloaded = 'reloaded'

/** In place of a screen that failed; the menu beside it still works. */
export function Broken({ error }: { error: Error }) {
  const say = useWords(said)
  const old = isOldVersion(error) && sessionStorage.getItem(reloaded) !== location.href
  useEffect(() => {
    if (!old) return
    void whenReachable().then(() => {
      sessionStorage.setItem(reloaded, location.href)
      location.reload()
    })
  }, [old])
  if (old) return <Problem error={error} />
  if (error.name === 'Refused') return <Problem error={error} onAgain={() => location.reload()} />
  return (
    <Empty isPage title={say.title} action={<Button onPress={() => location.reload()}>{say.again}</Button>}>
      {say.hint}
    </Empty>
  )
}
