import { type JsonSchema, mapSchemas } from '../core/contract/json-schema.ts'
import { firstSentence } from '../core/values/first-sentence.ts'
import type { ListedTool } from './tool.ts'

/** A tool as `/mcp?tools=compact` lists it: enough to choose and call it. `search_tools` shows the complete description and input. */
export type CompactTool = Pick<ListedTool, 'name' | 'description' | 'inputSchema'> & {
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export function compactTool({ name, description, inputSchema, annotations }: ListedTool): CompactTool {
  const { readOnlyHint, destructiveHint } = annotations
  // Without a hint a client assumes the worst: a tool that writes and may overwrite.
  const hints = readOnlyHint ? { readOnlyHint } : destructiveHint ? undefined : { destructiveHint }
  return {
    name,
    description: firstSentence(description),
    inputSchema: { ...withoutDetails(compactSchema(inputSchema)), type: 'object' },
    ...(hints && { annotations: hints }),
  }
}

/** An optional field that may be null is a detail of the record: its name and type say enough. */
function withoutDetails({ properties, ...schema }: JsonSchema): JsonSchema {
  const required = (schema.required ?? []) as readonly string[]
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  const briefly = fields.map(([name, field]) => [name, isNullable(field) && !required.includes(name) ? briefField(field) : field])
  return { ...schema, properties: Object.fromEntries(briefly) }
} // biome-ignore format: a rule a line

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

function compactSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(mapSchemas(withoutIgnored(schema), compactSchema)).filter(([keyword]) => !leftOut.includes(keyword))
  return Object.fromEntries(kept.flatMap(([keyword, value]) => compactKeyword(keyword, value)))
} // biome-ignore format: a rule a line

/** Fields that are accepted as they were read, and ignored, need not be sent. */
function withoutIgnored(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
  return { ...schema, properties: Object.fromEntries(fields.filter(([, { description }]) => !isIgnored(description))) }
}

const isIgnored = (description: unknown) => typeof description === 'string' && description.endsWith('ignored.')

function compactKeyword(keyword: string, value: unknown): [string, unknown][] {
  if (keyword === 'description' && typeof value === 'string') return saidOnce.test(value) ? [] : [[keyword, shortened(value)]]
  if (keyword === 'default' && isEmpty(value)) return []
  return [[keyword, value]]
} // biome-ignore format: a rule a line

/** What ids, days and currencies look like is the same everywhere, and the instructions say it. The name says whose id it is. */
const saidOnce = /^(An id as this server|The ids? of the |The organization[.;]|A calendar day|ISO 4217 code)/

/** Whether a default says no more than that the field may be left out. */
const isEmpty = (value: unknown) => value === null || ['""', '[]', '{}'].includes(JSON.stringify(value))

const descriptionMax = 80

/** The first sentence, or as many of its words as fit. */
function shortened(text: string): string {
  const sentence = firstSentence(text)
  return sentence.length > descriptionMax ? `${sentence.slice(0, sentence.lastIndexOf(' ', descriptionMax))} …` : sentence
} // biome-ignore format: a rule a line
