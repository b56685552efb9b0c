import { action, automate, graphOf, settle, trigger } from '../automations/automations.ts'
import { member, type Someone, theApp, withKey } from '../world.ts'
import { hire, type Payroll, payrollOf, payslipIdOf } from './company.ts'

/**
 * A company with two employees whose figures and facts are found nowhere else, after two months of payroll with everything
 * that can happen in one: advances set off with a consent, claims paid with the net pay, leave that an authority pays, voided
 * payslips, and automations that handle the data.
 */
export type CanaryCompany = Awaited<ReturnType<typeof canaryCompany>>

export type CanaryEmployee = { id: string; user: Someone; claimId: string }

export async function canaryCompany() {
  const payroll = await payrollOf('SG')
  const { amy } = payroll
  const key = await withKey(amy, keyScopesWithoutPayroll)
  const [byOwner, byKey] = [await automations(amy, 'owner@x.test'), await automations(key, 'key@x.test')]
  const dana = await employee(payroll, { name: 'Dana', monthlyWage: 7_654.32, ...factsOf('dana') })
  const noa = await employee(payroll, { name: 'Noa', monthlyWage: 9_876.54, ...factsOf('noa') })
  await voidedMonth(payroll, [dana, noa])
  const files = await paidMonth(payroll, [dana, noa])
  await settleLeave(payroll)
  await settle(amy)
  return { ...payroll, key, dana, noa, automationIds: [byOwner, byKey], ...files }
}

/** Every feature that a key can name. Payroll is none of them: a key reaches it with `*` alone. */
const keyScopesWithoutPayroll = [
  'invoices', 'expenses', 'customers', 'suppliers', 'orders', 'logistics', 'reports', 'bank_accounts', 'organizations',
  'users', 'automations', 'integrations', 'settings',
].map((feature) => `${feature}:*`) // biome-ignore format: a list of words

/** Texts that only payroll shows. */
const factsOf = (who: string) => ({
  email: `canary-${who}@pay.test`,
  phone: `canary-phone-${who}`,
  address: `canary-address-${who}`,
  notes: `canary-notes-${who}`,
  jobTitle: `canary-job-${who}`,
  idNumber: `canary-id-${who}`,
  employeeNumber: `canary-number-${who}`,
  raceFund: 'CDAC',
  bankDetails: { bankName: `canary-bank-${who}`, accountNumber: `canary-account-${who}` },
})
export const isCanaryText = (text: string, who: string) => new RegExp(`canary-[a-z]+-${who}|canary-${who}@`).test(text)

async function employee({ amy }: Payroll, facts: Record<string, unknown>): Promise<CanaryEmployee> {
  const user = await member('EMPLOYEE', { of: amy })
  const { id } = await hire(amy, { ...facts, userId: user.userId })
  return { id, user, claimId: '' }
}

/** What is done with the data of payslips: bound in a message, read again, and refused by an operation of payroll. */
async function automations(someone: Someone, to: string) {
  const { organizationId = '' } = someone
  const steps = [
    trigger('payslip.paid'),
    action('mail', 'email.send', {
      to,
      subject: 'Net {{trigger.net}}',
      body: 'Paid: {{trigger.employeeName}} {{trigger.gross}}',
    }),
    action('read', 'payroll_summary', { organizationId, month: '2026-03' }),
    action('again', 'email.send', { to, subject: 'Summary', body: 'All: {{blocks.read.employees}}' }),
    action('refused', 'payroll_pay', { payslipId: '{{trigger.id}}', kind: 'NET', paidAt: '{{trigger.net}}' }),
  ]
  return automate(someone, graphOf(steps, 'start>mail', 'mail>read', 'read>again', 'again>refused'))
}

const paidBoth = async (payroll: Payroll, payslipId: string, more: Record<string, unknown> = {}) => {
  await payroll.pay(payslipId, 'NET', more)
  await payroll.pay(payslipId, 'STATUTORY')
}

async function voidedMonth(payroll: Payroll, people: readonly CanaryEmployee[]) {
  await payroll.generate('2026-02')
  await payroll.approve('2026-02')
  for (const { id } of people)
    await paidBoth(payroll, await payslipIdOf(payroll, '2026-02', id), { paidAt: '2026-02-27' })
  for (const { id } of people) await payroll.voidPayslip(await payslipIdOf(payroll, '2026-02', id))
}

async function paidMonth(payroll: Payroll, people: CanaryEmployee[]) {
  const { amy, organizationId } = payroll
  const adjustments = (who: string, bonus: number, leave: number) => [
    { description: `canary-bonus-${who}`, amount: bonus, kind: 'OTHER' },
    { description: `GPCL canary-leave-${who}`, amount: leave, kind: 'LEAVE_PAY' },
  ]
  const [dana, noa] = people.map(({ id }) => id)
  await payroll.generate('2026-03', {
    employeeIds: [dana],
    runInputs: { adjustments: adjustments('dana', 321.23, 743.31) },
  })
  await payroll.generate('2026-03', {
    employeeIds: [noa],
    runInputs: { adjustments: adjustments('noa', 432.19, 854.47) },
  })
  const attachmentIds: string[] = []
  for (const [at, each] of people.entries()) {
    const payslipId = await payslipIdOf(payroll, '2026-03', each.id)
    await payroll.advance(each.id, at === 0 ? 1_357.91 : 2_468.13)
    const file = {
      fileName: `canary-consent-${at === 0 ? 'dana' : 'noa'}.txt`,
      base64: Buffer.from('canary-text-dana canary-text-noa').toString('base64'),
    }
    const { id } = await amy.call('payroll_consent_upload', { organizationId, payslipId, file })
    attachmentIds.push(id)
    await payroll.apply(payslipId, { consent: { affirmed: true, at: '2026-03-25', attachmentId: id } })
  }
  await payroll.approve('2026-03')
  for (const [at, each] of people.entries()) {
    const claim = {
      amount: at === 0 ? 80.25 : 91.35,
      currency: 'SGD',
      date: '2026-03-12',
      description: 'Taxi',
      claimantId: each.id,
    }
    each.claimId = (await amy.call('expenses_create', { organizationId, ...claim })).id
    await amy.call('expenses_status', { id: each.claimId, status: 'APPROVED' })
    const payslipId = await payslipIdOf(payroll, '2026-03', each.id)
    await paidBoth(payroll, payslipId, { claimDocumentIds: [each.claimId], method: 'BANK_TRANSFER' })
  }
  return { attachmentIds }
}

async function settleLeave({ amy, organizationId, summary }: Payroll) {
  const { gplOutstanding } = await summary('2026-03')
  for (const { authorityOrgId, lineIds } of gplOutstanding)
    await amy.call('payroll_gpl_settle', {
      ...{ organizationId, authorityOrgId: authorityOrgId ?? '', lineIds, paidAt: '2026-04-15' },
    })
}

type Row = { id: string; minor: string | null; employee: string | null }

/** The ids of the rows of payroll by employee, and every amount of one person, in minor units; amounts below 100.00 may occur anywhere. */
export async function canariesOf({ organizationId }: { organizationId: string }) {
  const { rows } = await theApp().system.raw.query<Row>(canaryRows, [organizationId])
  const figures = new Map<number, string>()
  for (const { minor, employee } of rows)
    if (employee && Math.abs(Number(minor)) >= 10_000) figures.set(Math.abs(Number(minor)), employee)
  return { ids: [...new Set(rows.map(({ id }) => id))], figures }
}

const canaryRows = `
  with slips as (select p.*, d.total_minor from payslips p join documents d on d.id = p.id where p.organization_id = $1)
  select p.id, v.minor, p.employee_id as employee from slips p
    cross join lateral (values (p.gross_minor), (p.net_minor), (p.deductions_minor), (p.contributions_minor), (p.wage_minor), (p.total_minor)) v (minor)
  union all select p.id, l.amount_minor, p.employee_id from slips p join payslip_lines l on l.payslip_id = p.id
  union all select p.id, l.amount_minor, p.employee_id from slips p join document_lines l on l.document_id = p.id
  union all select c.id, d.total_minor, p.employee_id from slips p join leave_claims c on c.payslip_id = p.id join documents d on d.id = c.id
  union all select m.id, m.amount_minor, m.counterparty_id from payments m where m.organization_id = $1 and m.kind = 'PAYSLIP'
  union all select m.id, m.amount_minor, p.employee_id from payments m join allocations a on a.payment_id = m.id join slips p on p.id = a.document_id
    where m.source = 'STATUTORY'
  union all select m.id, null, null from payments m where m.organization_id = $1 and m.kind = 'LEAVE_CLAIM'
  union all select a.id, a.amount_minor, p.employee_id from allocations a join slips p on p.id = a.document_id
  union all select e.employee_id, e.wage_minor, e.employee_id from employee_terms e where e.organization_id = $1`
