import { useDeferredValue, useState } from 'react'
import { Skeleton } from '../../ui/card.tsx'
import { Combo } from '../../ui/combo.tsx'
import { useWords, words } from '../../words.ts'
import { type ThingName, useFoundThings, useThingName } from './things.ts'

const said = words({ search: 'Search…', nothing: 'Nothing found' }, { search: 'חיפוש…', nothing: 'לא נמצא דבר' })

type ThingFieldProps = { thing: ThingName; organizationId: string; value: string; onPick: (id: string) => void }

/** A field for the id of a thing: found by name, so that nobody types ids. */
export function ThingField({ thing, organizationId, value, onPick }: ThingFieldProps) {
  const say = useWords(said)
  const [text, setText] = useState('')
  const found = useFoundThings(thing, organizationId, useDeferredValue(text))
  const name = useThingName(thing, organizationId, value)
  if (name === undefined) return <Skeleton className="h-9" />
  return (
    <Combo
      key={value}
      value={value ? { id: value, name } : null}
      items={found}
      onSearch={setText}
      onPick={({ id }) => onPick(id)}
      placeholder={say.search}
      empty={say.nothing}
    />
  )
}
