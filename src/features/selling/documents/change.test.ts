import { describe, expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, theApp } from '../../../test/world.ts'

const now = () => today(new Date(), 'Asia/Singapore')

/** The optional fields of a line, empty. */
const noLineOptions = {
  itemId: null,
  taxRate: null,
  taxCategory: null,
  discountPercent: null,
  discountAmount: null,
}

describe('changes', () => {
  test('every field of a draft can change, and PATCH changes only the given fields', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { notes: 'n', dueDate: '2031-01-01' })
    const other = await amy.call('customers_create', { name: 'Initech', country: 'US' })
    const line = { id: 'b', description: 'B', quantity: 1, unitPrice: 200, amount: 200 }
    for (const change of [
      { customerId: other.id },
      { items: [line] },
      { subtotal: 200, taxAmount: 18, total: 218 },
      { documentType: 'RECEIPT' as const },
      { taxRate: null },
      { notes: null },
      { dueDate: null },
      { issueDate: '2026-05-05' },
    ]) {
      const { warnings: __, ...was } = await amy.call('invoices_get', { id })
      const is = await amy.call('invoices_update', { id, ...change })
      const items = 'items' in change ? [{ ...line, ...noLineOptions }] : was.items
      const customer = 'customerId' in change ? { id: other.id, name: 'Initech', email: null } : was.customer
      const { warnings: _, ...answer } = is
      expect(answer).toEqual({ ...was, ...change, items, customer, updatedAt: is.updatedAt })
      expect(is.updatedAt > was.updatedAt).toBe(true)
    }
  })

  test('PUT empties optional fields that are not given, resets the type of a draft, and keeps customer, currency, lines, totals and status', async () => {
    const amy = await member('CONTRIBUTOR')
    const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const full = {
      bankAccountId: account.id,
      notes: 'n',
      dueDate: '2031-01-01',
      payUntil: '2031-01-01',
      issueDate: '2026-01-01',
      paymentMethod: 'CASH',
      countrySpecificData: { a: 1 },
      documentType: 'RECEIPT',
    }
    const { id } = await sell(amy, full)
    const before = await amy.call('invoices_get', { id })
    const after = await amy.call('invoices_update_put', { id })
    expect(after).toEqual({
      ...before,
      bankAccountId: null,
      bankAccount: null,
      notes: null,
      dueDate: null,
      payUntil: null,
      paymentMethod: null,
      countrySpecificData: null,
      documentType: 'INVOICE',
      issueDate: now(),
      updatedAt: after.updatedAt,
    })
  })

  test.each(['DRAFT', 'UNSENT', 'SENT', 'PAID'])(
    'a %s document that was read can be sent back unchanged',
    async (status) => {
      const amy = await member('CONTRIBUTOR')
      const { id } = await sell(amy, { status, notes: 'n', dueDate: '2031-01-01' })
      const read = await amy.call('invoices_get', { id })
      expect(await amy.call('invoices_update', read as never)).toEqual(read)
      expect(await amy.call('invoices_update_put', read as never)).toEqual(
        status === 'DRAFT' ? { ...read, updatedAt: expect.any(String) } : read,
      )
    },
  )

  test.each(['DRAFT', 'SENT'])('a %s document from a list or from its creation can be sent back', async (status) => {
    const amy = await member('CONTRIBUTOR')
    const created = await sell(amy, { status, notes: 'n' })
    const { id } = created
    const { invoices } = await amy.call('invoices_list', { organizationId: String(amy.organizationId) })
    for (const shown of [created, invoices[0]])
      for (const name of ['invoices_update', 'invoices_update_put'] as const)
        expect(await amy.call(name, { ...(shown as object), id, notes: 'm' })).toMatchObject({
          status,
          notes: 'm',
          total: 109,
        })
    const read = await amy.call('invoices_get', { id })
    expect(await amy.call('invoices_create', { ...(read as object), status: 'DRAFT' } as never)).toMatchObject({
      status: 'DRAFT',
      invoiceNumber: null,
      total: 109,
    })
  })

  test('INV-01: binary rounding errors are no change of an issued document', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = { id: '1', description: 'x', quantity: 0.1 + 0.2, unitPrice: 1, amount: 0.1 + 0.2 }
    const sums = { items: [line], subtotal: 0.1 + 0.2, taxRate: 0, taxAmount: 0, total: 0.1 + 0.2 }
    const { id } = await sell(amy, { ...sums, status: 'SENT' })
    for (const name of ['invoices_update', 'invoices_update_put'] as const)
      expect(await amy.call(name, { id, ...sums })).toMatchObject({
        total: 0.3,
        items: [{ quantity: 0.3, amount: 0.3 }],
      })
  })

  const frozen = {
    currency: 'USD',
    documentType: 'RECEIPT',
    taxRate: 8,
    issueDate: '2031-01-01',
    subtotal: 99,
    taxAmount: 8,
    total: 110,
    items: [],
  }
  test.each(
    ['UNSENT', 'SENT', 'PAID'].flatMap((status) =>
      [...Object.entries(frozen), ['customerId', ''] as const].map(([field, value]) => [status, field, value] as const),
    ),
  )('INV-07: a %s document refuses a change of %s', async (status, field, value) => {
    const amy = await member('OWNER')
    const { id } = await sell(amy, { status })
    const before = await amy.call('invoices_get', { id })
    const other = field === 'customerId' && (await amy.call('customers_create', { name: 'Initech', country: 'US' })).id
    for (const name of ['invoices_update', 'invoices_update_put'] as const)
      await expect(amy.call(name, { id, [field]: other || value })).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining(field),
        details: [{ code: 'FROZEN' }],
      })
    expect(await amy.call('invoices_get', { id })).toEqual(before)
  })

  test('terms and notes of an issued document can change', async () => {
    const amy = await member('CONTRIBUTOR')
    const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const { id } = await sell(amy, { status: 'SENT' })
    const change = {
      notes: 'late',
      dueDate: '2031-01-01',
      payUntil: '2031-01-02',
      bankAccountId: account.id,
      paymentMethod: 'CASH',
      countrySpecificData: { a: 1 },
    }
    expect(await amy.call('invoices_update', { id, ...change })).toMatchObject({ ...change, status: 'SENT' })
    const put = await amy.call('invoices_update_put', { id, notes: 'x' })
    expect(put).toMatchObject({ notes: 'x', dueDate: null, bankAccountId: null, total: 109, status: 'SENT' })
  })

  test('INV-07: the database refuses changes of an issued document', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'UNSENT' })
    for (const change of [
      `update documents set total_minor = 1 where id = '${id}'`,
      `update documents set counterparty_name = 'x' where id = '${id}'`,
      `update documents set status = 'DRAFT' where id = '${id}'`,
      `update document_lines set amount_minor = 1 where document_id = '${id}'`,
      `delete from document_lines where document_id = '${id}'`,
      `insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
        values ('${amy.organizationId}', '${id}', 9, '9', 'x', 1, 1, 1)`,
    ])
      await expect(theApp().system.raw.query(change)).rejects.toThrow('An issued document does not change.')
    await expect(theApp().system.raw.query(`delete from documents where id = '${id}'`)).rejects.toThrow('for good')
    await expect(
      theApp().system.raw.query(`update documents set paid_minor = 1, status = 'PAID' where id = '${id}'`),
    ).rejects.toThrow('settled_when_paid')
  })
})

test('PUT resets the type of a draft that it leaves out; an issued document keeps its type', async () => {
  const amy = await member('CONTRIBUTOR')
  const draft = await sell(amy, { documentType: 'PAYMENT_REQUEST' })
  const documentType = 'PAYMENT_REQUEST' as const
  expect(await amy.call('invoices_update_put', { id: draft.id, documentType })).toMatchObject({ documentType })
  expect(await amy.call('invoices_update', { id: draft.id, notes: 'x' })).toMatchObject({ documentType })
  expect(await amy.call('invoices_update_put', { id: draft.id })).toMatchObject({ documentType: 'INVOICE' })
  const issued = await sell(amy, { documentType, status: 'SENT' })
  expect(await amy.call('invoices_update_put', { id: issued.id })).toMatchObject({ documentType })
  const other = await sell(amy, { documentType })
  expect(await amy.call('invoices_update_put', { id: other.id, status: 'SENT' })).toMatchObject({
    documentType: 'INVOICE',
    invoiceNumber: '1',
  })
})

describe('legal content of an issued document is frozen', () => {
  const frozen = { status: 409, details: [{ code: 'FROZEN' }] }

  test('the reason of a memo', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'SENT', notes: 'Thanks' })
    expect(await amy.call('invoices_update', { id, notes: 'Many thanks' })).toMatchObject({ notes: 'Many thanks' })
    const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Returned' })
    expect(await amy.call('invoices_update', { id: memo.id, notes: 'Returned' })).toMatchObject({ notes: 'Returned' })
    expect(await amy.call('invoices_update_put', { id: memo.id })).toMatchObject({ notes: 'Returned' })
    await expect(amy.call('invoices_update', { id: memo.id, notes: 'Broken' })).rejects.toMatchObject(frozen)
    await expect(amy.call('invoices_update_put', { id: memo.id, notes: null })).rejects.toMatchObject(frozen)
    await expect(
      theApp().system.raw.query("update documents set notes = 'x' where id = $1", [memo.id]),
    ).rejects.toThrow('does not change')
  })

  test('the tax withheld from a receipt', async () => {
    const amy = await member('CONTRIBUTOR')
    const countrySpecificData = { withholdingTax: 5, other: 1 }
    const { id } = await sell(amy, { documentType: 'INVOICE_RECEIPT', status: 'PAID', countrySpecificData })
    const same = { ...countrySpecificData, other: 2 }
    expect(await amy.call('invoices_update', { id, countrySpecificData: same })).toMatchObject({
      countrySpecificData: same,
    })
    expect(await amy.call('invoices_update_put', { id })).toMatchObject({ countrySpecificData: same })
    for (const changed of [{ withholdingTax: 6 }, {}, null])
      await expect(amy.call('invoices_update', { id, countrySpecificData: changed })).rejects.toMatchObject(frozen)
    const invoice = await sell(amy, { status: 'SENT', countrySpecificData })
    expect(await amy.call('invoices_update', { id: invoice.id, countrySpecificData: null })).toMatchObject({
      countrySpecificData: null,
    })
  })
})

describe('status transitions', () => {
  const statuses = ['DRAFT', 'UNSENT', 'SENT', 'PAID'] as const
  const moves = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))
  test.each(moves)('from %s to %s', async (from, to) => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: from })
    const moved = amy.call('invoices_update', { id, status: to })
    if (statuses.indexOf(to) >= statuses.indexOf(from)) {
      expect(await moved).toMatchObject({ status: to, paidAmount: to === 'PAID' ? 109 : 0 })
    } else {
      await expect(moved).rejects.toMatchObject({ status: 409, details: [{ code: 'STATUS' }] })
    }
  })

  test('a document keeps its number through later status changes', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy)
    const numbers = []
    for (const status of ['UNSENT', 'SENT', 'PAID'] as const)
      numbers.push((await amy.call('invoices_update', { id, status })).invoiceNumber)
    expect(numbers).toEqual(['1', '1', '1'])
  })

  test('a draft shows the current name of its customer; an issued document the name at the time of issue', async () => {
    const amy = await member('CONTRIBUTOR')
    const draft = await sell(amy)
    const issued = await sell(amy, { customerId: draft.customerId, status: 'UNSENT' })
    await amy.call('customers_update_patch', { id: draft.customerId, name: 'Globex International' })
    expect((await amy.call('invoices_get', { id: draft.id })).customer?.name).toBe('Globex International')
    expect((await amy.call('invoices_get', { id: issued.id })).customer?.name).toBe('Globex')
  })

  test('clearing the payment needs the role MANAGER and reopens the document', async () => {
    const owner = await member('OWNER')
    const amy = await member('CONTRIBUTOR', { of: owner })
    const paid = await sell(amy, { status: 'PAID', paymentMethod: 'CASH' })
    await expect(amy.call('invoices_update', { id: paid.id, clearReceiptInfo: true })).rejects.toMatchObject({
      status: 403,
    })
    const max = await member('MANAGER', { of: owner })
    const read = await max.call('invoices_get', { id: paid.id })
    const open = { status: 'UNSENT', paidAmount: 0, paymentDate: null, paymentMethod: null, receiptNumber: null }
    expect(
      await max.call('invoices_update', { ...(read as object), id: paid.id, clearReceiptInfo: true }),
    ).toMatchObject(open)
    expect(await max.call('invoices_update', { id: paid.id, clearReceiptInfo: true })).toMatchObject(open)
    const sent = await sell(amy, { status: 'SENT' })
    await amy.call('invoices_update', { id: sent.id, status: 'PAID' })
    expect(await max.call('invoices_update', { id: sent.id, clearReceiptInfo: true })).toMatchObject({ status: 'SENT' })
    expect(await amy.call('invoices_update', { id: sent.id, status: 'PAID' })).toMatchObject({
      status: 'PAID',
      paidAmount: 109,
    })
  })
})
