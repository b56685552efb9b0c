import { useDeferredValue, useState } from 'react'
import { Combo } from '../../../ui/forms/combo.tsx'
import { useWords, words } from '../../../words.ts'
import { type ThingName, useFoundThings, useThingName } from './things.ts'

const said = words({ search: 'Search…', nothing: 'Nothing found' }, { search: 'חיפוש…', nothing: 'לא נמצא דבר' })

type ThingFieldProps = { thing: ThingName; organizationId: string; value: string; onPick: (id: string) => void }

/** A field for the id of a thing: found by name, so that nobody types ids. */
export function ThingField({ thing, organizationId, value, onPick }: ThingFieldProps) {
  const say = useWords(said)
  const [text, setText] = useState('')
  const found = useFoundThings(thing, organizationId, useDeferredValue(text))
  const name = useThingName(thing, organizationId, value)
  return (
    <Combo
      value={value ? { id: value, name: name ?? '' } : null}
      items={found}
      onSearch={setText}
      onPick={({ id }) => onPick(id)}
      placeholder={say.search}
      empty={say.nothing}
    />
  )
}
