import { firstSentence } from '../values/first-sentence.ts'
import { type JsonSchema, mapSchemas } from './json-schema.ts'

/** The input schema of a tool in few words: enough to call it. A value beyond a limit that it leaves out is refused with a sentence. */
export const compactInput = (name: string, schema: JsonSchema): JsonSchema & { type: 'object' } => ({
  ...withoutDetails(describedElsewhere(name, compactSchema(withoutScreenFields(name, schema), lengthOf[name]))),
  type: 'object',
})

/** What lists offer to screens: an agent does with the views and the ranges. `search_tools` tells all of it. */
const screenFields = ['counts', 'ids', 'lines', 'balances', 'runSummary', 'statuses', 'overdue', 'dueFrom', 'dueTo']

/** What an agent seldom says about one call. */
const rareFields: Record<string, readonly string[]> = {
  invoices_send: ['kind', 'recipients', 'subject', 'message', 'test', 'wait'],
}

function withoutScreenFields(name: string, schema: JsonSchema): JsonSchema {
  const leaving = name.endsWith('_list') ? screenFields : (rareFields[name] ?? [])
  if (leaving.length === 0) return schema
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
  return { ...schema, properties: Object.fromEntries(fields.filter(([field]) => !leaving.includes(field))) }
}

/** A graph takes more than a few words to write: how long its descriptions may be. */
const lengthOf: Record<string, number> = { automations_create: 240 }

/** Fields that are the same as those of another tool, where they are described. */
const fieldsOf: Record<string, { tool: string; fields: readonly string[] }> = {
  automations_update: { tool: 'automations_create', fields: ['blocks', 'edges'] },
}

function describedElsewhere(name: string, schema: JsonSchema): JsonSchema {
  const { tool, fields = [] } = fieldsOf[name] ?? {}
  const referring = fields.map((field) => [
    field,
    { type: 'array', items: { type: 'object' }, description: `Replaces all, as in ${tool}.` },
  ])
  return { ...schema, properties: { ...(schema.properties as object), ...Object.fromEntries(referring) } }
}

/** An optional field that may be null is a detail of the record: its name and type say enough. */
function withoutDetails({ properties, ...schema }: JsonSchema): JsonSchema {
  const required = (schema.required ?? []) as readonly string[]
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  const briefly = fields.map(([name, field]) => [
    name,
    isNullable(field) && !required.includes(name) ? briefField(field) : field,
  ])
  return { ...schema, properties: Object.fromEntries(briefly) }
}

const isNullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null')

const briefField = ({ type, enum: values }: JsonSchema): JsonSchema => ({
  type,
  ...(values !== undefined && { enum: values }),
})

/** Limits and examples are left out: a value beyond a limit is refused with a sentence that names the field and the limit. */
const leftOut = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'examples', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'patternProperties', 'additionalProperties'],
] // biome-ignore format: a list of words

/** The schema in few words, or with descriptions of up to `length`. */
function compactSchema(schema: JsonSchema, length?: number): JsonSchema {
  const room = isFreeForm(schema) ? freeFormMax : length
  const kept = Object.entries(mapSchemas(withoutIgnored(schema), (inner) => compactSchema(inner, length))).filter(
    ([keyword]) => !leftOut.includes(keyword),
  )
  return Object.fromEntries(kept.flatMap(([keyword, value]) => compactKeyword(keyword, value, room)))
}

/** An object without declared fields: only its description says what it holds. */
const isFreeForm = ({ type, properties }: JsonSchema) => properties === undefined && [type].flat().includes('object')

const freeFormMax = 500

/** Fields that are accepted as they were read, and ignored, need not be sent. */
function withoutIgnored(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
  return { ...schema, properties: Object.fromEntries(fields.filter(([, { description }]) => !isIgnored(description))) }
}

const isIgnored = (description: unknown) => typeof description === 'string' && description.endsWith('ignored.')

function compactKeyword(keyword: string, value: unknown, length?: number): [string, unknown][] {
  if (keyword === 'description' && typeof value === 'string') {
    if (saidOnce.test(value)) return []
    return [[keyword, length === undefined ? shortened(value) : sentencesWithin(value, length)]]
  }
  if (keyword === 'default' && isEmpty(value)) return []
  return [[keyword, value]]
}

/** What ids, days and currencies look like is the same everywhere, and the instructions say it. The name says whose id it is. */
const saidOnce = /^(An id as this server|The ids? of the |The organization[.;]|A calendar day|ISO 4217 code)/

/** Whether a default says no more than that the field may be left out. */
const isEmpty = (value: unknown) => value === null || ['""', '[]', '{}'].includes(JSON.stringify(value))

const descriptionMax = 80

/** The first sentence, or as many of its words as fit. */
function shortened(text: string): string {
  const sentence = firstSentence(text)
  return sentence.length > descriptionMax
    ? `${sentence.slice(0, sentence.lastIndexOf(' ', descriptionMax))} …`
    : sentence
}

/** As many whole sentences as fit, at least the first. */
function sentencesWithin(text: string, length: number): string {
  const first = firstSentence(text)
  const rest = text.slice(first.length).trimStart()
  const room = length - first.length - 1
  if (rest === '' || firstSentence(rest).length > room) return first
  return `${first} ${sentencesWithin(rest, room)}`
}
