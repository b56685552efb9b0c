import type { Check } from '../../../core/define/check.ts'

/** Rules about scans of attachments. */
export const scanChecks: Check[] = [
  {
    id: 'INV-17',
    says: 'The scans that a month counts are the attachments that were scanned in it.',
    finds: `select organization_id, period, u.used, coalesce(s.scans, 0) as scans from scan_usage u
      full join (select organization_id, charged_period as period, count(*) as scans from scans
        where charged_period is not null group by 1, 2) s using (organization_id, period)
      where coalesce(u.used, 0) <> coalesce(s.scans, 0)`,
  },
  {
    id: 'INV-16',
    says: 'A document that was scanned belongs to the expense that its scan filled in.',
    finds: `select d.organization_id, d.expense_id, d.document_number from scanned_documents d
      where not exists (select from scans s where s.organization_id = d.organization_id and s.expense_id = d.expense_id and s.status = 'COMPLETED')`,
  },
]
