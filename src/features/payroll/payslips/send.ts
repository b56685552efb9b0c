import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import { Count, Id, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { queueMail } from '../../mail/queue.ts'
import { senderOf } from '../../mail/sender.ts'
import { Month, type PayMonth, payMonth } from '../month.ts'
import { languagesOf, type PayslipLanguage } from '../print/print-data.ts'
import { rulesOf } from '../rules.ts'
import { payslipEmail } from './mail.ts'

export const send = operation({
  name: 'payroll_payslips_send',
  http: 'POST /api/payroll/payslips/send',
  does: 'Sends the approved and paid payslips of a month to their employees by e-mail as PDF, all of them unless some are given. The messages are queued; who gets none is listed with the reason.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    month: Month,
    payslipIds: Type.Optional(Type.Array(Id, { maxItems: 10_000 })),
  }),
  output: Type.Object({
    sent: { ...Count, description: 'The messages that were queued.' },
    skipped: Type.Array(
      Type.Object({ payslipId: Id, counterpartyId: Id, employeeName: Type.String(), reason: Type.String() }),
    ),
  }),
  alsoRates: [{ bucket: 'documentSend', per: 'organization' }],
  async run(context, { organizationId, month: text, payslipIds }) {
    const { db, now, consumeRateLimit } = context
    const { organization, sender } = await pipeline({
      organization: organizationContext(db),
      sender: senderOf(db, organizationId),
    })
    const month = payMonth(text, { now, timezone: organization.timezone })
    const rows = await payslipsOf(db, month, payslipIds)
    const mailed = rows.filter(({ reason }) => reason === null)
    if (mailed.length > 0) await consumeRateLimit(db, 'mailRecipients', { count: mailed.length })
    const country = rulesOf(organization)
    await Promise.all(
      mailed.map((row) => {
        const [language] = languagesOf({ row, country }, undefined)
        return queueMail(context, {
          to: row.email ?? '',
          template: 'payslip',
          ...payslipEmail({ language, organization: sender.senderName, month: month.month }),
          enclosures: [{ kind: 'PAYSLIP', payslipId: row.payslipId }],
        })
      }),
    )
    return {
      sent: mailed.length,
      skipped: rows.flatMap(({ payslipId, counterpartyId, employeeName, reason }) =>
        reason === null ? [] : [{ payslipId, counterpartyId, employeeName, reason }],
      ),
    }
  },
})

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
