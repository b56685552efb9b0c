import { expect, test, vi } from 'vitest'
import { unpackAttachments } from '../../../../core/files/attachment.ts'
import { doJob } from '../../../../test/job.ts'
import { payrollOf, payslipIdOf } from '../../../../test/payroll/company.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { theApp } from '../../../../test/world.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

test('payslips are sent to the employees as PDF, and nothing else of the message has a figure of the pay', async () => {
  const sg = await payrollOf('SG')
  const { organizationId } = sg
  const dana = await sg.hire({ email: 'dana@x.test', monthlyWage: 5_432 })
  const bob = await sg.hire({ name: 'Bob' })
  await sg.generate('2026-03')
  const send = (more: Record<string, unknown> = {}) =>
    sg.amy.call('payroll_payslips_send', { organizationId, month: '2026-03', ...more })
  const ids = { dana: await payslipIdOf(sg, '2026-03', dana.id), bob: await payslipIdOf(sg, '2026-03', bob.id) }
  expect(await send({ payslipIds: [ids.dana] })).toEqual({
    sent: 0,
    skipped: [
      {
        ...{ payslipId: ids.dana, counterpartyId: dana.id, employeeName: 'Dana' },
        reason: 'The payslip is a draft. Approve it first.',
      },
    ],
  })
  await sg.approve('2026-03')
  expect(await send()).toEqual({
    sent: 1,
    skipped: [
      {
        ...{ payslipId: ids.bob, counterpartyId: bob.id, employeeName: 'Bob' },
        reason: 'The employee has no e-mail address.',
      },
    ],
  })
  await deliver(organizationId)
  const [message] = (await sg.amy.call('organizations_outbox', { organizationId })).messages
  expect(message).toMatchObject({
    ...{ to: 'dana@x.test', subject: 'Payslip for March 2026 from Acme' },
    attachments: [{ fileName: 'Payslip 2026-03 Dana.pdf', contentType: 'application/pdf', size: expect.any(Number) }],
  })
  expect(JSON.stringify({ ...message, attachments: [] })).not.toMatch(/5,?432|4,?346/)
  const [stored] = await messagesOf(organizationId)
  const [pdf] = stored ? unpackAttachments(stored) : []
  const text = await textOf(Buffer.from(pdf?.content ?? ''))
  for (const part of ['Dana', '5,432.00']) expect(text).toContain(part)
})

/** Sends what is queued, as a worker does. */
async function deliver(organizationId: string) {
  const queued = await theApp().system.use((db) =>
    db.selectFrom('mailDeliveries').select('id').where('organizationId', '=', organizationId).execute(),
  )
  expect(queued).toHaveLength(1)
  for (const { id } of queued)
    await doJob(sendMail, { deliveryId: id }, { flags: { [`organization:${organizationId}`]: true } })
}

const messagesOf = (organizationId: string) =>
  theApp().system.use((db) =>
    db.selectFrom('outbox').selectAll().where('organizationId', '=', organizationId).execute(),
  )

test('a payslip of another month is refused, and one with it', async () => {
  const sg = await payrollOf('SG')
  const { organizationId } = sg
  const dana = await sg.hire({ email: 'dana@x.test' })
  for (const month of ['2026-03', '2026-04']) {
    await sg.generate(month)
    await sg.approve(month)
  }
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  const send = (month: string) => sg.amy.call('payroll_payslips_send', { organizationId, month, payslipIds: [id] })
  expect(await send('2026-03')).toEqual({ sent: 1, skipped: [] })
  await expect(send('2026-04')).rejects.toMatchObject({ status: 400, details: [{ path: 'payslipIds.0' }] })
})
