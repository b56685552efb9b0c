import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { patiently } from '../../patiently.ts'
import type { IconName } from '../icon.tsx'

export type Entry =
  | {
      label: ReactNode
      text?: string
      icon?: IconName
      keys?: string
      danger?: boolean
      checked?: boolean
      disabled?: boolean
      on: () => void
    }
  | 'rule'

export type MenuProps = { trigger: ReactElement; entries: readonly Entry[]; align?: 'start' | 'end' }

/** Menus are a fifth of all scripts, and nobody opens one before the page is there. */
const MenuList = lazy(() =>
  patiently(() => import('./menu-list.tsx').then(({ MenuList: list }) => ({ default: list }))),
)

/** A button that opens a list of acts. Until the list is loaded the button waits: pressed early, it opens then. */
export function Menu(props: MenuProps) {
  const [early, setEarly] = useState(false)
  return (
    <Suspense
      fallback={
        <span className="contents" onClickCapture={() => setEarly(true)}>
          {props.trigger}
        </span>
      }
    >
      <MenuList {...props} open={early} />
    </Suspense>
  )
}
