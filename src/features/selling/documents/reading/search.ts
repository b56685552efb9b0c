import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { containing } from '../../../../core/define/query.ts'
import type { Tables } from '../../../../db/database.ts'
import { type Documents, salesDocuments } from './read.ts'

/** The index consists of three-character sequences (search_grams), so it cannot find shorter texts. */
export const canSearchByIndex = (text: string) => [...text].length >= 3

/** With more results than this, a scan is as fast as the index. */
export const indexedResultsMax = 2_000

/** Sales documents whose number, customer or notes contain a text, by index; at most `indexedResultsMax` + 1. */
export const searchByIndex = (db: Database, text: string) =>
  db.selectFrom(
    sql<
      Selectable<Tables['documents']>
    >`search_documents(${text}, ${containing(text)}, ${sql.lit(indexedResultsMax + 1)})`.as('documents'),
    // the function returns rows of the table, which the query builder's type cannot express
  ) as unknown as Documents<object>

/** The same by a scan of the documents; all of them for an empty text. */
export function searchByScan(db: Database, text: string): Documents<object> {
  if (text === '') return salesDocuments(db)
  return salesDocuments(db).where((document) =>
    document.or(searchedColumns.map((field) => document(field, 'ilike', containing(text)))),
  )
}

const searchedColumns = ['number', 'counterpartyName', 'notes'] as const
