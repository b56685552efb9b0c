import type { RefObject } from 'react'
import { words } from '../../words.ts'
import { box } from './field.tsx'

export const selectWords = words({ choose: 'Choose' }, { choose: 'בחירה' })
export const selectFace = `${box} w-full flex items-center justify-between gap-2 select-none`

export type Option<V extends string> = { value: V; label: string }
export type SelectProps<V extends string> = {
  value: V | null
  options: readonly Option<V>[]
  onChange: (value: V) => void
}

/** What happened to the button before its list was loaded. */
export type Early = {
  /** By what it was pressed. The list is open then, and by keyboard its chosen or first option has the focus. */
  pressed: 'pointer' | 'keyboard' | undefined
  /** Whether it has the focus, which goes over to the button with the list. */
  focus: RefObject<boolean>
}
export type ListProps<V extends string> = SelectProps<V> & {
  early: Early
  onPress: (by: 'pointer' | 'keyboard') => void
}
