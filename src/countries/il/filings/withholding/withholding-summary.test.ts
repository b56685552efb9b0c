import { expect, test } from 'vitest'
import { spendApproved } from '../../../../test/expenses.ts'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { downloadStatutory } from '../../../../test/statutory/download.ts'
import { member, type Someone } from '../../../../test/world.ts'

const file = 'il-withholding-summary'
const years = { from: '2026-01-01', to: '2029-12-31' }
const call = (amy: Someone, more = {}) =>
  amy.call('reports_statutory_file', { organizationId: String(amy.organizationId), file, ...years, ...more })

/** The rows of the file without the first column of marks, as cells of text. */
async function rowsOf(amy: Someone) {
  const text = (await downloadStatutory(amy, { file, ...years })).bytes.toString('utf8')
  expect(text.startsWith('\ufeff')).toBe(true)
  const [header = '', ...rows] = text.slice(1).trimEnd().split('\r\n')
  const names = header.split(',').map((name) => name.replaceAll('"', ''))
  return rows.map((row) => {
    const cells = [...row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replace(/^"|"$/g, '').replaceAll('""', '"'),
    )
    return Object.fromEntries(names.map((name, at) => [name, cells[at]]))
  })
}

test('payments and withheld tax by supplier and month; the sum is that of the journal', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  const supplier = async (name: string, more = {}) =>
    (await amy.call('suppliers_create', { organizationId, name, ...more })).id
  const lawyer = await supplier('עו"ד "כהן"', { taxNumber: '111111118', country: 'IL' })
  const unknown = await supplier('=HYPERLINK("x") 李')
  const pay = async (supplierId: string, paidAt: string, amount: number, withheldAmount: number) => {
    const { id } = await spendApproved(amy, { supplierId, currency: 'ILS', amount, date: '2026-01-05' })
    return amy.call('expenses_payments', { id, amount, withheldAmount, paidAt })
  }
  await pay(lawyer, '2026-01-10', 1_000, 200)
  await pay(lawyer, '2026-01-20', 500, 100)
  await pay(lawyer, '2026-02-20', 300, 0)
  await pay(unknown, '2026-02-21', 118, 23.6)
  const rows = await rowsOf(amy)
  expect(
    rows.map(({ month, supplierName, taxNumber, payments, paid, withheld, paidOut, percentWithheld }) => [
      month,
      supplierName,
      taxNumber,
      payments,
      paid,
      withheld,
      paidOut,
      percentWithheld,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['2026-01', 'עו"ד "כהן"', '111111118', '2', '1500', '300', '1200', '20'],
      ['2026-02', 'עו"ד "כהן"', '111111118', '1', '300', '0', '300', '0'],
      ['2026-02', `'=HYPERLINK("x") 李`, '', '1', '118', '23.6', '94.4', '20'],
    ]),
  )
  expect(rows.length).toBe(3)
  const { totals, problems } = await call(amy)
  const total = (code: string) => totals.find((each) => each.code === code)?.amount
  const { accounts } = await amy.call('reports_accounts', { organizationId })
  const account = String(accounts.find(({ purpose }) => purpose === 'WITHHOLDING_PAYABLE')?.code)
  const journal = await amy.call('reports_journal', { organizationId, ...years, account })
  expect(total('WITHHELD')).toBe(journal.totals.credit - journal.totals.debit)
  expect([total('PAID'), total('2026-01'), total('2026-02')]).toEqual([1_918, 300, 23.6])
  expect(problems.map(({ code }) => code)).toEqual(['SUPPLIER_TAX_NUMBER_MISSING'])
})

test('a voided payment is taken back when it is voided', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  const { id: supplierId } = await amy.call('suppliers_create', { organizationId, name: 'ספק', taxNumber: '111111118' })
  const { id } = await spendApproved(amy, { supplierId, currency: 'ILS', amount: 100, date: '2026-01-05' })
  const payment = await amy.call('expenses_payments', { id, amount: 100, withheldAmount: 20, paidAt: '2026-01-10' })
  expect((await call(amy)).totals.find(({ code }) => code === 'WITHHELD')?.amount).toBe(20)
  const { payments } = await amy.call('expenses_payments_list', { organizationId })
  await amy.call('expenses_payments_void', { id: String(payments[0]?.id ?? payment.id), reason: 'Bounced' })
  expect((await call(amy)).totals.find(({ code }) => code === 'WITHHELD')?.amount).toBe(0)
})

test('wages and claims that are paid to employees are no payments to suppliers', async () => {
  const payroll = await payrollOf('IL')
  const { amy, organizationId } = payroll
  const { id: danaId } = await payroll.hire({ monthlyWage: 12_345.67 })
  await payroll.advance(danaId, 1_000)
  await payroll.generate('2026-03')
  await payroll.approve('2026-03')
  const payslipId = await payslipIdOf(payroll, '2026-03', danaId)
  await payroll.pay(payslipId, 'NET')
  await payroll.pay(payslipId, 'STATUTORY')
  const claim = await spendApproved(amy, { claimantId: danaId, currency: 'ILS', amount: 250, date: '2026-03-05' })
  await amy.call('expenses_payments', { id: claim.id, amount: 250, paidAt: '2026-03-20' })
  const { id: supplierId } = await amy.call('suppliers_create', { organizationId, name: 'ספק', taxNumber: '111111118' })
  const bill = await spendApproved(amy, { supplierId, currency: 'ILS', amount: 100, date: '2026-03-05' })
  await amy.call('expenses_payments', { id: bill.id, amount: 100, paidAt: '2026-03-20' })
  expect((await rowsOf(amy)).map(({ supplierName, paid }) => [supplierName, paid])).toEqual([['ספק', '100']])
  expect((await call(amy)).totals.find(({ code }) => code === 'PAID')?.amount).toBe(100)
})

test('suppliers who were paid after their certificate had ended, or from whom too little was withheld, are on the checklist', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const organizationId = String(amy.organizationId)
  const paid = async (name: string, terms: object, more: object = {}) => {
    const { id: supplierId } = await amy.call('suppliers_create', {
      organizationId,
      name,
      taxNumber: '111111118',
      ...terms,
    })
    const { id } = await spendApproved(amy, { supplierId, currency: 'ILS', amount: 1_180, date: '2026-01-05' })
    return amy.call('expenses_payments', { id, amount: 1_180, paidAt: '2026-02-10', ...more })
  }
  const ended = { withholdingRate: 30, withholdingValidUntil: '2026-02-09' }
  const valid = { withholdingRate: 30, withholdingValidUntil: '2026-12-31' }
  await paid('Ended', ended)
  await paid('Ended and withheld', ended, { withheldAmount: 354 })
  await paid('Nothing withheld', valid)
  await paid('Too little withheld', valid, { withheldAmount: 100 })
  await paid('Withheld before VAT', valid, { withheldAmount: 300 })
  await paid('Exempt', { withholdingRate: 0, withholdingValidUntil: '2026-02-10' })
  const { problems } = await call(amy)
  const named = problems.map(({ severity, code, message, field }) => [
    message.split(', 2026')[0],
    severity,
    code,
    field,
  ])
  expect(named.toSorted()).toEqual([
    ['Ended and withheld', 'CHECK', 'CERTIFICATE_EXPIRED', 'withholdingValidUntil'],
    ['Ended', 'CHECK', 'CERTIFICATE_EXPIRED', 'withholdingValidUntil'],
    ['Ended', 'CHECK', 'NOT_WITHHELD', 'withheldAmount'],
    ['Nothing withheld', 'CHECK', 'NOT_WITHHELD', 'withheldAmount'],
    ['Too little withheld', 'CHECK', 'NOT_WITHHELD', 'withheldAmount'],
  ])
})
