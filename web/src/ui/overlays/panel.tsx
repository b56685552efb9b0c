import type { ReactNode } from 'react'
import { useKeys } from '../../keys.ts'
import { useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'

const said = words({ close: 'Close' }, { close: 'סגירה' })

type PanelProps = { label: string; title: ReactNode; tools?: ReactNode; onClose: () => void; children: ReactNode }

/** What is open beside a list. The arrows still move through the list, and this follows; below 68 rem it fills the page. */
export function Panel({ label, title, tools, onClose, children }: PanelProps) {
  const say = useWords(said)
  useKeys({ escape: onClose })
  return (
    <aside
      aria-label={label}
      className="fixed inset-0 z-20 lg:static lg:z-auto w-full lg:w-[29rem] shrink-0 flex flex-col bg-card lg:border-s border-rule overflow-hidden"
    >
      <header className="flex items-center gap-1 h-13 px-3 border-b border-rule shrink-0">
        <Button look="quiet" icon="close" label={say.close} onPress={onClose} />
        <h2 className="flex-1 truncate ps-1 font-normal">{title}</h2>
        {tools}
      </header>
      <div className="flex-1 overflow-y-auto p-4 grid gap-5 content-start">{children}</div>
    </aside>
  )
}
