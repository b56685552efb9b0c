import type { Database } from '../../../../core/define/operation.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { asIssued, type PrintData, readPrintData } from '../print/print-data.ts'

type NowOrganization = Record<'registrationNumber' | 'taxNumber' | 'address' | 'email' | 'phone', string | null>
type NowCustomer = Record<'registrationNumber' | 'address' | 'country', string | null>

type Now = { now: { organization: NowOrganization; customer: NowCustomer | undefined } }

/** A document as it was issued, and what is stored of both parties now. */
export type EInvoiceData = Pick<PrintData, 'row' | 'country' | 'sale' | 'account' | 'source'> & Now

/** Reads what an e-invoice is written from, in one transaction. */
export async function readEInvoiceData(db: Database, id: string): Promise<PrintData & Now> {
  const data = await readPrintData(db, id)
  const { organization, customer } = await pipeline({
    organization: db
      .selectFrom('organizations')
      .select(['registrationNumber', 'taxNumber', 'address', 'email', 'phone'])
      .where('id', '=', data.row.organizationId)
      .executeTakeFirst(),
    customer: db
      .selectFrom('customers')
      .select(['registrationNumber', 'address', 'country'])
      .where('id', '=', data.row.customerId)
      .executeTakeFirst(),
  })
  return { ...asIssued(data), now: { organization: organization ?? nothing, customer } }
}

const nothing: NowOrganization = { registrationNumber: null, taxNumber: null, address: null, email: null, phone: null }
