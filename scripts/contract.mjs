// Writes web/src/contract.ts from docs/openapi.json: what each operation takes and answers, its address and its least role.
import fs from 'node:fs'

const { paths, components } = JSON.parse(fs.readFileSync('docs/openapi.json', 'utf8'))
const lines = [
  '// Written by scripts/contract.mjs from docs/openapi.json; a test compares the two. Do not edit.',
  "import type { Role } from '../../src/core/define/access.ts'",
  '',
]

for (const [name, schema] of Object.entries(components.schemas)) {
  if (name !== 'Error') lines.push(`type ${name} = ${type(schema)}`) // refusals are api.ts's matter
}
const rows = []
const types = []
for (const [path, methods] of Object.entries(paths))
  for (const [method, op] of Object.entries(methods)) {
    rows.push(
      `  ${op.operationId}: { at: '${method.toUpperCase()} ${path}', role: ${op['x-role'] ? `'${op['x-role']}'` : null} },`,
    )
    types.push(`  ${op.operationId}: { input: ${inputOf(op)}; output: ${outputOf(op)} }`)
  }
lines.push(
  '',
  'export type Operations = {',
  ...types,
  '}',
  'export type Name = keyof Operations',
  '',
  'export const operations: Record<Name, { at: string; role: Role | null }> = {',
  ...rows,
  '}',
  '',
)
if (process.argv.includes('--print')) process.stdout.write(lines.join('\n'))
else fs.writeFileSync('web/src/contract.ts', lines.join('\n'))

function inputOf({ parameters = [], requestBody }) {
  const named = parameters
    .filter((each) => each.in === 'path' || each.in === 'query')
    .map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${type(schema)}`)
  const body = requestBody?.content?.['application/json']?.schema
  const own = named.length > 0 ? `{ ${named.join('; ')} }` : '{}'
  if (!body) return own
  return named.length > 0
    ? `${own} & Omit<${type(body)}, ${
        parameters
          .filter((each) => each.in === 'path')
          .map(({ name }) => `'${name}'`)
          .join(' | ') || 'never'
      }>`
    : type(body)
}

function outputOf({ responses }) {
  const good = responses['200'] ?? responses['201']
  const schema = good?.content?.['application/json']?.schema
  return schema ? type(schema) : 'Blob'
}

function type(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (schema.anyOf ?? schema.oneOf) return `(${schema.anyOf.map(type).join(' | ')})`
  if (schema.allOf) return schema.allOf.map(type).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((each) => type({ ...schema, type: each })).join(' | ')
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `(${schema.items ? type(schema.items) : 'unknown'})[]`
    case 'object':
      return object(schema)
    default:
      return 'unknown'
  }
}

function object({ properties, required = [], patternProperties, additionalProperties }) {
  if (!properties)
    return `Record<string, ${patternProperties ? type(Object.values(patternProperties)[0]) : typeof additionalProperties === 'object' ? type(additionalProperties) : 'unknown'}>`
  return `{ ${Object.entries(properties)
    .map(([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${type(schema)}`)
    .join('; ')} }`
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
