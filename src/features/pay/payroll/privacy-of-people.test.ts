import { expect, test } from 'vitest'
import { payrollOf, payslipIdOf } from '../../../test/payroll/company.ts'
import { approvedClaim } from '../../../test/payroll/rows.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, withKey } from '../../../test/world.ts'

test('the contact data of an employee is neither read nor changed through the customers, also after they bought something', async () => {
  const us = await payrollOf('US')
  const contact = { email: 'bob@x.test', phone: '555', address: '1 Main St', notes: 'slow' }
  const bob = await us.hire({ name: 'Bob', ...contact })
  expect(bob).toMatchObject(contact)
  const key = await withKey(us.amy, ['customers:*', 'invoices:*'])
  await key.call('invoices_create', {
    ...{ organizationId: us.organizationId, customerId: bob.id, currency: 'USD', items: [] },
    ...{ subtotal: 0, taxRate: 0, taxAmount: 0, total: 0 },
  })
  expect(await key.call('customers_get', { id: bob.id })).toMatchObject({
    name: 'Bob',
    email: null,
    phone: null,
    address: null,
    notes: null,
  })
  await key.call('customers_update_patch', { id: bob.id, email: 'eve@x.test' })
  expect(await us.amy.call('payroll_employees_get', { id: bob.id })).toMatchObject(contact)
})

test('a claim that was reimbursed with net pay shows its own share of the payment alone', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  const claimId = await approvedClaim(sg.amy, dana.id)
  await sg.pay(await payslipIdOf(sg, '2026-03', dana.id), 'NET', { claimDocumentIds: [claimId] })
  const viewer = await member('VIEWER', { of: sg.amy })
  expect((await viewer.call('expenses_get', { id: claimId })).payments).toMatchObject([{ amount: 20, allocated: 20 }])
})

test('advances that were taken back before a payslip was approved are in the sums of the journal', async () => {
  const us = await payrollOf('US')
  const bob = await us.hire({ filingStatus: 'SINGLE', state: 'TX' })
  await us.generate('2026-02')
  const id = await payslipIdOf(us, '2026-02', bob.id)
  await us.advance(bob.id, 1_000, '2026-02-10')
  await us.apply(id)
  await us.unapply(id)
  await us.amy.call('reports_trial_balance', { organizationId: us.organizationId })
  await us.approve('2026-02')
  await us.amy.call('reports_trial_balance', { organizationId: us.organizationId })
  await expectSoundBooks()
})

test('the money of an authority is used again after a void, and a consent has a real day', async () => {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  const leave = { adjustments: [{ description: 'GPML', amount: 100, kind: 'LEAVE_PAY' }] }
  const settle = async () => {
    const [claimed] = (await sg.summary('2026-03')).gplOutstanding
    return sg.amy.call('payroll_gpl_settle', {
      ...{
        organizationId: sg.organizationId,
        authorityOrgId: String(claimed?.authorityOrgId),
        lineIds: claimed?.lineIds ?? [],
      },
      paidAt: '2026-04-10',
    })
  }
  await sg.generate('2026-03', { runInputs: leave })
  await sg.approve('2026-03')
  const first = await settle()
  await sg.voidPayslip(await payslipIdOf(sg, '2026-03', dana.id))
  await sg.generate('2026-03', { runInputs: leave })
  expect(await settle()).toEqual({ paymentId: first.paymentId, allocated: 100, outstanding: 0 })
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.advance(dana.id, 100)
  for (const at of ['0', 'Feb 3', '2026-02-30', '-271821-04-20T00:00:00Z', '2999-01-01'])
    await expect(sg.apply(id, { consent: { affirmed: true, at } })).rejects.toMatchObject({ status: 400 })
  expect(await sg.apply(id, { consent: { affirmed: true, at: '2026-03-20T10:00:00Z' } })).toMatchObject({
    applied: 100,
  })
  const negative = { adjustments: [{ description: 'r', amount: -100, kind: 'REIMBURSEMENT' }] }
  expect(await sg.generate('2026-04', { runInputs: negative })).toMatchObject({
    generated: 0,
    errors: [{ counterpartyId: dana.id }],
  })
  await expectSoundBooks()
})
