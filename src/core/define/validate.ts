import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { closed, type JsonSchema } from '../contract/json-schema.ts'
import { memoize } from '../values/memoize.ts'
import { parseUrl } from '../values/url.ts'
import { codeOf, complaint, unknownField } from './complaint.ts'
import type { Detail } from './failure.ts'
import { Failure } from './failure.ts'
import type { TSchema } from './schema.ts'

const detailsMax = 100

// One address without any character that has a meaning in a mail header (THR-18).
const email = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/

const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  strict: false,
  verbose: true, // messages use the examples of the schema
  meta: false, // the schemas are ours: a test checks them (sweeps/list.test.ts)
  validateSchema: false,
  // A schema is compiled at its first use. Without this pass that takes two thirds of the time, and checking takes as long.
  code: { optimize: false },
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
  return validate(value) ? [] : unique(withoutBranches(validate.errors ?? []).map(toDetail))
}

const unique = (details: Detail[]) => [
  ...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values(),
]

/**
 * A value that fits no alternative of a union has the errors of all of them. If it has the type of exactly one, only the
 * errors of this one help; otherwise only the list of what is possible does.
 */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return unions.reduce(withoutBranchesOf, errors)
}

function withoutBranchesOf(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const branchOf = ({ schemaPath, instancePath }: ErrorObject) =>
    schemaPath.startsWith(`${union.schemaPath}/`) && `${instancePath}/`.startsWith(`${union.instancePath}/`)
      ? (schemaPath.slice(union.schemaPath.length + 1).split('/')[0] ?? '')
      : undefined
  const branches = new Set(errors.flatMap((error) => branchOf(error) ?? []))
  for (const { keyword, instancePath, ...error } of errors)
    if (keyword === 'type' && instancePath === union.instancePath)
      branches.delete(branchOf({ keyword, instancePath, ...error }) ?? '')
  const [only] = branches.size === 1 ? branches : []
  return errors.filter((error) => {
    const branch = branchOf(error)
    return branch === undefined ? only === undefined || error !== union : branch === only
  })
}

function toDetail(error: ErrorObject): Detail {
  const { instancePath, params } = error
  const parent = instancePath.slice(1).replaceAll('/', '.')
  const inner = params.missingProperty ?? params.additionalProperty
  const path = inner ? [parent, inner].filter(Boolean).join('.') : parent
  if (error.keyword === 'additionalProperties')
    return unknownField(path, Object.keys(error.parentSchema?.properties ?? {}))
  return { path, message: `${path || 'The body'} ${complaint(error)}.`, ...codeOf(error) }
}
