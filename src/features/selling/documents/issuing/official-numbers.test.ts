import '../../../../test/own-world.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { asSuperuser } from '../../../../test/database.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp, theDatabase } from '../../../../test/world.ts'
import { isNumberPrefix } from '../../../company/settings/numbering.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** Changes what is stored as no trigger lets it be changed. */
async function storeUnchecked(text: string) {
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica; ${text}; commit`)
  } finally {
    await client.end()
  }
}

const company = '513456782'
const exemptDealer = '123456782'

async function israeli(registrationNumber: string) {
  const noa = await member('OWNER', { country: 'IL' })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber })
  const { id } = await noa.call('customers_create', { name: 'Globex', country: 'IL' })
  const issue = async (documentType: string) =>
    (await sell(noa, { customerId: id, currency: 'ILS', documentType, status: 'UNSENT' })).invoiceNumber
  return { noa, customerId: id, issue }
}

const line = { id: '1', description: 'More work', quantity: 1, unitPrice: 10, amount: 10 }
const debit = async (someone: Someone, id: string) =>
  (await someone.call('invoices_memos', { id, kind: 'DEBIT', items: [line] })).invoiceNumber

const change = (someone: Someone, numbering: object[]) =>
  someone.call('settings_update', { id: String(someone.organizationId), numbering } as never)

test('INV-06: in Israel a debit memo is a tax invoice and numbered together with the invoices', async () => {
  const { noa, customerId, issue } = await israeli(company)
  const { id, invoiceNumber } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  expect([invoiceNumber, await debit(noa, id), await issue('INVOICE')]).toEqual(['1', '2', '3'])
  expect([await issue('PAYMENT_REQUEST'), await issue('INVOICE_RECEIPT')]).toEqual(['1', '1'])
  const { numbering } = await noa.call('settings_get', { id: String(noa.organizationId) })
  const shown = numbering.map(({ documentType, nextNumber, numberedWith }) => [documentType, nextNumber, numberedWith])
  expect(shown).toEqual([
    ['INVOICE', 4, undefined],
    ['RECEIPT', 1, undefined],
    ['INVOICE_RECEIPT', 2, undefined],
    ['PAYMENT_REQUEST', 2, undefined],
    ['CREDIT_MEMO', 1, undefined],
    ['DEBIT_MEMO', 4, 'INVOICE'],
  ])
})

test('INV-06: invoices and debit memos issued at the same time share a series without a gap', async () => {
  const { noa, customerId, issue } = await israeli(company)
  const { id } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  const draft = async () => {
    const { id: drafted } = await sell(noa, { customerId, currency: 'ILS' })
    return (await noa.call('invoices_update', { id: drafted, status: 'UNSENT' })).invoiceNumber
  }
  const issuing = Array.from({ length: 4 }, () => [debit(noa, id), issue('INVOICE'), draft()]).flat()
  const numbers = (await Promise.all(issuing)).map(Number)
  expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 2))
})

test('INV-06: an exempt dealer numbers invoices with payment requests, and invoice-receipts with receipts', async () => {
  const { noa, issue } = await israeli(exemptDealer)
  expect([await issue('INVOICE'), await issue('PAYMENT_REQUEST'), await issue('INVOICE')]).toEqual(['1', '2', '3'])
  expect([await issue('INVOICE_RECEIPT'), await issue('RECEIPT')]).toEqual(['1', '2'])
  // As a company it issues tax invoices, which have numbers of their own.
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: company })
  expect([await issue('INVOICE'), await issue('PAYMENT_REQUEST')]).toEqual(['1', '4'])
})

test('INV-06: a memo has the official type, title and series of the status that its source was issued with', async () => {
  const { noa, customerId, issue } = await israeli(exemptDealer)
  const free = { subtotal: 100, taxRate: 0, taxAmount: 0, total: 100 }
  const { id } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT', ...free })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: company })
  expect(await issue('INVOICE')).toBe('1')
  expect(await debit(noa, id)).toBe('2') // after the transaction invoice, not after the tax invoice
  const { id: memoId } = await noa.call('invoices_memos', { id, kind: 'CREDIT' })
  const copies = await ask(
    `select c.official_type, c.registered, c.title ->> 'he' as title, d.series from issued_copies c join documents d on d.id = c.document_id
     where d.source_document_id = $1 order by d.document_type`,
    [id],
  )
  expect(copies).toEqual([
    { official_type: 'CREDIT_MEMO', registered: false, title: 'הודעת זיכוי', series: 'CREDIT_MEMO' },
    { official_type: '300', registered: false, title: 'חשבונית עסקה', series: 'PAYMENT_REQUEST' },
  ])
  expect((await noa.call('invoices_get', { id: memoId })).status).toBe('PAID')
  // A memo of a tax invoice is a tax document.
  const taxed = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  const credit = await noa.call('invoices_memos', { id: taxed.id, kind: 'CREDIT' })
  expect(await ask('select official_type from issued_copies where document_id = $1', [credit.id])).toEqual([
    { official_type: '330' },
  ])
})

test('INV-06: where documents have no official types, every document type has its own numbers', async () => {
  for (const country of ['SG', 'US'] as const) {
    const amy = await member('OWNER', { country })
    const { id, invoiceNumber } = await sell(amy, { status: 'UNSENT' })
    expect([invoiceNumber, await debit(amy, id)]).toEqual(['1', '1'])
  }
})

test('types of one official type keep their own prefix, and one without a prefix has that of the series', async () => {
  const { noa, customerId, issue } = await israeli(company)
  await change(noa, [{ documentType: 'INVOICE', prefix: 'INV-', padding: 3 }])
  const { id, invoiceNumber } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  expect([invoiceNumber, await debit(noa, id)]).toEqual(['INV-001', 'INV-002'])
  await change(noa, [{ documentType: 'DEBIT_MEMO', prefix: 'D-' }])
  expect([await debit(noa, id), await issue('INVOICE')]).toEqual(['D-3', 'INV-004'])
})

test('a starting number is chosen before the first document and not after it; the same value is always accepted', async () => {
  const amy = await member('OWNER')
  const invoiceNumber = async () => (await sell(amy, { status: 'UNSENT' })).invoiceNumber
  const chosen = await change(amy, [{ documentType: 'INVOICE', prefix: 'A', nextNumber: 1_042 }])
  expect(chosen.numbering[0]).toMatchObject({ nextNumber: 1_042 })
  await change(amy, [{ documentType: 'INVOICE', nextNumber: 1_043 }])
  expect([await invoiceNumber(), await invoiceNumber()]).toEqual(['A1043', 'A1044'])
  const { numbering } = await amy.call('settings_get', { id: String(amy.organizationId) })
  expect((await change(amy, numbering)).numbering).toEqual(numbering)
  await expect(change(amy, [{ documentType: 'INVOICE', nextNumber: 2_000 }])).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('before the first document'),
    details: [{ code: 'FIRST_NUMBER_BEFORE_FIRST_ISSUE' }],
  })
  // A lower one was read earlier and changes nothing.
  for (const nextNumber of [1, 1_043, 1_044])
    expect((await change(amy, [{ documentType: 'INVOICE', nextNumber }])).numbering).toEqual(numbering)
  expect(await invoiceNumber()).toBe('A1045')
})

test('a starting number of a shared series is that of the series', async () => {
  const { noa, issue } = await israeli(exemptDealer)
  await change(noa, [{ documentType: 'INVOICE', nextNumber: 500 }])
  expect([await issue('PAYMENT_REQUEST'), await issue('INVOICE')]).toEqual(['500', '501'])
  await expect(change(noa, [{ documentType: 'PAYMENT_REQUEST', nextNumber: 900 }])).rejects.toMatchObject({
    status: 409,
  })
  const contradiction = [
    { documentType: 'PAYMENT_REQUEST', nextNumber: 502 },
    { documentType: 'INVOICE', nextNumber: 503 },
  ]
  await expect(change(noa, contradiction)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'numbering.1.nextNumber' }],
  })
  await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: company })
  expect(await issue('INVOICE')).toBe('500')
})

test('a prefix that could repeat a printed number is refused', async () => {
  const amy = await member('OWNER')
  const issue = async () => (await sell(amy, { status: 'UNSENT' })).invoiceNumber
  await change(amy, [{ documentType: 'INVOICE', prefix: '1' }])
  expect([await issue(), await issue()]).toEqual(['11', '12'])
  await change(amy, [{ documentType: 'INVOICE', prefix: 'X' }])
  expect(await issue()).toBe('X3')
  for (const format of [{ prefix: '' }, { prefix: '', padding: 2 }])
    await expect(change(amy, [{ documentType: 'INVOICE', ...format }])).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'PRINTED_NUMBERS_STAY_UNIQUE' }],
    })
  await change(amy, [{ documentType: 'INVOICE', prefix: '', padding: 3 }])
  expect(await issue()).toBe('004')
  await change(amy, [{ documentType: 'INVOICE', prefix: 'X', padding: 0 }])
  expect(await issue()).toBe('X5')
})

test('a starting number is lowered again before the first document, and the highest one can be read and written back', async () => {
  const amy = await member('OWNER')
  const highest = 999_999_999_999
  await change(amy, [{ documentType: 'INVOICE', nextNumber: highest }])
  await change(amy, [{ documentType: 'INVOICE', nextNumber: 7 }])
  const { numbering } = await change(amy, [{ documentType: 'INVOICE', nextNumber: highest }])
  expect(numbering[0]?.nextNumber).toBe(highest)
  expect((await sell(amy, { status: 'UNSENT' })).invoiceNumber).toBe(String(highest))
  const read = await amy.call('settings_get', { id: String(amy.organizationId) })
  expect(read.numbering[0]?.nextNumber).toBe(highest + 1)
  expect((await change(amy, read.numbering)).numbering).toEqual(read.numbering)
})

test('INV-06: a prefix that is not seen is refused, so that no printed number is repeated', async () => {
  const amy = await member('OWNER')
  await change(amy, [{ documentType: 'INVOICE', prefix: '1' }])
  expect((await sell(amy, { status: 'UNSENT' })).invoiceNumber).toBe('11')
  const refused = [
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u3164',
    '\u0301',
    '\ue000',
    '\u00a0',
    ' ',
    'A ',
    ' A',
    'A  B',
    '\uff11',
    '*',
  ]
  for (const prefix of refused)
    await expect(change(amy, [{ documentType: 'INVOICE', prefix }])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('consists of letters'),
      details: [{ path: 'numbering.0.prefix', code: 'PREFIX_IS_VISIBLE' }],
    })
  const storing = (prefix: string) =>
    ask("update document_numbering set prefix = $2 where organization_id = $1 and document_type = 'INVOICE'", [
      amy.organizationId,
      prefix,
    ])
  await expect(storing('\u200b')).rejects.toMatchObject({ constraint: 'prefix_is_visible' })
  for (const prefix of ['INV 2026/', 'חש-', 'É_#.', '請求']) await change(amy, [{ documentType: 'INVOICE', prefix }])
})

test('a prefix that was stored before can be written back and numbers documents', async () => {
  const amy = await member('OWNER')
  await change(amy, [{ documentType: 'INVOICE', padding: 3 }])
  await storeUnchecked(`update document_numbering set prefix = '№ ' where organization_id = '${amy.organizationId}'`)
  const { numbering } = await amy.call('settings_get', { id: String(amy.organizationId) })
  expect((await change(amy, numbering)).numbering).toEqual(numbering)
  expect((await sell(amy, { status: 'UNSENT' })).invoiceNumber).toBe('№ 001')
})

test('the database and the product accept the same characters in a prefix', async () => {
  const known = await ask<{ n: number; allowed: boolean }>(
    `select n, is_number_prefix(chr(n)) as allowed from generate_series(1, ${0x32000}) n where n not between ${0xd800} and ${0xdfff}`,
  )
  const differ = known.filter(({ n, allowed }) => allowed !== isNumberPrefix(String.fromCodePoint(n)))
  expect(differ.map(({ n }) => n.toString(16))).toEqual([])
})

test.each([
  ['DEBIT_MEMO', 'INVOICE', '', '1'],
  ['INVOICE', 'DEBIT_MEMO', 'A', 'A1'],
  ['DEBIT_MEMO', 'INVOICE', 'A', 'A07'],
])(
  '%s after %s: the prefixes "%s" and "%s" of one series would repeat a number',
  async (type, other, first, second) => {
    const { noa } = await israeli(company)
    await change(noa, [{ documentType: other, prefix: first, padding: 2 }])
    await expect(change(noa, [{ documentType: type, prefix: second }])).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'FORMATS_OF_SERIES_DIFFER' }],
    })
    await change(noa, [
      { documentType: other, prefix: 'X' },
      { documentType: type, prefix: second },
    ])
  },
)

test('prefixes of one series may end in a digit if they cannot lead to the same number', async () => {
  const { noa } = await israeli(company)
  await change(noa, [{ documentType: 'INVOICE', prefix: '1' }]) // a debit memo has the prefix of the series
  await change(noa, [{ documentType: 'DEBIT_MEMO', prefix: 'D1' }])
  await change(noa, [{ documentType: 'DEBIT_MEMO', prefix: '1', padding: 4 }])
})

test('a number that is printed on a document of the same official type is refused when it is given', async () => {
  const { noa, customerId, issue } = await israeli(company)
  await change(noa, [
    { documentType: 'INVOICE', prefix: 'X' },
    { documentType: 'DEBIT_MEMO', prefix: 'Y' },
  ])
  // Earlier versions accepted prefixes that lead to the same number.
  await storeUnchecked(`update document_numbering set prefix = case document_type when 'INVOICE' then 'A1' else 'A' end
    where organization_id = '${noa.organizationId}' and document_type in ('INVOICE', 'DEBIT_MEMO')`)
  const { id } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  expect(await debit(noa, id)).toBe('A2')
  expect(await issue('INVOICE')).toBe('A13')
  for (let number = 4; number <= 12; number++) expect(await issue('INVOICE')).toBe(`A1${number}`)
  await expect(debit(noa, id)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('another prefix'),
  })
  await change(noa, [{ documentType: 'DEBIT_MEMO', prefix: 'D' }])
  expect(await debit(noa, id)).toBe('D13')
})

test('an issue date after today is refused by the database, and a series with a future date continues today', async () => {
  const amy = await member('OWNER')
  const first = await sell(amy, { status: 'UNSENT' })
  const { issueDate } = await amy.call('invoices_get', { id: first.id })
  const issuing = (day: string, given: boolean) =>
    ask(
      `insert into documents (organization_id, id, document_type, status, counterparty_id, currency, minor_digits, issue_date, issue_date_given, subtotal_minor, tax_minor, total_minor, generator_version)
       select organization_id, gen_random_uuid(), document_type, 'UNSENT', counterparty_id, currency, minor_digits, $2::date, $3, 0, 0, 0, '' from documents
       where organization_id = $1 limit 1 returning issue_date::text as day, number`,
      [amy.organizationId, day, given],
    )
  await expect(issuing('2999-01-01', true)).rejects.toMatchObject({ constraint: 'issue_date_not_in_future' })
  expect(await issuing('2999-01-01', false)).toEqual([{ day: issueDate, number: '2' }])
  // Earlier versions accepted a date in the future.
  await ask("update document_numbering set last_issue_date = '2999-01-01' where organization_id = $1", [
    amy.organizationId,
  ])
  expect(await issuing(String(issueDate), false)).toEqual([{ day: issueDate, number: '3' }])
  await expect(issuing('2020-01-01', true)).rejects.toMatchObject({ constraint: 'issue_date_in_order' })
})
