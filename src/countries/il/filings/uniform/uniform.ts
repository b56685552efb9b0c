import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { today } from '../../../../core/values/day.ts'
import type { AskedFile } from '../../../../features/books/statutory/statutory-file.ts'
import { documentTypes, type Issuer } from '../../../country.ts'
import { il } from '../../il.ts'
import { nineDigits } from '../text.ts'
import { keysOf } from './keys.ts'
import { type Books, readBooks, readItems, type UniformItem } from './read-books.ts'
import { readDocuments, type UniformDocument } from './read-documents.ts'

/** What a uniform file is written from. */
export type Uniform = {
  issuer: Issuer
  /** The nine digits of the business; zeros if it has none. */
  dealer: string
  /** Fifteen digits that are the same in the records A000, A100 and Z900 of one production. */
  primaryId: string
  from: string
  to: string
  /** When it is produced, in the zone of the organization: `2026-01-31` and `1545`. */
  day: string
  time: string
  home: string
  documents: UniformDocument[]
  books: Books
  items: UniformItem[]
  itemsById: Map<string, UniformItem>
  keys: { accounts: Map<string, string>; items: Map<string, string>; receivables: string; none: string }
}

/** How long documents are read, and documents and the journal together. A request has eleven seconds of the database. */
const [documentsMs, allMs] = [3_000, 8_500]

export async function readUniform({ db, organization, from, to, now }: AskedFile): Promise<Uniform> {
  const { currency: home, timezone } = organization
  const began = performance.now()
  const issuer = await db
    .selectFrom('organizations')
    .select(['name', 'registrationNumber', 'taxNumber', 'address'])
    .executeTakeFirstOrThrow()
  const read = await readDocuments(db, { from, to, timezone, until: began + documentsMs })
  const documents = read.map((document) => withType(document, issuer))
  const books = await readBooks(db, { from, to, home, until: began + allMs })
  const named = [...new Set(documents.flatMap(({ lines }) => lines.flatMap(({ itemId }) => itemId ?? [])))]
  const items = await readItems(db, { from, to, named })
  const accounts = keysOf(
    books.accounts.map(({ id, code }) => ({ id, name: code })),
    15,
  )
  const receivables = books.accounts.find(({ purpose }) => purpose === 'RECEIVABLES')
  const { rows } = await sql<{
    time: string
  }>`select to_char(${now}::timestamptz at time zone ${timezone}, 'HH24MI') as time`.execute(db)
  return {
    ...{ issuer, from, to, home, documents, books, items },
    dealer: nineDigits(issuer.taxNumber) ?? nineDigits(issuer.registrationNumber) ?? '0'.repeat(9),
    primaryId: `${randomInt(1, 10)}${String(randomInt(10 ** 7)).padStart(7, '0')}${String(randomInt(10 ** 7)).padStart(7, '0')}`,
    day: today(now, timezone),
    time: rows[0]?.time ?? '0000',
    itemsById: new Map(items.map((item) => [item.id, item])),
    keys: {
      accounts,
      items: keysOf(
        items.map(({ id, sku }) => ({ id, name: sku })),
        20,
      ),
      receivables: accounts.get(receivables?.id ?? '') ?? '',
      none: 'NO-ACCOUNT',
    },
  }
}

/** Documents that an early version issued have no copy of their official type; the present one of the issuer counts. */
function withType(document: UniformDocument, issuer: Issuer): UniformDocument {
  if (document.officialType !== '') return document
  const documentType = documentTypes.find((type) => type === document.documentType) ?? 'INVOICE'
  return { ...document, officialType: il.documents.officialCode({ documentType, issuer }) ?? documentType }
}
