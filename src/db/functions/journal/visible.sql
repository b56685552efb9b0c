-- Hides the pay of single people in the journal from members who may not read payroll.

-- What a caller may read of payroll. An operation of payroll that every employee may call shows only the caller's own rows.
-- `everywhere` means in all organizations at once: an operation of payroll then leaves out those where the role is too low.
create or replace function payroll_rights(role member_role, needed member_role, scopes text[], fitting text[], everywhere boolean)
  returns text
  language sql immutable parallel safe as $$
  select case
    when fitting && array['payroll:read', 'payroll:write'] and needed < 'CONTRIBUTOR' then 'own'
    when everywhere then case when fitting && array['payroll:read', 'payroll:write'] then 'all' else '' end
    when role >= 'CONTRIBUTOR' and role >= needed and (scopes is null or fitting && array['payroll:read', 'payroll:write']
      or scopes && array['payroll:read', 'payroll:*', '*:read', '*:*']) then 'all'
    else '' end
$$;
grant execute on function payroll_rights(member_role, member_role, text[], text[], boolean) to kontor_across, kontor_confined;

-- The lines that payroll books, as booked_lines() shows them: payslips, leave claims, payments of both, and the documents that
-- these paid.
create or replace function payroll_lines(first_day date, last_day date)
  returns table(organization_id uuid, day date, event text, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe set jit = off as $$
  with kinds (document_ids, payment_ids) as materialized (
    select array(select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')),
      array(select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM'))
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_closed(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_payments(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])
      union all
      select * from journal_of_allocations(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])) l
  ), lines as (
    select b.organization_id, b.day, b.event, b.event_id, b.direction, b.line, b.account, b.bank_account_id, b.sign * b.minor as minor, b.currency,
      b.sign * b.home_minor as home_minor, b.home, b.exchange_rate
    from signed b where b.minor <> 0
    union all
    select b.organization_id, b.day, b.event, b.event_id, b.direction, 9, b.rest, null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
    from signed b where b.currency <> b.home
    group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
    having sum(b.sign * b.home_minor) <> 0
  )
  select j.organization_id, j.day, j.event, j.event_id, j.line, coalesce(bank.account_id, standard.account_id), j.currency, j.home, j.exchange_rate,
    sum(j.minor)::bigint, sum(j.home_minor)::bigint
  from lines j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$$;
grant execute on function payroll_lines(date, date) to kontor_confined;

create or replace function month_start(day date) returns date language sql immutable parallel safe as $$
  select case when isfinite(day) then date_trunc('month', day::timestamp)::date else day end
$$;
grant execute on function month_start(date) to kontor_across, kontor_confined;

create or replace function month_end(day date) returns date language sql immutable parallel safe as $$
  select case when isfinite(day) then (date_trunc('month', day::timestamp) + interval '1 month - 1 day')::date else day end
$$;
grant execute on function month_end(date) to kontor_across, kontor_confined;

-- One entry for the payroll of each month that ends in these days, with a line for each account and its sum.
create or replace function payroll_months(first_day date, last_day date)
  returns table(organization_id uuid, day date, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe set jit = off as $$
  select m.organization_id, m.day, ('ffffffff-ffff-ffff-ffff-' || to_char(m.day, 'YYYYMM') || 'ffffff')::uuid,
    (row_number() over (partition by m.organization_id, m.day order by m.account_id, m.currency, m.home_currency))::integer,
    m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from (
    select l.organization_id, month_end(l.day) as day, l.account_id, l.currency, l.home_currency, case when bool_or(l.exchange_rate is null) then null else max(l.exchange_rate) end as exchange_rate,
      sum(l.minor)::bigint as minor, sum(l.home_minor)::bigint as home_minor
    from payroll_lines(month_start(first_day), month_end(last_day)) l
    where month_end(l.day) between first_day and last_day
    group by 1, 2, 3, 4, 5 having sum(l.minor) <> 0 or sum(l.home_minor) <> 0) m
$$;
grant execute on function payroll_months(date, date) to kontor_confined;

-- booked_lines() as the caller may see it: without rights for payroll, payroll is one entry on the last day of each month.
create or replace function visible_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select b.* from booked_lines(first_day, first_id, last_day, last_id) b
  where (select reads_payroll())
    or (b.document_id is null or b.document_id not in (select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
      and (b.payment_id is null or b.payment_id not in (select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
  union all
  select m.organization_id, m.day, 'PAYROLL', m.event_id, null, null, null, m.line, m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from payroll_months(first_day, last_day) m
  where not (select reads_payroll()) and (m.day, m.event_id) >= (first_day, first_id) and (m.day, m.event_id) <= (last_day, last_id)
$$;
grant execute on function visible_lines(date, uuid, date, uuid) to kontor_confined;

create or replace function visible_lines(first_day date, last_day date)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select * from visible_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;
grant execute on function visible_lines(date, date) to kontor_confined;

-- journal_balances() as the caller may see it. Reports on cash basis show payroll only in its own accounts.
create or replace function visible_balances(first_day date, last_day date, of_basis text)
  returns table(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
  language sql stable as $$
  select b.* from journal_balances(first_day, last_day, of_basis) b
  where (select reads_payroll()) or of_basis = 'ACCRUAL' or b.account_id is null or b.account_id not in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
  union all
  select l.day, l.account_id, l.home_currency, face_currency(l.currency, l.home_currency, l.exchange_rate), -sum(greatest(l.home_minor, 0))::bigint,
    -sum(greatest(-l.home_minor, 0))::bigint, -count(*)
  from payroll_lines(first_day, last_day) l where not (select reads_payroll()) and of_basis = 'ACCRUAL' group by 1, 2, 3, 4
  union all
  select m.day, m.account_id, m.home_currency, face_currency(m.currency, m.home_currency, m.exchange_rate), greatest(m.home_minor, 0), greatest(-m.home_minor, 0), 1
  from payroll_months(first_day, last_day) m where not (select reads_payroll()) and of_basis = 'ACCRUAL'
  union all
  select c.day, c.account_id, c.home_currency, c.face_currency, greatest(c.minor, 0), greatest(-c.minor, 0), 1
  from (select month_end(b.day) as day, b.account_id, b.home_currency, b.face_currency, sum(b.debit_minor - b.credit_minor)::bigint as minor
    from journal_balances(month_start(first_day), last_day, 'CASH') b
    where not (select reads_payroll()) and of_basis = 'CASH' and month_end(b.day) between first_day and last_day
      and b.account_id in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
    group by 1, 2, 3, 4) c
$$;
grant execute on function visible_balances(date, date, text) to kontor_confined;
