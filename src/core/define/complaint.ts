import type { ErrorObject } from 'ajv/dist/2020.js'
import { nearest } from '../values/nearest.ts'
import type { Detail } from './failure.ts'
import { notBlank, storable } from './schema.ts'

/** What is wrong with a field that nobody knows, and the known one that was most likely meant. */
export function unknownField(path: string, known: Iterable<string>): Detail {
  const meant = nearest(path.slice(path.lastIndexOf('.') + 1), known)
  const hint = meant === undefined ? '' : `; the nearest is ${meant}`
  const message = `${path} is not a field of this operation${hint}.`
  return { path, message, code: 'UNKNOWN_FIELD', ...(meant !== undefined && { params: { nearest: meant } }) }
}

/** What is wrong with a value, in words that say what to send instead. */
export function complaint({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'type':
      return `must be ${[params.type].flat().map(kindOf).join(' or ')}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(shown).join(', ')}`
    case 'const':
      return `must be ${shown(params.allowedValue)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${entries(params.limit)}`
    case 'maxItems':
      return `must have at most ${entries(params.limit)}`
    case 'uniqueItems':
      return 'must not contain the same entry twice'
    case 'minProperties':
      return `must have at least ${fields(params.limit)}`
    case 'maxProperties':
      return `must have at most ${fields(params.limit)}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'format':
      return formats[String(params.format)] ?? 'does not have the right form'
    case 'pattern':
      return offPattern(String(params.pattern), parentSchema?.examples)
    case 'anyOf':
    case 'oneOf':
      return `must be ${formsOf(parentSchema?.[keyword])}`
    default:
      return 'is not valid'
  }
}

/** The code of a refusal by the schema, and its values, so that a program can say it in other words. */
export function codeOf({ keyword, params }: ErrorObject): Pick<Detail, 'code' | 'params'> {
  switch (keyword) {
    case 'required':
      return { code: 'REQUIRED' }
    case 'type':
      return { code: 'TYPE', params: { types: [params.type].flat() } }
    case 'enum':
      return { code: 'NOT_ALLOWED', params: { values: params.allowedValues } }
    case 'const':
      return { code: 'NOT_ALLOWED', params: { values: [params.allowedValue] } }
    case 'minLength':
      return params.limit === 1 ? { code: 'EMPTY' } : { code: 'TOO_SHORT', params: { min: params.limit } }
    case 'maxLength':
      return { code: 'TOO_LONG', params: { max: params.limit } }
    case 'minItems':
    case 'minProperties':
      return { code: 'TOO_FEW', params: { min: params.limit } }
    case 'maxItems':
    case 'maxProperties':
      return { code: 'TOO_MANY', params: { max: params.limit } }
    case 'uniqueItems':
      return { code: 'REPEATED_ENTRY' }
    case 'minimum':
      return { code: 'TOO_SMALL', params: { min: params.limit } }
    case 'exclusiveMinimum':
      return { code: 'TOO_SMALL', params: { above: params.limit } }
    case 'maximum':
      return { code: 'TOO_LARGE', params: { max: params.limit } }
    case 'exclusiveMaximum':
      return { code: 'TOO_LARGE', params: { below: params.limit } }
    case 'multipleOf':
      return { code: 'NOT_A_MULTIPLE', params: { of: params.multipleOf } }
    case 'format':
      return { code: 'FORMAT', params: { format: params.format } }
    case 'pattern':
      return params.pattern === notBlank ? { code: 'EMPTY' } : { code: 'FORMAT' }
    default:
      return { code: 'FORM' }
  }
}

const entries = (count: unknown) => `${count} ${count === 1 ? 'entry' : 'entries'}`
const fields = (count: unknown) => `${count} ${count === 1 ? 'field' : 'fields'}`
const shown = (value: unknown) => (value === '' ? 'empty' : (value ?? 'null'))

const kinds: Record<string, string> = {
  string: 'text', number: 'a number', integer: 'a whole number', boolean: 'true or false', array: 'a list',
  object: 'an object', null: 'null',
} // biome-ignore format: a table
const kindOf = (type: unknown) => kinds[String(type)] ?? String(type)

/** The forms of a union: `text, a list or null`. */
function formsOf(alternatives: unknown): string {
  const forms = new Set((Array.isArray(alternatives) ? alternatives : []).map(formOf))
  const [last = 'another value', ...before] = [...forms].reverse()
  return before.length > 0 ? `${before.reverse().join(', ')} or ${last}` : last
}

type Alternative = { type?: unknown; const?: unknown; enum?: unknown[]; properties?: object; required?: string[] }

function formOf({ type, enum: values, properties, required, ...rest }: Alternative): string {
  if ('const' in rest) return String(shown(rest.const))
  if (values) return values.map(shown).join(', ')
  const names = required ?? Object.keys(properties ?? {})
  if (names.length > 0) return `an object with ${names.join(', ')}`
  return type === undefined ? 'another value' : [type].flat().map(kindOf).join(' or ')
}

/** What a pattern allows, in words. Every pattern of an input is here, or has examples. */
const patterns: Record<string, string> = {
  [notBlank]: 'must not be empty',
  '^(?=\\s*\\S)[^\\u0000]*$': 'must be text that is not empty, without the character U+0000',
  [storable]: 'contains a character that cannot be stored (U+0000)',
  '^[^\\p{Cc}]*$': 'must be text without line breaks and control characters',
  '^[^\\p{Cc}\\u2028\\u2029]*$': 'must be a single line of text, without control characters',
  '^[^{}]+$': 'must be a path such as documents, without braces',
  '^[A-Z]{3}$': 'must be three capital letters',
  '^[A-Z]{2}$': 'must be two capital letters',
  '^\\d{2}$': 'must be two digits',
  '^(?!00)\\d{2}$': 'must be two digits, from 01 to 99',
  '^[0-9]{4}$': 'must be four digits',
  '^[A-Z0-9]$': 'must be one capital letter or digit',
  '^[A-Za-z0-9]{1,10}$': 'must be 1 to 10 letters and digits',
  '^[A-Za-z0-9]{1,12}$': 'must be 1 to 12 letters and digits',
  '^[A-Za-z0-9_-]+$': 'must be base64url: letters, digits, - and _',
  '^[\\x21-\\x7e]+$': 'must be text of visible ASCII characters, without spaces',
  '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$':
    'must be text of visible ASCII characters, without spaces at its beginning and end',
  '^\\S{1,20}$': 'must have 1 to 20 characters and no spaces',
  '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$': 'must be 1 to 20 letters, digits, points and hyphens, and begin with a letter or digit',
  '^\\d{4}-?Q[1-4]$': 'must be a year and a quarter',
} // biome-ignore format: a table

function offPattern(pattern: string, examples: unknown): string {
  const words = patterns[pattern]
  const likely = Array.isArray(examples) && examples.length > 0 ? examples.join(' or ') : undefined
  if (pattern === notBlank || pattern === storable) return words ?? ''
  if (!likely) return words ?? 'does not have the allowed form'
  return words ? `${words}, such as ${likely}` : `must look like ${likely}`
}

const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  'email-or-empty': 'must be an e-mail address, or empty',
  'date-time': 'must be an instant in UTC such as 2026-01-31T08:00:00Z',
  uri: 'must be a web address',
}
