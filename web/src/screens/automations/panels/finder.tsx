import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { box } from '../../../ui/forms/field.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

export type Found = { key: string; name: string; about?: string; end?: string; icon?: IconName; group?: string }

type FinderProps = {
  title: string
  placeholder: string
  nothing: string
  found: readonly Found[]
  text: string
  onText: (text: string) => void
  onPick: (found: Found) => void
  onClose: () => void
}

/** Finds one of many by a few letters: the arrows choose, Enter takes. */
export function Finder({ title, placeholder, nothing, found, text, onText, onPick, onClose }: FinderProps) {
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const here = Math.min(at, found.length - 1)
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${here}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [here, id])
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = found[here]
    if (by !== 0) setAt(Math.max(0, Math.min(found.length - 1, here + by)))
    else if (event.key === 'Enter' && chosen) onPick(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-label={placeholder}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${here}` : undefined}
        dir="auto"
        className={`${box} w-full`}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setAt(0)
          onText(event.target.value)
        }}
        onKeyDown={onKey}
      />
      <div ref={list} id={id} role="listbox" aria-label={title} className="h-80 overflow-y-auto -mx-2">
        {found.map((each, index) => (
          <Row
            key={each.key}
            id={`${id}-${index}`}
            each={each}
            head={each.group !== found[index - 1]?.group ? each.group : undefined}
            chosen={index === here}
            onPick={() => onPick(each)}
          />
        ))}
        {found.length === 0 && (
          <div role="option" tabIndex={-1} aria-selected={false} aria-disabled className="p-4 text-soft">
            {nothing}
          </div>
        )}
      </div>
    </Dialog>
  )
}

type RowProps = { id: string; each: Found; head: string | undefined; chosen: boolean; onPick: () => void }

const Row = ({ id, each, head, chosen, onPick }: RowProps) => (
  <>
    {head && (
      <div role="presentation" className="px-2 pt-3 pb-1 text-xs text-soft">
        <bdi>{head}</bdi>
      </div>
    )}
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onClick={onPick}
      className={`flex items-start gap-2.5 rounded-md px-2 py-1.5 pointer-coarse:py-3 ${chosen ? 'bg-tint' : 'hover:bg-tint'}`}
    >
      {each.icon && <Icon name={each.icon} className="text-soft mt-0.5" />}
      <span className="flex-1 min-w-0">
        <bdi className="block font-medium">{each.name}</bdi>
        {each.about && <bdi className="block text-sm text-soft line-clamp-2">{each.about}</bdi>}
      </span>
      {each.end && (
        <bdi className="text-sm text-soft truncate max-w-[45%]" dir="auto">
          {each.end}
        </bdi>
      )}
    </div>
  </>
)

/** Those whose name or description has all the words that were typed. */
export function fitting(all: readonly Found[], text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter(({ name, about = '', key }) => {
    const whole = `${name} ${about} ${key}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}
