import { invalid } from '../../../core/define/failure.ts'
import { Count, nullable, type Static, Type } from '../../../core/define/schema.ts'
import { problemsOf } from '../../../core/define/validate.ts'
import { toDay } from '../../../core/values/day.ts'
import { isId } from '../../../core/values/id.ts'
import type { Period } from './read-journal.ts'

/**
 * Where the next page of the journal begins, and the sums of the whole period, which were computed with the first page: a page
 * after it costs the same however long the period is. The sums are null if each page has its own.
 */
const Cursor = Type.Object({
  after: Type.Object({
    day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    id: Type.String(),
    event: Type.String({ pattern: '^[A-Z_]{1,20}$' }),
    line: Type.Integer({ minimum: 0, maximum: 1_000 }),
    accountId: Type.String(),
  }),
  sums: nullable(
    Type.Object({
      count: Count,
      debitMinor: Count,
      creditMinor: Count,
      faceValues: Type.Array(Type.String({ maxLength: 10 })),
      otherHomes: Type.Array(Type.String({ maxLength: 10 })),
    }),
  ),
})
export type Cursor = Static<typeof Cursor>

export const toCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Refuses text that is not a cursor, and one of another period. */
export function readCursor(text: string, { from, to }: Pick<Period, 'from' | 'to'>): Cursor {
  const cursor = parsed(text)
  if (problemsOf(Cursor, cursor).length > 0) throw refusal()
  const { after } = cursor as Cursor
  if (toDay(after.day) !== after.day || !isId(after.id) || !isId(after.accountId) || after.day < from || after.day > to)
    throw refusal()
  return cursor as Cursor
}

const refusal = () => invalid('cursor', 'Give the nextCursor of a page of the same period, or none.')

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}
