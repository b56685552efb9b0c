import { type ReactNode, useState } from 'react'
import { shownNumber } from '../../shown.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { Button } from '../button.tsx'
import { Field } from '../forms/field.tsx'
import { type Control, fieldsOf, isEmpty, type Schema, type SchemaField, withField } from './schema.ts'
import { SchemaControl } from './schema-control.tsx'
import { labelOf, schemaWords } from './schema-words.ts'

/** One value of the form, and where it is in it: `lines.0.amount`. */
export type SchemaValue = {
  path: string
  name: string
  label: string
  schema: Schema
  control: Control
  required: boolean
  value: unknown
  /** `undefined` takes the field out. */
  onChange: (value: unknown) => void
}

/** What bookkeepers write several lines into; whatever else may be long is one line for them, and so is all that is inside a list. */
const severalLines = /^(notes?|address|description|body|text|message)$|Notes$/
const controlFor = ({ name, control }: SchemaField, path: string, plain = false): Control =>
  plain && control === 'long' && (path !== '' || !severalLines.test(name)) ? 'text' : control

export type SchemaOptions = {
  /** Why the server refused a value, by its path. */
  errors?: Readonly<Record<string, string>> | undefined
  /** Fields that are not asked for, such as the organization. */
  leaveOut?: readonly string[]
  /** Words for fields by path or name, where the name of the field would not do. */
  labels?: Readonly<Record<string, string>>
  /** Another control for a value, such as one that finds a customer; `usual` is what the form would show. */
  render?: (value: SchemaValue, usual: () => ReactNode) => ReactNode
  /** Optional fields that wait behind the button although they are filled in, because what is proposed will do. */
  settled?: readonly string[]
  /** Shows what is optional and empty at once, instead of behind a button. */
  whole?: boolean
  /** For bookkeepers: no hints and examples for programmers, and lists for codes of currencies and countries. */
  plain?: boolean
  /** The fields that are asked for at once, in this order; those inside others by their path: `lines.quantity`. */
  first?: readonly string[]
  /** Beside each other, as above a report. */
  row?: boolean
}

type SchemaFormProps = SchemaOptions & {
  schema: Schema
  value: unknown
  onChange: (value: Record<string, unknown>) => void
  path?: string
}

/** A form made from a JSON schema. What is required or filled in is shown; the rest waits behind one button. */
export function SchemaForm({ schema, value, onChange, path = '', ...options }: SchemaFormProps) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  const [whole, setWhole] = useState(options.whole ?? false)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const held = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const first = firstAt(path, options.first)
  const leaveOut = path === '' ? options.leaveOut : options.plain ? ['id'] : []
  const fields = inOrder(fieldsOf(schema, leaveOut), first)
  const isShown = (name: string, required: boolean) =>
    required ||
    refusedIn(options.errors, path ? `${path}.${name}` : name) !== undefined ||
    first.includes(name) ||
    opened.has(name) ||
    (!isEmpty(held[name]) && !options.settled?.includes(name))
  const hidden = fields.filter(({ name, required }) => !isShown(name, required))
  const few = first.length === 0 && (hidden.length <= 2 || fields.length <= 6)
  const shown = whole || few ? fields : fields.filter(({ name, required }) => isShown(name, required))
  const set = (name: string) => (next: unknown) => {
    // what is emptied stays in sight
    setOpened((before) => (before.has(name) ? before : new Set([...before, name])))
    onChange(withField(value, name, next))
  }
  return (
    <div
      className={`grid gap-4 min-w-0 ${options.row ? 'grid-cols-2 sm:grid-cols-3 lg:grid-cols-4' : options.plain ? 'sm:grid-cols-2' : ''}`}
    >
      {shown.map((field) => {
        const at = path ? `${path}.${field.name}` : field.name
        const label = options.labels?.[at] ?? options.labels?.[field.name] ?? labelOf(lang, field.name)
        const control = controlFor(field, path, options.plain)
        const each = { ...field, control, path: at, label, value: held[field.name], onChange: set(field.name) }
        return <SchemaRow key={field.name} each={each} options={options} />
      })}
      {!few && hidden.length + Number(whole) > 0 && (
        <div>
          <Button look="quiet" icon={whole ? 'up' : 'down'} onPress={() => setWhole(!whole)}>
            {whole ? say.less : say.more(shownNumber(lang, hidden.length))}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Why a value was refused, or something inside it. */
function refusedIn(errors: SchemaOptions['errors'] = {}, path: string): string | undefined {
  const inside = Object.keys(errors).find((each) => each === path || each.startsWith(`${path}.`))
  return inside === undefined ? undefined : errors[inside]
}

/** The fields to ask for at once inside an object or an element of a list: of `lines.0` those that are named `lines.…`. */
function firstAt(path: string, first: readonly string[] = []): readonly string[] {
  const inside = path.replace(/\.\d+(?=\.|$)/g, '')
  const start = inside ? `${inside}.` : ''
  return first.flatMap((name) => {
    const rest = name.startsWith(start) ? name.slice(start.length) : ''
    return rest && !rest.includes('.') ? [rest] : []
  })
}

/** What was named comes first, in its order. */
function inOrder<F extends { name: string }>(fields: readonly F[], first: readonly string[]): F[] {
  const named = first.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  return [...named, ...fields.filter((field) => !named.includes(field))]
}

/** What takes the whole line of a form in two columns. */
const wide: ReadonlySet<Control> = new Set(['object', 'list', 'choices', 'pairs', 'json', 'long'])
const wideNames: ReadonlySet<string> = new Set([
  'name',
  'title',
  'vendor',
  'description',
  'address',
  'notes',
  'subject',
])

const grouped: ReadonlySet<Control> = new Set(['object', 'list', 'choices', 'pairs'])

function SchemaRow({ each, options }: { each: SchemaValue; options: SchemaOptions }) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  const { path, label, schema, control, required } = each
  const holdsFields = control === 'object' || control === 'list'
  const error = holdsFields ? options.errors?.[path] : refusedIn(options.errors, path)
  const usual = () => <SchemaControl each={each} options={options} nested={nested} />
  const inside = options.render ? options.render(each, usual) : usual()
  const named = required || options.row ? label : `${label} (${say.optional})`
  // descriptions are the server's, in English
  const described = lang === 'en' && !options.plain ? schema.description : undefined
  const hint = described ?? (control === 'json' ? say.json : undefined)
  const across = options.plain && !options.row && (wide.has(control) || wideNames.has(each.name)) ? 'sm:col-span-2' : ''
  if (!grouped.has(control))
    return (
      <Field label={named} hint={hint} error={error} className={across}>
        {inside}
      </Field>
    )
  return (
    <fieldset className={`grid gap-2 min-w-0 content-start ${across}`} data-refused={error ? '' : undefined}>
      <legend className="text-sm text-soft mb-1">{named}</legend>
      {described && <p className="text-sm text-soft">{described}</p>}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {inside}
    </fieldset>
  )
}

/** The fields of an object inside the form. Handed down, because the form and its controls contain each other. */
const nested = (each: SchemaValue, options: SchemaOptions) => (
  <div className="ps-3 border-s-2 border-rule">
    <SchemaForm {...options} schema={each.schema} value={each.value} onChange={each.onChange} path={each.path} />
  </div>
)
