-- Payroll: employees with dated terms, payslips and claims for government-paid leave as kinds of the ledger.

alter table ledger_kinds add column advances_account text not null default 'PREPAYMENTS';

insert into ledger_kinds (kind, direction, payment_direction, document_types, unbilled_types, statuses, draft_statuses, payable_statuses,
  transitions, open_status, sent_status, numbered, frozen_when_final, frozen_when_paid, pays_lines, counterparty_needed, balance_account,
  result_account, advances_account, final_events)
values ('PAYSLIP', 'INCOMING', 'INCOMING', '{PAYSLIP}', '{}', '{DRAFT,APPROVED,PAID,VOID}', '{DRAFT}', '{DRAFT,APPROVED,PAID}',
  '{"DRAFT": ["APPROVED", "PAID"], "APPROVED": ["PAID", "VOID"], "PAID": ["VOID"], "VOID": []}', 'APPROVED', null, false,
  '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}',
  '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', true, true, 'PAYROLL_PAYABLES', 'PAYROLL',
  'PAYROLL_PAYABLES', '{payslip.approved}'),
 ('LEAVE_CLAIM', 'OUTGOING', 'OUTGOING', '{LEAVE_CLAIM}', '{}', '{DRAFT,OPEN,PAID,VOID}', '{DRAFT}', '{DRAFT,OPEN,PAID}',
  '{"DRAFT": ["OPEN"], "OPEN": ["PAID", "VOID"], "PAID": [], "VOID": []}', 'OPEN', null, false,
  '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}',
  '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', false, true, 'PAYROLL_PAYABLES', 'PAYROLL', 'PAYROLL_PAYABLES',
  '{}');

alter table payments drop constraint payments_source_check, add constraint payments_source_check
  check (source in ('DOCUMENT', 'MARK_PAID', 'PAYMENT', 'CREDIT_MEMO', 'REFUND', 'ADVANCE', 'NET', 'STATUTORY', 'LEAVE_CLAIM'));
-- A payment to authorities has no single counterparty, and the money of payroll is not mixed with that of suppliers.
alter table payments add constraint payroll_source check (
  (kind = 'PAYSLIP') = (source in ('ADVANCE', 'NET', 'STATUTORY')) and (kind = 'LEAVE_CLAIM') = (source = 'LEAVE_CLAIM')
  and (source <> 'STATUTORY' or counterparty_id is null) and (source not in ('ADVANCE', 'NET') or counterparty_id is not null)) not valid;
alter table payments validate constraint payroll_source;
create index payroll_payments on payments (organization_id, counterparty_id, id) where kind = 'PAYSLIP';

alter table documents drop constraint cancelled_type, add constraint cancelled_type
  check (cancelled_at is null or issued_at is not null and (document_type = 'PAYMENT_REQUEST' or is_receipt_by_law(document_type, series)
    or kind = 'EXPENSE' and document_type = 'CREDIT_MEMO' or kind in ('PAYSLIP', 'LEAVE_CLAIM'))) not valid;
alter table documents validate constraint cancelled_type;
alter table documents add constraint void_when_cancelled
  check (kind not in ('PAYSLIP', 'LEAVE_CLAIM') or (status = 'VOID') = (cancelled_at is not null)) not valid;
alter table documents validate constraint void_when_cancelled;

-- An employee is a counterparty of kind INDIVIDUAL with an employment. Contact data is here, where payroll rights are needed to read or change it.
alter table customers add column is_employee boolean not null default false, add column is_authority boolean not null default false;

create table employees (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  user_id uuid,
  employee_number text check (employee_number <> ''),
  job_title text check (job_title <> ''),
  id_number text check (id_number <> ''),
  email text check (email <> ''),
  phone text check (phone <> ''),
  address text check (address <> ''),
  notes text check (notes <> ''),
  start_date date not null,
  end_date date,
  currency text not null check (currency <> ''),
  payslip_language text check (payslip_language in ('en', 'he', 'both')),
  bank_name text check (bank_name <> ''),
  bank_code text check (bank_code <> ''),
  branch_code text check (branch_code <> ''),
  account_number text check (account_number <> ''),
  account_name text check (account_name <> ''),
  account_type text check (account_type in ('CHECKING', 'SAVINGS')),
  iban text check (iban <> ''),
  swift_code text check (swift_code <> ''),
  routing_number text check (routing_number <> ''),
  opening jsonb check (jsonb_typeof(opening) = 'object'),
  import_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint employee_counterparty foreign key (organization_id, id) references customers (organization_id, id),
  constraint employee_user foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete set null (user_id),
  constraint employee_import foreign key (organization_id, import_id) references imports (organization_id, id),
  constraint one_employee_per_user unique (organization_id, user_id),
  constraint one_employee_per_number unique (organization_id, employee_number),
  constraint employed_before_leaving check (end_date >= start_date)
);
select organization_table('employees');
create index on employees (id);
create index on employees (organization_id, start_date, id);
create index on employees (organization_id, import_id) where import_id is not null;
create function mark_employee() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customers c set is_employee = tg_op = 'INSERT' where c.organization_id = coalesce(new.organization_id, old.organization_id) and c.id = coalesce(new.id, old.id);
  if tg_op = 'INSERT' and not exists (select from customers c where c.organization_id = new.organization_id and c.id = new.id and c.kind = 'INDIVIDUAL') then
    raise exception 'An employee is a person.' using errcode = 'check_violation', constraint = 'employee_is_person';
  end if;
  return null;
end $$;
create trigger mark_employee after insert or delete on employees for each row execute function mark_employee();

-- The wage and the facts for computing pay, from a day on. A raise is a new row; a row is replaced when it was wrong.
create table employee_terms (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  employee_id uuid not null,
  since date not null,
  wage_minor bigint not null check (wage_minor >= 0),
  facts jsonb not null default '{}' check (jsonb_typeof(facts) = 'object'),
  changed_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, employee_id, since),
  foreign key (organization_id, employee_id) references employees on delete cascade
);
select organization_table('employee_terms');
create index on employee_terms (changed_by);

-- `total_minor` of the document is what is owed because of the payslip: the net pay (the line NET) and every scheme (a line each).
create table payslips (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  employee_id uuid not null,
  month date not null,
  period_start date not null,
  period_end date not null,
  is_final boolean not null,
  gross_minor bigint not null,
  reimbursements_minor bigint not null check (reimbursements_minor >= 0),
  deductions_minor bigint not null,
  net_minor bigint not null,
  contributions_minor bigint not null,
  wage_minor bigint not null check (wage_minor >= 0),
  tables text not null check (tables <> ''),
  facts jsonb not null,
  bases jsonb not null,
  corrections jsonb not null default '{}',
  inputs jsonb not null,
  work jsonb,
  warnings jsonb not null default '[]',
  terms_at timestamptz not null,
  computed_at timestamptz not null default now(),
  voided_at timestamptz,
  primary key (organization_id, id),
  constraint payslip_document foreign key (organization_id, id) references documents (organization_id, id) on delete cascade,
  constraint payslip_employee foreign key (organization_id, employee_id) references employees (organization_id, id),
  constraint payslip_of_month check (month = date_trunc('month', month)::date and period_start between month and period_end
    and period_end < (month + interval '1 month')::date),
  constraint net_is_gross_less_deductions check (net_minor = gross_minor - deductions_minor and net_minor >= 0)
);
select organization_table('payslips');
create index on payslips (id);
create index on payslips (organization_id, employee_id, month);
create index on payslips (organization_id, month, employee_id);
create unique index one_payslip_per_month on payslips (organization_id, employee_id, month) where voided_at is null;

create table payslip_lines (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  payslip_id uuid not null,
  position smallint not null,
  kind text not null check (kind in ('EARNING', 'REIMBURSEMENT', 'DEDUCTION', 'CONTRIBUTION')),
  code text not null check (code <> ''),
  description text not null check (description <> ''),
  amount_minor bigint not null,
  corrects date,
  steps jsonb not null default '[]',
  primary key (organization_id, payslip_id, position),
  foreign key (organization_id, payslip_id) references payslips on delete cascade
);
select organization_table('payslip_lines');

-- Why advances were taken from a payslip: the consent of the employee, or the authorization for the last pay.
create table payslip_consents (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  payslip_id uuid not null,
  affirmed boolean not null,
  consented_at timestamptz,
  attachment_id uuid,
  final_authorized boolean not null,
  applied_minor bigint not null check (applied_minor >= 0),
  rule text not null,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, payslip_id) references payslips on delete cascade,
  foreign key (organization_id, attachment_id) references document_attachments (organization_id, id)
);
select organization_table('payslip_consents');
revoke update, delete on payslip_consents from kontor_confined;
create index on payslip_consents (organization_id, payslip_id);
create index on payslip_consents (organization_id, attachment_id) where attachment_id is not null;
create index on payslip_consents (created_by);

-- What an authority owes for leave that it pays; one document each.
create table leave_claims (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  payslip_id uuid not null,
  scheme text not null check (scheme <> ''),
  covers_until date not null,
  primary key (organization_id, id),
  foreign key (organization_id, id) references documents (organization_id, id) on delete cascade,
  foreign key (organization_id, payslip_id) references payslips (organization_id, id) on delete cascade
);
select organization_table('leave_claims');
create index on leave_claims (id);
create index on leave_claims (organization_id, payslip_id);

-- A payslip follows its document: what is approved is fixed, and a void frees the month.
create function follow_document_of_payslip() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payslips p set voided_at = new.cancelled_at where p.organization_id = new.organization_id and p.id = new.id;
  return null;
end $$;
create trigger void_payslip after update of cancelled_at on documents for each row
  when (new.kind = 'PAYSLIP' and old.cancelled_at is null and new.cancelled_at is not null) execute function follow_document_of_payslip();

create function guard_payslip() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_jsonb(new) - 'voided_at' is not distinct from to_jsonb(old) - 'voided_at' then return new; end if;
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $$;
create trigger guard_payslip before update on payslips for each row execute function guard_payslip();
revoke update on payslips from kontor_confined;
grant update (period_start, period_end, is_final, gross_minor, reimbursements_minor, deductions_minor, net_minor, contributions_minor, wage_minor,
  tables, facts, bases, corrections, inputs, work, warnings, terms_at, computed_at) on payslips to kontor_confined;

create function guard_payslip_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line payslip_lines := case tg_op when 'DELETE' then old else new end;
begin
  if exists (select from documents d where d.organization_id = line.organization_id and d.id = line.payslip_id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return line;
end $$;
create trigger guard_payslip_lines before insert or update or delete on payslip_lines for each row execute function guard_payslip_lines();

-- The lines of a payslip and of its document add up to the amounts of both (INV-08). Checked when the transaction commits.
create function require_payslip_adds_up() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from payslips p join documents d on d.organization_id = p.organization_id and d.id = p.id
      cross join lateral (select coalesce(sum(l.amount_minor) filter (where l.kind in ('EARNING', 'REIMBURSEMENT')), 0) as gross,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'REIMBURSEMENT'), 0) as reimbursements,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'DEDUCTION'), 0) as deductions,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'CONTRIBUTION'), 0) as contributions
        from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id) s
      where p.organization_id = new.organization_id and p.id = new.id
        and ((s.gross, s.reimbursements, s.deductions, s.contributions) <> (p.gross_minor, p.reimbursements_minor, p.deductions_minor, p.contributions_minor)
          or d.total_minor <> p.gross_minor + p.contributions_minor or d.counterparty_id <> p.employee_id
          or coalesce((select l.amount_minor from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id and l.id = 'NET'), 0) <> p.net_minor
          or d.total_minor <> coalesce((select sum(l.amount_minor) from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id), 0))) then
    raise exception 'The lines of a payslip add up to its amounts.' using errcode = 'check_violation', constraint = 'payslip_adds_up';
  end if;
  return null;
end $$;
create constraint trigger payslip_adds_up after insert or update on payslips deferrable initially deferred
  for each row execute function require_payslip_adds_up();

-- Deletes a draft payslip with the claims that it made. Advances that were set off against it are open again before.
create function delete_payslip(payslip uuid) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
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

-- A net payment also reimburses claims of the employee.
create or replace function apply_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $$
declare
  change bigint := case when tg_op = 'INSERT' then new.amount_minor when old.voided_at is null and new.voided_at is not null then -new.amount_minor else 0 end;
  credit bigint := case when new.is_credit then change else 0 end;
  money bigint := change - credit;
  paying payments;
  last payments; -- the payment whose date and method the document shows once it is settled
  paid documents;
begin
  if change = 0 then return null; end if;
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  last := paying;
  if new.is_credit then
    select p.* into last from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      where a.organization_id = new.organization_id and a.document_id = new.document_id and a.voided_at is null and not a.is_credit
      order by a.id desc limit 1;
  end if;
  update documents d set paid_minor = d.paid_minor + money, credited_minor = d.credited_minor + credit,
      status = case when k.open_status is null or d.issued_at is null then d.status
        when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then 'PAID'
        when d.status <> 'PAID' then d.status
        when d.sent_at is not null then coalesce(k.sent_status, k.open_status) else k.open_status end,
      payment_date = case when k.open_status is null then d.payment_date when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.paid_at
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_date end,
      payment_method = case when k.open_status is null then d.payment_method when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.method
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_method end,
      receipt_number = case when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.receipt_number end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.id = new.document_id and k.kind = d.kind and d.status = any (k.payable_statuses)
      and d.payment_id is null and (change < 0 or d.cancelled_at is null and d.converted_to_id is null)
      and d.currency = paying.currency and (k.kind = paying.kind or (k.kind, paying.kind, paying.source) = ('EXPENSE', 'PAYSLIP', 'NET')) and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
    returning d.* into paid;
  if not found then
    raise exception 'That document cannot be paid with this payment.' using errcode = 'check_violation', constraint = 'payment_fits_document';
  end if;
  if exists (select from ledger_kinds k where k.kind = paid.kind and k.pays_lines) then
    update document_lines l set paid_minor = l.paid_minor + change
      where l.organization_id = new.organization_id and l.document_id = new.document_id and l.id = new.line_id;
    if not found then
      raise exception 'The document has no such line.' using errcode = 'check_violation', constraint = 'payment_fits_document';
    end if;
  end if;
  update payments p set allocated_minor = p.allocated_minor + case when new.is_advance then 0 else change end
    where p.organization_id = new.organization_id and p.id = new.payment_id and (change < 0 or p.voided_at is null);
  if not found then
    raise exception 'The payment was voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
  end if;
  if money >= 0 then return null; end if;
  perform apply_open_credits(new.organization_id, new.document_id);
  -- a receipt without its payment acknowledges nothing
  update documents d set cancelled_at = new.voided_at
    where d.organization_id = new.organization_id and d.id = new.document_id and is_receipt_by_law(d.document_type, d.series)
      and d.paid_minor = 0 and d.cancelled_at is null;
  return null;
end $$;

-- A payment to authorities stays without a counterparty.
create or replace function hold_to_customer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $$
begin
  if exists (select from added a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id where d.counterparty_id <> p.counterparty_id
        or p.kind = 'EXPENSE' and p.counterparty_id is null and crosses_vendors(p.organization_id, p.id, d.id, array(select n.id from added n))) then
    raise exception 'The payment is of another customer.' using errcode = 'check_violation', constraint = 'payment_of_customer';
  end if;
  update payments p set counterparty_id = owing.customer
    from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.voided_at is null and (a.organization_id, a.payment_id) in (select n.organization_id, n.payment_id from added n)
      group by 1, 2 having count(distinct d.counterparty_id) = 1) owing
    where p.organization_id = owing.organization_id and p.id = owing.payment_id and p.counterparty_id is null and p.source <> 'STATUTORY';
  return null;
end $$;

-- A payslip that is voided is booked back to its own account, on its own day: the month is generated again, and a locked month has no voids.
create or replace function journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $$
  select d.organization_id, e.day, e.event, d.id, d.id, null::uuid, d.direction, 1, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, d.exchange_rate, 'ROUNDING'
  from (
    select d.organization_id, case when d.kind in ('PAYSLIP', 'LEAVE_CLAIM') then d.issue_date
        else greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) end as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null and (d.kind, d.document_type) <> ('SALES', 'RECEIPT')
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ) e
  join documents d on d.organization_id = e.organization_id and d.id = e.id
  join organizations o on o.id = d.organization_id
  join all_ledger_kinds() k on k.kind = d.kind
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
  cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
    (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
  cross join lateral (select case when d.document_type = 'INVOICE_RECEIPT' then d.tax_minor else 0 end as minor,
    case when d.document_type = 'INVOICE_RECEIPT' then home_minor(d.tax_minor, d.currency, h.home, d.exchange_rate) else 0 end as home) tax
  cross join lateral (values (1, k.balance_account, -open.minor, -open.home),
    (2, case when d.kind in ('SALES', 'EXPENSE') then unbilled_account(d.organization_id, d.document_type, d.id) else k.result_account end, open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
  where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
$$;

-- What is open of a payment is booked where the kind says: wages in advance are a part of what is owed for payroll.
create or replace function journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $$
  select p.organization_id, p.day, p.event, p.id, null::uuid, p.id, r.direction, r.times, l.line, l.account, null::text, l.bank_account_id, l.minor, p.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
      is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
  from (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
      and (p.paid_at, p.id) >= (first_day, first_id) and (p.paid_at, p.id) <= (last_day, last_id)
    union all
    select p.organization_id, p.voided_on, 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ) p
  join all_ledger_kinds() k on k.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
    case when p.refund_of is null then p.times else -p.times end as times) r
  cross join lateral (values
    (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (3, k.advances_account, null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
  ) l (line, account, bank_account_id, minor, home)
  where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
$$;

create or replace function journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $$
  select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
  from (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where not a.is_advance and a.booked_on between first_day and last_day and (a.booked_on, a.id) >= (first_day, first_id) and (a.booked_on, a.id) <= (last_day, last_id)
    union all
    select a.organization_id, greatest(a.booked_on, case when v.voided_at = a.voided_at then v.voided_on else (a.voided_at at time zone o.timezone)::date end),
      'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id join payments v on v.organization_id = a.organization_id and v.id = a.payment_id
    where a.voided_at is not null and not a.is_advance and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ) a
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  join documents d on d.organization_id = a.organization_id and d.id = a.document_id
  join all_ledger_kinds() k on k.kind = d.kind
  join all_ledger_kinds() m on m.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select (d.kind, d.document_type) = ('SALES', 'RECEIPT') as is_receipt, coalesce(a.payment_home_minor, a.amount_minor) as home) u
  cross join lateral (values (1, m.advances_account, a.amount_minor, u.home),
    (2, case when u.is_receipt then unbilled_account(d.organization_id, d.document_type, d.id) else k.balance_account end, -a.amount_minor,
      case when u.is_receipt then -u.home else -coalesce(a.document_home_minor, a.amount_minor) end)) l (line, account, minor, home)
  where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
$$;

-- A document may become final after payments of it were taken back: their days are booked with it.
create or replace function mark_issued() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.issue_date) on conflict do nothing;
  if exists (select from allocations a where a.organization_id = new.organization_id and a.document_id = new.id) then
    perform mark_documents(new.organization_id, array[new.id]);
  end if;
  return null;
end $$;
