import { Refused } from '../api.ts'
import { refusal } from '../refusals.ts'
import { useLanguage, useWords, words } from '../words.ts'
import { Button } from './button.tsx'
import { Empty } from './card.tsx'

const said = words(
  {
    broken: 'This could not be loaded',
    network: 'The server could not be reached. What you see may be old.',
    missing: 'There is nothing here',
    missingHint: 'It may have been deleted, or it belongs to another organization.',
    again: 'Try again',
    request: (id: string) => `Request ${id}`,
  },
  {
    broken: 'לא ניתן היה לטעון',
    network: 'אין קשר עם השרת. ייתכן שהמוצג אינו עדכני.',
    missing: 'אין כאן דבר',
    missingHint: 'ייתכן שנמחק, או ששייך לארגון אחר.',
    again: 'ניסיון נוסף',
    request: (id) => `בקשה ${id}`,
  },
)

/** In place of what could not be read: why, and the way on. */
export function Problem({ error, onAgain }: { error: Error; onAgain?: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const refused = error instanceof Refused ? error : undefined
  const missing = refused?.status === 404
  const isFinal = missing || refused?.code === 'ROLE'
  return (
    <Empty
      title={missing ? say.missing : say.broken}
      action={onAgain && !isFinal && <Button onPress={onAgain}>{say.again}</Button>}
    >
      {missing ? say.missingHint : refused ? refusal(lang, refused) : say.network}
      {refused?.requestId && (
        <span className="block text-xs mt-2" dir="ltr">
          {say.request(refused.requestId)}
        </span>
      )}
    </Empty>
  )
}
