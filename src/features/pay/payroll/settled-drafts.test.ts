import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf, rowOf } from '../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../test/violations.ts'

const consent = { affirmed: true, at: '2026-03-20' }

test('INV-05: a draft whose whole amount was set off is PAID when it is approved', async () => {
  const us = await payrollOf('US')
  const travel = { adjustments: [{ description: 'Travel', amount: 120, kind: 'REIMBURSEMENT' }] }
  const bob = await us.hire({ monthlyWage: 0, filingStatus: 'SINGLE', state: 'TX', startDate: '2026-01-01' })
  await us.generate('2026-03', { runInputs: travel })
  const id = await payslipIdOf(us, '2026-03', bob.id)
  await us.advance(bob.id, 120)
  expect(await us.apply(id, { consent })).toEqual({ applied: 120, status: 'DRAFT', residualAdvanceDebt: 0 })
  expect(await us.approve('2026-03')).toEqual({ approved: 1 })
  expect(await rowOf(us, '2026-03', bob.id)).toMatchObject({ status: 'PAID', netOutstanding: 0 })
  expect(await us.unapply(id)).toMatchObject({ unapplied: 120, status: 'APPROVED' })
  await expectSoundBooks()
})

/** A draft in Singapore with a claim for leave, and a call that settles it. */
async function claimedLeave() {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  const adjustments = [{ description: 'GPCL 3 days', amount: 500, kind: 'LEAVE_PAY' }]
  await sg.generate('2026-03', { runInputs: { adjustments } })
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  const { organizationId } = sg
  const [claimed] = (await sg.summary('2026-03')).gplOutstanding
  const lines = { authorityOrgId: String(claimed?.authorityOrgId), lineIds: claimed?.lineIds ?? [] }
  const settle = (amount: number) =>
    sg.amy.call('payroll_gpl_settle', { organizationId, ...lines, paidAt: '2026-04-15', amount })
  return { sg, id, settle }
}

test('INV-05: a claim that an authority paid before its payslip was approved is settled afterwards too', async () => {
  const { sg, id, settle } = await claimedLeave()
  expect(await settle(500)).toMatchObject({ allocated: 500, outstanding: 0 })
  expect(await sg.approve('2026-03')).toEqual({ approved: 1 })
  expect((await sg.summary('2026-03')).gplOutstanding).toEqual([])
  await expect(settle(1)).rejects.toMatchObject({ status: 400 })
  await expectSoundBooks()
  expect(await sg.voidPayslip(id)).toEqual({ status: 'VOID' })
  await expectSoundBooks()
})

test('a draft is not computed again or deleted once an authority has paid for its leave', async () => {
  const { sg, id, settle } = await claimedLeave()
  expect(await sg.regenerate(id)).toMatchObject({ documentId: id })
  const other = await claimedLeave()
  await other.settle(100)
  const refusal = { status: 409, details: [{ code: 'WRONG_STATUS' }] }
  await expect(other.sg.regenerate(other.id)).rejects.toMatchObject(refusal)
  await expect(other.sg.remove(other.id)).rejects.toMatchObject(refusal)
  expect((await other.sg.summary('2026-03')).gplOutstanding).toMatchObject([{ settled: 100, outstanding: 400 }])
  await expect(settle(100), 'The claim was made again with another id.').rejects.toMatchObject({ status: 400 })
  await expectSoundBooks()
})
