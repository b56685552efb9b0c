import { type RefObject, useContext, useLayoutEffect, useRef } from 'react'
import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as Base, SelectStateContext, SelectValue } from 'react-aria-components/Select'
import { useWords } from '../../words.ts'
import { Icon } from '../icon.tsx'
import { useField } from './field.tsx'
import { type Early, type ListProps, selectFace, selectWords } from './select-face.ts'

/** The button and its list; `Select` brings them. */
export function SelectList<V extends string>({ value, options, onChange, early }: ListProps<V>) {
  const field = useField()
  const say = useWords(selectWords)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Base
      aria-labelledby={field?.['aria-labelledby'] ?? ''}
      value={value}
      onChange={(next) => onChange(next as V)}
      defaultOpen={early.pressed === 'pointer'}
    >
      <Button ref={button} id={field?.id ?? ''} className={selectFace}>
        <SelectValue className="truncate">
          {({ selectedText }) => selectedText || <span className="text-soft">{say.choose}</span>}
        </SelectValue>
        <Icon name="updown" className="text-soft" />
      </Button>
      <TakesOver early={early} button={button} />
      <Popover
        offset={4}
        className="floating p-1 min-w-(--trigger-width) overflow-y-auto entering:opacity-0 exiting:hidden"
      >
        <ListBox items={options.map(({ value: id, label }) => ({ id, label }))} className="outline-none">
          {({ id, label }) => (
            <ListBoxItem
              id={id}
              textValue={label}
              className="flex items-center gap-2 rounded-md h-8 pointer-coarse:h-11 ps-2 pe-3 outline-none focused:bg-tint"
            >
              {({ isSelected }) => (
                <>
                  <span className="w-4">{isSelected && <Icon name="check" />}</span>
                  {label}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Base>
  )
}

type TakesOverProps = { early: Early; button: RefObject<HTMLButtonElement | null> }

/**
 * The focus and a press by keyboard go on where the button without a list had them. A list opens once it knows its options; to learn
 * them, React Aria renders all of this once without a list.
 */
function TakesOver({ early: { pressed, focus }, button }: TakesOverProps) {
  const list = useContext(SelectStateContext)
  const waits = useRef(pressed === 'keyboard')
  useLayoutEffect(() => {
    if (!list) return
    if (focus.current) button.current?.focus()
    focus.current = false
    if (!waits.current || list.collection.size === 0) return
    waits.current = false
    list.open('first')
  })
  return null
}
