import { sql } from 'kysely'
import { type Inside, type Member, operation } from '../../../../core/define/operation.ts'
import {
  Count,
  defaulted,
  nullable,
  OneOf,
  Text,
  Type,
  type Warning,
  Warnings,
} from '../../../../core/define/schema.ts'
import type { DrawnPage } from '../../../../core/outside/typesetter.ts'
import { currencyOf } from '../../../../ledger/currency-of.ts'
import { readAmounts, totalsProblems } from '../../../../ledger/totals.ts'
import { createDocument } from '../create.ts'
import { NewDocument } from '../document.ts'
import { toDocument } from '../reading/read.ts'
import { DotsPerInch } from './pages.ts'
import { languagesOf, printLanguages, typeset } from './print.ts'
import { readPrintData } from './print-data.ts'

const pagesMax = 10

const Page = Type.Object({
  page: Type.Integer({ description: 'Its number, from 1.' }),
  width: Type.Integer({ description: 'In pixels.' }),
  height: Type.Integer({ description: 'In pixels.' }),
  fileType: Type.Literal('image/png'),
  base64: Type.String({ contentEncoding: 'base64' }),
})

export const preview = operation({
  name: 'invoices_preview',
  http: 'POST /api/documents/preview',
  does: 'Shows a sales document that is not saved as it would be as a draft. It answers its pages as pictures, its totals, warnings, and what keeps it from being issued. Nothing is stored.',
  scope: 'invoices:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  reads: true,
  rate: 'pages',
  input: Type.Object({
    ...NewDocument.properties,
    language: Type.Optional(OneOf(...printLanguages)),
    firstPage: defaulted(Type.Integer({ minimum: 1, maximum: 10_000 }), 1),
    pagesMax: defaulted(
      Type.Integer({ minimum: 0, maximum: pagesMax, description: 'How many pages to draw; 0 for the totals alone.' }),
      1,
    ),
    dpi: DotsPerInch,
  }),
  output: Type.Object({
    documentType: Text,
    currency: Text,
    subtotal: Type.Number(),
    taxRate: nullable(Type.Number()),
    taxAmount: Type.Number(),
    total: Type.Number(),
    warnings: Warnings,
    problems: Type.Array(Warnings.items, { description: 'Why it cannot be issued with these amounts.' }),
    pageCount: nullable({ ...Count, description: 'Null if no page was to be drawn.' }),
    pages: Type.Array(Page),
  }),
  outside: true,
  async run(context, { organizationId: _, language, firstPage, pagesMax, dpi, ...given }) {
    const { data, document, warnings } = await context.tx((inside) => readAsDraft(inside, given))
    const { documentType, currency, subtotal, taxRate, taxAmount, total } = document
    const answer = {
      documentType,
      currency,
      subtotal,
      taxRate,
      taxAmount,
      total,
      warnings,
      problems: problemsOf(given),
    }
    if (pagesMax === 0) return { ...answer, pageCount: null, pages: [] }
    const { pdf } = await typeset(context, data, { languages: languagesOf(data, language), copy: 'draft' })
    const { organizationId } = data.row
    const drawn = await context.typesetter.draw({ pdf, organizationId, first: firstPage, pagesMax, dotsPerInch: dpi })
    return { ...answer, pageCount: drawn.pageCount, pages: drawn.pages.map(toPage) }
  },
})

type GivenDocument = Omit<NewDocument, 'organizationId'>

/**
 * Creates the document as a draft, reads all that is printed of it, and takes it back: so every rule, trigger and warning is the
 * one of a document that is saved. No event is recorded, and the transaction is over before anything is printed.
 */
async function readAsDraft({ db, who, now }: Inside & { who: Promise<Member> }, given: GivenDocument) {
  await sql`savepoint unsaved`.execute(db)
  const { row, warnings } = await createDocument({ db, who, now, emit: () => {} }, { ...given, status: 'DRAFT' })
  const data = await readPrintData(db, row.id)
  await sql`rollback to savepoint unsaved`.execute(db)
  return { data, document: toDocument(row), warnings }
}

/** What would be refused when it is issued, and is no reason not to save a draft. */
function problemsOf(given: GivenDocument): Warning[] {
  const amounts = readAmounts({ ...given, currency: currencyOf(given.currency) }, { draft: true })
  return totalsProblems(amounts).map(({ code = 'AMOUNT_MISMATCH', path, message }) => ({ code, path, message }))
}

const toPage = ({ png, ...page }: DrawnPage) => ({
  ...page,
  fileType: 'image/png' as const,
  base64: Buffer.from(png).toString('base64'),
})
