import { useState } from 'react'
import { useWords } from '../../words.ts'
import { Button } from '../button.tsx'
import { box } from '../forms/field.tsx'
import { asObject, readJson, shownJson } from './schema.ts'
import type { SchemaValue } from './schema-form.tsx'
import { schemaWords } from './schema-words.ts'

/** An object whose fields are not known beforehand: names and values. Two fields cannot have one name; the last one counts. */
export function SchemaPairs({ each }: { each: SchemaValue }) {
  const say = useWords(schemaWords)
  const [pairs, setPairs] = useState(() => Object.entries(asObject(each.value)))
  const set = (next: [string, unknown][]) => {
    setPairs(next)
    const named = next.filter(([name]) => name !== '')
    each.onChange(named.length > 0 ? Object.fromEntries(named) : undefined)
  }
  const replace = (at: number, pair: [string, unknown]) => set(pairs.map((one, index) => (index === at ? pair : one)))
  return (
    <div className="grid gap-2">
      {pairs.map(([name, value], at) => (
        <div key={at} className="flex gap-1">
          <input
            aria-label={say.element(say.key, at + 1)}
            dir="ltr"
            className={`${box} w-2/5`}
            value={name}
            onChange={(event) => replace(at, [event.target.value, value])}
          />
          <input
            aria-label={say.element(say.value, at + 1)}
            dir="auto"
            className={`${box} flex-1`}
            value={shownJson(value)}
            onChange={(event) => replace(at, [name, keepText(event.target.value)])}
          />
          <Button
            look="quiet"
            icon="trash"
            label={say.remove(name || say.element(say.key, at + 1))}
            onPress={() => set(pairs.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" label={say.addTo(each.label)} onPress={() => setPairs([...pairs, ['', '']])}>
          {say.add}
        </Button>
      </div>
    </div>
  )
}

/** Objects and lists are read as JSON; a number or a word stays text, as it was typed. */
const keepText = (text: string): unknown => {
  const read = readJson(text)
  return typeof read === 'object' && read !== null ? read : text
}
