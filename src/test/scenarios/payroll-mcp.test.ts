import { expect, test } from 'vitest'
import { connected } from '../mcp.ts'
import { expectSoundBooks } from '../violations.ts'
import { member, withKey } from '../world.ts'

test('a whole month of payroll is done over MCP: hired, generated, an advance set off, approved, paid, printed', async () => {
  const amy = await member('OWNER', { country: 'US' })
  const organizationId = String(amy.organizationId)
  const client = await connected(await withKey(amy))
  const { tools } = await client.listTools()
  const call = async (name: string, input: Record<string, unknown>) => {
    expect(tools.map((tool) => tool.name)).toContain(name)
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: input })
    expect(isError ?? false, `${name}: ${JSON.stringify(structuredContent)}`).toBe(false)
    return { ...(structuredContent as Record<string, unknown>), content }
  }
  const month = { organizationId, month: '2026-01' }
  const bob: Record<string, unknown> = await call('payroll_employees_create', {
    ...{
      organizationId,
      name: 'Bob',
      startDate: '2026-01-01',
      monthlyWage: 5_000,
      filingStatus: 'SINGLE',
      state: 'TX',
    },
  })
  expect(await call('payroll_generate', month)).toMatchObject({ generated: 1, errors: [] })
  await call('payroll_advance', { organizationId, counterpartyId: bob.id, amount: 1_000, paidAt: '2026-01-10' })
  const summary = async () => {
    const { employees } = (await call('payroll_summary', month)) as unknown as { employees: { payslipId: string }[] }
    return employees[0] ?? { payslipId: '' }
  }
  const { payslipId } = await summary()
  const payslip = { organizationId, payslipId }
  expect(await call('payroll_apply', payslip)).toMatchObject({ applied: 1_000, residualAdvanceDebt: 0 })
  expect(await call('payroll_approve', month)).toMatchObject({ approved: 1 })
  const paid = { ...payslip, paidAt: '2026-01-31', method: 'BANK_TRANSFER' }
  expect(await call('payroll_pay', { ...paid, kind: 'NET' })).toMatchObject({ allocated: 3_199.17, status: 'APPROVED' })
  expect(await call('payroll_pay', { ...paid, kind: 'STATUTORY' })).toMatchObject({
    allocated: 1_213.33,
    status: 'PAID',
  })
  expect(await summary()).toMatchObject({
    status: 'PAID',
    gross: 5_000,
    net: 4_199.17,
    netOutstanding: 0,
    statutoryOutstanding: 0,
  })
  const { payments } = (await call('payroll_payments', month)) as unknown as { payments: { source: string }[] }
  expect(payments.map(({ source }) => source)).toEqual(['ADVANCE', 'NET', 'STATUTORY'])
  const { content } = await call('payroll_payslips_pdf', { id: payslipId })
  expect(JSON.stringify(content)).toMatch(/application\/pdf/)
  await expectSoundBooks()
})
