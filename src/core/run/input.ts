import type { Detail, Failure } from '../define/failure.ts'
import type { Operation } from '../define/operation.ts'
import type { TObject, TSchema } from '../define/schema.ts'
import { problemsOf, refusal } from '../define/validate.ts'
import { memoize } from '../values/memoize.ts'

/** An input made ready for `run`, or why it cannot be. The door is asked first, so the problem waits. */
export type Checked = { input: never; problem?: Failure }

type Request = { input: Record<string, unknown>; problems?: Detail[]; unreadable?: Failure }

/**
 * Fills defaults in and checks the input. What is sent in a body has no fields that nobody knows, but what was read is
 * taken back: fields that the resource has and the server owns are ignored. In an address what is unknown is ignored.
 */
export function checkInput(operation: Operation, { input: given, problems = [], unreadable }: Request): Checked {
  if (unreadable) return { input: given as never, problem: unreadable }
  const known = operation.input.properties
  const isAddress = operation.method === 'GET'
  const takesResourcesBack = operation.surface === 'api'
  const owned = isAddress || !takesResourcesBack ? undefined : ownedFields(operation)
  const input: Record<string, unknown> = {}
  // In the schema's order, not the caller's: the same fields make the same statement.
  for (const field of Object.keys(known)) {
    if (Object.hasOwn(given, field) && given[field] !== undefined) input[field] = given[field]
  }
  for (const field of isAddress ? [] : Object.keys(given)) {
    if (given[field] === undefined || Object.hasOwn(known, field)) continue
    if (field === 'organizationId' && takesResourcesBack) continue
    if (!owned?.has(field)) problems.push({ path: field, message: `${field} is not a field of this operation.` })
  }
  const all = [...problems, ...problemsOf(operation.input, input)]
  return all.length > 0 ? { input: input as never, problem: refusal(all) } : { input: input as never }
}

const ownedFields = memoize(
  ({ output, alsoShown }: Operation) =>
    new Set(Object.keys({ ...resourceOf(output)?.properties, ...alsoShown?.properties })),
)

/**
 * The resource in an answer: the answer itself when it has an id (a member that of the person), else the one object in it
 * that has (`{key: ApiKey}`).
 */
export function resourceOf(output: TSchema): TObject | undefined {
  const { properties } = output as Partial<TObject>
  if (!properties) return undefined
  if ('id' in properties || 'userId' in properties) return output as TObject
  return Object.values(properties).find(
    (property): property is TObject => 'id' in ((property as Partial<TObject>).properties ?? {}),
  )
}

/** The id of what an operation changed, for the audit trail. */
export function objectId(input: { id?: unknown }, result: unknown): string | null {
  if (typeof input.id === 'string') return input.id
  if (typeof result !== 'object' || result === null) return null
  if ('id' in result && typeof result.id === 'string') return result.id
  for (const value of Object.values(result)) {
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id
  }
  return null
}
