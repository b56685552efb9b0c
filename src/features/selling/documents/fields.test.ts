import { expect, test } from 'vitest'
import { productVersion } from '../../../core/values/product-version.ts'
import { codesOf } from '../../../test/documents/country-sale.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, theApp } from '../../../test/world.ts'

const instant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
const paying = { paymentDate: '2026-01-05', paymentMethod: 'BANK_TRANSFER', sendReceiptEmail: false }

/** A document with a value in every field, and its expected representations. */
async function completeDocument() {
  const amy = await member('MANAGER')
  const customer = await amy.call('customers_create', { name: 'Globex', country: 'SG', email: 'office@globex.test' })
  const account = await amy.call('bank_accounts_create', {
    accountName: 'Main',
    bankName: 'DBS',
    accountNumber: '0012345678',
    branchCode: '001',
    swiftCode: 'DBSSSGSG',
  })
  const { id: itemId } = await amy.call('logistics_items_create', { name: 'Consulting', kind: 'SERVICE' })
  const line = { id: '1', itemId, description: 'Consulting', quantity: 2, unitPrice: 50, amount: 100 }
  const items = [{ ...line, taxRate: 9, taxCategory: 'SR', discountPercent: 0, discountAmount: null }]
  const terms = { issueDate: '2026-01-02', dueDate: '2026-02-03', payUntil: '2026-02-10', notes: 'Thank you' }
  const more = { ...terms, items, customerId: customer.id, bankAccountId: account.id }
  const countrySpecificData = { branch: 7 }
  const created = await sell(amy, { ...more, status: 'SENT', countrySpecificData })
  const { id } = created
  await amy.call('invoices_manual_allocation', { id, allocationNumber: '12-34' })
  await amy.call('invoices_events_post', { id, type: 'DISPUTED' })
  const { payment, receipt } = await amy.call('invoices_mark_paid', { id, ...paying, generateReceipt: true })
  const { email } = await amy.call('users_me')
  const common = {
    id,
    organizationId: amy.organizationId,
    customerId: customer.id,
    documentType: 'INVOICE',
    invoiceNumber: '1',
    status: 'PAID',
    inDispute: true,
    dueDate: '2026-02-03',
    currency: 'SGD',
    exchangeRate: 1,
    exchangeRateDate: null,
    subtotal: 100,
    taxAmount: 9,
    total: 109,
    paidAmount: 109,
    creditedAmount: 0,
    openBalance: 0,
    cancelledAt: null,
    convertedFromId: null,
    convertedToId: null,
    notes: 'Thank you',
    vatAllocationNumber: '1234',
    generatorVersion: productVersion,
    customer: { id: customer.id, name: 'Globex', email: 'office@globex.test' },
    items,
    createdBy: { id: amy.userId, name: 'MANAGER', email },
    createdAt: instant,
    updatedAt: instant,
    attachments: [],
  }
  // The organization charges GST and is not registered for it.
  const warnings = [expect.objectContaining({ code: 'ISSUER_NOT_REGISTERED' })]
  const single = {
    ...common,
    warnings,
    bankAccountId: account.id,
    direction: 'OUTGOING',
    issueDate: '2026-01-02',
    payUntil: '2026-02-10',
    paymentMethod: 'BANK_TRANSFER',
    paymentDate: '2026-01-05',
    receiptNumber: receipt?.invoiceNumber,
    taxRate: 9,
    countrySpecificData,
    cancelledAt: null,
    organization: {
      id: amy.organizationId,
      name: 'Acme',
      country: 'SG',
      currency: 'SGD',
      registrationNumber: null,
      taxNumber: null,
      address: null,
      email: null,
      phone: null,
    },
    bankAccount: {
      id: account.id,
      accountName: 'Main',
      bankName: 'DBS',
      accountNumber: '0012345678',
      branchCode: '001',
      swiftCode: 'DBSSSGSG',
      iban: null,
      routingNumber: null,
    },
  }
  const listed = {
    ...common,
    invoiceDate: '2026-01-02',
    totalAmount: 109,
    payments: [{ id: payment?.id, amount: 109, paidAt: '2026-01-05', method: 'BANK_TRANSFER' }],
  }
  return { amy, id, created, single, listed, warnings }
}

test('a document has exactly the documented fields, in the list and as a single document', async () => {
  const { amy, id, created, single, listed, warnings } = await completeDocument()
  expect(await amy.call('invoices_get', { id })).toEqual(single)
  const { invoices } = await amy.call('invoices_list', { organizationId: String(amy.organizationId), status: 'PAID', documentType: 'INVOICE' })
  expect(invoices).toEqual([listed])
  const asCreated = { status: 'SENT', inDispute: false, paidAmount: 0, openBalance: 109, vatAllocationNumber: null, payments: [], warnings }
  expect(created).toEqual({ ...listed, ...asCreated })
  expect(await amy.call('invoices_update', { id, notes: 'Changed' })).toEqual({ ...single, notes: 'Changed' })
  const { notes: _, dueDate: __, payUntil: ___, countrySpecificData: ____, bankAccountId: _____, bankAccount: ______, ...otherFields } = single
  const emptied = { notes: null, dueDate: null, payUntil: null, countrySpecificData: null, bankAccountId: null, bankAccount: null }
  expect(await amy.call('invoices_update_put', { id })).toEqual({ ...otherFields, ...emptied })
}) // biome-ignore format: a shape a line

test('a history entry has exactly the documented fields, whether a person or the product wrote it', async () => {
  const { amy, id } = await completeDocument()
  const { events } = await amy.call('invoices_events', { id })
  const common = {
    id: expect.any(String),
    documentId: id,
    organizationId: amy.organizationId,
    createdAt: instant,
    sequence: expect.any(Number),
    hash: expect.any(String),
  }
  const [first, disputed] = [events.at(-1), events.find(({ type }) => type === 'DISPUTED')]
  const created = { type: 'CREATED', actorUserId: null, actor: null, payload: { status: 'SENT', userId: amy.userId } }
  expect(first).toEqual({ ...common, ...created, previousHash: null })
  const actor = { id: amy.userId, name: 'MANAGER', email: expect.any(String) }
  const byPerson = { type: 'DISPUTED', actorUserId: amy.userId, actor, payload: null }
  expect(disputed).toEqual({ ...common, ...byPerson, previousHash: expect.any(String) })
})

test('system events: the history records every action of the product, from CREATED to DELETED', async () => {
  const amy = await member('MANAGER')
  const customer = await amy.call('customers_create', { name: 'Globex', country: 'SG', email: 'office@globex.test' })
  const { id } = await sell(amy, { customerId: customer.id })
  await amy.call('invoices_update', { id, notes: 'changed' })
  await amy.call('invoices_send', { id })
  await amy.call('invoices_manual_allocation', { id, allocationNumber: '1' })
  await amy.call('invoices_mark_paid', { id, ...paying, generateReceipt: true })
  await amy.call('invoices_update', { id, clearReceiptInfo: true })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { events } = await amy.call('invoices_events', { id })
  expect(events.map(({ type }) => type).toReversed()).toEqual([
    'CREATED', 'UPDATED', 'ISSUED', 'ORIGINAL_KEPT', 'SENT', 'ALLOCATION_SET', 'PAYMENT_RECORDED', 'PAID', 'RECEIPT_ISSUED',
    'PAYMENT_VOIDED', 'MEMO_ISSUED',
  ]) // biome-ignore format: a list of words
  expect(events.filter(({ actorUserId, actor }) => actorUserId !== null || actor !== null)).toEqual([])

  const draft = await sell(amy)
  await amy.call('invoices_delete', { id: draft.id })
  const { rows } = await theApp().system.raw.query(
    'select type from document_events where document_id = $1 order by seq',
    [draft.id],
  )
  expect(rows).toEqual([{ type: 'CREATED' }, { type: 'DELETED' }])
})

test('a draft accepts totals that do not match, but cannot be issued', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { subtotal: 1, taxAmount: 2, total: 300 })
  for (const status of ['UNSENT', 'SENT', 'PAID'] as const)
    await expect(amy.call('invoices_update', { id, status })).rejects.toMatchObject({
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ code: 'AMOUNT_MISMATCH' })]),
    })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null, total: 300 })
})

test.each([
  ['UNSENT', 'UNSENT'],
  ['SENT', 'SENT'],
] as const)('after its payment is cleared, a document that was %s is %s again', async (before, after) => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: before })
  await amy.call('invoices_mark_paid', { id, ...paying, generateReceipt: true })
  const nothing = { receiptNumber: null, paymentDate: null, paymentMethod: null, paidAmount: 0 }
  expect(await amy.call('invoices_update', { id, clearReceiptInfo: true })).toMatchObject({ status: after, ...nothing })
})

test('an unknown document type lists no documents', async () => {
  const amy = await member('CONTRIBUTOR')
  await sell(amy)
  const query = { organizationId: String(amy.organizationId), documentType: 'POEM' }
  expect(await amy.call('invoices_list', query)).toMatchObject({ invoices: [], pagination: { total: 0 } })
})

test('a line without a tax rate has the rate of the document', async () => {
  const amy = await member('CONTRIBUTOR')
  const line = (id: string, more = {}) => ({ id, description: 'A', quantity: 1, unitPrice: 100, amount: 100, ...more })
  const items = [line('1'), line('2', { taxRate: 0, taxCategory: 'ZR' })]
  const amounts = { items, subtotal: 200, taxRate: 9, taxAmount: 9, total: 209, status: 'SENT' }
  expect(codesOf((await sell(amy, amounts)).warnings ?? [])).not.toContain('TAX_AMOUNT')
  const other = await amy.call('invoices_create', await salesDocument(amy, { ...amounts, taxAmount: 18, total: 218 }))
  expect(codesOf(other.warnings ?? [])).toContain('TAX_AMOUNT')
})

test('text with half of a surrogate pair is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const items = [{ id: '1', description: 'Consulting \ud83d', quantity: 2, unitPrice: 50, amount: 100 }]
  await expect(amy.call('invoices_create', await salesDocument(amy, { items }))).rejects.toMatchObject({
    status: 400,
    details: [expect.objectContaining({ code: 'BROKEN_TEXT' })],
  })
})
