import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { member, operationNamed, type Someone, theApp } from '../../../../test/world.ts'

let amy: Someone
const ids: string[] = []

beforeAll(async () => {
  amy = await member('CONTRIBUTOR')
  const spend = async (more: object) =>
    ids.push((await amy.call('expenses_create', { amount: 117, currency: 'ILS', date: '2026-01-31', ...more })).id)
  await spend({ title: '=HYPERLINK("http://evil")', vendor: 'קפה "גן"', taxAmount: 17, taxRate: 17, notes: 'a\nb; c' })
  await spend({ date: '2026-01-02', source: 'EMAIL', amount: 0.5, title: '-1+2' })
  await spend({ date: '2026-03-01', currency: 'JPY', amount: 1000 })
})

/** The content of the file, which the answer has as a string. */
const csvOf = async (query: object = {}) =>
  String(await amy.call('expenses_csv', { organizationId: String(amy.organizationId), ...query }))

const manifestOf = (query: object = {}) =>
  amy.call('expenses_manifest', { organizationId: String(amy.organizationId), ...query })

describe('the CSV file', () => {
  test('has a header, a byte order mark and a row for each expense, by date', async () => {
    const csv = await csvOf()
    expect(csv.startsWith('\ufeff"id","date","title","vendor","category","amount","currency"')).toBe(true)
    expect([...csv.matchAll(/"(2026-\d\d-\d\d)"/g)].map(([, day]) => day)).toEqual([
      '2026-01-02',
      '2026-01-31',
      '2026-03-01',
    ])
    expect(csv).toContain('"קפה ""גן""",,117,"ILS",17,17,')
    expect(csv).toContain(',0.5,"ILS",')
  })

  test('THR: text that a spreadsheet would execute as a formula is preceded by an apostrophe', async () => {
    const csv = await csvOf()
    expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect(csv).toContain(`"'-1+2"`)
  })

  test.each([
    [{ status: 'DRAFT' }, 2],
    [{ status: 'APPROVED' }, 0],
    [{ source: 'EMAIL' }, 1],
    [{ dateFrom: '2026-01-31', dateTo: '2026-02-28' }, 1],
    [{ categoryId: 'nope' }, 0],
  ])('%j exports %i', async (query, count) =>
    expect((await csvOf(query)).trimEnd().split('\r\n')).toHaveLength(count + 1),
  )

  test('leaves no scratch file behind', async () => {
    await csvOf()
    const left = async () => (await readdir(dirname(theApp().providers.storage.scratch()))).length
    await expect.poll(left).toBe(0)
  })
})

test('what is credited, the claimant, the home amount and the splits are exported, and the amounts add up', async () => {
  const bob = await member('OWNER')
  const organizationId = String(bob.organizationId)
  const { categories } = await bob.call('expense_categories_list')
  const [first, second] = categories
  const { id: claimantId } = await bob.call('customers_create', {
    organizationId,
    name: 'Dana',
    country: 'SG',
    kind: 'INDIVIDUAL',
  })
  const { id } = await bob.call('expenses_create', {
    ...{ organizationId, amount: 100, currency: 'USD', date: '2026-01-31', exchangeRate: 1.3, claimantId },
    splits: [
      { categoryId: first?.id ?? null, amount: 60, taxAmount: 0 },
      { categoryId: second?.id ?? null, amount: 40 },
    ],
  })
  await bob.call('expenses_status', { id, status: 'APPROVED' })
  await bob.call('expenses_payments', { id, amount: 20, paidAt: '2026-02-01' })
  await bob.call('expenses_credits', { id, amount: 30, date: '2026-02-02' })
  const { expenses } = await bob.call('expenses_manifest', { organizationId })
  expect(expenses).toMatchObject([
    {
      ...{ amount: '100.00', paidAmount: '20.00', creditedAmount: '30.00', openBalance: '50.00' },
      ...{ exchangeRate: '1.3', homeAmount: '130.00', homeCurrency: 'SGD', claimant: { id: claimantId, name: 'Dana' } },
      splits: [
        { category: { id: first?.id, name: first?.name }, amount: '60.00', taxAmount: '0.00' },
        { category: { id: second?.id, name: second?.name }, amount: '40.00', taxAmount: null },
      ],
    },
  ])
  const csv = String(await bob.call('expenses_csv', { organizationId }))
  expect(csv).toContain(`"${first?.name}; ${second?.name}",100,"USD"`)
  expect(csv).toContain(',20,30,50,"APPROVED"')
  expect(csv).toContain(',"Dana",1.3,130,"SGD"')
})

describe('the manifest', () => {
  test('has the organization and decimal strings', async () => {
    const { organization, generatedAt, expenses } = await manifestOf()
    expect(organization).toMatchObject({ id: amy.organizationId })
    expect(generatedAt).toMatch(/Z$/)
    expect(expenses.map(({ amount, taxAmount, taxRate, currency }) => [amount, taxAmount, taxRate, currency])).toEqual([
      ['0.50', null, null, 'ILS'],
      ['117.00', '17.00', '17', 'ILS'],
      ['1000', null, null, 'JPY'],
    ])
  })

  test('shows the named expenses only, and links that open their attachments', async () => {
    const [id = ''] = ids
    const file = { fileName: 'a.txt', base64: Buffer.from('hello').toString('base64') }
    await amy.call('expenses_upload', { organizationId: String(amy.organizationId), expenseId: id, file } as never)
    const { expenses } = await manifestOf({ ids: ` ${id} , nope` })
    expect(expenses.map((each) => each.id)).toEqual([id])
    expect(expenses[0]?.attachments).toMatchObject([
      { fileName: 'a.txt', fileSize: 5, storageUrl: expect.stringContaining('token=') },
    ])
  })
})

test('many expenses are read in pages and exported once each; a long manifest has the same form as a short one', async () => {
  const bob = await member('OWNER')
  const organizationId = String(bob.organizationId)
  const days = Array.from({ length: 510 }, (_, n) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10))
  for (let at = 0; at < days.length; at += 30)
    await Promise.all(
      days
        .slice(at, at + 30)
        .map((date) => bob.call('expenses_create', { organizationId, amount: 1, currency: 'ILS', date })),
    )
  const csv = String(await bob.call('expenses_csv', { organizationId }))
  expect([...csv.matchAll(/^"[^"]+","(\d{4}-\d\d-\d\d)"/gm)].map(([, day]) => day)).toEqual(days)
  const { body } = await bob.request(operationNamed('expenses_manifest'), { organizationId })
  const long: { expenses: { date: string }[] } = JSON.parse(String(body)) // a file
  expect(long.expenses.map(({ date }) => date)).toEqual(days)
  const { expenses } = await bob.call('expenses_manifest', { organizationId, dateTo: String(days[299]) })
  expect(expenses).toEqual(long.expenses.slice(0, 300))
})
