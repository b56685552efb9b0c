import { expect, test } from 'vitest'
import { form, type Part } from '../../../../test/multipart-form.ts'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, send } from '../../../../test/world.ts'

/** A company with Dana, who is an employee and a member with this role. */
async function withEmployee(role: 'EMPLOYEE' | 'MANAGER' = 'EMPLOYEE') {
  const sg = await payrollOf('SG')
  const { organizationId } = sg
  const dana = await member(role, { of: sg.amy })
  const employee = await sg.hire({ userId: dana.userId })
  const claim = (more: Record<string, unknown> = {}) =>
    dana.call('payroll_my_claims_create', {
      ...{ organizationId, amount: 42.5, date: '2026-03-05', description: 'Taxi', vendor: 'Comfort' },
      ...more,
    })
  const claims = () => dana.call('payroll_my_claims', { organizationId })
  return { sg, dana, employee, claim, claims, organizationId }
}

const file = { fileName: 'taxi.txt', base64: Buffer.from('Taxi 42.50').toString('base64') }

test('an employee claims an expense with its receipt, and sees it until it is reimbursed with the pay', async () => {
  const { sg, employee, claim, claims } = await withEmployee()
  const created = await claim({ file })
  expect(created).toMatchObject({
    ...{
      description: 'Taxi',
      vendor: 'Comfort',
      amount: 42.5,
      currency: 'SGD',
      status: 'PENDING_REVIEW',
      openBalance: 42.5,
    },
    attachments: [{ fileName: 'taxi.txt', fileSize: 10 }],
  })
  expect(created).not.toHaveProperty('warnings')
  expect(await sg.amy.call('expenses_get', { id: created.id })).toMatchObject({ claimantId: employee.id })
  await sg.amy.call('expenses_status', { id: created.id, status: 'APPROVED' })
  expect((await claims()).claims).toMatchObject([{ id: created.id, status: 'APPROVED', openBalance: 42.5 }])
  await sg.generate('2026-03')
  await sg.approve('2026-03')
  await sg.pay(await payslipIdOf(sg, '2026-03', employee.id), 'NET', { claimDocumentIds: [created.id] })
  expect((await claims()).claims).toMatchObject([{ id: created.id, paidAmount: 42.5, openBalance: 0 }])
  await expectSoundBooks()
})

test('a claim is sent as a form, with or without a file', async () => {
  const { dana, organizationId } = await withEmployee()
  const fields = Object.entries({ organizationId, amount: '12.5', date: '2026-03-05', description: 'Lunch' })
  const sent = async (more: Part[]) => {
    const { body, headers } = form([...fields.map(([name, value]) => ({ name, value })), ...more])
    return send({ method: 'POST', url: '/api/hr/me/claims', body, headers: { ...headers, ...dana.credentials } })
  }
  expect(await sent([])).toMatchObject({ status: 201, body: { amount: 12.5, description: 'Lunch', attachments: [] } })
  const receipt = { name: 'file', value: 'Lunch 12.50', fileName: 'lunch.txt', type: 'text/plain' }
  expect(await sent([receipt])).toMatchObject({ status: 201, body: { attachments: [{ fileName: 'lunch.txt' }] } })
  expect(await sent([{ ...receipt, value: '' }])).toMatchObject({ status: 400 })
})

test('an employee sees their own claims alone, and no other expense', async () => {
  const { sg, claim, claims, organizationId } = await withEmployee()
  const bob = await member('EMPLOYEE', { of: sg.amy })
  const employee = await sg.hire({ name: 'Bob', userId: bob.userId })
  const paid = { organizationId, amount: 10, currency: 'SGD', date: '2026-03-05' }
  const { id } = await sg.amy.call('expenses_create', { ...paid, claimantId: employee.id, title: 'Lunch' })
  await sg.amy.call('expenses_create', paid)
  const own = await claim()
  expect((await claims()).claims.map((each) => each.id)).toEqual([own.id])
  expect((await bob.call('payroll_my_claims', { organizationId })).claims).toMatchObject([{ id, status: 'DRAFT' }])
  await expect(bob.call('expenses_list', { organizationId })).rejects.toMatchObject({ status: 403 })
})

test('somebody who is no employee has no claims and cannot make one', async () => {
  const { sg, claim, organizationId } = await withEmployee()
  await claim()
  const eve = await member('EMPLOYEE', { of: sg.amy })
  expect((await eve.call('payroll_my_claims', { organizationId })).claims).toEqual([])
  const given = { organizationId, amount: 1, date: '2026-03-05' }
  await expect(eve.call('payroll_my_claims_create', given)).rejects.toMatchObject({
    ...{ status: 409, details: [{ code: 'NO_EMPLOYEE' }] },
  })
})

test('nobody approves their own claim, also without an e-mail address on the employee', async () => {
  const { sg, dana, claim } = await withEmployee('MANAGER')
  const { id } = await claim()
  await expect(dana.call('expenses_status', { id, status: 'APPROVED' })).rejects.toMatchObject({ status: 403 })
  expect(await sg.amy.call('expenses_status', { id, status: 'APPROVED' })).toMatchObject({ status: 'APPROVED' })
})
