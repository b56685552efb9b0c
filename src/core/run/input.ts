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
 * the resource: they are ignored, so that a resource can be sent back as it was read. What cannot have been read, such as text
 * where the resource shows a supplier, is refused like an unknown field. In a query unknown fields are ignored.
 */
export function checkInput(operation: Operation, { input: given, problems = [], unreadable }: Request): Checked {
  if (unreadable) return { input: given as never, problem: unreadable }
  const known = operation.input.properties
  const isQuery = operation.method === 'GET'
  const takesResourcesBack = operation.surface === 'api'
  const owned = isQuery || !takesResourcesBack ? {} : ownedFields(operation)
  const input: Record<string, unknown> = {}
  // In the order of the schema, not the caller's, so that the same fields make the same SQL statement.
  for (const field of Object.keys(known)) {
    if (Object.hasOwn(given, field) && given[field] !== undefined) input[field] = given[field]
  }
  for (const field of isQuery ? [] : Object.keys(given)) {
    if (given[field] === undefined || Object.hasOwn(known, field)) continue
    if (field === 'organizationId' && takesResourcesBack) continue
    const shown = Object.hasOwn(owned, field) ? owned[field] : undefined
    if (!shown || (isScalar(given[field]) && hasParts(shown as Shape)))
      problems.push(unknownField(field, Object.keys(known)))
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
  ({ output, alsoShown }: Operation): Record<string, TSchema> => ({
    ...resourceOf(output)?.properties,
    ...alsoShown?.properties,
  }),
)

type Shape = { type?: string | string[]; anyOf?: Shape[] }

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Whether a field of a resource is an object or a list, wherever it is not null. */
function hasParts({ type, anyOf = [] }: Shape): boolean {
  if (anyOf.length > 0) return anyOf.every((each) => each.type === 'null' || hasParts(each))
  const types = [type ?? []].flat().filter((each) => each !== 'null')
  return types.length > 0 && types.every((each) => each === 'object' || each === 'array')
}

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

/**
 * The id of the object that an operation changed, for the audit log: of the row that the call names, or of the result. Only
 * a field that the operation takes names a row: an `id` that is sent to a create is ignored here too.
 */
export function objectId(
  { within, input: { properties } }: Operation,
  given: Record<string, unknown>,
  result: unknown,
): string | null {
  const by = typeof within === 'object' ? within.by : 'id'
  const field = [by, 'payslipId'].find((each) => each in properties && (given[each] ?? null) !== null)
  const named = field && given[field]
  if (typeof named === 'string') return named
  if (typeof result !== 'object' || result === null) return null
  if ('id' in result && typeof result.id === 'string') return result.id
  if ('paymentId' in result && typeof result.paymentId === 'string') return result.paymentId
  for (const value of Object.values(result)) {
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id
  }
  return null
}
