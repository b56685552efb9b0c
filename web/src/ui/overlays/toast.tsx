import { useSyncExternalStore } from 'react'
import { useKeys } from '../../keys.ts'
import { Icon } from '../icon.tsx'

type Told = { id: number; title: string; description?: string; bad?: boolean; undo?: { label: string; on: () => void } }
let told: readonly Told[] = []
let last = 0
const listeners = new Set<() => void>()
const change = (next: readonly Told[]) => {
  told = next
  for (const each of listeners) each()
}
const drop = (id: number) => change(told.filter((each) => each.id !== id))

/** `say('Sent to 2 people')`; with `undo` the change is made at once and can be taken back for eight seconds (⌘Z). */
export function say(title: string, more: Omit<Told, 'id' | 'title'> = {}) {
  const id = ++last
  change([...told.slice(-2), { id, title, ...more }])
  setTimeout(() => drop(id), more.undo || more.bad ? 8_000 : 5_000)
}

/** Beside the menu, where no dialog has its buttons. Both regions are there from the start, so that screen readers hear what is put into them. */
export function Toasts() {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => told,
  )
  const back = all.findLast(({ undo }) => undo)
  useKeys(
    back
      ? {
          'mod+z': () => {
            back.undo?.on()
            drop(back.id)
          },
        }
      : {},
  )
  const some = (bad: boolean) =>
    all
      .filter((each) => (each.bad ?? false) === bad)
      .map(({ id, title, description, undo }) => (
        <li key={id} className="mt-2 flex items-start gap-3 floating bg-ink text-paper p-3">
          <Icon name={bad ? 'alert' : 'check'} className="mt-0.5" />
          <div className="flex-1">
            <p className="font-medium">{title}</p>
            {description && <p className="opacity-80">{description}</p>}
          </div>
          {undo && (
            <button
              type="button"
              className="font-medium underline underline-offset-2"
              onClick={() => {
                undo.on()
                drop(id)
              }}
            >
              {undo.label}
            </button>
          )}
        </li>
      ))
  return (
    <div data-toasts className="fixed z-50 bottom-4 start-4 md:start-[15.5rem] w-[min(24rem,calc(100vw-2rem))]">
      <div role="status">
        <ol>{some(false)}</ol>
      </div>
      <div role="alert">
        <ol>{some(true)}</ol>
      </div>
    </div>
  )
}
