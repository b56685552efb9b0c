import type { Check } from '../../../core/define/check.ts'

/** Rules about mailboxes and their runs. */
export const mailboxChecks: Check[] = [
  {
    id: 'INV-16',
    says: 'A mail message makes one expense, which is the expense of that message.',
    finds: `select m.organization_id, m.key, m.expense_id from mail_messages m
      join expenses e on e.organization_id = m.organization_id and e.id = m.expense_id
      where m.outcome = 'CREATED' and (e.source <> 'EMAIL' or exists (select from mail_messages o
        where o.organization_id = m.organization_id and o.expense_id = m.expense_id and o.outcome = 'CREATED' and o.key <> m.key))`,
  },
  {
    id: 'INV-16',
    says: 'A run over a mailbox counts its messages.',
    finds: `select r.organization_id, r.id, r.emails_scanned, n.scanned from ingestion_runs r cross join lateral (
        select count(*) as scanned, count(*) filter (where m.is_detected) as detected, count(*) filter (where m.outcome = 'CREATED') as created
        from ingestion_messages m where m.organization_id = r.organization_id and m.run_id = r.id) n
      where (r.emails_scanned, r.emails_detected, r.expenses_created) is distinct from (n.scanned::integer, n.detected::integer, n.created::integer)`,
  },
]
