import { sql } from 'kysely'
import { amount, column, type Field, filterable, type Row, toMany, toOne } from '../../../../core/define/filterable.ts'
import { isPaidBy } from '../../../../ledger/payments/filterable.ts'
import { salesKind } from '../kind.ts'

/** An issued, unpaid document is owed; a receipt or credit memo, which names a payment, is not. */
const isOwed = (row: Row) => sql`(${row.column('status')} in ('UNSENT', 'SENT') and ${row.column('paymentId')} is null)`

const major = (row: Row, minor: unknown) => sql`major_units(${minor}, ${row.column('minorDigits')})`

/** A receipt counts as paid in full unless it was cancelled, and a credit memo as far as its credit was used. */
const paidAmount: Field = {
  kind: 'number',
  money: true,
  of: (row) =>
    major(
      row,
      sql`case when ${row.column('paymentId')} is null then ${row.column('paidMinor')}
        when ${row.column('cancelledAt')} is null then ${row.column('totalMinor')} - ${row.column('openCredit')} else 0 end`,
    ),
}

const openBalance: Field = {
  kind: 'number',
  money: true,
  of: (row) =>
    major(row, sql`case when ${isOwed(row)} then ${row.column('openMinor')} else ${row.column('openCredit')} end`),
}

const daysOverdue: Field = {
  kind: 'number',
  of: (row) => sql`case when ${isOwed(row)} and ${row.column('openMinor')} > 0
    then greatest(0, ${row.today}::date - coalesce(${row.column('dueDate')}, ${row.today}::date)) else 0 end`,
}

const Document = filterable({
  feature: 'invoices',
  from: sql`(select documents.*, open_minor(documents) as open_minor, open_credit(documents) as open_credit,
      case when document_type in ('INVOICE', 'INVOICE_RECEIPT') then source_document_id end as converted_from_id
    from documents where kind = ${sql.lit(salesKind.name)})`,
  fields: {
    id: 'id',
    organizationId: 'id',
    customerId: column('id', 'counterpartyId'),
    customerName: { kind: 'text', of: (row) => sql`nullif(${row.column('counterpartyName')}, '')` },
    bankAccountId: 'id',
    sourceDocumentId: 'id',
    convertedFromId: 'id',
    convertedToId: 'id',
    status: 'text',
    direction: 'text',
    documentType: 'text',
    invoiceNumber: column('text', 'number'),
    currency: 'text',
    exchangeRate: 'number',
    subtotal: amount('subtotalMinor'),
    taxRate: 'number',
    taxAmount: amount('taxMinor'),
    total: amount('totalMinor'),
    paidAmount,
    creditedAmount: amount('creditedMinor'),
    openBalance,
    daysOverdue,
    inDispute: 'boolean',
    issueDate: 'day',
    invoiceDate: column('day', 'issueDate'),
    dueDate: 'day',
    payUntil: 'day',
    paymentDate: 'day',
    paymentMethod: 'text',
    receiptNumber: 'text',
    vatAllocationNumber: 'text',
    notes: 'text',
    sentAt: 'instant',
    issuedAt: 'instant',
    cancelledAt: 'instant',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    customer: toOne('Customer', 'counterpartyId', 'id'),
    bankAccount: toOne('BankAccount', 'bankAccountId', 'id'),
    createdBy: toOne('Member', 'createdBy', 'userId'),
    sourceDocument: toOne('Document', 'sourceDocumentId', 'id'),
    derivedDocuments: toMany('Document', 'id', 'sourceDocumentId'),
    lines: toMany('DocumentLine', 'id', 'documentId'),
    events: toMany('DocumentEvent', 'id', 'documentId'),
    allocations: toMany('Allocation', 'id', 'documentId'),
    payments: isPaidBy('Payment'),
    organization: toOne('Organization', 'organizationId', 'id'),
  },
})

const DocumentLine = filterable({
  feature: 'invoices',
  from: sql`(select l.*, d.minor_digits from document_lines l
    join documents d on d.organization_id = l.organization_id and d.id = l.document_id and d.kind = ${sql.lit(salesKind.name)})`,
  key: ['documentId', 'position', 'id'],
  fields: {
    id: 'text',
    documentId: 'id',
    position: 'number',
    itemId: 'text',
    description: 'text',
    quantity: 'number',
    unitPrice: { kind: 'number', money: true, of: (row) => row.column('unitPrice') },
    amount: amount('amountMinor'),
    taxRate: 'number',
    taxCategory: 'text',
  },
  relations: { document: toOne('Document', 'documentId', 'id'), item: toOne('Item', 'catalogItemId', 'id') },
})

const DocumentEvent = filterable({
  feature: 'invoices',
  from: sql`(select v.* from document_events v
    join documents d on d.organization_id = v.organization_id and d.id = v.document_id and d.kind = ${sql.lit(salesKind.name)})`,
  fields: { id: 'id', documentId: 'id', type: 'text', actorUserId: 'id', createdAt: 'instant' },
  relations: { document: toOne('Document', 'documentId', 'id'), actor: toOne('Member', 'actorUserId', 'userId') },
})

export const documentObjects = { Document, DocumentLine, DocumentEvent }
