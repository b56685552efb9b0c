import { useBlocker } from '@tanstack/react-router'
import { isLoadingAgain } from '../../new-version.ts'
import { useWords, words } from '../../words.ts'
import { Ask } from '../overlays/dialog.tsx'

const said = words(
  { title: 'Leave without saving?', text: 'What you typed here was not saved.', leave: 'Leave' },
  { title: 'לעזוב בלי לשמור?', text: 'מה שהקלדתם כאן לא נשמר.', leave: 'עזיבה' },
)

/** Asks before a page is left on which something was typed and not saved. */
export function Leaving({ unsaved }: { unsaved: () => boolean }) {
  const say = useWords(said)
  const block = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && unsaved(),
    enableBeforeUnload: () => unsaved() && !isLoadingAgain(),
    withResolver: true,
  })
  if (block.status !== 'blocked') return null
  return (
    <Ask title={say.title} act={say.leave} danger onAct={block.proceed} onClose={block.reset}>
      {say.text}
    </Ask>
  )
}
