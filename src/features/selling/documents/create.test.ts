import { describe, expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const now = () => today(new Date(), 'Asia/Singapore')

test('a new document is a draft invoice and looks the same in the list', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG', email: 'a@b.test' })
  const created = await sell(amy, { customerId })
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    customerId,
    documentType: 'INVOICE',
    invoiceNumber: null,
    status: 'DRAFT',
    inDispute: false,
    invoiceDate: now(),
    dueDate: null,
    currency: 'SGD',
    exchangeRate: null,
    exchangeRateDate: null,
    subtotal: 100,
    taxAmount: 9,
    total: 109,
    totalAmount: 109,
    paidAmount: 0,
    creditedAmount: 0,
    openBalance: 0,
    cancelledAt: null,
    convertedFromId: null,
    convertedToId: null,
    notes: null,
    vatAllocationNumber: null,
    generatorVersion: expect.stringMatching(/^\d+\.\d+\.\d+(-dev)?$/),
    customer: { id: customerId, name: 'Globex', email: 'a@b.test' },
    items: [
      {
        id: '1',
        itemId: null,
        description: 'Consulting',
        quantity: 2,
        unitPrice: 50,
        amount: 100,
        taxRate: null,
        taxCategory: null,
        discountPercent: null,
        discountAmount: null,
      },
    ],
    payments: [],
    attachments: [],
    createdBy: { id: amy.userId, name: expect.any(String), email: expect.any(String) },
    createdAt: instant,
    updatedAt: instant,
    warnings: [{ code: 'ISSUER_NOT_REGISTERED', path: 'taxAmount', message: expect.any(String) }],
  })
  const { invoices } = await amy.call('invoices_list', inOrganization(amy))
  const { warnings: _, ...listed } = created
  expect(invoices).toEqual([listed])
})

test('a single document has every given field and its parties', async () => {
  const amy = await member('CONTRIBUTOR')
  const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS', iban: null })
  const { id: itemId } = await amy.call('logistics_items_create', { name: 'A', kind: 'SERVICE' })
  const given = {
    bankAccountId: account.id,
    dueDate: '2031-02-03',
    payUntil: '2031-02-10T16:00:00Z',
    issueDate: '2031-01-02',
    notes: 'תודה',
    paymentMethod: 'BANK_TRANSFER',
    countrySpecificData: { branch: 7, nested: { a: [1, null] } },
    documentType: 'PAYMENT_REQUEST',
    items: [
      {
        id: 'x',
        itemId,
        description: 'A',
        quantity: 0.5,
        unitPrice: 1.234567,
        amount: 0.62,
        taxRate: 9,
        taxCategory: 'SR',
      },
    ],
    subtotal: 0.62,
    taxAmount: 0.06,
    total: 0.68,
  }
  const { id } = await sell(amy, given)
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    ...given,
    payUntil: '2031-02-11', // the day in Singapore
    direction: 'OUTGOING',
    taxRate: 9,
    paymentDate: null,
    receiptNumber: null,
    organization: { id: amy.organizationId, country: 'SG', currency: 'SGD' },
    bankAccount: { id: account.id, accountName: 'Main', bankName: 'DBS' },
    customer: { name: 'Globex' },
    createdBy: { id: amy.userId },
  })
})

test.each([
  ['UNSENT', 0],
  ['SENT', 0],
  ['PAID', 109],
] as const)('a document created as %s is issued at once and has a paid amount of %d', async (status, paidAmount) => {
  const amy = await member('CONTRIBUTOR')
  const created = await sell(amy, { status })
  expect(created).toMatchObject({ status, invoiceNumber: '1', paidAmount, invoiceDate: now() })
  expect(created.payments).toHaveLength(paidAmount > 0 ? 1 : 0)
  const read = await amy.call('invoices_get', { id: created.id })
  expect(read).toMatchObject({ status, paymentDate: paidAmount > 0 ? now() : null })
})

test('INV-05: a document created as PAID has a payment with the given date and method', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await sell(amy, { status: 'PAID', paymentDate: '2026-01-05', paymentMethod: 'CASH' })
  expect(created.payments).toEqual([{ id: expect.any(String), amount: 109, paidAt: '2026-01-05', method: 'CASH' }])
  expect(await amy.call('invoices_get', { id: created.id })).toMatchObject({
    paymentDate: '2026-01-05',
    paymentMethod: 'CASH',
    paidAmount: 109,
  })
})

describe('numbers', () => {
  test('INV-06: each document type has its own counter, with prefix and padding from the settings', async () => {
    const amy = await member('MANAGER')
    const numbering = [{ documentType: 'INVOICE' as const, prefix: 'INV-', padding: 4 }]
    await amy.call('settings_update', { id: String(amy.organizationId), numbering })
    const numbers = []
    for (const documentType of ['INVOICE', 'RECEIPT', 'INVOICE', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST', 'INVOICE'])
      numbers.push((await sell(amy, { documentType, status: 'UNSENT' })).invoiceNumber)
    expect(numbers).toEqual(['INV-0001', '1', 'INV-0002', '1', '1', 'INV-0003'])
    const { numbering: after } = await amy.call('settings_get', { id: String(amy.organizationId) })
    expect(after[0]).toMatchObject({ documentType: 'INVOICE', nextNumber: 4 })
  })

  test('INV-06: sixteen concurrent writers leave no gap, although some of their calls are refused', async () => {
    const amy = await member('CONTRIBUTOR')
    const valid = await salesDocument(amy, { status: 'UNSENT' })
    const drafts = await Promise.all(
      Array.from({ length: 8 }, () => amy.call('invoices_create', { ...valid, status: 'DRAFT' })),
    )
    const wrong = { ...valid, issueDate: '2001-01-01' }
    await amy.call('invoices_create', valid)
    const writers = Array.from({ length: 16 }, async (_, n) => {
      const numbers = []
      for (let round = 0; round < 4; round++) {
        const draft = n < 8 && round === 0 ? drafts[n] : undefined
        const done = draft
          ? amy.call('invoices_update', { id: draft.id, status: 'SENT' })
          : amy.call('invoices_create', (n + round) % 3 === 0 ? wrong : valid)
        numbers.push(
          await done.then(
            (document) => document.invoiceNumber,
            () => null,
          ),
        )
      }
      return numbers
    })
    const numbers = ['1', ...(await Promise.all(writers)).flat().filter((number) => number !== null)].map(Number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
    const { nextNumber } = await counter(amy)
    expect(nextNumber).toBe(numbers.length + 1)
  })

  test('a given issue date is kept, and one before the date of the last number is refused', async () => {
    const amy = await member('CONTRIBUTOR')
    expect(await sell(amy, { status: 'UNSENT', issueDate: '2026-03-02' })).toMatchObject({ invoiceDate: '2026-03-02' })
    expect(await sell(amy, { status: 'UNSENT', issueDate: '2026-03-02' })).toMatchObject({ invoiceNumber: '2' })
    await expect(sell(amy, { status: 'UNSENT', issueDate: '2026-03-01' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('2026-03-02'),
      details: [{ path: 'issueDate', code: 'ISSUE_DATE_ORDER' }],
    })
    expect(await sell(amy, { status: 'UNSENT', issueDate: '2026-03-01', documentType: 'RECEIPT' })).toMatchObject({
      invoiceNumber: '1',
    })
    expect(await sell(amy, { status: 'UNSENT' })).toMatchObject({ invoiceNumber: '3', invoiceDate: now() })
  })

  test('a draft is dated on the day it is issued, unless a date was given', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy)
    await backdate(id)
    const read = await amy.call('invoices_get', { id })
    expect(read.issueDate).toBe('2026-01-01')
    await amy.call('invoices_update', { id, issueDate: read.issueDate, notes: 'sent back as read' })
    expect(await amy.call('invoices_update', { id, status: 'UNSENT' })).toMatchObject({ issueDate: now() })
    const chosen = await sell(amy, { documentType: 'RECEIPT' })
    await amy.call('invoices_update', { id: chosen.id, issueDate: '2026-02-02' })
    expect(await amy.call('invoices_update', { id: chosen.id, status: 'UNSENT' })).toMatchObject({
      issueDate: '2026-02-02',
    })
  })
})

describe('amounts', () => {
  test.each([
    ['lines that do not add up to the subtotal', { subtotal: 102, total: 111 }, 'subtotal'],
    ['a total that is not subtotal plus tax', { total: 111 }, 'total'],
    ['amounts without lines', { items: [] }, 'items'],
  ])('INV-02: a draft with %s is saved but cannot be issued', async (_, wrong, path) => {
    const amy = await member('CONTRIBUTOR')
    const refused = {
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ path, code: 'AMOUNT_MISMATCH' })]),
    }
    for (const status of ['UNSENT', 'SENT', 'PAID'])
      await expect(sell(amy, { ...wrong, status })).rejects.toMatchObject(refused)
    const { id } = await sell(amy, wrong)
    for (const status of ['UNSENT', 'SENT', 'PAID'] as const)
      await expect(amy.call('invoices_update', { id, status })).rejects.toMatchObject(refused)
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'DRAFT', invoiceNumber: null })
    expect((await counter(amy))?.nextNumber ?? 1).toBe(1)
  })

  test('INV-02: sums may differ by half a minor unit for each line, rounded up, and by one more where tax is added', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = (id: string) => ({ id, description: 'A', quantity: 1, unitPrice: 33.33, amount: 33.33 })
    const three = { items: [line('a'), line('b'), line('c')], taxAmount: 9 }
    expect(await sell(amy, { ...three, subtotal: 100.01, total: 109.04, status: 'UNSENT' })).toMatchObject({
      status: 'UNSENT',
    })
    for (const sums of [
      { subtotal: 100.02, total: 109.02 },
      { subtotal: 100.01, total: 109.05 },
    ])
      await expect(sell(amy, { ...three, ...sums, status: 'UNSENT' })).rejects.toMatchObject({ status: 400 })
  })

  test('a document with a total of zero needs no lines and can be set to PAID', async () => {
    const amy = await member('CONTRIBUTOR')
    const nothing = { items: [], subtotal: 0, taxAmount: 0, total: 0 }
    const { id } = await sell(amy, { ...nothing, status: 'UNSENT' })
    expect(await amy.call('invoices_update', { id, status: 'PAID' })).toMatchObject({ status: 'PAID', paidAmount: 0 })
  })

  test('INV-01: binary rounding errors are removed, and further decimal places are rounded only on a draft', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = { id: '1', description: 'A', quantity: 1, unitPrice: 0.3, amount: 0.1 + 0.2 }
    const noisy = { items: [line], subtotal: 0.1 + 0.2, taxRate: 0, taxAmount: 0, total: 0.3 }
    expect(await sell(amy, { ...noisy, status: 'UNSENT' })).toMatchObject({ subtotal: 0.3, items: [{ amount: 0.3 }] })
    const finer = { ...noisy, subtotal: 0.305 }
    const draft = await sell(amy, finer)
    expect(draft).toMatchObject({ subtotal: 0.31, warnings: [{ code: 'ROUNDED', path: 'subtotal' }] })
    await expect(sell(amy, { ...finer, status: 'UNSENT' })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'subtotal', code: 'AMOUNT_TOO_FINE' }],
    })
    await expect(sell(amy, { total: 9_007_199_254_740_992 })).rejects.toMatchObject({ status: 400 })
  })

  test('each currency has its own minor units', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = { id: '1', description: 'A', quantity: 1, unitPrice: 1500, amount: 1500 }
    const yen = { currency: 'jpy', items: [line], subtotal: 1500, taxRate: 0, taxAmount: 0, total: 1500 }
    expect(await sell(amy, { ...yen, status: 'SENT' })).toMatchObject({
      currency: 'JPY',
      total: 1500,
      exchangeRate: null,
    })
    await expect(sell(amy, { ...yen, total: 1500.5, status: 'SENT' })).rejects.toMatchObject({ status: 400 })
    const { id } = await sell(amy)
    const dinar = await amy.call('invoices_update', { id, currency: 'KWD' })
    expect(dinar).toMatchObject({ currency: 'KWD', total: 109, items: [{ amount: 100 }] })
  })

  test('amounts that look wrong cause warnings and are not refused', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = { id: '1', description: 'A', quantity: 3, unitPrice: 50, amount: 100 }
    const created = await sell(amy, { items: [line], taxRate: 17, status: 'UNSENT' })
    expect(created.warnings).toEqual([
      { code: 'LINE_AMOUNT', path: 'items.0.amount', message: expect.any(String) },
      { code: 'TAX_AMOUNT', path: 'taxAmount', message: expect.any(String) },
      { code: 'EINVOICE_INCOMPLETE', path: 'taxAmount', message: expect.any(String) },
      { code: 'ISSUER_NOT_REGISTERED', path: 'taxAmount', message: expect.any(String) },
      { code: 'TAX_RATE', path: 'taxRate', message: expect.any(String) },
    ])
  })

  test.each([
    { currency: 'XYZ' },
    { currency: '' },
    { customerId: newId() },
    { customerId: 'nope' },
    { bankAccountId: newId() },
    { dueDate: '2026-02-30' },
    { issueDate: 'soon' },
    { status: 'OVERDUE' },
    { documentType: 'CREDIT_MEMO' },
    { total: '109' },
    { subtotal: undefined },
    { items: undefined },
    { items: [{ id: '1' }] },
    { colour: 'red' },
    { items: [{ id: '1', description: '', quantity: 1, unitPrice: 1, amount: 1 }] },
    { items: [{ id: '1', description: 'x', quantity: -1, unitPrice: 1, amount: 1 }] },
    { items: ['1', '1'].map((id) => ({ id, description: 'x', quantity: 1, unitPrice: 1, amount: 1 })) },
  ])('%j is refused with the path of the field', async (wrong) => {
    // biome-ignore format: a list
    const amy = await member('CONTRIBUTOR')
    const [field = ''] = Object.keys(wrong)
    await expect(sell(amy, wrong)).rejects.toMatchObject({
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(field) })]),
    })
  })
})

const inOrganization = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

const counter = async ({ organizationId }: Someone) =>
  (
    await theApp().system.raw.query<{ nextNumber: number }>(
      `select next_number::int as "nextNumber" from document_numbering where organization_id = $1 and document_type = 'INVOICE'`,
      [organizationId],
    )
  ).rows[0] as { nextNumber: number }

/** Dates a draft as if it had been created in January. */
const backdate = (id: string) =>
  theApp().system.raw.query(`update documents set issue_date = '2026-01-01' where id = $1`, [id])
