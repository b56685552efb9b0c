import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { containing } from '../../../core/define/query.ts'
import type { Tables } from '../../../db/database.ts'
import { type Documents, sales } from './read.ts'

/** The index holds every three characters in a row (search_grams): it cannot look up what is shorter. */
export const canSearchByIndex = (text: string) => [...text].length >= 3

/** More than this are found as quickly by reading on from one document to the next. */
export const foundMax = 2_000

/** Sales documents in whose number, customer or notes a text stands, by the index; one more than `foundMax` at most. */
export const searchByIndex = (db: Database, text: string) =>
  db.selectFrom(
    sql<Selectable<Tables['documents']>>`search_documents(${text}, ${containing(text)}, ${sql.lit(foundMax + 1)})`.as(
      'documents',
    ),
    // rows of the table like any others, though a function found them: its type has no word for that
  ) as unknown as Documents<object>

/** The same, one document after the other; all of them for an empty text. */
export function searchByScan(db: Database, text: string): Documents<object> {
  if (text === '') return sales(db)
  return sales(db).where((document) => document.or(searched.map((field) => document(field, 'ilike', containing(text)))))
}

const searched = ['number', 'counterpartyName', 'notes'] as const
