import type { Operation } from '../define/operation.ts'
import { Id } from '../define/schema.ts'
import { type JsonSchema, plain } from './json-schema.ts'

/** The input of an operation as JSON Schema, in which every id says what it identifies. */
export const describedInput = (operation: Operation): JsonSchema => described(operation, plain(operation.input), '')

/** `parent` is the name of the field that the schema belongs to; empty for the input itself. */
function described(operation: Operation, schema: JsonSchema, parent: string): JsonSchema {
  const { properties, items } = schema
  const inner = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([field, each]) => {
    const whole = described(operation, each, field)
    const description = meaningOfId(operation, field, each, parent)
    return [field, description === undefined ? whole : { ...whole, description }]
  })
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(inner) }),
    ...(items !== undefined && { items: described(operation, items as JsonSchema, parent) }),
  }
}

const generic = (Id as { description?: string }).description

/** What an id identifies; undefined for other fields, and for ids with a description of their own. */
export function meaningOfId(
  operation: Operation,
  field: string,
  { description }: JsonSchema,
  parent = '',
): string | undefined {
  if (!/^id$|Ids?$/.test(field) || (description !== undefined && description !== generic)) return undefined
  if (field === 'organizationId') return organizationMeaning(operation)
  if (field === 'id') return `The id of the ${parent ? nounOf(singular(parent)) : resourceOf(operation)}.`
  const noun = nounOf(field.replace(/Ids?$/, ''))
  return field.endsWith('s') ? `The ids of the ${noun.replace(/y$/, 'ie')}s.` : `The id of the ${noun}.`
}

function organizationMeaning({ within, input, reads }: Operation): string {
  if (within !== 'organizationId' || (input.required ?? []).includes('organizationId')) return 'The organization.'
  return reads
    ? 'The organization; every one you can reach if left out.'
    : 'The organization; your only one if left out.'
}

/** `/api/bank-accounts/{id}` is about the bank account; without a path, the table tells it. */
function resourceOf({ path, within }: Operation): string {
  const segment = /([\w-]+)\/\{id\}/.exec(path)?.[1]
  const table = typeof within === 'object' ? within.table : within
  return nounOf(singular(segment ?? table))
}

/** The words of a name: `bankAccount` and `bank-account` are a bank account. */
function nounOf(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return nouns[words] ?? words.replace(/^api /, 'API ')
}

/** Names that say too little. */
const nouns: Record<string, string> = {
  user: 'member',
  category: 'expense category',
  'default category': 'expense category',
  connection: 'mail connection',
  'email setting': 'mail connection',
  'logo file': 'file with the logo',
  'authority org': 'tax authority among the counterparties',
  counterparty: 'employee',
  batch: 'batch of scans',
}

export const singular = (word: string) =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/(ss)$|s$/, '$1')
