import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../../words.ts'
import { Icon } from '../icon.tsx'
import { lazily } from '../lazily.tsx'
import { useField } from './field.tsx'
import { type Early, type ListProps, type SelectProps, selectFace, selectWords } from './select-face.ts'

const Loaded = lazily(
  () => import('./select-list.tsx'),
  'SelectList',
  ({ value: chosen, options, early, onPress }) => (
    <Chosen label={options.find(({ value }) => value === chosen)?.label} focus={early.focus} onPress={onPress} />
  ),
)

/** One of several values, chosen from a list. Until the list is loaded, what is chosen stands there already. */
export function Select<V extends string>(props: SelectProps<V>) {
  const [pressed, setPressed] = useState<Early['pressed']>()
  const focus = useRef(false)
  const list = { ...props, early: { pressed, focus }, onPress: setPressed }
  return <Loaded {...(list as unknown as ListProps<string>)} />
}

type ChosenProps = {
  label: string | undefined
  focus: RefObject<boolean>
  onPress: (by: 'pointer' | 'keyboard') => void
}

function Chosen({ label, focus, onPress }: ChosenProps) {
  const field = useField()
  const say = useWords(selectWords)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const here = button.current
    return () => {
      focus.current = here !== null && document.activeElement === here
    }
  }, [focus])
  return (
    <button
      ref={button}
      type="button"
      id={field?.id}
      aria-labelledby={field?.['aria-labelledby']}
      className={selectFace}
      onClick={({ detail }) => onPress(detail === 0 ? 'keyboard' : 'pointer')}
    >
      <span className="truncate">{label ?? <span className="text-soft">{say.choose}</span>}</span>
      <Icon name="updown" className="text-soft" />
    </button>
  )
}
