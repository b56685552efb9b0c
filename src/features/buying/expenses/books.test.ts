import { describe, expect, test } from 'vitest'
import { endOfThisYear } from '../../../test/days.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const spend = (someone: Someone, more: object = {}) =>
  someone.call('expenses_create', {
    ...{ amount: 109, currency: 'SGD', date: '2026-01-31', organizationId: String(someone.organizationId) },
    ...more,
  })

const approve = (someone: Someone, id: string) => someone.call('expenses_status', { id, status: 'APPROVED' })

/** The balances of the accounts of an organization by their purpose or name, in major units. */
async function balances(someone: Someone) {
  const query = { organizationId: String(someone.organizationId), from: '2025-01-01', to: endOfThisYear() }
  const { entries } = await someone.call('reports_journal', { ...query, limit: 1_000 })
  const sums = new Map<string, number>()
  for (const { accountName, debit, credit } of entries)
    sums.set(String(accountName), (sums.get(String(accountName)) ?? 0) + debit - credit)
  return Object.fromEntries([...sums].filter(([, sum]) => Math.abs(sum) > 0.001))
}

/** A company in Singapore that is registered for GST. */
const registered = async () => {
  const amy = await member('OWNER')
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90000000X' })
  return amy
}

describe('the journal', () => {
  test('an expense is booked when it is approved; what was paid before waits as an advance', async () => {
    const amy = await registered()
    const { id } = await spend(amy, { taxAmount: 9 })
    await amy.call('expenses_payments', { id, amount: 50, paidAt: '2026-01-15' })
    const before = await balances(amy)
    expect(Object.values(before).sort((a, b) => a - b)).toEqual([-50, 50])
    await approve(amy, id)
    const after = await balances(amy)
    expect(Object.values(after).sort((a, b) => a - b)).toEqual([-59, -50, 9, 100])
    await expectSoundBooks()
  })

  test('an organization that is not registered for the tax deducts none of it', async () => {
    const amy = await member('OWNER')
    const { id } = await spend(amy, { taxAmount: 9 })
    await approve(amy, id)
    expect(Object.values(await balances(amy)).sort((a, b) => a - b)).toEqual([-109, 109])
    expect(await amy.call('expenses_get', { id })).toMatchObject({ taxAmount: 9, deductibleTaxAmount: 0 })
  })

  test('an organization that may not deduct cannot say how much, and an approval deducts nothing after it was struck off', async () => {
    const amy = await member('OWNER')
    const given = { taxAmount: 9, deductibleTaxAmount: 6 }
    const refused = { details: [{ path: 'deductibleTaxAmount', code: 'NOT_DEDUCTIBLE' }] }
    await expect(spend(amy, given)).rejects.toMatchObject(refused)
    const { id } = await spend(amy, { ...given, deductibleTaxAmount: 0 })
    const change = amy.call('expenses_update_patch_2', { id, deductibleTaxAmount: 6 })
    await expect(change).rejects.toMatchObject(refused)
    await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90000000X' })
    await amy.call('expenses_update_patch_2', { id, deductibleTaxAmount: 6 })
    await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: null })
    await approve(amy, id)
    expect(Object.values(await balances(amy)).sort((a, b) => a - b)).toEqual([-109, 109])
    await expectSoundBooks()
  })

  test('in Israel a large bill without an allocation number is warned about', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: '516179157' })
    const large = { amount: 11_801, taxAmount: 1_800, currency: 'ILS' }
    const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)
    const created = await spend(amy, large)
    expect(codes(created)).toEqual(['ALLOCATION_NUMBER_MISSING'])
    const changed = await amy.call('expenses_update_patch_2', { id: created.id, title: 'Desks' })
    expect(codes(changed)).toEqual(['ALLOCATION_NUMBER_MISSING'])
    expect(codes(await approve(amy, created.id))).toEqual(['ALLOCATION_NUMBER_MISSING'])
    expect(codes(await spend(amy, { ...large, vatAllocationNumber: '123456789' }))).toEqual([])
    expect(codes(await spend(amy, { ...large, deductibleTaxAmount: 0 }))).toEqual([])
    expect(codes(await spend(amy, { ...large, amount: 11_800 }))).toEqual([])
  })

  test('tax that is withheld from a supplier is owed to the authority', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const { id } = await spend(amy, { currency: 'ILS', amount: 100 })
    await approve(amy, id)
    await amy.call('expenses_payments', { id, amount: 100, withheldAmount: 10, paidAt: '2026-02-01' })
    expect(await balances(amy)).toMatchObject({ 'Tax withheld from suppliers': -10, 'Cash and bank': -90 })
    await expectSoundBooks()
  })

  test('split lines are booked to the accounts of their categories', async () => {
    const amy = await registered()
    const { organizationId } = amy
    const { categories } = await amy.call('expense_categories_list')
    const [first, second] = categories
    const { accounts } = await amy.call('reports_accounts', { organizationId: String(organizationId) })
    const account = accounts.find(({ type, purpose }) => type === 'EXPENSE' && purpose === null)
    await amy.call('reports_account_update', {
      id: account?.id ?? '',
      categoryIds: [first?.id ?? ''],
      mappedFrom: '2025-01-01',
    })
    const { id } = await spend(amy, {
      taxAmount: 9,
      splits: [
        { categoryId: first?.id, amount: 54.5, taxAmount: 4.5 },
        { categoryId: second?.id, amount: 54.5, taxAmount: 4.5 },
      ],
    })
    await approve(amy, id)
    expect(await balances(amy)).toMatchObject({ [String(account?.name)]: 50 })
    await expectSoundBooks()
  })
})

describe('a category that is deleted', () => {
  /** A category with an account of its own since 2025, and the name of the account. */
  async function mapped(amy: Someone) {
    const { id } = await amy.call('expense_categories_create', { name: 'Drones' })
    const { id: accountId } = await amy.call('reports_account_create', {
      ...{ organizationId: String(amy.organizationId), code: '7777', name: 'Aircraft', type: 'EXPENSE' },
    })
    await amy.call('reports_account_update', { id: accountId, categoryIds: [id], mappedFrom: '2025-01-01' })
    return id
  }
  const accountOf = async (amy: Someone) => (await balances(amy)).Aircraft

  test('leaves what was booked before on its account', async () => {
    const amy = await member('OWNER')
    const categoryId = await mapped(amy)
    const whole = await spend(amy, { amount: 40, categoryId })
    const parts = [
      { categoryId, amount: 25 },
      { categoryId: null, amount: 15 },
    ]
    const { id } = await spend(amy, { amount: 40, splits: parts })
    for (const each of [whole.id, id]) await approve(amy, each)
    await amy.call('expenses_credits', { id: whole.id, amount: 10, date: '2026-02-02' })
    const before = await balances(amy)
    expect(before).toMatchObject({ Aircraft: 55 })
    await amy.call('expenses_delete', { id: categoryId })
    expect(await balances(amy)).toEqual(before)
    expect(await amy.call('expenses_get', { id: whole.id })).toMatchObject({ categoryId: null, category: null })
    expect((await amy.call('expenses_get', { id })).splits).toMatchObject([{ category: null }, { category: null }])
    const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
    expect(accounts.find(({ name }) => name === 'Aircraft')).toMatchObject({ categoryIds: [] })
    await expectSoundBooks()
  })

  test('books nothing that is approved later, nor what has another category or none by then', async () => {
    const amy = await member('OWNER')
    const categoryId = await mapped(amy)
    const draft = await spend(amy, { categoryId })
    const booked = await spend(amy, { amount: 40, categoryId })
    await approve(amy, booked.id)
    await amy.call('expenses_delete', { id: categoryId })
    await approve(amy, draft.id)
    expect(await accountOf(amy)).toBe(40)
    const { id: other } = await amy.call('expense_categories_create', { name: 'Toys' })
    await amy.call('expenses_update_patch_2', { id: booked.id, categoryId: other })
    expect(await accountOf(amy)).toBe(undefined)
    await amy.call('expenses_update_patch_2', { id: booked.id, categoryId: null })
    expect(await accountOf(amy)).toBe(undefined)
    await expectSoundBooks()
  })

  test('is forgotten when the approval is taken back', async () => {
    const amy = await member('OWNER')
    const categoryId = await mapped(amy)
    const { id } = await spend(amy, { amount: 40, categoryId })
    const split = await spend(amy, { amount: 40, splits: [{ categoryId, amount: 40 }] })
    for (const each of [id, split.id]) await approve(amy, each)
    await amy.call('expenses_delete', { id: categoryId })
    expect(await accountOf(amy)).toBe(80)
    for (const each of [id, split.id]) {
      await amy.call('expenses_status', { id: each, status: 'PENDING_REVIEW' })
      await approve(amy, each)
    }
    expect(await accountOf(amy)).toBe(undefined)
    await expectSoundBooks()
  })
})

test('a tax that a split states is its own, also 0; the others share the rest', async () => {
  const amy = await registered()
  const lines = async (more: object) => {
    const { id } = await spend(amy, { amount: 100, taxRate: 18, ...more })
    const { rows } = await theApp().system.raw.query(
      'select amount_minor from document_lines where document_id = $1 order by position',
      [id],
    )
    return rows.map(({ amount_minor }) => Number(amount_minor))
  }
  const [meals, office, travel] = [60, 30, 10].map((amount) => ({ categoryId: null, amount }))
  expect(await lines({ splits: [{ ...meals, taxAmount: 0 }, office, travel] })).toEqual([6000, 1856, 619])
  expect(await lines({ taxRate: null, splits: [{ ...meals, taxAmount: 9 }, office, travel] })).toEqual([
    5100, 3000, 1000,
  ])
  const refused = { status: 400, details: [{ path: 'splits', code: 'AMOUNT_MISMATCH' }] }
  await expect(lines({ taxAmount: 5, splits: [{ ...meals, taxAmount: 9 }, office, travel] })).rejects.toMatchObject(
    refused,
  )
})

test('the credit of a supplier reduces what is owed, and the rest pays another expense', async () => {
  const amy = await registered()
  const { id } = await spend(amy, { taxAmount: 9 })
  await approve(amy, id)
  await amy.call('expenses_payments', { id, amount: 100, paidAt: '2026-02-01' })
  const credited = await amy.call('expenses_credits', { id, amount: 54.5, date: '2026-02-02', documentNumber: 'CN-1' })
  expect(credited).toMatchObject({ paidAmount: 100, creditedAmount: 9, openBalance: 0 })
  expect(credited.credits).toMatchObject([{ amount: 54.5, openRemainder: 45.5, documentNumber: 'CN-1' }])
  const other = await spend(amy)
  const paymentId = credited.credits[0]?.paymentId ?? ''
  await amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId: other.id }] })
  expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 45.5, openBalance: 63.5 })
  const tooMuch = amy.call('expenses_credits', { id, amount: 55 })
  await expect(tooMuch).rejects.toMatchObject({ status: 400 })
  await expectSoundBooks()
})

test('a credit that is dated before its expense is warned about, and one after today is refused', async () => {
  const amy = await registered()
  const { id } = await spend(amy)
  await approve(amy, id)
  const codes = async (date: string) =>
    (await amy.call('expenses_credits', { id, amount: 1, date })).warnings?.map(({ code }) => code)
  expect(await codes('2026-01-30')).toEqual(['CREDIT_BEFORE_EXPENSE'])
  await expect(codes('2099-01-01')).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'date', code: 'FUTURE_EXPENSE_DATE' }],
  })
  expect(await codes('2026-01-31')).toBe(undefined)
})

test('a bill that was entered before is warned about', async () => {
  const amy = await member('OWNER')
  const bill = { vendor: 'Globex', documentNumber: 'B-17' }
  const doubts = ({ warnings = [] }: { warnings?: { code: string; message: string }[] }) => warnings
  const first = await spend(amy, bill)
  expect(doubts(first)).toEqual([])
  const second = await spend(amy, { ...bill, vendor: 'GLOBEX' })
  expect(doubts(second)).toMatchObject([{ code: 'POSSIBLE_DUPLICATE', message: expect.stringContaining(first.id) }])
  for (const other of [
    { documentNumber: 'B-18' },
    { amount: 108 },
    { currency: 'USD', exchangeRate: 1.3 },
    { vendor: 'Initech' },
  ])
    expect(doubts(await spend(amy, { ...bill, ...other })).filter(({ code }) => code === 'POSSIBLE_DUPLICATE')).toEqual(
      [],
    )
  expect(doubts(await spend(amy, { vendor: 'Globex' }))).toEqual([])
  await amy.call('expenses_status', { id: first.id, status: 'REJECTED', reason: 'twice' })
  expect(doubts(await amy.call('expenses_update_patch_2', { id: second.id, title: 'Paper' }))).toEqual([])
})

test('the dashboard sums up approved and pending expenses', async () => {
  const amy = await member('OWNER')
  for (const vendor of ['Cafe', 'Cafe', 'Rail']) await approve(amy, (await spend(amy, { vendor })).id)
  await spend(amy, { amount: 30 })
  const rejected = await spend(amy, { amount: 40 })
  await amy.call('expenses_status', { id: rejected.id, status: 'REJECTED', reason: 'private' })
  const dashboard = await amy.call('dashboard_get', { organizationId: String(amy.organizationId), year: 2026 })
  expect(dashboard).toMatchObject({
    expenseTotal: 327,
    approvedExpensesCount: 3,
    pendingExpensesTotal: 30,
    pendingExpensesCount: 1,
    expensesByVendor: [
      { name: 'Cafe', total: 218, count: 2 },
      { name: 'Rail', total: 109, count: 1 },
    ],
    netTotal: -327,
    expenseGrowth: 100,
  })
  expect(dashboard.expensesByMonth[0]).toEqual({ month: '2026-01', total: 327 })
  await expectSoundBooks()
})
