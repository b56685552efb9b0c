import { useWords, words } from '../words.ts'
import { Empty } from './card.tsx'

const said = words(
  { title: 'There is no such page', hint: 'The address may be old or mistyped.', home: 'To the start' },
  { title: 'אין דף כזה', hint: 'ייתכן שהכתובת ישנה או שגויה.', home: 'אל ההתחלה' },
)

/** For an address that the app does not have. */
export function Missing() {
  const say = useWords(said)
  return (
    <Empty
      isPage
      title={say.title}
      action={
        <a href="/app" className="text-accent underline">
          {say.home}
        </a>
      }
    >
      {say.hint}
    </Empty>
  )
}
