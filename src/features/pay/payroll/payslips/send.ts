import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Count, Id, type Static, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { MailPreview, toMailPreview } from '../../../platform/mail/delivery.ts'
import { queueMail } from '../../../platform/mail/queue.ts'
import { senderOf } from '../../../platform/mail/sender.ts'
import { fileNameOf } from '../../../selling/documents/print/print.ts'
import { Month, type PayMonth, payMonth } from '../month.ts'
import { languagesOf, type PayslipLanguage } from '../print/print-data.ts'
import { payslipTitle } from '../print/to-payslip-model.ts'
import { rulesOf } from '../rules.ts'
import { payslipEmail } from './mail.ts'

const SendPayslips = Type.Object({
  organizationId: Id,
  month: Month,
  payslipIds: Type.Optional(Type.Array(Id, { maxItems: 10_000 })),
})

const Skipped = Type.Object({ payslipId: Id, counterpartyId: Id, employeeName: Type.String(), reason: Type.String() })

export const send = operation({
  name: 'payroll_payslips_send',
  http: 'POST /api/payroll/payslips/send',
  does: 'Sends the approved and paid payslips of a month to their employees by e-mail as PDF, all of them unless some are given. The messages are queued; who gets none is listed with the reason.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: SendPayslips,
  output: Type.Object({
    sent: { ...Count, description: 'The messages that were queued.' },
    skipped: Type.Array(Skipped),
  }),
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  async run(context, asked) {
    const { messages, skipped } = await messagesOf(context, asked)
    if (messages.length > 0) await context.consumeRateLimit(context.db, 'mailRecipients', { count: messages.length })
    await Promise.all(
      messages.map(({ row, content }) =>
        queueMail(context, {
          to: row.email ?? '',
          template: 'payslip',
          ...content,
          enclosures: [{ kind: 'PAYSLIP', payslipId: row.payslipId }],
        }),
      ),
    )
    return { sent: messages.length, skipped }
  },
})

export const previewSend = operation({
  name: 'payroll_payslips_send_preview',
  http: 'POST /api/payroll/payslips/send/preview',
  does: 'Shows the e-mails that payroll_payslips_send would send now, and who gets none with the reason.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  reads: true,
  input: SendPayslips,
  output: Type.Object({
    messages: Type.Array(
      Type.Object({ payslipId: Id, counterpartyId: Id, employeeName: Type.String(), ...MailPreview.properties }),
    ),
    skipped: Type.Array(Skipped),
  }),
  async run(context, asked) {
    const { messages, skipped } = await messagesOf(context, asked)
    return {
      messages: messages.map(({ row: { payslipId, counterpartyId, employeeName, email }, content, fileName }) => ({
        ...{ payslipId, counterpartyId, employeeName },
        ...toMailPreview(content, { to: [email ?? ''], attachments: [fileName] }),
      })),
      skipped,
    }
  },
})

/** The message to each employee who gets one, and the others with the reason. */
async function messagesOf(
  { db, now }: Pick<Inside, 'db' | 'now'>,
  { organizationId, month: text, payslipIds }: Static<typeof SendPayslips>,
) {
  const { organization, sender } = await pipeline({
    organization: organizationContext(db),
    sender: senderOf(db, organizationId),
  })
  const month = payMonth(text, { now, timezone: organization.timezone })
  const country = rulesOf(organization)
  const rows = await payslipsOf(db, month, payslipIds)
  return {
    messages: rows
      .filter(({ reason }) => reason === null)
      .map((row) => {
        const [language] = languagesOf({ row, country }, undefined)
        const content = payslipEmail({ language, organization: sender.senderName, month: month.month })
        const title = payslipTitle({ ...row, month: month.month }, country, language)
        return { row, content, fileName: fileNameOf(title) }
      }),
    skipped: rows.flatMap(({ payslipId, counterpartyId, employeeName, reason }) =>
      reason === null ? [] : [{ payslipId, counterpartyId, employeeName, reason }],
    ),
  }
}

type Row = {
  payslipId: string
  counterpartyId: string
  employeeName: string
  email: string | null
  payslipLanguage: PayslipLanguage | null
  /** Why no message is sent; null if one is. */
  reason: string | null
}

/** The payslips of the month, or the given ones. In one order, so that two calls do not wait for each other's counters. */
async function payslipsOf(db: Database, { from, month }: PayMonth, payslipIds: readonly string[] | undefined) {
  const wanted = payslipIds && [...new Set(payslipIds.map((id) => toUuid(id).toLowerCase()))]
  const { rows } = await sql<Row>`
    select p.id as "payslipId", p.employee_id as "counterpartyId", coalesce(d.counterparty_name, '') as "employeeName", nullif(e.email, '') as email,
      e.payslip_language as "payslipLanguage",
      case when d.status = 'DRAFT' then 'The payslip is a draft. Approve it first.' when d.status = 'VOID' then 'The payslip is void.'
        when coalesce(e.email, '') = '' then 'The employee has no e-mail address.' end as reason
    from payslips p
    join documents d on d.organization_id = p.organization_id and d.id = p.id
    join employees e on e.organization_id = p.organization_id and e.id = p.employee_id
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    where p.month = ${from}::date and ${wanted ? sql`p.id = any (${wanted}::uuid[])` : sql`p.voided_at is null`}
    order by lower(e.email), p.id`.execute(db)
  const found = new Set(rows.map(({ payslipId }) => payslipId))
  const missing = wanted?.findIndex((id) => !found.has(id)) ?? -1
  if (missing >= 0) throw invalid(`payslipIds.${missing}`, `This is no payslip of ${month}.`, 'UNKNOWN_REFERENCE')
  return rows
}
