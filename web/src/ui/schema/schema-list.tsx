import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../words.ts'
import { Button } from '../button.tsx'
import { Field } from '../forms/field.tsx'
import { controlOf, startOf } from './schema.ts'
import type { SchemaOptions, SchemaValue } from './schema-form.tsx'
import { labelOf, schemaWords } from './schema-words.ts'

type ListProps = { each: SchemaValue; options: SchemaOptions; control: (element: SchemaValue) => ReactNode }

/** The elements of a list one below the other, each with a way to remove it. */
export function SchemaList({ each, options, control }: ListProps) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  const items = each.schema.items ?? {}
  const elements = Array.isArray(each.value) ? each.value : []
  const set = (next: readonly unknown[]) => each.onChange(next.length > 0 || each.required ? next : undefined)
  const replace = (at: number, next: unknown) =>
    set(elements.map((element, index) => (index === at ? (next ?? '') : element)))
  const single = labelOf(lang, each.name === 'lines' ? 'line' : each.name)
  return (
    <div className="grid gap-2">
      {elements.map((value, at) => {
        const element: SchemaValue = {
          path: `${each.path}.${at}`,
          name: each.name,
          label: say.element(single, at + 1),
          schema: items,
          control: controlOf(items),
          required: true,
          value,
          onChange: (next) => replace(at, next),
        }
        const usual = () => control(element)
        const inside = options.render ? options.render(element, usual) : usual()
        return (
          <div key={at} className="flex items-end gap-1">
            <div className="flex-1 min-w-0">
              <Field label={element.label} error={options.errors?.[element.path]}>
                {inside}
              </Field>
            </div>
            <Button
              look="quiet"
              icon="trash"
              label={say.remove(element.label)}
              onPress={() => set(elements.filter((_, index) => index !== at))}
            />
          </div>
        )
      })}
      <div>
        <Button icon="plus" label={say.addTo(each.label)} onPress={() => set([...elements, startOf(items)])}>
          {say.add}
        </Button>
      </div>
    </div>
  )
}
