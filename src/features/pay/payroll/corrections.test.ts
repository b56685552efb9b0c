import { expect, test } from 'vitest'
import { type Payroll, payrollOf, payslipIdOf, rowOf } from '../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../test/violations.ts'

const months = (from: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const [year = 0, month = 1] = from.split('-').map(Number)
    const index = year * 12 + month - 1 + at
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
  })

/** Generates and approves months, one after the other. */
async function run(payroll: Payroll, list: readonly string[], inputs: Record<string, object> = {}) {
  for (const month of list) {
    const answer = await payroll.generate(month, { runInputs: inputs[month] ?? null })
    expect(answer.errors).toEqual([])
    await payroll.approve(month)
  }
}

/** The lines of somebody's payslip, as `CODE amount @corrected month`. */
async function linesOf(payroll: Payroll, month: string, employeeId: string) {
  const { lines } = await payroll.amy.call('payroll_payslips_get', {
    id: await payslipIdOf(payroll, month, employeeId),
  })
  return lines.map(({ code, amount, corrects }) => `${code} ${amount}${corrects ? ` @${corrects.slice(0, 7)}` : ''}`)
}
const differences = (lines: readonly string[]) => lines.filter((line) => line.includes('@'))

test('the second year of somebody whose terms never changed has no differences, in any country', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ monthlyWage: 20_000, filingStatus: 'SINGLE', state: 'TX' })
  await run(us, months('2025-01', 14))
  expect(differences(await linesOf(us, '2026-02', bob.id))).toEqual([])
  expect(await rowOf(us, '2026-02', bob.id)).toMatchObject({ net: 14_461.33 })
  const sg = await payrollOf('SG')
  const wei = await sg.hire({ monthlyWage: 7_000, raceFund: 'CDAC' })
  await run(sg, months('2025-01', 14), { '2025-12': { additionalWage: 21_000 } })
  expect(differences(await linesOf(sg, '2026-02', wei.id))).toEqual([])
  const il = await payrollOf('IL')
  const noa = await il.hire({ monthlyWage: 30_000, studyFundRate: 2.5, studyFundEmployerRate: 7.5 })
  await run(il, months('2025-01', 14))
  expect(differences(await linesOf(il, '2026-02', noa.id))).toEqual([])
})

test('a usual raise makes no difference in months before it', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ monthlyWage: 5_000, filingStatus: 'SINGLE', state: 'TX' })
  await run(us, months('2025-11', 3))
  await us.amy.call('payroll_employees_update', { id: bob.id, monthlyWage: 6_000, effectiveFrom: '2026-02-01' })
  await run(us, ['2026-02', '2026-03'])
  expect(differences(await linesOf(us, '2026-03', bob.id))).toEqual([])
})

test('arrears in the United States are wages when they are paid: within the limits of that year', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ monthlyWage: 20_000, filingStatus: 'SINGLE', state: 'TX' })
  await run(us, months('2025-01', 12))
  await us.amy.call('payroll_employees_update', { id: bob.id, monthlyWage: 22_000, effectiveFrom: '2025-11-01' })
  await run(us, ['2026-01'])
  const lines = await linesOf(us, '2026-01', bob.id)
  expect(differences(lines)).toEqual(['WAGE 2000 @2025-11', 'WAGE 2000 @2025-12'])
  expect(lines).toContain('SS_EE 1612') // 6.2 % of 26,000
  expect(lines.some((line) => line.startsWith('MED_ADDL'))).toBe(false)
  await run(us, ['2026-02'])
  expect(differences(await linesOf(us, '2026-02', bob.id))).toEqual([])
})

test('additional wages of two people who leave are counted alike, whoever is computed first', async () => {
  const sg = await payrollOf('SG')
  const twins = [await sg.hire({ name: 'Ann', monthlyWage: 6_000 }), await sg.hire({ name: 'Ben', monthlyWage: 6_000 })]
  await run(sg, months('2026-01', 8), { '2026-06': { additionalWage: 32_000 } })
  for (const { id } of twins) await sg.amy.call('payroll_employees_update', { id, endDate: '2026-09-15' })
  await run(sg, ['2026-09'])
  for (const { id } of twins)
    expect(await rowOf(sg, '2026-09', id)).toMatchObject({ schemeAmounts: { CPF_EE: 1_000, CPF_ER: 850 }, net: 2_000 })
})

test('Israel computes a month again with tax and insurance, and names a refund that does not fit', async () => {
  const il = await payrollOf('IL')
  const noa = await il.hire({ monthlyWage: 10_000, hasTaxForm: false, startDate: '2026-01-01' })
  await run(il, months('2026-01', 3))
  await il.amy.call('payroll_employees_update', { id: noa.id, hasTaxForm: true, effectiveFrom: '2026-01-01' })
  await run(il, ['2026-04'])
  const payslip = await il.amy.call('payroll_payslips_get', { id: await payslipIdOf(il, '2026-04', noa.id) })
  expect(payslip.warnings?.map(({ code }) => code)).toContain('REFUND_HELD_BACK')
  expect(differences(await linesOf(il, '2026-04', noa.id))).toEqual(['INCOME_TAX -365.1 @2026-01'])
  await expectSoundBooks()
})

test('a cut of earlier months is spread over payslips: in Singapore a quarter of the salary at a time', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ monthlyWage: 5_000, startDate: '2026-01-01' })
  await run(sg, months('2026-01', 3))
  await sg.amy.call('payroll_employees_update', { id: dana.id, monthlyWage: 4_000, effectiveFrom: '2026-01-01' })
  await run(sg, months('2026-04', 4))
  const grosses = []
  for (const month of months('2026-04', 4)) grosses.push((await rowOf(sg, month, dana.id)).gross)
  expect(grosses).toEqual([3_000, 3_000, 3_000, 4_000])
  const id = await payslipIdOf(sg, '2026-04', dana.id)
  expect((await sg.amy.call('payroll_payslips_get', { id })).warnings).toContainEqual(
    expect.objectContaining({ code: 'DEDUCTION_HELD_BACK', message: expect.stringMatching(/^2000 SGD .*25 %/) }),
  )
  await expectSoundBooks()
})

test.each(['US', 'IL'] as const)(
  'a cut of earlier months above the pay leaves nobody without a payslip, and is made good in the end: %s',
  async (country) => {
    const payroll = await payrollOf(country)
    const facts = { filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' }
    const bob = await payroll.hire({ monthlyWage: 9_000, ...facts })
    await run(payroll, months('2026-01', 2))
    await payroll.amy.call('payroll_employees_update', { id: bob.id, monthlyWage: 4_000, effectiveFrom: '2026-01-01' })
    await payroll.amy.call('payroll_employees_update', { id: bob.id, monthlyWage: 7_000, effectiveFrom: '2026-03-01' })
    await run(payroll, months('2026-03', 6))
    const earned = []
    for (const month of months('2026-01', 8)) earned.push((await rowOf(payroll, month, bob.id)).gross)
    expect(Math.min(...earned)).toBeGreaterThanOrEqual(0)
    expect(Math.round(earned.reduce((sum, gross) => sum + gross, 0))).toBe(2 * 4_000 + 6 * 7_000)
    const last = differences(await linesOf(payroll, '2026-08', bob.id))
    expect(last.filter((line) => !line.startsWith('INCOME_TAX -'))).toEqual([]) // tax is refunded within the tax of a month
    await expectSoundBooks()
  },
)

test('a month that is voided and generated again is in the books once', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  await run(sg, ['2026-02'])
  await sg.voidPayslip(await payslipIdOf(sg, '2026-02', dana.id))
  await run(sg, ['2026-02'])
  const { employerCost } = (await sg.summary('2026-02')).totals
  const report = await sg.amy.call('reports_profit_and_loss', {
    ...{ organizationId: sg.organizationId, from: '2026-02-01', to: '2026-02-28' },
  })
  expect(JSON.stringify(report)).toContain(String(employerCost))
  expect(JSON.stringify(report)).not.toContain(String(employerCost * 2))
  await expectSoundBooks()
})
