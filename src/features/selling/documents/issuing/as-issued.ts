import type { Database } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { nextNumberText, numberingOf } from '../../../company/settings/numbering.ts'
import type { DocumentRow } from '../reading/read.ts'
import { recordsPayment } from './receipt-payment.ts'

/** A draft as it would be if it were issued now: with its number, and owed, or paid if issuing records its payment. */
export async function asIssued(db: Database, row: DocumentRow): Promise<DocumentRow> {
  if (row.status !== 'DRAFT') return row
  const { organization, counters } = await pipeline({
    organization: one(
      db
        .selectFrom('organizations')
        .select(['name', 'country', 'registrationNumber', 'taxNumber', 'address'])
        .where('id', '=', row.organizationId),
      'organization',
    ),
    counters: db.selectFrom('documentNumbering').select(['documentType', 'prefix', 'padding', 'nextNumber']).execute(),
  })
  const invoiceNumber = nextNumberText(numberingOf(counters, organization), row.documentType)
  const isPaid = recordsPayment({ ...row, status: 'UNSENT' }, row)
  return { ...row, invoiceNumber, status: isPaid ? 'PAID' : 'UNSENT', openMinor: isPaid ? 0 : row.totalMinor }
}
