import { expect, test } from 'vitest'
import { spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { member, type Someone } from '../../../../test/world.ts'

const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })
const report = (amy: Someone, year = 2026) => amy.call('reports_1099_nec', { ...home(amy), year })

async function american() {
  const amy = await member('OWNER', { country: 'US' })
  const details = { taxNumber: '12-3456789', address: '1 Main St, Austin, TX 78701' }
  await amy.call('organizations_update', { id: String(amy.organizationId), ...details })
  return amy
}

const complete = { country: 'US', address: '2 Elm St, Austin, TX 78702', taxNumber: '123-45-6789' }

async function contractor(amy: Someone, name: string, more = {}) {
  const supplier = { ...home(amy), name, kind: 'INDIVIDUAL', is1099: true, ...complete, ...more } as const
  return (await amy.call('suppliers_create', supplier)).id
}

/** A bill of a supplier, approved. */
const bill = (amy: Someone, supplierId: string, amount: number, more = {}) =>
  spendApproved(amy, { supplierId, amount, currency: 'USD', date: '2025-12-01', ...more })

async function pay(amy: Someone, supplierId: string, amount: number, more = {}) {
  const { id } = await bill(amy, supplierId, amount)
  const { payments } = await amy.call('expenses_payments', {
    id,
    amount,
    paidAt: '2026-03-01',
    method: 'CHECK',
    ...more,
  })
  return String(payments[0]?.id)
}

const paid = ({ contractors }: Awaited<ReturnType<typeof report>>) =>
  Object.fromEntries(contractors.map(({ name, paid: amount, isReported }) => [name, [amount, isReported]]))

test('payments count by their day: partial ones, of several bills and in advance; voided ones and cards do not', async () => {
  const amy = await american()
  const ann = await contractor(amy, 'Ann')
  await pay(amy, ann, 1_500)
  expect(paid(await report(amy))).toEqual({ Ann: [1_500, false] })
  await pay(amy, ann, 700, { paidAt: '2025-12-31' })
  await pay(amy, ann, 9_000, { method: 'CREDIT_CARD' })
  await pay(amy, ann, 8_000, { method: null, details: { card: { last4: '4242' } } })
  const voided = await pay(amy, ann, 4_000)
  expect(paid(await report(amy))).toEqual({ Ann: [5_500, true] })
  await amy.call('expenses_payments_void', { id: voided, reason: 'Bounced' })
  const [one, two] = [await bill(amy, ann, 300), await bill(amy, ann, 200)]
  await amy.call('expenses_payments', { id: one.id, amount: 100, paidAt: '2026-04-01', method: 'BANK_TRANSFER' })
  const allocations = [{ expenseId: one.id }, { expenseId: two.id, amount: 50 }]
  await amy.call('expenses_payments_create', {
    ...{ ...home(amy), amount: 400, currency: 'USD', supplierId: ann, paidAt: '2026-05-31', allocations },
  }) // 200 and 50 for bills, 150 in advance
  const found = await report(amy)
  expect(found.contractors).toEqual([
    {
      ...{ supplierId: ann, name: 'Ann', taxNumber: '***-**-6789', address: complete.address, country: 'US' },
      ...{ paid: 2_000, paidByCard: 17_000, withheld: 0, payments: 5, isReported: true },
    },
  ])
  expect(found).toMatchObject({
    currency: 'USD',
    threshold: 2_000,
    totals: { reported: 1, paid: 2_000, withheld: 0 },
    problems: [],
  })
  expect(await report(amy, 2025)).toMatchObject({ threshold: 600, totals: { reported: 1, paid: 700 } })
})

test('refunds are deducted, tax withheld is shown, a bill with splits counts once, and other suppliers are left out', async () => {
  const amy = await american()
  const ann = await contractor(amy, 'Ann')
  const { categories } = await amy.call('expense_categories_list')
  const splits = [
    { categoryId: categories[0]?.id ?? null, amount: 1_000 },
    { categoryId: categories[1]?.id ?? null, amount: 2_000 },
  ]
  const { id } = await bill(amy, ann, 3_000, { splits })
  await amy.call('expenses_payments', { id, amount: 3_000, paidAt: '2026-03-01', method: 'CHECK', withheldAmount: 720 })
  const advance = { amount: 500, currency: 'USD', supplierId: ann, paidAt: '2026-03-02', allocations: [] }
  const { id: given } = await amy.call('expenses_payments_create', { ...home(amy), ...advance })
  await amy.call('expenses_payments_refund', { id: given, paidAt: '2026-05-01', amount: 200 })
  await pay(amy, await contractor(amy, 'Corporation', { is1099: false, kind: 'ORGANIZATION' }), 50_000)
  expect(await report(amy)).toMatchObject({
    contractors: [{ name: 'Ann', paid: 3_300, withheld: 720, isReported: true }],
    totals: { reported: 1, paid: 3_300, withheld: 720 },
    problems: [],
  })
})

test('payments in another currency count at their rate', async () => {
  const amy = await american()
  const ann = await contractor(amy, 'Ann')
  const { id } = await bill(amy, ann, 2_000, { currency: 'EUR', exchangeRate: 1.1 })
  await amy.call('expenses_payments', { id, amount: 2_000, paidAt: '2026-03-01', method: 'CHECK', exchangeRate: 1.2 })
  expect(paid(await report(amy))).toEqual({ Ann: [2_400, true] })
  const other = await bill(amy, ann, 2_000, { currency: 'THB' })
  await amy.call('expenses_payments', { id: other.id, amount: 2_000, paidAt: '2026-03-01', method: 'CHECK' })
  const { problems, contractors } = await report(amy)
  expect(contractors[0]?.paid).toBe(2_400)
  expect(problems.map(({ code, supplierId }) => [code, supplierId])).toEqual([['EXCHANGE_RATE_MISSING', ann]])
})

test('the checklist names what the IRS would reject', async () => {
  const amy = await american()
  const ann = await contractor(amy, 'Ann', { taxNumber: null, address: null })
  const ben = await contractor(amy, 'Ben', { taxNumber: '000-12-3456', country: 'DE' })
  const cat = await contractor(amy, 'Cat', { is1099: false })
  const dan = await contractor(amy, 'Dan', { taxNumber: null })
  for (const supplierId of [ann, ben, cat]) await pay(amy, supplierId, 2_000, { method: 'PayPal' })
  await pay(amy, dan, 1_999.99)
  const { problems } = await report(amy)
  const of = (id: string) =>
    problems.filter(({ supplierId }) => supplierId === id).map(({ severity, code }) => `${severity} ${code}`)
  expect(of(ann)).toEqual(['REJECTED TAX_NUMBER_MISSING', 'REJECTED ADDRESS_MISSING', 'CHECK PAYMENT_NETWORK'])
  expect(of(ben)).toEqual(['REJECTED TAX_NUMBER', 'CHECK FOREIGN', 'CHECK PAYMENT_NETWORK'])
  expect(of(cat)).toEqual(['CHECK NOT_MARKED'])
  expect(of(dan)).toEqual([])
  expect((await report(amy, 2027)).problems.map(({ code }) => code)).toEqual(['THRESHOLD'])
  const eve = await member('OWNER', { country: 'US' })
  expect((await report(eve)).problems.map(({ code }) => code)).toEqual([
    'PAYER_TAX_NUMBER_MISSING',
    'PAYER_ADDRESS_MISSING',
  ])
  const sue = await member('OWNER', { country: 'SG' })
  expect((await report(sue)).problems.map(({ code }) => code)).toEqual(['COUNTRY'])
})

test('the file has the contractors that are reported, with whole numbers', async () => {
  const amy = await american()
  await pay(amy, await contractor(amy, '=Ann, "A"'), 2_500.5)
  await pay(amy, await contractor(amy, 'Ben'), 10)
  const { fileName, text } = await reportFileOf(amy, 'reports_1099_nec', { ...home(amy), year: 2026, format: 'csv' })
  expect(fileName).toBe('1099-nec-2026.csv')
  const [names, ...rows] = text.trim().split('\r\n')
  expect(names).toContain('"recipientTin","recipientTinType"')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatch(
    /^2026,.*,"12-3456789",.*,"'=Ann, ""A""","123-45-6789","SSN","2 Elm St, Austin, TX 78702","US",2500\.5,0$/,
  )
})
