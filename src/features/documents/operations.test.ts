import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../core/define/validate.ts'
import { addDays, today } from '../../core/values/day.ts'
import { newId } from '../../core/values/id.ts'
import { salesDocument, sell } from '../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../test/world.ts'
import { invoiceCreated, invoiceIssued, invoicePaid } from './events/events.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const now = () => today(new Date(), 'Asia/Singapore')

test('a new document is a draft invoice, in the shape of the list', async () => {
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
    subtotal: 100,
    taxAmount: 9,
    total: 109,
    totalAmount: 109,
    paidAmount: 0,
    notes: null,
    vatAllocationNumber: null,
    generatorVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
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
      },
    ],
    payments: [],
    attachments: [],
    createdBy: { id: amy.userId, name: expect.any(String), email: expect.any(String) },
    createdAt: instant,
    updatedAt: instant,
    warnings: [{ code: 'ISSUER_NOT_REGISTERED', path: 'taxAmount', message: expect.any(String) }],
  })
  const { invoices } = await amy.call('invoices_list', home(amy))
  const { warnings: _, ...listed } = created
  expect(invoices).toEqual([listed])
})

test('read by itself a document carries everything that was given, with its parties', async () => {
  const amy = await member('CONTRIBUTOR')
  const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS', iban: null })
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
        itemId: 'sku-1',
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
] as const)('created as %s a document is issued at once, and has paid %d', async (status, paidAmount) => {
  const amy = await member('CONTRIBUTOR')
  const created = await sell(amy, { status })
  expect(created).toMatchObject({ status, invoiceNumber: '1', paidAmount, invoiceDate: now() })
  expect(created.payments).toHaveLength(paidAmount > 0 ? 1 : 0)
  const read = await amy.call('invoices_get', { id: created.id })
  expect(read).toMatchObject({ status, paymentDate: paidAmount > 0 ? now() : null })
})

test('INV-05: a document created PAID has its payment, on the day and in the way that were given', async () => {
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
  test('INV-06: each type counts for itself, with the prefix and digits of the settings', async () => {
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

  test('INV-06: sixteen writers at once leave no gap, whatever is refused among them', async () => {
    const amy = await member('CONTRIBUTOR')
    const good = await salesDocument(amy, { status: 'UNSENT' })
    const drafts = await Promise.all(
      Array.from({ length: 8 }, () => amy.call('invoices_create', { ...good, status: 'DRAFT' })),
    )
    const wrong = { ...good, issueDate: '2001-01-01' }
    await amy.call('invoices_create', good)
    const writers = Array.from({ length: 16 }, async (_, n) => {
      const made = []
      for (let round = 0; round < 4; round++) {
        const draft = n < 8 && round === 0 ? drafts[n] : undefined
        const done = draft
          ? amy.call('invoices_update', { id: draft.id, status: 'SENT' })
          : amy.call('invoices_create', (n + round) % 3 === 0 ? wrong : good)
        made.push(
          await done.then(
            (document) => document.invoiceNumber,
            () => null,
          ),
        )
      }
      return made
    })
    const numbers = ['1', ...(await Promise.all(writers)).flat().filter((number) => number !== null)].map(Number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
    const { nextNumber } = await counter(amy)
    expect(nextNumber).toBe(numbers.length + 1)
  })

  test('a given issue date is kept, and one before that of the last number is refused by name', async () => {
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

  test('without a date a document is never dated before the last number, and says so', async () => {
    const amy = await member('CONTRIBUTOR')
    const later = addDays(now(), 3)
    await sell(amy, { status: 'UNSENT', issueDate: later })
    const created = await sell(amy, { status: 'UNSENT' })
    expect(created).toMatchObject({
      invoiceDate: later,
      warnings: [{ code: 'ISSUE_DATE_MOVED' }, { code: 'ISSUER_NOT_REGISTERED' }],
    })
  })

  test('a draft is dated on the day it is issued, unless a day was chosen for it', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy)
    await old(id)
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
    ['lines that are not the subtotal', { subtotal: 102, total: 111 }, 'subtotal'],
    ['a total that is not subtotal and tax', { total: 111 }, 'total'],
    ['amounts without lines', { items: [] }, 'items'],
  ])('INV-02: %s: a draft is kept, but not issued', async (_, wrong, path) => {
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

  test('INV-02: each line may be off by a minor unit', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = (id: string) => ({ id, description: 'A', quantity: 1, unitPrice: 33.33, amount: 33.33 })
    const three = { items: [line('a'), line('b'), line('c')], taxAmount: 9 }
    expect(await sell(amy, { ...three, subtotal: 100.02, total: 109.05, status: 'UNSENT' })).toMatchObject({
      status: 'UNSENT',
    })
    await expect(sell(amy, { ...three, subtotal: 100.03, total: 109.03, status: 'UNSENT' })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('a document over nothing needs no lines, and is paid when somebody says so', async () => {
    const amy = await member('CONTRIBUTOR')
    const nothing = { items: [], subtotal: 0, taxAmount: 0, total: 0 }
    const { id } = await sell(amy, { ...nothing, status: 'UNSENT' })
    expect(await amy.call('invoices_update', { id, status: 'PAID' })).toMatchObject({ status: 'PAID', paidAmount: 0 })
  })

  test('INV-01: binary noise is rounded away, and what is really finer is rounded on a draft alone', async () => {
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

  test('a currency has its own minor units', async () => {
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

  test('what looks odd is told and never refused', async () => {
    const amy = await member('CONTRIBUTOR')
    const line = { id: '1', description: 'A', quantity: 3, unitPrice: 50, amount: 100 }
    const created = await sell(amy, { items: [line], taxRate: 17, status: 'UNSENT' })
    expect(created.warnings).toEqual([
      { code: 'LINE_AMOUNT', path: 'items.0.amount', message: expect.any(String) },
      { code: 'TAX_AMOUNT', path: 'taxAmount', message: expect.any(String) },
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
  ])('%j is refused by name', async (wrong) => {
    // biome-ignore format: a list
    const amy = await member('CONTRIBUTOR')
    const [field = ''] = Object.keys(wrong)
    await expect(sell(amy, wrong)).rejects.toMatchObject({
      status: 400,
      details: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(field) })]),
    })
  })
})

describe('changes', () => {
  test('a draft may change in everything, and PATCH changes what it names alone', async () => {
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
      const items = 'items' in change ? [{ ...line, itemId: null, taxRate: null, taxCategory: null }] : was.items
      const customer = 'customerId' in change ? { id: other.id, name: 'Initech', email: null } : was.customer
      const { warnings: _, ...answer } = is
      expect(answer).toEqual({ ...was, ...change, items, customer, updatedAt: is.updatedAt })
      expect(is.updatedAt > was.updatedAt).toBe(true)
    }
  })

  test('PUT empties what it leaves out, and keeps customer, currency, lines, totals, type and status', async () => {
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
      issueDate: now(),
      updatedAt: after.updatedAt,
    })
  })

  test.each(['DRAFT', 'UNSENT', 'SENT', 'PAID'])(
    'what was read of a document that is %s can be sent back',
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

  test.each(['DRAFT', 'SENT'])('so can what a list or its creation showed of a document that is %s', async (status) => {
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

  test('INV-01: binary noise is no change of an issued document', async () => {
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
  )('INV-07: of a document that is %s, %s does not change', async (status, field, value) => {
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

  test('terms and notes of an issued document may change', async () => {
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

  test('INV-07: not even the database lets an issued document change', async () => {
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

describe('the life of a document', () => {
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

  test('the number stays through everything that follows', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy)
    const numbers = []
    for (const status of ['UNSENT', 'SENT', 'PAID'] as const)
      numbers.push((await amy.call('invoices_update', { id, status })).invoiceNumber)
    expect(numbers).toEqual(['1', '1', '1'])
  })

  test('a draft shows its customer as they are called now; an issued document as they were called then', async () => {
    const amy = await member('CONTRIBUTOR')
    const draft = await sell(amy)
    const issued = await sell(amy, { customerId: draft.customerId, status: 'UNSENT' })
    await amy.call('customers_update_patch', { id: draft.customerId, name: 'Globex International' })
    expect((await amy.call('invoices_get', { id: draft.id })).customer?.name).toBe('Globex International')
    expect((await amy.call('invoices_get', { id: issued.id })).customer?.name).toBe('Globex')
  })

  test('clearing the payment is for a manager, and opens the document again', async () => {
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

describe('deleting', () => {
  test('a draft goes, a numbered document stays and is told how to be credited', async () => {
    const amy = await member('CONTRIBUTOR')
    const draft = await sell(amy)
    expect(await amy.call('invoices_delete', { id: draft.id })).toEqual({ success: true })
    await expect(amy.call('invoices_get', { id: draft.id })).rejects.toMatchObject({ status: 404 })
    for (const status of ['UNSENT', 'SENT', 'PAID']) {
      const { id } = await sell(amy, { status })
      await expect(amy.call('invoices_delete', { id })).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('/memos'),
      })
    }
  })

  test('a customer counts their documents and is not deleted while there are any', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id, customerId } = await sell(amy)
    expect((await amy.call('customers_get', { id: customerId }))._count).toEqual({ invoices: 1 })
    await expect(amy.call('customers_delete', { id: customerId })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has documents'),
    })
    await amy.call('invoices_delete', { id })
    expect((await amy.call('customers_get', { id: customerId }))._count).toEqual({ invoices: 0 })
    expect(await amy.call('customers_delete', { id: customerId })).toEqual({ success: true })
  })

  test('an organization is deleted with its drafts, but not with numbered documents', async () => {
    const amy = await member('OWNER')
    await sell(amy)
    await sell(amy, { status: 'PAID' })
    const id = String(amy.organizationId)
    await expect(amy.call('organizations_delete', { id })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('numbered documents'),
    })
    const zoe = await member('OWNER')
    const account = await zoe.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    await sell(zoe, { bankAccountId: account.id })
    expect(await zoe.call('organizations_delete', { id: String(zoe.organizationId) })).toEqual({ success: true })
  })

  test('a bank account goes from drafts, and stays while it stands on an issued document', async () => {
    const amy = await member('CONTRIBUTOR')
    const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const draft = await sell(amy, { bankAccountId: account.id })
    const issued = await sell(amy, { bankAccountId: account.id, status: 'UNSENT' })
    await expect(amy.call('bank_accounts_delete', { id: account.id })).rejects.toMatchObject({ status: 409 })
    await amy.call('invoices_update', { id: issued.id, bankAccountId: null })
    expect(await amy.call('bank_accounts_delete', { id: account.id })).toEqual({ success: true })
    expect(await amy.call('invoices_get', { id: draft.id })).toMatchObject({ bankAccountId: null, bankAccount: null })
  })
})

test('INV-10: creating, issuing and paying are told, each once, with facts that fit their schema', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await amy.call('invoices_update', { id, notes: 'x' })
  await amy.call('invoices_update', { id, status: 'UNSENT' })
  await amy.call('invoices_update', { id, status: 'PAID' })
  const other = await sell(amy, { status: 'PAID' })
  const told = await theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('organizationId', '=', String(amy.organizationId))
      .where('type', 'like', 'invoice.%')
      .orderBy('id')
      .execute(),
  )
  expect(told.map(({ type, payload }) => [type, (payload as { id: string }).id])).toEqual([
    ['invoice.created', id],
    ['invoice.issued', id],
    ['invoice.paid', id],
    ['invoice.created', other.id],
    ['invoice.issued', other.id],
    ['invoice.paid', other.id],
  ])
  for (const { type, payload } of told) {
    const { payload: schema } =
      [invoiceCreated, invoiceIssued, invoicePaid].find((event) => event.type === type) ?? invoicePaid
    expect(problemsOf(schema, payload)).toEqual([])
  }
  expect(told.at(-1)?.payload).toMatchObject({
    invoiceNumber: '2',
    customerName: 'Globex',
    total: 109,
    paidAmount: 109,
  })
})

const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

const counter = async ({ organizationId }: Someone) =>
  (
    await theApp().system.raw.query<{ nextNumber: number }>(
      `select next_number::int as "nextNumber" from document_numbering where organization_id = $1 and document_type = 'INVOICE'`,
      [organizationId],
    )
  ).rows[0] as { nextNumber: number }

/** As if it had been begun in January. */
const old = (id: string) =>
  theApp().system.raw.query(`update documents set issue_date = '2026-01-01' where id = $1`, [id])
