import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf, rowOf } from '../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../test/violations.ts'

const consent = { affirmed: true, at: '2026-03-20' }

test('a month in Singapore: generated, an advance set off, approved, net pay with a claim and the schemes paid, all as the worked example says', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ raceFund: 'CDAC' })
  expect(await sg.generate('2026-03')).toEqual({ generated: 1, errors: [] })
  expect(await sg.generate('2026-03')).toEqual({ generated: 0, errors: [] })
  const before = await rowOf(sg, '2026-03', dana.id)
  expect(before).toMatchObject({
    ...{ status: 'DRAFT', gross: 5_000, net: 3_998.5, netOutstanding: 3_998.5, statutoryOutstanding: 1_862.75 },
    schemeAmounts: { CPF_EE: 1_000, CPF_ER: 850, SDL: 11.25, CDAC: 1.5 },
  })
  expect((await sg.summary('2026-03')).totals).toEqual({
    gross: 5_000,
    net: 3_998.5,
    employerCost: 5_861.25,
    openCredits: 0,
  })
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.advance(dana.id, 1_500)
  expect(await sg.apply(id)).toEqual({ applied: 1_250, status: 'DRAFT', residualAdvanceDebt: 250 })
  expect(await sg.apply(id)).toMatchObject({ applied: 0, residualAdvanceDebt: 250 })
  expect(await sg.apply(id, { consent })).toMatchObject({ applied: 250, residualAdvanceDebt: 0 })
  expect(await sg.unapply(id)).toEqual({ unapplied: 1_500, status: 'DRAFT', attachedPaymentCount: 0 })
  expect(await sg.apply(id)).toMatchObject({ applied: 1_250, residualAdvanceDebt: 250 })
  expect(await sg.approve('2026-03')).toEqual({ approved: 1 })
  const { amy, organizationId } = sg
  const claim = await amy.call('expenses_create', {
    ...{ organizationId, amount: 80, currency: 'SGD', date: '2026-03-12', description: 'Taxi', claimantId: dana.id },
  })
  await amy.call('expenses_status', { id: claim.id, status: 'APPROVED' })
  expect((await sg.summary('2026-03')).reimbOutstanding).toEqual([
    { counterpartyId: dana.id, amount: 80, currency: 'SGD', documentIds: [claim.id] },
  ])
  const net = await sg.pay(id, 'NET', { claimDocumentIds: [claim.id], method: 'BANK_TRANSFER' })
  expect(net).toEqual({ paymentId: expect.any(String), allocated: 2_828.5, status: 'APPROVED' })
  await expect(sg.pay(id, 'NET')).rejects.toMatchObject({ status: 409 })
  expect(await sg.pay(id, 'STATUTORY')).toMatchObject({ allocated: 1_862.75, status: 'PAID' })
  expect((await amy.call('expenses_get', { id: claim.id })).openBalance).toBe(0)
  const { payments } = await sg.payments('2026-03')
  expect(
    payments.map(({ source, amount, openRemainder, payslipIds }) => ({ source, amount, openRemainder, payslipIds })),
  ).toEqual([
    { source: 'ADVANCE', amount: 1_500, openRemainder: 250, payslipIds: [id] },
    { source: 'NET', amount: 2_828.5, openRemainder: 0, payslipIds: [id] },
    { source: 'STATUTORY', amount: 1_862.75, openRemainder: 0, payslipIds: [id] },
  ])
  expect(payments.at(-1)).toMatchObject({ counterpartyId: null, employeeName: 'Dana' })
  await expectSoundBooks()
})

test('a paid payslip is voided: its money is open, pays the payslip that is generated again, and nothing is paid twice', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({ raceFund: 'CDAC' })
  await sg.generate('2026-03')
  const first = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.advance(dana.id, 500)
  await sg.apply(first)
  await sg.approve('2026-03')
  const net = await sg.pay(first, 'NET')
  await sg.pay(first, 'STATUTORY')
  expect(await sg.voidPayslip(first)).toEqual({ status: 'VOID' })
  expect(await rowOf(sg, '2026-03', dana.id)).toMatchObject({ status: 'DRAFT', gross: 0, openCredit: 3_998.5 })
  await expect(sg.voidPayslip(first)).rejects.toMatchObject({ status: 409 })
  await sg.generate('2026-03', { runInputs: { additionalWage: 1_000 } })
  const second = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.approve('2026-03')
  const paid = await sg.pay(second, 'NET')
  expect(paid.paymentId).not.toBe(net.paymentId)
  expect((await sg.payments('2026-03')).payments.map(({ source, amount }) => [source, amount])).toContainEqual([
    'NET',
    1_299.5,
  ])
  await sg.pay(second, 'STATUTORY')
  expect(await rowOf(sg, '2026-03', dana.id)).toMatchObject({ status: 'PAID', netOutstanding: 0, openCredit: 500 })
  await expectSoundBooks()
})

test('government-paid leave is a claim against the authority, settled oldest first', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  const leave = (description: string, amount: number) => ({ adjustments: [{ description, amount, kind: 'LEAVE_PAY' }] })
  await sg.generate('2026-02', { runInputs: leave('GPCL 3 days', 972) })
  await sg.generate('2026-03', { runInputs: leave('GPCL later', 1_620) })
  await sg.approve('2026-02')
  await sg.approve('2026-03')
  const [claimed] = (await sg.summary('2026-03')).gplOutstanding
  expect(claimed).toMatchObject({
    ...{
      scheme: 'GPCL',
      authorityName: 'Ministry of Social and Family Development',
      claimed: 2_592,
      settled: 0,
      outstanding: 2_592,
    },
    oldestUnsettledCovers: '2026-02-28',
  })
  const settle = (more: object) =>
    sg.amy.call('payroll_gpl_settle', {
      ...{
        organizationId: sg.organizationId,
        authorityOrgId: String(claimed?.authorityOrgId),
        lineIds: claimed?.lineIds ?? [],
      },
      ...{ paidAt: '2026-04-15', ...more },
    })
  await expect(settle({ amount: 2_592.01 })).rejects.toMatchObject({ status: 400 })
  expect(await settle({ amount: 2_000 })).toEqual({ paymentId: expect.any(String), allocated: 2_000, outstanding: 592 })
  expect((await sg.summary('2026-03')).gplOutstanding).toMatchObject([
    { settled: 2_000, outstanding: 592, oldestUnsettledCovers: '2026-03-31', lineIds: [claimed?.lineIds[1]] },
  ])
  expect((await sg.payments('2026-04')).payments).toEqual([])
  expect(await settle({})).toMatchObject({ allocated: 592, outstanding: 0 })
  expect((await sg.summary('2026-03')).gplOutstanding).toEqual([])
  await sg.voidPayslip(await payslipIdOf(sg, '2026-03', dana.id))
  await expectSoundBooks()
})

test('a raise with effect from an earlier month is a difference on the next payslip', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  for (const month of ['2026-01', '2026-02']) {
    await sg.generate(month)
    await sg.approve(month)
  }
  await sg.amy.call('payroll_employees_update', { id: dana.id, monthlyWage: 5_500, effectiveFrom: '2026-02-01' })
  await sg.generate('2026-03')
  const { gross, schemeAmounts } = await rowOf(sg, '2026-03', dana.id)
  expect({ gross, ...schemeAmounts }).toMatchObject({ gross: 6_000, CPF_EE: 1_200, CPF_ER: 1_020 })
  await sg.approve('2026-03')
  await sg.generate('2026-04')
  expect(await rowOf(sg, '2026-04', dana.id)).toMatchObject({ gross: 5_500 })
  await expectSoundBooks()
})

test('Israel and the United States: the worked examples, month by month', async () => {
  const il = await payrollOf('IL')
  const noa = await il.hire({ monthlyWage: 20_000 })
  await il.generate('2026-05')
  expect(await rowOf(il, '2026-05', noa.id)).toMatchObject({ gross: 20_000, net: 14_530.69 })
  expect((await il.summary('2026-05')).totals.employerCost).toBe(23_781.98)
  const us = await payrollOf('US')
  const bob = await us.hire({ monthlyWage: 5_000, filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' })
  await us.generate('2026-01')
  expect(await rowOf(us, '2026-01', bob.id)).toMatchObject({ net: 4_199.17 })
  expect((await us.summary('2026-01')).totals.employerCost).toBe(5_412.5)
})

test('a draft is computed again with advances kept, and deleted with advances open again', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' })
  await us.generate('2026-03')
  const id = await payslipIdOf(us, '2026-03', bob.id)
  await us.advance(bob.id, 700)
  await us.apply(id)
  const adjustments = [{ description: 'Travel', amount: 120, kind: 'REIMBURSEMENT' }]
  const again = await us.regenerate(id, { runInputs: { adjustments } })
  expect(again).toMatchObject({ documentId: id, total: 4_319.17 })
  expect(await rowOf(us, '2026-03', bob.id)).toMatchObject({ netOutstanding: 3_619.17, hasAppliedAdvances: true })
  expect(await us.remove(id)).toEqual({ deleted: true })
  expect(await rowOf(us, '2026-03', bob.id)).toMatchObject({ openCredit: 700, gross: 0 })
  await us.generate('2026-03')
  const next = await payslipIdOf(us, '2026-03', bob.id)
  await us.approve('2026-03')
  for (const refused of [us.remove(next), us.regenerate(next)])
    await expect(refused).rejects.toMatchObject({ status: 409 })
  await expectSoundBooks()
})
