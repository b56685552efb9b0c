import { unknownField } from '../define/complaint.ts'
import type { Detail, Failure } from '../define/failure.ts'
import type { Operation } from '../define/operation.ts'
import type { TObject, TSchema } from '../define/schema.ts'
import { problemsOf, refusal } from '../define/validate.ts'
import { memoize } from '../values/memoize.ts'

/** The input for `run`, or its problem. The problem is thrown later, because the caller is authorized first. */
export type Checked = { input: never; problem?: Failure }

type Request = { input: Record<string, unknown>; problems?: Detail[] | undefined; unreadable?: Failure | undefined }

/**
 * Fills in defaults and checks the input. An unknown field in a body is refused, except for fields that the server sets on
 * the resource: they are ignored, so that a resource can be sent back as it was read. In a query unknown fields are ignored.
 */
export function checkInput(operation: Operation, { input: given, problems = [], unreadable }: Request): Checked {
  if (unreadable) return { input: given as never, problem: unreadable }
  const known = operation.input.properties
  const isQuery = operation.method === 'GET'
  const takesResourcesBack = operation.surface === 'api'
  const owned = isQuery || !takesResourcesBack ? undefined : ownedFields(operation)
  const input: Record<string, unknown> = {}
  // In the order of the schema, not the caller's, so that the same fields make the same SQL statement.
  for (const field of Object.keys(known)) {
    if (Object.hasOwn(given, field) && given[field] !== undefined) input[field] = given[field]
  }
  for (const field of isQuery ? [] : Object.keys(given)) {
    if (given[field] === undefined || Object.hasOwn(known, field)) continue
    if (field === 'organizationId' && takesResourcesBack) continue
    if (!owned?.has(field)) problems.push({ path: field, message: `${field} ${unknownField}.` })
  }
  const all = [...problems, ...problemsOf(operation.input, input)]
  return all.length > 0 ? { input: input as never, problem: refusal(all) } : { input: input as never }
}

/** A page of this many rows is an ordinary read; a larger one keeps the process busy for several milliseconds. */
const ordinaryRows = 25

/** Whether the call asks for a page with more rows than usual. */
export const isLargeList = ({ reads }: Operation, input: Record<string, unknown>): boolean =>
  reads && Number(input.limit) > ordinaryRows

const ownedFields = memoize(
  ({ output, alsoShown }: Operation) =>
    new Set(Object.keys({ ...resourceOf(output)?.properties, ...alsoShown?.properties })),
)

/**
 * The resource in an answer: the answer itself if it has an id (a member has a userId), otherwise the object in it that has
 * one (`{key: ApiKey}`).
 */
export function resourceOf(output: TSchema): TObject | undefined {
  const { properties } = output as Partial<TObject>
  if (!properties) return undefined
  if ('id' in properties || 'userId' in properties) return output as TObject
  return Object.values(properties).find(
    (property): property is TObject => 'id' in ((property as Partial<TObject>).properties ?? {}),
  )
}

/** The id of the object that an operation changed, for the audit log: of the row that the call names, or of the result. */
export function objectId({ within }: Operation, input: Record<string, unknown>, result: unknown): string | null {
  const named = input[typeof within === 'object' ? within.by : 'id'] ?? input.payslipId
  if (typeof named === 'string') return named
  if (typeof result !== 'object' || result === null) return null
  if ('id' in result && typeof result.id === 'string') return result.id
  if ('paymentId' in result && typeof result.paymentId === 'string') return result.paymentId
  for (const value of Object.values(result)) {
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id
  }
  return null
}
