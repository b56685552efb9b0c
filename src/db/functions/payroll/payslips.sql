-- Guards payslips: they add up, and final ones do not change.

create or replace function guard_payslip() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_jsonb(new) - 'voided_at' is not distinct from to_jsonb(old) - 'voided_at' then return new; end if;
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $$;

create or replace function guard_payslip_lines() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from (select distinct l.organization_id, l.payslip_id from changed l) l
      join documents d on d.organization_id = l.organization_id and d.id = l.payslip_id where d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return null;
end $$;

-- Checks at commit that the lines of a payslip and of its document add up to the amounts of both (INV-08).
create or replace function require_payslip_adds_up() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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

-- Deletes a draft payslip with the claims that it made. Advances that were set off against it are opened again first.
create or replace function delete_payslip(payslip uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wanted uuid[] := array(select c.id from leave_claims c where c.organization_id = current_organization() and c.payslip_id = payslip) || payslip;
begin
  if exists (select from documents d where d.organization_id = current_organization() and d.id = any (wanted) and (d.issued_at is not null or d.paid_minor > 0))
    or not exists (select from payslips p where p.organization_id = current_organization() and p.id = payslip) then
    return false;
  end if;
  delete from allocations a where a.organization_id = current_organization() and a.document_id = any (wanted) and a.voided_at is not null;
  delete from documents d where d.organization_id = current_organization() and d.id = any (wanted);
  return true;
end $$;
grant execute on function delete_payslip(uuid) to kontor_confined;

-- Keeps a payslip in step with its document: an approved one is fixed, and a void frees the month.
create or replace function follow_document_of_payslip() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payslips p set voided_at = new.cancelled_at where p.organization_id = new.organization_id and p.id = new.id;
  return null;
end $$;

create or replace function mark_employee() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customers c set is_employee = tg_op = 'INSERT' where c.organization_id = coalesce(new.organization_id, old.organization_id) and c.id = coalesce(new.id, old.id);
  if tg_op = 'INSERT' and not exists (select from customers c where c.organization_id = new.organization_id and c.id = new.id and c.kind = 'INDIVIDUAL') then
    raise exception 'An employee is a person.' using errcode = 'check_violation', constraint = 'employee_is_person';
  end if;
  return null;
end $$;

create or replace trigger mark_employee after insert or delete on employees for each row execute function mark_employee();
create or replace trigger void_payslip after update of cancelled_at on documents
  for each row when (new.kind = 'PAYSLIP'::text and old.cancelled_at is null and new.cancelled_at is not null) execute function follow_document_of_payslip();
create or replace trigger guard_payslip before update on payslips for each row execute function guard_payslip();
create constraint trigger payslip_adds_up after insert or update on payslips deferrable initially deferred
  for each row execute function require_payslip_adds_up();
create or replace trigger guard_new_lines after insert on payslip_lines referencing new table as changed
  for each statement execute function guard_payslip_lines();
create or replace trigger guard_changed_lines after update on payslip_lines referencing old table as changed
  for each statement execute function guard_payslip_lines();
create or replace trigger guard_old_lines after delete on payslip_lines referencing old table as changed
  for each statement execute function guard_payslip_lines();
