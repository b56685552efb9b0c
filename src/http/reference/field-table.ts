import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { notBlank } from '../../core/define/schema.ts'
import { type Content, html, type Markup } from '../../core/values/html.ts'
import { separated } from './code-samples.ts'
import { withCode } from './prose.ts'

export type Field = { name: string; schema: JsonSchema; required?: boolean; meaning?: string | undefined }
type Group = { title?: string; fields: Field[] }
type Table = { caption: string; groups: Group[]; notesOf?: (schema: JsonSchema) => string[] }

/** A table of fields in groups; the fields of inner objects are indented below their parent. */
export function fieldTable({ caption, groups, notesOf = allowedValues }: Table): Markup {
  const filled = groups.filter(({ fields }) => fields.length > 0)
  if (filled.length === 0) return html`<p class="none">${caption}: none.</p>`
  const body = ({ title, fields }: Group) => html`<tbody>
${title && html`<tr class="group"><th colspan="3" scope="rowgroup">${title}</th></tr>`}
${fields.map((field) => rows(field, notesOf, 0))}</tbody>`
  return html`<table class="fields"><caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
${filled.map(body)}</table>`
}

function rows(
  { name, schema, required, meaning }: Field,
  notesOf: (schema: JsonSchema) => string[],
  depth: number,
): Content {
  const inner = objectIn(schema)
  const notes = notesOf(schema)
  return html`<tr class="d${Math.min(depth, 3)}">
<th scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}</th>
<td class="type"><code>${typeOf(schema)}</code></td>
<td class="meaning">${withCode(meaning ?? String(schema.description ?? ''))}${notes.length > 0 && html`<ul class="limits">${notes.map((note) => html`<li>${withCode(note)}</li>`)}</ul>`}</td></tr>
${inner && fieldsOf(inner).map((field) => rows(field, notesOf, depth + 1))}`
}

/** The fields of an object, as an answer shows them. */
export const fieldsOf = ({ properties = {} }: JsonSchema): Field[] =>
  Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({ name, schema }))

function objectIn(schema: JsonSchema): JsonSchema | undefined {
  if ('properties' in schema) return schema
  if (schema.type === 'array' && schema.items) return objectIn(schema.items as JsonSchema)
  const choices = schema.anyOf as JsonSchema[] | undefined
  return choices?.map(objectIn).find((choice) => choice !== undefined)
}

/** A type in TypeScript notation; a named shape links to its table. */
export function typeOf(schema: JsonSchema): Content {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#shape-${name}">${name}</a>`
  }
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return separated(choices.map(typeOf), ' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  return separated(
    [schema.type ?? 'any'].flat().map((type) => simpleType(String(type), schema)),
    ' | ',
  )
}

function simpleType(type: string, schema: JsonSchema): Content {
  if (type === 'array') return schema.items ? [typeOf(schema.items as JsonSchema), '[]'] : 'array'
  if (type === 'string' && schema.format) return String(schema.format)
  return type
}

/** The default and the limits of an input field, each as a short note. */
export function limitsOf(schema: JsonSchema): string[] {
  return [
    schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\``,
    ...allowedValues(schema),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(
      schema.minItems,
      schema.maxItems,
      schema.minItems === 1 && schema.maxItems === undefined ? ' entry' : ' entries',
    ),
    pattern(schema),
  ].filter((note) => note !== '')
}

/** The allowed values of a field; shown for inputs and answers. */
function allowedValues(schema: JsonSchema): string[] {
  const values = (schema.enum ?? itemsOf(schema).enum) as unknown[] | undefined
  const words = values?.filter((value) => value !== null).map((value) => `\`${value === '' ? '""' : value}\``)
  return words ? [`One of ${words.join(' ')}`] : []
}

function pattern(schema: JsonSchema): string {
  const found = schema.pattern ?? itemsOf(schema).pattern
  if (found === notBlank) return 'Not only spaces'
  return found ? `Matches \`${found}\`` : ''
}

const itemsOf = ({ items }: JsonSchema) => (items ?? {}) as JsonSchema

function range(low: unknown, high: unknown, unit: string): string {
  if (typeof low === 'number' && typeof high === 'number') return `${grouped(low)} to ${grouped(high)}${unit}`
  if (typeof high === 'number') return `At most ${grouped(high)}${unit}`
  return typeof low === 'number' && (low > 0 || unit === '') ? `At least ${grouped(low)}${unit}` : ''
}

const grouped = (value: number) => value.toLocaleString('en')
