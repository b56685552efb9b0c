import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { toMajor, toMinor } from '../../../core/values/money.ts'
import { salesDocument, sell } from '../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../../../test/world.ts'
import { DocumentChanges } from './document.ts'

const statuses = ['UNSENT', 'SENT', 'PAID'] as const
let amy: Someone
let otherReferences: Record<string, unknown>
beforeAll(async () => {
  amy = await member('MANAGER')
  const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
  const customer = await amy.call('customers_create', { name: 'Initech', country: 'US' })
  otherReferences = { customerId: customer.id, bankAccountId: account.id }
})

const line = { id: '1', description: 'Other', quantity: 1, unitPrice: 109, amount: 109 }

/** Another value for each field that a change may carry, and whether it is frozen once the document is issued. */
const other: Record<string, { value: unknown; frozen: boolean }> = {
  customerId: { value: undefined, frozen: true },
  currency: { value: 'USD', frozen: true },
  items: { value: [line], frozen: true },
  subtotal: { value: 99, frozen: true },
  taxRate: { value: 8, frozen: true },
  taxAmount: { value: 8, frozen: true },
  total: { value: 110, frozen: true },
  documentType: { value: 'RECEIPT', frozen: true },
  issueDate: { value: '2031-01-01', frozen: true },
  bankAccountId: { value: undefined, frozen: false },
  dueDate: { value: '2031-01-02', frozen: false },
  payUntil: { value: '2031-01-03', frozen: false },
  countrySpecificData: { value: { a: 1 }, frozen: false },
  notes: { value: 'other', frozen: false },
}
/** Fields with rules of their own: the id, the status, the payment, and the exchange rate, which is ignored once issued. */
const fieldsWithOwnRules = [
  'id', 'status', 'clearReceiptInfo', 'paymentMethod', 'paymentDate', 'exchangeRate', 'exchangeRateDate',
] // biome-ignore format: a list of words

test('INV-07: every field of a change is frozen, changeable or has rules of its own', () => {
  expect([...Object.keys(other), ...fieldsWithOwnRules].sort()).toEqual(Object.keys(DocumentChanges.properties).sort())
})

const cases = statuses.flatMap((status) => Object.keys(other).map((field) => [field, status] as const))
test.each(cases)('INV-07: a change of %s of a %s document is refused if the field is frozen, and applied otherwise', async (field, status) => {
  const { value = otherReferences[field], frozen } = other[field] ?? {}
  for (const name of ['invoices_update', 'invoices_update_put'] as const) {
    const { id } = await sell(amy, { status })
    const before = await amy.call('invoices_get', { id })
    const reply = await amy.request(operationNamed(name), { id, [field]: value })
    const after = await amy.call('invoices_get', { id })
    if (frozen) expect([reply.status, after]).toEqual([409, before])
    else expect([reply.status, after]).toEqual([200, { ...before, ...after, [field]: value }])
  }
}) // biome-ignore format: a case a line

test('INV-07: random changes of an issued document never alter its content', async () => {
  const contentFields = ['invoiceNumber', 'documentType', 'customerId', 'currency', 'exchangeRate', 'exchangeRateDate', 'issueDate', 'subtotal', 'taxRate',
    'taxAmount', 'total', 'items', 'customer', 'direction', 'createdAt', 'createdBy', 'organizationId'] as const // biome-ignore format: a list of words
  const contentOf = (document: Record<string, unknown>) => contentFields.map((field) => document[field])
  const field = fc.constantFrom(
    ...Object.keys(other),
    'invoiceNumber',
    'exchangeRate',
    'createdBy',
    'status',
    'paymentDate',
  )
  const value = fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e15,
    'x',
    [],
    {},
    [line],
    'USD',
    '2031-01-01',
    'DRAFT',
    'SENT',
    true,
  )
  const change = fc.record({
    fields: fc.dictionary(field, value, { maxKeys: 5 }),
    status: fc.constantFrom(...statuses),
    put: fc.boolean(),
  })
  for (const { fields, status, put } of fc.sample(change, { numRuns: 120, seed: 3 })) {
    const { id } = await sell(amy, { status })
    const before = await amy.call('invoices_get', { id })
    const reply = await amy.request(operationNamed(put ? 'invoices_update_put' : 'invoices_update'), { ...fields, id })
    expect([fields, [200, 400, 409].includes(reply.status)]).toEqual([fields, true])
    expect([fields, contentOf(await amy.call('invoices_get', { id }))]).toEqual([fields, contentOf(before)])
  }
})

describe('INV-07: the database', () => {
  /** Columns of an issued document that may still change: terms, notes, status, and those derived from payments. */
  const changeable = ['status', 'bank_account_id', 'due_date', 'pay_until', 'notes', 'payment_method', 'payment_date', 'paid_minor', 'credited_minor', 'converted_to_id',
    'receipt_number', 'in_dispute', 'vat_allocation_number', 'country_specific_data', 'generator_version', 'revision', 'sent_at',
    'cancelled_at', 'updated_at', 'created_by', 'created_at', 'issue_date_given', 'link_version'] // biome-ignore format: a list of words

  test('refuses to change every other column of an issued document', async () => {
    const { id } = await sell(amy, { status: 'UNSENT' })
    const query = async (text: string) => (await theApp().system.raw.query(text)).rows
    const columns = await query(`select column_name as name, data_type as type, is_nullable = 'YES' as nullable
      from information_schema.columns where table_name = 'documents'`)
    const otherValue: Record<string, (name: string) => string> = {
      text: (name) => `coalesce(${name}, '') || 'x'`,
      uuid: () => 'gen_random_uuid()',
      date: (name) => `coalesce(${name}, current_date) + 1`,
      'timestamp with time zone': (name) => `coalesce(${name}, now()) + interval '1 day'`,
    }
    const changed: string[] = []
    for (const { name, type } of columns.filter((column) => !changeable.includes(column.name))) {
      const value = otherValue[type]?.(name) ?? `coalesce(${name}, 0) + 1`
      await query(`update documents set ${name} = ${value} where id = '${id}'`).then(
        () => changed.push(name),
        (error: Error) => expect([name, error.message]).toEqual([name, 'An issued document does not change.']),
      )
    }
    expect(changed).toEqual([])
    expect(changeable.filter((name) => !columns.some((column) => column.name === name))).toEqual([])
  })
})

test('INV-01: issued and paid amounts are exact to the minor unit for random amounts and currencies', async () => {
  const currencies = { JPY: 0, USD: 2, KWD: 3, CLF: 4 }
  const amounts = fc.record({
    currency: fc.constantFrom(...(Object.keys(currencies) as (keyof typeof currencies)[])),
    lines: fc.array(fc.integer({ min: 1, max: 9_999_999_999 }), { minLength: 1, maxLength: 4 }),
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  })
  for (const { currency, lines, share } of fc.sample(amounts, { numRuns: 40, seed: 5 })) {
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    const totalMinor = lines.reduce((sum, each) => sum + each, 0)
    const items = lines.map((minor, at) => ({ ...line, id: String(at), unitPrice: major(minor), amount: major(minor) }))
    const total = major(totalMinor)
    const sums = { currency, items, subtotal: total, taxRate: 0, taxAmount: 0, total }
    const { id } = await amy.call(
      'invoices_create',
      await salesDocument(amy, { ...otherReferences, ...sums, status: 'SENT' }),
    )
    const part = Math.max(1, Math.floor(totalMinor * share))
    for (const minor of [part, totalMinor - part].filter((each) => each > 0))
      await amy.call('invoices_payments', { id, amount: major(minor), paidAt: '2026-03-02' })
    const read = await amy.call('invoices_get', { id })
    expect(read).toMatchObject({
      status: 'PAID',
      total,
      paidAmount: total,
      items: items.map(({ amount }) => ({ amount })),
    })
    expect(toMinor(read.total, currency)).toEqual({ kind: 'exact', minor: BigInt(totalMinor) })
    const { rows } = await theApp().system.raw.query(
      'select total_minor, paid_minor, minor_digits from documents where id = $1',
      [id],
    )
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual([[totalMinor, totalMinor, currencies[currency]]])
  }
})
