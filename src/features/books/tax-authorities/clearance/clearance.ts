import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Count, Instant, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import type { Integration } from '../../../../countries/integration.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { countryView } from '../../../selling/documents/country-view.ts'
import { isNational } from '../../../selling/documents/einvoice/parties.ts'
import { readEInvoiceData } from '../../../selling/documents/einvoice/read-data.ts'
import { type DocumentRow, documentById } from '../../../selling/documents/reading/read.ts'
import { connectionStatus } from '../connection.ts'

const Reason = Type.Object({
  code: nullable(Type.Integer({ description: 'The code of the authority.' })),
  message: Text,
  param: nullable(Type.String({ description: 'The field that it is about, as the authority calls it.' })),
})

/** The state of a document at the tax authority. */
export const Clearance = Type.Object({
  required: Type.Boolean({
    description:
      'Whether the document needs a number of the authority, or is reported by an organization that is connected for that.',
  }),
  status: OneOf('NOT_REQUIRED', 'NOT_SUBMITTED', 'PENDING', 'APPROVED', 'REJECTED', 'ERROR'),
  authority: nullable(Type.String({ description: 'The integration; null if the country has none.' })),
  environment: nullable(OneOf('sandbox', 'production')),
  vatAllocationNumber: nullable(Text),
  submittedAt: nullable(Instant),
  decidedAt: nullable(Instant),
  attempts: Count,
  error: nullable(Type.String({ description: 'Why it was rejected or failed, in words.' })),
  reasons: Type.Array(Reason, { description: 'The reasons of the authority for a rejection.' }),
  nextAttemptAt: nullable(
    Type.String({ format: 'date-time', description: 'When a failed call is repeated by itself.' }),
  ),
})
export type Clearance = Static<typeof Clearance>
type Reasons = Clearance['reasons']

export const clearanceRow = (db: Database, documentId: string) =>
  db.selectFrom('clearances').selectAll().where('documentId', '=', documentId)
export type ClearanceRow = Awaited<ReturnType<ReturnType<typeof clearanceRow>['executeTakeFirstOrThrow']>>

/** A document together with its clearance and the environment that its organization uses. */
export type ClearedDocument = {
  row: DocumentRow
  clearance: ClearanceRow | undefined
  integration: Integration | undefined
  required: boolean
}

export async function readClearance(db: Database, documentId: string): Promise<ClearedDocument> {
  const { row, clearance } = await pipeline({
    row: one(documentById(db, documentId), 'document'),
    clearance: clearanceRow(db, documentId).executeTakeFirst(),
  })
  const view = countryView(row)
  const integration = view?.country.integration ?? undefined
  const required = view && integration ? await isRequired(db, { row, view, integration }) : false
  return { row, clearance, integration, required }
}

type Asked = { row: DocumentRow; view: NonNullable<ReturnType<typeof countryView>>; integration: Integration }

/**
 * Whether the country wants a number for the document; or, where documents are reported in a national format, whether the
 * organization reports and this is one of these documents.
 */
async function isRequired(db: Database, { row, view: { country, sale }, integration }: Asked): Promise<boolean> {
  if (country.documents.needsAllocationNumber(sale)) return true
  const { documentType } = sale.document
  if (!country.einvoices.national || !country.documents.officialCode({ documentType, issuer: sale.issuer }))
    return false
  if (!(await connectionStatus(db, integration.integrationId))) return false
  return isNational(await readEInvoiceData(db, row.id))
}

/** The clearance as the API shows it. A number without a submission was entered by a person. */
export async function clearanceOf(db: Database, documentId: string): Promise<Clearance> {
  const found = await readClearance(db, documentId)
  const { integration, clearance } = found
  const environment =
    clearance?.environment ?? (integration && (await connectionStatus(db, integration.integrationId))?.environment)
  return toClearance(found, environment ?? null)
}

function toClearance(
  { row, clearance, integration, required }: ClearedDocument,
  environment: Clearance['environment'],
): Clearance {
  const number = row.vatAllocationNumber
  return {
    required,
    status: number !== null ? 'APPROVED' : (clearance?.status ?? (required ? 'NOT_SUBMITTED' : 'NOT_REQUIRED')),
    authority: integration?.integrationId ?? null,
    environment,
    vatAllocationNumber: number,
    submittedAt: clearance?.submittedAt ?? null,
    decidedAt: clearance?.decidedAt ?? null,
    attempts: clearance?.attempts ?? 0,
    error: clearance?.error ?? null,
    reasons: (clearance?.reasons ?? []) as Reasons, // written by recordAnswer()
    nextAttemptAt: clearance?.nextAttemptAt ?? null,
  }
}
