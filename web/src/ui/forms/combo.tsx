import { useEffect, useRef, useState } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '../icon.tsx'
import { box, useField } from './field.tsx'

export type Choice = { id: string; name: string }
type ComboProps = {
  /** What is chosen. Its name may be empty while it is being read. */
  value: Choice | null
  items: readonly Choice[]
  onSearch: (text: string) => void
  onPick: (choice: Choice) => void
  /** Where nothing need be chosen: called when the field is emptied. */
  onClear?: (() => void) | undefined
  placeholder: string
  empty: string
  /** The last entry of the list, for what is not in it: a new customer. */
  more?: { label: string; on: () => void }
  autoFocus?: boolean
}
const moreId = 'more'

/**
 * A field that finds as one types; the server does the finding. Its text is that of the search while somebody types, and else the
 * name of what is chosen, whatever the list has: React Aria would take it from the list, and an entry may be gone from there or
 * contain what is typed.
 */
export function Combo({ value, items, onSearch, onPick, onClear, placeholder, empty, more, autoFocus }: ComboProps) {
  const field = useField()
  const [typed, setTyped] = useState<string>()
  const [shown, take] = useChosen(value)
  const [opensMore, setOpensMore] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setOpensMore(false), [opensMore])
  const name = shown?.name ?? ''
  const isListed = items.some(({ id }) => id === shown?.id)
  const listed = shown && name && !isListed && typed === undefined ? [shown, ...items] : items
  function search(text: string) {
    setTyped(text === name ? undefined : text)
    onSearch(text === name ? '' : text)
    if (text !== '' || !shown || !onClear) return
    take(undefined)
    onClear()
  }
  /** Another entry was chosen, or the same one as before, which ends the search. */
  function pick(key: string | number | null) {
    const found = key === shown?.id ? undefined : items.find(({ id }) => id === key)
    if (found) take(found)
    if (found) onPick(found)
    if (key === moreId) more?.on()
    setOpensMore(key === moreId)
    setTyped(undefined)
    onSearch('')
  }
  return (
    <ComboBox
      aria-labelledby={field?.['aria-labelledby'] ?? ''}
      items={more ? [...listed, { id: moreId, name: more.label }] : listed}
      inputValue={typed ?? name}
      onInputChange={search}
      selectedKey={opensMore ? moreId : (shown?.id ?? null)} // the list closes when it changes
      onSelectionChange={pick}
      onOpenChange={(open) => showAround(input.current, open)}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Input
        ref={input}
        {...field}
        autoFocus={autoFocus}
        placeholder={placeholder}
        dir="auto"
        className={`${box} w-full placeholder-shown:[direction:inherit]`}
      />
      <Popover offset={4} className="floating w-(--trigger-width) overflow-y-auto">
        <ListBox className="p-1 outline-none" renderEmptyState={() => <p className="p-3 text-soft">{empty}</p>}>
          {(item: Choice) => (
            <ListBoxItem
              id={item.id}
              textValue={item.name}
              className="flex items-center h-8 pointer-coarse:h-11 px-2 rounded-md outline-none focused:bg-tint"
            >
              {item.id === moreId && <Icon name="plus" className="me-2 text-soft" />}
              <bdi className="truncate">{item.name}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/**
 * React Aria hides everything outside of an open list from screen readers, but leaves the focus go there. The page or the dialog
 * around the field stays visible to them instead.
 */
const showAround = (field: HTMLElement | null, open: boolean) =>
  field?.closest('[data-modal], #root')?.toggleAttribute('data-react-aria-top-layer', open)

/** What is chosen, with its name: what was picked last, until the form has taken it. */
function useChosen(value: Choice | null) {
  const [picked, setPicked] = useState<Choice>()
  const [isTaken, setTaken] = useState(true)
  useEffect(() => setTaken(true), [value?.id])
  const name = value?.name || (picked && picked.id === value?.id ? picked.name : '')
  const chosen = picked && !isTaken ? picked : value && { id: value.id, name }
  const take = (choice: Choice | undefined) => {
    setPicked(choice)
    setTaken(choice === undefined)
  }
  return [chosen, take] as const
}
