import '../../../test/own-world.ts'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { asSuperuser } from '../../../test/database.ts'
import { pdf, zeros, zip } from '../../../test/fakes/bombs.ts'
import { form } from '../../../test/multipart-form.ts'
import { inProof } from '../../../test/prove.ts'
import { xlsx } from '../../../test/spreadsheet.ts'
import { member, operationNamed, type Someone, send, theApp, theDatabase, withKey } from '../../../test/world.ts'
import { verify } from '../../../verify/verify.ts'
import type { ImportKind } from './import.ts'

const fileOf = (content: string | Buffer, fileName = 'list.csv') => ({
  fileName,
  base64: Buffer.from(content as string).toString('base64'),
})
const load = (someone: Someone, kind: ImportKind, content: string | Buffer, more: object = {}) =>
  someone.call('organizations_import_create', { kind, file: fileOf(content), ...more })
const look = (someone: Someone, kind: ImportKind, content: string | Buffer, more: object = {}) =>
  someone.call('organizations_import_preview', {
    organizationId: someone.organizationId ?? '',
    kind,
    file: fileOf(content),
    ...more,
  })
const attempt = (someone: Someone, kind: ImportKind, content: string | Buffer, more: object = {}) =>
  someone.request(operationNamed('organizations_import_create'), { kind, file: fileOf(content), ...more })
const counts = (created: number, updated: number, unchanged: number) => ({ created, updated, unchanged })
const query = async <T>(text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows as T[]
const customersOf = async (someone: Someone) =>
  (await someone.call('customers_list', { limit: 100, sortBy: 'name', sortOrder: 'asc' })).customers

test('every field of a customer is imported, and the same file again changes nothing', async () => {
  const amy = await member('OWNER')
  const file = `Name,E-mail,Phone,Address,Country,Registration number,Type,Status,Notes,Currencies,Is supplier
Acme,a@acme.test,+65 1,1 Road,Singapore,T01,company,active,Pays late,"SGD, USD",yes
Dana,dana@x.test,,,ישראל,,person,inactive,,,no
`
  expect(await look(amy, 'CUSTOMERS', file)).toMatchObject({
    counts: { ...counts(2, 0, 0), wrong: 0 },
    rows: [
      { row: 2, result: 'CREATE', id: null },
      { row: 3, result: 'CREATE' },
    ],
  })
  const made = await load(amy, 'CUSTOMERS', file)
  expect(made).toMatchObject({
    kind: 'CUSTOMERS',
    fileName: 'list.csv',
    rows: 2,
    counts: counts(2, 0, 0),
    createdBy: amy.userId,
  })
  const [acme, dana] = await customersOf(amy)
  expect(acme).toMatchObject({
    name: 'Acme',
    email: 'a@acme.test',
    phone: '+65 1',
    address: '1 Road',
    country: 'SG',
    registrationNumber: 'T01',
    kind: 'ORGANIZATION',
    status: 'ACTIVE',
    notes: 'Pays late',
    defaultCurrencies: ['SGD', 'USD'],
    isSupplier: true,
  })
  expect(dana).toMatchObject({
    name: 'Dana',
    country: 'IL',
    kind: 'INDIVIDUAL',
    status: 'INACTIVE',
    defaultCurrencies: ['SGD'],
    isSupplier: false,
  })
  expect((await load(amy, 'CUSTOMERS', file)).counts).toEqual(counts(0, 0, 2))
  expect(await customersOf(amy)).toEqual([acme, dana])
  expect(await look(amy, 'CUSTOMERS', file)).toMatchObject({
    rows: [{ result: 'UNCHANGED', id: acme?.id }, { result: 'UNCHANGED' }],
  })
  const { imports } = await amy.call('organizations_imports')
  expect(imports.map((each) => each.counts)).toEqual([counts(0, 0, 2), counts(2, 0, 0)])
  expect(await amy.call('organizations_import', { id: made.id })).toEqual(made)
})

test('a customer is recognised by registration number and country, else by e-mail, else by name and country', async () => {
  const amy = await member('OWNER')
  await load(
    amy,
    'CUSTOMERS',
    'name,email,registration number,country\nAcme,a@x.test,T01,SG\nDana,d@x.test,,SG\nEli,,,SG\n',
  )
  const changed =
    'name,email,registration number,country,phone\nAcme Ltd,new@x.test,T01,SG,1\nDana B,D@X.test,,SG,2\neli,e@x.test,T09,SG,3\nEli,other@x.test,T10,SG,4\n'
  expect((await look(amy, 'CUSTOMERS', changed)).rows.map(({ result }) => result)).toEqual(
    ['UPDATE', 'UPDATE', 'UPDATE', 'CREATE'].map((result, n) => (n === 3 ? 'ERROR' : result)),
  ) // two rows are Eli
  expect((await load(amy, 'CUSTOMERS', changed.replace(/Eli,other.*\n/, 'Acme,z@x.test,T02,SG,4\n'))).counts).toEqual(
    counts(1, 3, 0),
  )
  const found = await customersOf(amy)
  expect(found.map(({ name, phone }) => [name, phone])).toEqual([
    ['Acme', '4'],
    ['Acme Ltd', '1'],
    ['Dana B', '2'],
    ['eli', '3'],
  ])
  // an empty cell leaves what is stored
  await load(amy, 'CUSTOMERS', 'name,email,phone\nDana B,d@x.test,\n')
  expect((await customersOf(amy)).find(({ name }) => name === 'Dana B')?.phone).toBe('2')
})

test('every field of a supplier is imported; a customer becomes a supplier too, and the audit trail names new bank details', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  await amy.call('expense_categories_create', { name: 'Fuel' })
  const { id: customerId } = await amy.call('customers_create', {
    name: 'Beta',
    country: 'IL',
    registrationNumber: '514',
  })
  const header =
    'שם ספק;ח.פ.;מדינה;תיק ניכויים;GST number;ימי אשראי;קטגוריה;מטבע;ניכוי במקור;תוקף אישור;1099;גם לקוח;בנק;סניף;מספר חשבון;שם החשבון;IBAN;SWIFT;דוא"ל;טלפון;כתובת;הערות;סוג;סטטוס\n'
  const file = (account: string) =>
    `${header}Acme;512;ישראל;912;G1;30;fuel;₪;20%;01/02/2030;כן;כן;Leumi;10;${account};Acme Ltd;IL62;LUMIILIT;a@x.test;03;רחוב 1;הערה;חברה;פעיל\nBeta;514;;;;;;;;;;;;;;;;;;;;;;\n`
  expect((await load(amy, 'SUPPLIERS', file('123456789'))).counts).toEqual(counts(1, 1, 0))
  const { suppliers } = await amy.call('suppliers_list', { sortBy: 'name', sortOrder: 'asc' })
  expect(suppliers[0]).toMatchObject({
    name: 'Acme',
    registrationNumber: '512',
    country: 'IL',
    taxNumber: '912',
    gstNumber: 'G1',
    paymentTermsDays: 30,
    defaultCategoryId: expect.any(String),
    defaultCurrency: 'ILS',
    withholdingRate: 20,
    withholdingValidUntil: '2030-02-01',
    is1099: true,
    isCustomer: true,
    bankDetails: {
      bankName: 'Leumi',
      branchCode: '10',
      accountNumber: '123456789',
      accountName: 'Acme Ltd',
      iban: 'IL62',
      swiftCode: 'LUMIILIT',
    },
    email: 'a@x.test',
    phone: '03',
    address: 'רחוב 1',
    notes: 'הערה',
    kind: 'ORGANIZATION',
    status: 'ACTIVE',
  })
  expect(suppliers[1]).toMatchObject({ id: customerId, name: 'Beta', isCustomer: true })
  expect((await load(amy, 'SUPPLIERS', file('123456789'))).counts).toEqual(counts(0, 0, 2))
  const { id } = await load(amy, 'SUPPLIERS', file('999956780'))
  const { entries } = await amy.call('organizations_audit', { objectId: id })
  expect(entries).toHaveLength(1)
  expect(entries[0]?.detail).toMatchObject({
    updated: 1,
    paymentDetailsChanged: 1,
    suppliers: [{ id: suppliers[0]?.id, accountNumber: { from: '…6789', to: '…6780' } }],
  })
  expect(await attempt(amy, 'SUPPLIERS', 'name,category\nGamma,Nonsense\n')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('Row 2, column "category"') } },
  })
})

test('every field of an item is imported, recognised by SKU, else barcode, else name', async () => {
  const amy = await member('OWNER')
  const file = `Name;SKU;Barcode;Kind;Description;Unit;Sale price;Sale currency;Purchase price;Purchase currency;Tax rate;Tax category;Tracked;Low stock threshold;Active
Lamp;L-1;729;goods;Bright;piece;1.234,50;SGD;10,25;USD;9;SR;yes;5;no
Advice;;;service;;hour;100,00;;;;;;;;
`
  expect((await load(amy, 'ITEMS', file)).counts).toEqual(counts(2, 0, 0))
  const { items } = await amy.call('logistics_items_list')
  expect(items[1]).toMatchObject({
    name: 'Lamp',
    sku: 'L-1',
    barcode: '729',
    kind: 'GOODS',
    description: 'Bright',
    unit: 'piece',
    salePrice: 1234.5,
    saleCurrency: 'SGD',
    purchasePrice: 10.25,
    purchaseCurrency: 'USD',
    taxRate: 9,
    taxCategory: 'SR',
    tracked: true,
    lowStockThreshold: 5,
    active: false,
  })
  expect(items[0]).toMatchObject({ name: 'Advice', kind: 'SERVICE', tracked: false, active: true, saleCurrency: 'SGD' })
  expect((await load(amy, 'ITEMS', file)).counts).toEqual(counts(0, 0, 2))
  expect(
    (await load(amy, 'ITEMS', 'name,sku,barcode\nBig lamp,l-1,\nadvice,A-1,\nOther,,729\n'.replace('Other,,729\n', '')))
      .counts,
  ).toEqual(counts(0, 2, 0))
  expect(await attempt(amy, 'ITEMS', 'name,kind,tracked\nHelp,service,yes\n')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('Row 2, column "tracked"') } },
  })
  // two rows that are the same item, one by SKU and one by barcode
  expect(await attempt(amy, 'ITEMS', 'name,sku,barcode\nX,L-1,\nY,,729\n')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('Row 3') } },
  })
})

test('opening balances become one entry for each day, balanced by the account for them, and are not entered twice', async () => {
  const amy = await member('MANAGER')
  const { accounts } = await amy.call('reports_accounts')
  const [cash, owed] = ['CASH', 'PAYABLES'].map((purpose) => accounts.find((account) => account.purpose === purpose))
  const file = `Account,Date,Debit,Credit,Balance,Description
${cash?.code},31/12/2025,"1,500.25",,,Counted
${owed?.name},31/12/2025,,500,,
${cash?.code},01/01/2024,,,(10),
`
  expect((await load(amy, 'OPENING_BALANCES', file)).counts).toEqual(counts(3, 0, 0))
  const { entries } = await amy.call('reports_journal_entries', { kind: 'OPENING' })
  expect(entries.map(({ date, total, lines }) => [date, total, lines.length])).toEqual([
    ['2025-12-31', 1500.25, 3],
    ['2024-01-01', 10, 2],
  ])
  expect((await load(amy, 'OPENING_BALANCES', file)).counts).toEqual(counts(0, 0, 3))
  expect((await amy.call('reports_journal_entries', { kind: 'OPENING' })).entries).toEqual(entries)
  const refused: [string, string][] = [
    [`account,date,balance\n${cash?.code},2025-12-31,7\n`, 'already'],
    ['account,date,balance\nNowhere,2025-12-31,7\n', 'Row 2, column "account"'],
    [`account,date,balance\n${cash?.code},2999-12-31,7\n`, 'column "date"'],
    [`account,date,balance\n${cash?.code},2020-12-31,7\n${cash?.name},2020-12-31,7\n`, 'Row 3'],
  ]
  for (const [content, words] of refused)
    expect(await attempt(amy, 'OPENING_BALANCES', content)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(words) } },
    })
})

test('an import emits one event and no others, writes one audit row, and verify finds nothing', async () => {
  const amy = await member('OWNER')
  const { id } = await load(amy, 'CUSTOMERS', 'name\nAcme\nGlobex\n')
  const events = await query<{ type: string; payload: object }>(
    'select type, payload from events where organization_id = $1',
    [amy.organizationId],
  )
  expect(events).toMatchObject([
    { type: 'import.completed', payload: { id, kind: 'CUSTOMERS', rows: 2, created: 2, updated: 0, unchanged: 0 } },
  ])
  const audited = await query('select operation from audit_log where organization_id = $1 and object_id = $2', [
    amy.organizationId,
    id,
  ])
  expect(audited).toEqual([{ operation: 'organizations_import_create' }])
  const violations = await verify({ system: theApp().system })
  expect(violations.filter((violation) => !violation.says.startsWith('Commits are durable'))).toEqual([])
})

const many = (count: number, wrong?: number) =>
  [
    'name,email,registration number',
    ...Array.from({ length: count }, (_, n) => `Customer ${n},${n === wrong ? 'nowhere' : `c${n}@x.test`},R${n}`),
  ].join('\n')

/** How many rows a large file has, and which one is wrong. */
const [rowCount, bad] = inProof([2_000, 1_234], [10_000, 6_789])

test(`a file of ${rowCount} rows with one bad row changes nothing and names its row and column`, async () => {
  const amy = await member('OWNER')
  const refused = await attempt(amy, 'CUSTOMERS', many(rowCount, bad))
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: {
        message: `Nothing was imported. Row ${bad + 2}, column "email": "nowhere" is no e-mail address.`,
        details: [{ path: `rows.${bad + 2}.email`, code: 'ROW' }],
      },
    },
  })
  expect(
    await query(
      'select from imports where organization_id = $1 union all select from customers where organization_id = $1',
      [amy.organizationId],
    ),
  ).toEqual([])
  const preview = await look(amy, 'CUSTOMERS', many(rowCount, bad))
  expect(preview).toMatchObject({
    rowCount,
    counts: { created: rowCount - 1, wrong: 1 },
    errorCount: 1,
    errors: [{ row: bad + 2, column: 'email' }],
  })
  expect(preview.rows).toHaveLength(200)
  expect((await load(amy, 'CUSTOMERS', many(rowCount))).counts).toEqual(counts(rowCount, 0, 0))
  expect((await load(amy, 'CUSTOMERS', many(rowCount))).counts).toEqual(counts(0, 0, rowCount))
})

test('of two imports of the same file at once, one adds the records and the other finds them', async () => {
  const amy = await member('OWNER')
  const made = await Promise.all([1, 2, 3].map(() => load(amy, 'CUSTOMERS', many(300))))
  expect(made.map((each) => each.counts.created).toSorted()).toEqual([0, 0, 300])
  expect(
    await query('select count(*)::int as n from customers where organization_id = $1', [amy.organizationId]),
  ).toEqual([{ n: 300 }])
})

test('an import that is ended half way changes nothing, and succeeds when it is repeated', async () => {
  const amy = await member('OWNER')
  const { accounts } = await amy.call('reports_accounts')
  const cash = accounts.find(({ purpose }) => purpose === 'CASH')
  const file = `account,date,balance\n${cash?.code},2025-12-31,10\n`
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  try {
    await client.query('begin; lock table journal_entry_lines in exclusive mode')
    const importing = attempt(amy, 'OPENING_BALANCES', file)
    const ended = async () => {
      const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return rowCount
    }
    await expect.poll(ended, { timeout: 9_000 }).toBeGreaterThan(0)
    expect((await importing).status).toBe(500)
    await client.query('rollback')
  } finally {
    await client.end()
  }
  const left =
    'select id from imports where organization_id = $1 union all select id from journal_entries where organization_id = $1'
  expect(await query(left, [amy.organizationId])).toEqual([])
  expect((await load(amy, 'OPENING_BALANCES', file)).counts).toEqual(counts(1, 0, 0))
  expect(await query(left, [amy.organizationId])).toHaveLength(2)
})

test('spreadsheets are imported, and files that are none are refused', async () => {
  const amy = await member('OWNER')
  const sheet = xlsx([
    {
      name: 'Clients',
      rows: [
        ['Name', 'Tel'],
        ['Acme', 31234567],
      ],
    },
  ])
  expect(await look(amy, 'CUSTOMERS', sheet)).toMatchObject({ sheet: 'Clients', counts: { created: 1 } })
  expect((await load(amy, 'CUSTOMERS', sheet, { sheet: 'clients' })).counts).toEqual(counts(1, 0, 0))
  const wrong: [string | Buffer, string][] = [
    [pdf(), 'FILE_UNREADABLE'],
    [zip(zeros(300), { named: 'xl/workbook.xml' }), 'FILE_EXPANDS'],
    ['{"name": "Acme"}', 'FILE_UNREADABLE'],
    [`name,${'x,'.repeat(250)}y\n`, 'TABLE_TOO_LARGE'],
    ['colour\nred\n', 'UNKNOWN_COLUMN'],
    ['name\nAcme 2\nAcme 2\n', 'ROW'],
  ]
  for (const [content, code] of wrong)
    expect(await attempt(amy, 'CUSTOMERS', content)).toMatchObject({
      status: 400,
      body: { error: { details: [{ code }] } },
    })
  expect(await attempt(amy, 'CUSTOMERS', 'name\n')).toMatchObject({
    status: 201,
    body: { rows: 0, counts: counts(0, 0, 0) },
  })
  expect(await attempt(amy, 'CUSTOMERS', '')).toMatchObject({ status: 400 })
})

test('a form may give the mapping as JSON', async () => {
  const amy = await member('OWNER')
  const parts = (mapping: string) => [
    { name: 'kind', value: 'CUSTOMERS' },
    { name: 'mapping', value: mapping },
    { name: 'file', value: 'Who,Where\nAcme,Singapore\n', fileName: 'list.csv', type: 'text/csv' },
  ]
  const sent = async (mapping: string) => {
    const { body, headers } = form(parts(mapping))
    return send({ method: 'POST', url: '/api/imports', body, headers: { ...headers, ...amy.credentials } })
  }
  expect(await sent('{"Who": "name", "B": "country"}')).toMatchObject({ status: 201, body: { rows: 1 } })
  expect(await customersOf(amy)).toMatchObject([{ name: 'Acme', country: 'SG' }])
  expect(await sent('{"Who": ')).toMatchObject({ status: 400 })
})

test('an import needs the scope of what it imports, and opening balances a manager', async () => {
  const amy = await member('OWNER')
  const cases: [ImportKind, string, string][] = [
    ['CUSTOMERS', 'customers:write', 'name\nAcme\n'],
    ['SUPPLIERS', 'suppliers:write', 'name\nAcme\n'],
    ['ITEMS', 'logistics:write', 'name\nLamp\n'],
    ['OPENING_BALANCES', 'reports:write', 'account,date,balance\n'],
  ]
  for (const [kind, scope, content] of cases) {
    const able = await withKey(amy, ['organizations:read', 'organizations:write', scope])
    const unable = await withKey(amy, [
      'organizations:read',
      'organizations:write',
      ...cases.map(([, each]) => each).filter((each) => each !== scope),
    ])
    for (const name of ['organizations_import_preview', 'organizations_import_create'] as const) {
      const input = { organizationId: amy.organizationId, kind, file: fileOf(content) }
      expect((await able.request(operationNamed(name), input)).status).toBeLessThan(300)
      expect(await unable.request(operationNamed(name), input)).toMatchObject({
        status: 403,
        body: { error: { details: [{ code: 'SCOPE' }] } },
      })
    }
    const bob = await member('CONTRIBUTOR', { of: amy })
    expect((await attempt(bob, kind, content)).status).toBe(kind === 'OPENING_BALANCES' ? 403 : 201)
    const eve = await member('VIEWER', { of: amy })
    expect((await attempt(eve, kind, content)).status).toBe(403)
  }
  const mallory = await member('OWNER')
  expect(await attempt(mallory, 'CUSTOMERS', 'name\nAcme\n', { organizationId: amy.organizationId })).toMatchObject({
    status: 403,
  })
  expect(await customersOf(amy)).toHaveLength(1)
  const { imports } = await amy.call('organizations_imports')
  expect((await mallory.request(operationNamed('organizations_import'), { id: imports[0]?.id })).status).toBe(404)
})

test.each([
  ['CUSTOMERS', 'customers:write', 'suppliers:write'],
  ['SUPPLIERS', 'suppliers:write', 'customers:write'],
] as const)(
  'an import of %s recognises records of the other role only with the scope for both',
  async (kind, own, other) => {
    const amy = await member('OWNER')
    const keyOf = (...scopes: string[]) => withKey(amy, ['organizations:read', 'organizations:write', ...scopes])
    const stored = () =>
      query<{ name: string }>(
        'select name, email, phone, status, is_customer, is_supplier from customers where organization_id = $1 order by created_at, id',
        [amy.organizationId],
      )
    const otherKind = kind === 'CUSTOMERS' ? 'SUPPLIERS' : 'CUSTOMERS'
    await load(amy, otherKind, 'name,email,registration number\nAcme,a@x.test,T01\n')
    const [before] = await stored()
    const changed = 'name,email,registration number,status\nEvil,evil@x.test,T01,inactive\n'
    const byEmail = 'name,email,phone\nEvil,a@x.test,1\n'
    const limited = await keyOf(own)
    for (const file of [changed, byEmail, 'name,phone\nAcme,1\n'])
      expect((await look(limited, kind, file)).rows).toEqual([{ row: 2, result: 'CREATE', id: null }])
    expect((await load(limited, kind, changed)).counts).toEqual(counts(1, 0, 0))
    expect((await load(limited, kind, changed)).counts).toEqual(counts(0, 0, 1))
    const isCustomer = kind === 'CUSTOMERS'
    const added = { name: 'Evil', is_customer: isCustomer, is_supplier: !isCustomer }
    expect(await stored()).toMatchObject([before, added])
    // of two that are alike, the one of this role
    expect((await load(amy, kind, changed)).counts).toEqual(counts(0, 0, 1))
    expect((await load(await keyOf(own, other), kind, byEmail)).counts).toEqual(counts(0, 1, 0))
    expect(await stored()).toMatchObject([{ name: 'Evil', phone: '1', is_customer: true, is_supplier: true }, added])
    // what has both roles may be changed with either scope
    expect((await load(limited, kind, byEmail.replace(',1', ',2'))).counts).toEqual(counts(0, 1, 0))
    expect(await stored()).toMatchObject([{ phone: '2' }, added])
  },
)

test('the examples of the documentation can be imported', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const text = readFileSync(new URL('../../../../docs/import.md', import.meta.url), 'utf8')
  const examples = [...text.matchAll(/```csv (\w+)\n([\s\S]*?)```/g)]
  expect(examples.map(([, kind]) => kind)).toEqual(['CUSTOMERS', 'SUPPLIERS', 'ITEMS', 'OPENING_BALANCES', 'EMPLOYEES'])
  for (const [, kind, content = ''] of examples)
    expect((await load(amy, kind as ImportKind, content)).counts.created, kind).toBeGreaterThan(0)
})
