import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { closed, type JsonSchema } from '../contract/json-schema.ts'
import { memoize } from '../values/memoize.ts'
import { parseUrl } from '../values/url.ts'
import type { Detail } from './failure.ts'
import { Failure } from './failure.ts'
import { notBlank, storable, type TSchema } from './schema.ts'

const detailsMax = 100

// One address without any character that has a meaning in a mail header (THR-18).
const email = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/

const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  strict: false,
  verbose: true, // messages use the examples of the schema
  formats: {
    email,
    'email-or-empty': (text) => text === '' || email.test(text),
    // The specification's instants end in Z.
    'date-time': isInstant,
    uri: (text) => parseUrl(text) !== undefined,
    binary: true,
  },
})

/** JavaScript reads 30 February as 2 March and 24:00 as the next day; PostgreSQL has no year zero. */
function isInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(text)) return false
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10))
}

const validatorOf = memoize((schema: TSchema) => ajv.compile(closed(schema as JsonSchema)))

/** Fills in defaults and checks a value against a schema, refusing unknown fields. Throws the problems. */
export function check(schema: TSchema, value: unknown): void {
  const problems = problemsOf(schema, value)
  if (problems.length > 0) throw refusal(problems)
}

export function refusal(problems: Detail[]): Failure {
  const [first] = problems
  const message = problems.length === 1 && first ? first.message : `${problems.length} fields need attention.`
  return new Failure('VALIDATION', message, { details: problems.slice(0, detailsMax) })
}

export function problemsOf(schema: TSchema, value: unknown): Detail[] {
  const validate = validatorOf(schema)
  return validate(value) ? [] : unique((validate.errors ?? []).map(toDetail))
}

const unique = (details: Detail[]) => [
  ...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values(),
]

function toDetail({ instancePath, keyword, params, message, parentSchema }: ErrorObject): Detail {
  const parent = instancePath.slice(1).replaceAll('/', '.')
  const inner = params.missingProperty ?? params.additionalProperty
  const path = inner ? [parent, inner].filter(Boolean).join('.') : parent
  return {
    path,
    message: `${path || 'The body'} ${complaint(keyword, { ...params, examples: parentSchema?.examples }, message)}.`,
  }
}

/** A message that says what to send instead. */
function complaint(keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a field of this operation'
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => kinds[String(type)] ?? type)
        .join(' or ')}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(shown).join(', ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'format':
      return formats[String(params.format)] ?? message
    case 'pattern':
      if (params.pattern === notBlank) return 'must not be empty'
      if (params.pattern === storable) return 'contains a character that cannot be stored (U+0000)'
      return `must look like ${Array.isArray(params.examples) ? params.examples.join(' or ') : params.pattern}`
    default:
      return message
  }
}

const shown = (value: unknown) => (value === '' ? 'empty' : (value ?? 'null'))

const kinds: Record<string, string> = {
  string: 'text', number: 'a number', integer: 'a whole number', boolean: 'true or false', array: 'a list',
  object: 'an object', null: 'null',
} // biome-ignore format: a table

const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  'email-or-empty': 'must be an e-mail address, or empty',
  'date-time': 'must be an instant in UTC such as 2026-01-31T08:00:00Z',
  uri: 'must be a web address',
}
