import '../../../test/own-world.ts'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { asSuperuser } from '../../../test/database.ts'
import { asProduct } from '../../../test/secrets.ts'
import { member, type Someone, theApp, theDatabase } from '../../../test/world.ts'

let amy: Someone
let account: (purpose: string) => string
beforeEach(async () => {
  amy = await member('MANAGER')
  account = await accountsOf(amy)
})

async function accountsOf(someone: Someone) {
  const { accounts } = await someone.call('reports_accounts', { organizationId: String(someone.organizationId) })
  return (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
}

const deposit = () => ({
  date: '2026-01-31',
  description: 'Deposit of the owner',
  lines: [
    { accountId: account('CASH'), debit: 1234.56 },
    { accountId: account('OPENING_BALANCES'), credit: 1000, description: 'Share capital' },
    { accountId: account('ROUNDING'), credit: 234.56 },
  ],
})
const make = (more: Record<string, unknown> = {}) => amy.call('reports_journal_entry_create', { ...deposit(), ...more })

test('an entry has every documented field and reads back as made', async () => {
  const made = await make({ reference: 'B-7' })
  expect(made).toMatchObject({
    organizationId: amy.organizationId,
    number: 1,
    kind: 'MANUAL',
    date: '2026-01-31',
    description: 'Deposit of the owner',
    reference: 'B-7',
    currency: 'SGD',
    total: 1234.56,
    lines: [
      { accountId: account('CASH'), accountCode: '600', accountName: 'Cash and bank', debit: 1234.56, credit: 0, description: null },
      { accountId: account('OPENING_BALANCES'), debit: 0, credit: 1000, description: 'Share capital' },
      { accountId: account('ROUNDING'), debit: 0, credit: 234.56, description: null },
    ],
    reversesId: null,
    reversedById: null,
    createdBy: amy.userId,
  }) // biome-ignore format: a line each
  expect(await amy.call('reports_journal_entry', { id: made.id })).toEqual(made)
  const { entries, pagination } = await amy.call('reports_journal_entries')
  expect([entries, pagination.total]).toEqual([[made], 1])
})

const line = (purpose: string, side: object) => ({ accountId: account(purpose), ...side })

test.each([
  ['sides that differ', () => [line('CASH', { debit: 5 }), line('ROUNDING', { credit: 5.01 })], 'lines', 'AMOUNT_MISMATCH'],
  ['a line without a side', () => [line('CASH', { debit: 5 }), line('ROUNDING', { credit: 5 }), line('PAYABLES', {})], 'lines.2', 'AMOUNT'],
  ['a line with both sides', () => [line('CASH', { debit: 5, credit: 5 }), line('ROUNDING', { credit: 5 })], 'lines.0', 'AMOUNT'],
  ['a part of a cent', () => [line('CASH', { debit: 5.001 }), line('ROUNDING', { credit: 5.001 })], 'lines.0.debit', 'AMOUNT_TOO_FINE'],
  ['a negative amount', () => [line('CASH', { debit: -5 }), line('ROUNDING', { credit: -5 })], 'lines.0.debit', undefined],
  ['one line', () => [line('CASH', { debit: 5 })], 'lines', undefined],
])('an entry with %s is refused', async (_, lines, path, code) => {
  await make()
  const refused = await make({ lines: lines() }).catch((error) => error)
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.details[0]).toMatchObject({ path, ...(code && { code }) })
}) // biome-ignore format: a case a line

test('an account that is not active takes no entry, and the reversal of an older one still uses it', async () => {
  const { id } = await amy.call('reports_account_create', { code: '1015', name: 'Till', type: 'ASSET' })
  const lines = [{ accountId: id, debit: 5 }, line('CASH', { credit: 5 })]
  const made = await make({ lines })
  await amy.call('reports_account_update', { id, active: false })
  await expect(make({ lines })).rejects.toMatchObject({ status: 400, details: [{ path: 'lines.0.accountId' }] })
  expect(await amy.call('reports_journal_entry_reverse', { id: made.id })).toMatchObject({ total: 5 })
})

describe('a reversal', () => {
  test('exchanges debits and credits and is linked both ways', async () => {
    const made = await make({ kind: 'OPENING' })
    const reversal = await amy.call('reports_journal_entry_reverse', {
      id: made.id,
      date: '2026-02-01',
      reason: 'Wrong year',
    })
    expect(reversal).toMatchObject({
      number: 2,
      kind: 'OPENING',
      date: '2026-02-01',
      description: 'Wrong year',
      reversesId: made.id,
    })
    expect(reversal.lines.map(({ accountId, debit, credit }) => [accountId, credit, debit])).toEqual(
      made.lines.map(({ accountId, debit, credit }) => [accountId, debit, credit]),
    )
    expect(await amy.call('reports_journal_entry', { id: made.id })).toMatchObject({ reversedById: reversal.id })
  })

  test('is possible once, also if two are asked for at the same time, and not of a reversal', async () => {
    const made = await make()
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => amy.call('reports_journal_entry_reverse', { id: made.id })),
    )
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.status] : []))
    expect(refused).toEqual([409, 409])
    await expect(amy.call('reports_journal_entry_reverse', { id: made.id })).rejects.toMatchObject({ status: 409 })
    const { entries } = await amy.call('reports_journal_entries')
    const reversal = entries.find(({ reversesId }) => reversesId === made.id)
    await expect(amy.call('reports_journal_entry_reverse', { id: String(reversal?.id) })).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'REVERSED' }],
    })
  })

  test('is not dated before its entry', async () => {
    const { id } = await make()
    await expect(amy.call('reports_journal_entry_reverse', { id, date: '2026-01-30' })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'date' }],
    })
    expect(await amy.call('reports_journal_entry_reverse', { id, date: '2026-01-31' })).toMatchObject({
      date: '2026-01-31',
    })
  })
})

test('numbers have no gaps, although entries are made at the same time and some are refused', async () => {
  const wrong = () => make({ lines: [line('CASH', { debit: 5 }), line('ROUNDING', { credit: 6 })] })
  await Promise.allSettled(Array.from({ length: 12 }, (_, at) => (at % 3 === 2 ? wrong() : make())))
  const { entries } = await amy.call('reports_journal_entries')
  expect(entries.map(({ number }) => number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('the list is filtered by day and kind, the latest first', async () => {
  await make({ date: '2025-12-31', kind: 'OPENING' })
  await make({ date: '2026-01-05' })
  await make({ date: '2026-02-05' })
  const numbers = async (filter: Record<string, unknown>) =>
    (await amy.call('reports_journal_entries', filter as never)).entries.map(({ number }) => number)
  expect(await numbers({})).toEqual([3, 2, 1])
  expect(await numbers({ from: '2026-01-01', to: '2026-01-31' })).toEqual([2])
  expect(await numbers({ kind: 'OPENING' })).toEqual([1])
  expect(await numbers({ limit: 1, page: 2 })).toEqual([2])
})

describe('the database', () => {
  const insert = (
    balance: number,
  ) => `with entry as (insert into journal_entries (organization_id, id, kind, date, description)
      values ('${amy.organizationId}', gen_random_uuid(), 'MANUAL', '2026-01-31', 'x') returning *)
    insert into journal_entry_lines (organization_id, entry_id, position, account_id, debit_minor, credit_minor)
    select organization_id, id, 1, '${account('CASH')}'::uuid, 5, 0 from entry
    union all select organization_id, id, 2, '${account('ROUNDING')}'::uuid, 0, ${balance} from entry`

  test('refuses an entry that is not balanced', async () => {
    await asProduct(insert(5))
    await expect(asProduct(insert(6))).rejects.toMatchObject({ constraint: 'entry_is_balanced' })
  })

  test('refuses to change, to delete and to add to an entry', async () => {
    const { id } = await make()
    for (const statement of [
      `update journal_entries set description = 'y' where id = '${id}'`,
      `delete from journal_entries where id = '${id}'`,
      `update journal_entry_lines set debit_minor = 1 where entry_id = '${id}'`,
      `delete from journal_entry_lines where entry_id = '${id}'`,
    ])
      await expect(asProduct(statement)).rejects.toThrow('append-only')
    const more = `insert into journal_entry_lines (organization_id, entry_id, position, account_id, debit_minor)
      values ('${amy.organizationId}', '${id}', 9, '${account('CASH')}', 5)`
    await expect(asProduct(more)).rejects.toMatchObject({ constraint: 'entry_is_final' })
  })

  test('lets requests set neither number nor currency', async () => {
    const { rows } =
      await theApp().system.raw.query(`select has_column_privilege('kontor_confined', 'journal_entries', 'number', 'insert') as number,
      has_column_privilege('kontor_confined', 'journal_entries', 'currency', 'insert') as currency,
      has_column_privilege('kontor_confined', 'journal_entries', 'description', 'insert') as description`)
    expect(rows).toEqual([{ number: false, currency: false, description: true }])
  })
})

test('an entry before 1900 has a warning', async () => {
  const warnings = [{ code: 'UNUSUAL_DATE', path: 'date', message: expect.any(String) }]
  expect(await make({ date: '1026-01-31' })).toMatchObject({ warnings })
  expect(await make()).not.toHaveProperty('warnings')
})

test('an entry and a reversal are not dated after today', async () => {
  const day = today(new Date(), 'Asia/Singapore')
  const { id } = await make({ date: day })
  const refusal = { status: 400, details: [{ path: 'date', code: 'ENTRY_NOT_IN_FUTURE' }] }
  await expect(make({ date: addDays(day, 1) })).rejects.toMatchObject(refusal)
  const later = { id, date: addDays(day, 1) }
  await expect(amy.call('reports_journal_entry_reverse', later)).rejects.toMatchObject(refusal)
  expect(await amy.call('reports_journal_entry_reverse', { id, date: day })).toMatchObject({ date: day })
})

test('an entry of an earlier version that is dated after today is reversed on its day', async () => {
  const { id } = await make()
  const ahead = addDays(today(new Date(), 'Asia/Singapore'), 400)
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query('update journal_entries set date = $1 where id = $2', [ahead, id])
  await client.end()
  expect(await amy.call('reports_journal_entry_reverse', { id })).toMatchObject({ date: ahead })
})

describe('an opening balance', () => {
  const opening = (purpose: string, more: Record<string, unknown> = {}) =>
    make({
      kind: 'OPENING',
      lines: [line(purpose, { debit: 5 }), line('OPENING_BALANCES', { credit: 5 })],
      ...more,
    })

  test('is entered once for an account and day', async () => {
    const { id, date } = await opening('CASH')
    await opening('RECEIVABLES') // the other side may repeat
    await opening('CASH', { date: '2025-01-31' })
    await make() // entries of the kind MANUAL may
    await expect(opening('CASH')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Reverse that entry'),
      details: [{ code: 'ONE_OPENING_BALANCE' }],
    })
    expect(await amy.call('reports_journal_entry_reverse', { id })).toMatchObject({ date }) // it was wrong from its day on
    expect(await opening('CASH')).toMatchObject({ kind: 'OPENING' })
  })

  test('has several lines of an account in one entry, and one entry if two are made at the same time', async () => {
    const lines = [line('CASH', { debit: 5 }), line('CASH', { debit: 6 }), line('OPENING_BALANCES', { credit: 11 })]
    const answers = await Promise.allSettled([1, 2, 3].map(() => make({ kind: 'OPENING', lines })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

test('an entry by hand on an account that the journal keeps from documents has a warning for each such line', async () => {
  const codes = async (purpose: string, more: object = {}) => {
    const lines = [line('CASH', { debit: 5 }), line(purpose, { credit: 5 })]
    return (await make({ lines, ...more })).warnings?.map(({ code, path }) => [code, path]) ?? []
  }
  expect(await codes('OPENING_BALANCES')).toEqual([])
  for (const purpose of [
    'RECEIVABLES',
    'PAYABLES',
    'OUTPUT_TAX',
    'INPUT_TAX',
    'WITHHOLDING_PAYABLE',
    'PAYROLL_PAYABLES',
  ])
    expect([purpose, await codes(purpose)]).toEqual([purpose, [['CONTROL_ACCOUNT', 'lines.1.accountId']]])
  expect(await codes('RECEIVABLES', { kind: 'OPENING', date: '2026-01-01' })).toEqual([])
  const { id } = await amy.call('reports_account_create', {
    code: '2399',
    name: 'GST 8 %',
    type: 'LIABILITY',
    taxCategories: ['SR8'],
  })
  const made = await make({ lines: [line('CASH', { debit: 5 }), { accountId: id, credit: 5 }] })
  expect(made.warnings).toMatchObject([{ code: 'CONTROL_ACCOUNT', message: expect.stringContaining('tax report') }])
})
