import { type ReactNode, useState } from 'react'
import { useLanguage, useWords } from '../../words.ts'
import { Button } from '../button.tsx'
import { DayField } from '../forms/day-field.tsx'
import { Input, TextArea } from '../forms/field.tsx'
import { readNumber } from '../forms/number-field.tsx'
import { Select } from '../forms/select.tsx'
import { isNullable, readJson, shownJson } from './schema.ts'
import { Coded, isCoded } from './schema-coded.tsx'
import type { SchemaOptions, SchemaValue } from './schema-form.tsx'
import { SchemaList } from './schema-list.tsx'
import { SchemaPairs } from './schema-pairs.tsx'
import { choiceOf, schemaWords } from './schema-words.ts'

type Nested = (each: SchemaValue, options: SchemaOptions) => ReactNode

type ControlProps = { each: SchemaValue; options: SchemaOptions; nested: Nested }

/** The control of one value, by what its schema allows. */
export function SchemaControl({ each, options, nested }: ControlProps) {
  switch (each.control) {
    case 'text':
      return options.plain && isCoded(each.name) ? <Coded each={each} /> : <Text each={each} plain={options.plain} />
    case 'long':
      return <TextArea rows={3} value={textOf(each.value)} onText={(text) => each.onChange(text || undefined)} />
    case 'number':
      return <Amount each={each} plain={options.plain} />
    case 'switch':
    case 'choice':
      return <Choice each={each} />
    case 'choices':
      return <Choices each={each} />
    case 'day':
      return <Day each={each} clears={!options.row} />
    case 'list':
      return (
        <SchemaList
          each={each}
          options={options}
          control={(element) => <SchemaControl each={element} options={options} nested={nested} />}
        />
      )
    case 'object':
      return nested(each, options)
    case 'pairs':
      return <SchemaPairs each={each} />
    case 'json':
      return <Json each={each} />
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : String(value))

/** Ids, addresses and codes run from left to right in every language. */
const isCode = ({ name, schema: { format = '' } }: SchemaValue) =>
  /(^|[a-z])(id|Id|url|Url|iban|code|Code|email|phone|sku)$/.test(name) || /email|uri/.test(format)

const Text = ({ each, plain = false }: Plain) => (
  <Input
    dir={isCode(each) ? 'ltr' : 'auto'}
    value={textOf(each.value)}
    onText={(text) => each.onChange(text || undefined)}
    placeholder={plain ? undefined : exampleOf(each)}
  />
)
type Plain = { each: SchemaValue; plain?: boolean | undefined }
const exampleOf = ({ schema: { examples = [] } }: SchemaValue) =>
  typeof examples[0] === 'string' || typeof examples[0] === 'number' ? String(examples[0]) : undefined

/** As it was typed while somebody types; the number once it is read. */
function Amount({ each, plain = false }: Plain) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Input
      inputMode="decimal"
      dir="ltr"
      className="tabular-nums"
      value={typed ?? textOf(each.value)}
      onBlur={() => setTyped(null)}
      onText={(text) => {
        setTyped(text)
        each.onChange(/\d/.test(text) ? readNumber(text) : undefined)
      }}
      placeholder={plain ? undefined : exampleOf(each)}
    />
  )
}

const nothing = '\u0000'

function Choice({ each }: { each: SchemaValue }) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  const { schema, control, required, value, onChange } = each
  const values = control === 'switch' ? [true, false] : (schema.enum ?? []).filter((one) => one !== null && one !== '')
  const named = (one: unknown) => (one === true ? say.yes : one === false ? say.no : choiceOf(lang, String(one)))
  const mayBeNothing = !required || isNullable(schema)
  return (
    <Select
      value={value === undefined || value === null ? (mayBeNothing ? nothing : null) : String(value)}
      onChange={(next) => onChange(next === nothing ? undefined : values.find((one) => String(one) === next))}
      options={[
        ...(mayBeNothing ? [{ value: nothing, label: say.none }] : []),
        ...values.map((one) => ({ value: String(one), label: named(one) })),
      ]}
    />
  )
}

function Choices({ each }: { each: SchemaValue }) {
  const lang = useLanguage()
  const chosen = Array.isArray(each.value) ? each.value : []
  const toggle = (one: unknown) => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]
    each.onChange(next.length > 0 ? next : undefined)
  }
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      {each.schema.items?.enum?.map((one) => (
        <label key={String(one)} className="inline-flex items-center gap-2 h-8 pointer-coarse:h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(one)}
            onChange={() => toggle(one)}
          />
          {choiceOf(lang, String(one))}
        </label>
      ))}
    </div>
  )
}

function Day({ each, clears }: { each: SchemaValue; clears: boolean }) {
  const say = useWords(schemaWords)
  const day = textOf(each.value).slice(0, 10)
  return (
    <div className="flex gap-1">
      <DayField value={/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : ''} onDay={each.onChange} />
      {day && !each.required && clears && (
        <Button look="quiet" icon="close" label={say.clear(each.label)} onPress={() => each.onChange(undefined)} />
      )}
    </div>
  )
}

function Json({ each }: { each: SchemaValue }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextArea
      rows={4}
      dir="ltr"
      value={typed ?? shownJson(each.value)}
      onBlur={() => setTyped(null)}
      onText={(text) => {
        setTyped(text)
        each.onChange(readJson(text))
      }}
    />
  )
}
