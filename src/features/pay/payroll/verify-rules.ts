import type { Check } from '../../../core/define/check.ts'

/** Checks of payroll (INV-08), recomputed from the lines of payslips and from allocations. */
export const payrollChecks: Check[] = [
  {
    id: 'INV-08',
    says: 'The lines of a payslip add up: gross less deductions is the net pay, and gross with contributions is what its document owes.',
    finds: `select p.organization_id, p.id, p.gross_minor, p.deductions_minor, p.net_minor, p.contributions_minor, d.total_minor
      from payslips p
      join documents d on d.organization_id = p.organization_id and d.id = p.id
      cross join lateral (select coalesce(sum(l.amount_minor) filter (where l.kind in ('EARNING', 'REIMBURSEMENT')), 0) as gross,
          coalesce(sum(l.amount_minor) filter (where l.kind = 'REIMBURSEMENT'), 0) as reimbursements,
          coalesce(sum(l.amount_minor) filter (where l.kind = 'DEDUCTION'), 0) as deductions,
          coalesce(sum(l.amount_minor) filter (where l.kind = 'CONTRIBUTION'), 0) as contributions
        from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id) s
      where p.net_minor <> p.gross_minor - p.deductions_minor or p.net_minor < 0 or d.total_minor <> p.gross_minor + p.contributions_minor
        or (s.gross, s.reimbursements, s.deductions, s.contributions)
          <> (p.gross_minor, p.reimbursements_minor, p.deductions_minor, p.contributions_minor)`,
  },
  {
    id: 'INV-08',
    says: 'The document of a payslip owes the net pay, and for every scheme what the payslip withholds and contributes.',
    finds: `select coalesce(o.organization_id, s.organization_id) as organization_id, coalesce(o.id, s.id) as id, coalesce(o.line, s.line) as line,
        o.minor as owed, s.minor as computed
      from (select l.organization_id, l.document_id as id, l.id as line, l.amount_minor as minor from document_lines l
        join payslips p on p.organization_id = l.organization_id and p.id = l.document_id) o
      full join (select p.organization_id, p.id, 'NET' as line, p.net_minor as minor from payslips p where p.net_minor <> 0
        union all select l.organization_id, l.payslip_id, l.code, sum(l.amount_minor) from payslip_lines l
          where l.kind in ('DEDUCTION', 'CONTRIBUTION') group by 1, 2, 3 having sum(l.amount_minor) <> 0) s
        on (s.organization_id, s.id, s.line) = (o.organization_id, o.id, o.line)
      where o.minor is distinct from s.minor`,
  },
  {
    id: 'INV-08',
    says: 'Net pay is paid by advances and net payments, schemes by payments to authorities, and neither with more than is owed.',
    finds: `select l.organization_id, l.document_id as id, l.id as line, l.amount_minor, l.paid_minor, a.minor as allocated
      from document_lines l
      join payslips p on p.organization_id = l.organization_id and p.id = l.document_id
      cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor,
          bool_or((m.source = 'STATUTORY') = (l.id = 'NET')) as mistaken
        from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
        where a.organization_id = l.organization_id and a.document_id = l.document_id and a.line_id = l.id and a.voided_at is null) a
      where a.minor <> l.paid_minor or a.minor > l.amount_minor or a.minor < 0 or a.mistaken`,
  },
  {
    id: 'INV-08',
    says: 'Advances are set off against a payslip only as far as a recorded decision says.',
    finds: `select a.organization_id, a.document_id as id, sum(a.amount_minor) as applied from allocations a
      join payments m on m.organization_id = a.organization_id and m.id = a.payment_id and m.kind = 'PAYSLIP' and m.source = 'ADVANCE'
      where a.voided_at is null group by 1, 2
      having sum(a.amount_minor) > coalesce((select sum(c.applied_minor) from payslip_consents c
        where c.organization_id = a.organization_id and c.payslip_id = a.document_id), 0)`,
  },
  {
    id: 'INV-08',
    says: 'An employee has at most one payslip for a month that is not void.',
    finds: `select organization_id, employee_id, month, count(*) as payslips from payslips where voided_at is null
      group by 1, 2, 3 having count(*) > 1`,
  },
  {
    id: 'INV-08',
    says: 'A payslip is void exactly when its document was cancelled, and nothing pays it or its claims then.',
    finds: `select p.organization_id, p.id, d.status, p.voided_at from payslips p
      join documents d on d.organization_id = p.organization_id and d.id = p.id
      where (d.status = 'VOID') <> (p.voided_at is not null) or (d.status = 'VOID') <> (d.cancelled_at is not null)
        or d.status = 'VOID' and exists (select from allocations a where a.organization_id = p.organization_id and a.voided_at is null
          and (a.document_id = p.id or a.document_id in (select c.id from leave_claims c
            where c.organization_id = p.organization_id and c.payslip_id = p.id)))`,
  },
  {
    id: 'INV-08',
    says: 'A claim for leave is a draft, open or void as its payslip is.',
    finds: `select c.organization_id, c.id, c.payslip_id, d.status, p.status as payslip_status from leave_claims c
      join documents d on d.organization_id = c.organization_id and d.id = c.id
      join documents p on p.organization_id = c.organization_id and p.id = c.payslip_id
      where d.kind <> 'LEAVE_CLAIM' or p.kind <> 'PAYSLIP' or d.currency <> p.currency or d.paid_minor not between 0 and d.total_minor
        or case p.status when 'DRAFT' then d.status <> 'DRAFT' when 'VOID' then d.status <> 'VOID' else d.status not in ('OPEN', 'PAID') end`,
  },
  {
    id: 'INV-08',
    says: 'The claims for leave of a payslip of Singapore are its leave pay, and there are none elsewhere.',
    finds: `select p.organization_id, p.id, l.minor as leave_pay, c.minor as claimed from payslips p
      cross join lateral (select coalesce(sum(l.amount_minor), 0) as minor from payslip_lines l
        where l.organization_id = p.organization_id and l.payslip_id = p.id and l.code = 'LEAVE_PAY' and l.corrects is null
          and l.amount_minor > 0) l
      cross join lateral (select coalesce(sum(d.total_minor), 0) as minor from leave_claims c
        join documents d on d.organization_id = c.organization_id and d.id = c.id
        where c.organization_id = p.organization_id and c.payslip_id = p.id) c
      where c.minor <> case when p.tables like 'SG %' then l.minor else 0 end`,
  },
  {
    id: 'INV-08',
    says: 'An advance or net payment goes to a person and pays what is owed to them; a payment to authorities pays payslips, and one of an authority claims for leave.',
    finds: `select m.organization_id, m.id, m.kind, m.source, m.counterparty_id, d.id as document_id from payments m
      left join customers c on c.organization_id = m.organization_id and c.id = m.counterparty_id
      left join allocations a on a.organization_id = m.organization_id and a.payment_id = m.id and a.voided_at is null
      left join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where (m.kind in ('PAYSLIP', 'LEAVE_CLAIM') or m.source in ('ADVANCE', 'NET', 'STATUTORY', 'LEAVE_CLAIM'))
        and (m.kind <> case when m.source in ('ADVANCE', 'NET', 'STATUTORY') then 'PAYSLIP' else 'LEAVE_CLAIM' end
          or m.source not in ('ADVANCE', 'NET', 'STATUTORY', 'LEAVE_CLAIM')
          or m.source in ('ADVANCE', 'NET') and c.kind is distinct from 'INDIVIDUAL'
          or m.source = 'STATUTORY' and m.counterparty_id is not null
          or m.source = 'LEAVE_CLAIM' and c.is_authority is distinct from true
          or d.counterparty_id <> m.counterparty_id
          or d.kind <> m.kind and (d.kind, m.source) <> ('EXPENSE', 'NET'))`,
  },
  {
    id: 'INV-08',
    says: 'An employee is a person and has a wage.',
    finds: `select e.organization_id, e.id, c.kind from employees e
      left join customers c on c.organization_id = e.organization_id and c.id = e.id
      where c.kind is distinct from 'INDIVIDUAL' or not exists (select from employee_terms t
        where t.organization_id = e.organization_id and t.employee_id = e.id)`,
  },
  {
    id: 'INV-08',
    says: 'A payslip and a claim for leave have their document; a payslip is owed to its employee, for days of its month, and names the tables it was computed with.',
    finds: `select d.organization_id, d.id, d.kind from documents d
      left join payslips p on p.organization_id = d.organization_id and p.id = d.id
      left join leave_claims c on c.organization_id = d.organization_id and c.id = d.id
      where (d.kind = 'PAYSLIP') <> (p.id is not null) or (d.kind = 'LEAVE_CLAIM') <> (c.id is not null)
        or p.id is not null and (d.counterparty_id <> p.employee_id or p.tables = '' or p.period_start < p.month or p.period_start > p.period_end
          or p.period_end >= p.month + interval '1 month' or date_trunc('month', d.issue_date) <> p.month)`,
  },
]
