-- The lines of an approved payslip do not change. Checked once for each statement instead of for each line: a month of many
-- employees has thousands of lines. With the statistics of an empty table the planner would read all documents for each line.
drop trigger guard_payslip_lines on payslip_lines;
create or replace function guard_payslip_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from (select distinct l.organization_id, l.payslip_id from changed l) l
      join documents d on d.organization_id = l.organization_id and d.id = l.payslip_id where d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return null;
end $$;
create trigger guard_new_lines after insert on payslip_lines referencing new table as changed for each statement execute function guard_payslip_lines();
create trigger guard_changed_lines after update on payslip_lines referencing old table as changed for each statement execute function guard_payslip_lines();
create trigger guard_old_lines after delete on payslip_lines referencing old table as changed for each statement execute function guard_payslip_lines();

-- The same rule as before, with one read of the document's lines instead of two.
create or replace function require_payslip_adds_up() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from payslips p join documents d on d.organization_id = p.organization_id and d.id = p.id
      cross join lateral (select coalesce(sum(l.amount_minor) filter (where l.kind in ('EARNING', 'REIMBURSEMENT')), 0) as gross,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'REIMBURSEMENT'), 0) as reimbursements,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'DEDUCTION'), 0) as deductions,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'CONTRIBUTION'), 0) as contributions
        from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id) s
      cross join lateral (select coalesce(sum(l.amount_minor), 0) as total, coalesce(sum(l.amount_minor) filter (where l.id = 'NET'), 0) as net
        from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id) o
      where p.organization_id = new.organization_id and p.id = new.id
        and ((s.gross, s.reimbursements, s.deductions, s.contributions) <> (p.gross_minor, p.reimbursements_minor, p.deductions_minor, p.contributions_minor)
          or d.total_minor <> p.gross_minor + p.contributions_minor or d.counterparty_id <> p.employee_id
          or o.net <> p.net_minor or o.total <> d.total_minor)) then
    raise exception 'The lines of a payslip add up to its amounts.' using errcode = 'check_violation', constraint = 'payslip_adds_up';
  end if;
  return null;
end $$;
