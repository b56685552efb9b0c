import { words } from '../words.ts'
import { box } from './field.tsx'

export const selectWords = words({ choose: 'Choose' }, { choose: 'בחירה' })
export const selectFace = `${box} w-full flex items-center justify-between gap-2 select-none`

export type Option<V extends string> = { value: V; label: string }
export type SelectProps<V extends string> = {
  value: V | null
  options: readonly Option<V>[]
  onChange: (value: V) => void
}

/** The list is loaded when it is first shown; whoever pressed its button before that finds it open. */
export type ListProps<V extends string> = SelectProps<V> & { defaultOpen: boolean; onPress: () => void }
