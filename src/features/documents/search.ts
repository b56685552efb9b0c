import { type Selectable, sql } from 'kysely'
import type { Database } from '../../core/operation.ts'
import { containing } from '../../core/query.ts'
import type { Tables } from '../../db/tables.ts'
import { type Documents, sales } from './read.ts'

/** The sales documents in whose number, customer or notes a text stands; all of them for an empty one. */
export function matching(db: Database, text: string): Documents<object> {
  if (text === '') return sales(db)
  const pattern = containing(text)
  if ([...text].length >= gramLength) return lookedUp(db, text, pattern)
  return sales(db).where((document) => document.or(searched.map((field) => document(field, 'ilike', pattern))))
}

/** The index holds every three characters in a row (search_grams); what is shorter is looked for in every document. */
const gramLength = 3

const searched = ['number', 'counterpartyName', 'notes'] as const

/** Rows of the table like any others, though a function found them; its type has no word for that. */
const lookedUp = (db: Database, text: string, pattern: string) =>
  db.selectFrom(
    sql<Selectable<Tables['documents']>>`search_documents(${text}, ${pattern})`.as('documents'),
  ) as unknown as Documents<object>
