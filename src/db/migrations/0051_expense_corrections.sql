-- Corrections of expenses: the credit of a supplier can be voided, and a deleted category leaves what was booked on its account.

alter table documents drop constraint cancelled_type;
alter table documents add constraint cancelled_type check (cancelled_at is null or issued_at is not null
  and (document_type = 'PAYMENT_REQUEST' or is_receipt_by_law(document_type, series) or kind = 'EXPENSE' and document_type = 'CREDIT_MEMO')) not valid;
alter table documents validate constraint cancelled_type;

create function guard_cancelled_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.voided_at is not null) then
    raise exception 'A credit is cancelled with its payment.' using errcode = 'check_violation', constraint = 'cancelled_with_its_payment';
  end if;
  return null;
end $$;
create trigger guard_cancelled_credit after update of cancelled_at on documents for each row
  when (new.document_type = 'CREDIT_MEMO' and old.cancelled_at is null and new.cancelled_at is not null) execute function guard_cancelled_credit();

-- As before, and an open rest of another credit takes the place of one that is voided.
create or replace function void_allocations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  cancelled documents;
begin
  update allocations a set voided_at = new.voided_at
    where a.organization_id = new.organization_id and a.payment_id = new.id and a.voided_at is null;
  for cancelled in update documents d set cancelled_at = new.voided_at
      where d.organization_id = new.organization_id and d.payment_id = new.id and d.cancelled_at is null returning d.* loop
    if cancelled.document_type = 'CREDIT_MEMO' then perform apply_open_credits(cancelled.organization_id, cancelled.source_document_id); end if;
  end loop;
  return null;
end $$;

-- As before, without voided credits.
create or replace function apply_open_credits(organization uuid, corrected uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credit record;
  owed documents;
  part bigint;
begin
  for credit in select p.id, p.amount_minor - p.allocated_minor - p.refunded_minor as open, m.id as memo
      from documents m join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
      where m.organization_id = organization and m.source_document_id = corrected and m.document_type = 'CREDIT_MEMO' and p.voided_at is null
      order by m.sequence, m.id for update of p loop
    select * into owed from documents d where d.organization_id = organization and d.id = corrected;
    part := least(credit.open, open_minor(owed));
    continue when part <= 0;
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values (organization, new_id(), credit.id, corrected, part);
    insert into document_events (organization_id, id, document_id, type, payload) values (organization, new_id(), corrected, 'CREDIT_APPLIED',
      jsonb_build_object('memoId', credit.memo, 'amount', trim_scale(major_units(part, owed.minor_digits)), 'currency', owed.currency, 'userId', current_person()));
  end loop;
end $$;

create or replace function open_credit(d documents) returns bigint language sql stable parallel safe as $$
  select case when d.document_type = 'CREDIT_MEMO' and d.cancelled_at is null then coalesce((select p.amount_minor - p.allocated_minor - p.refunded_minor
    from payments p where p.organization_id = d.organization_id and p.id = d.payment_id), 0) else 0 end
$$;

create or replace function guard_memo() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  source documents;
begin
  select * into source from documents d where d.organization_id = new.organization_id and d.id = new.source_document_id;
  if source.document_type = any (select unnest(k.unbilled_types) from ledger_kinds k where k.kind = new.kind)
    or is_receipt_by_law(source.document_type, source.series) then
    raise exception 'A document that is no tax document is cancelled.' using errcode = 'check_violation', constraint = 'memo_of_tax_document';
  end if;
  if new.document_type = 'CREDIT_MEMO' and new.total_minor + coalesce((select sum(m.total_minor) from documents m
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $$;

create or replace function expense_sum(d documents) returns setof expenses_by_vendor language sql stable set search_path = public, pg_temp as $$
  select d.organization_id, case when s.state = 'PENDING' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.state, case s.state when 'APPROVED' then coalesce((select e.vendor from expenses e
      where e.organization_id = d.organization_id and e.id = coalesce(d.source_document_id, d.id)), '') else '' end,
    d.currency, case s.state when 'APPROVED' then coalesce(d.exchange_rate, 0) else 0 end,
    case s.state when 'APPROVED' then coalesce(d.rate_currency, '') else '' end,
    case d.document_type when 'EXPENSE' then 1 else 0 end::bigint,
    case d.document_type when 'EXPENSE' then d.total_minor else -d.total_minor end
  from (select case d.status when 'APPROVED' then 'APPROVED' else 'PENDING' end as state) s where d.status <> 'REJECTED' and d.cancelled_at is null
$$;
drop trigger update_expense_totals_of_changed on documents;
create trigger update_expense_totals_of_changed after update on documents for each row
  when (new.kind = 'EXPENSE' and (old.status is distinct from new.status or old.total_minor is distinct from new.total_minor
    or old.currency is distinct from new.currency or old.issue_date is distinct from new.issue_date or old.exchange_rate is distinct from new.exchange_rate
    or old.cancelled_at is distinct from new.cancelled_at)) execute function update_expense_totals();

-- What a category was that is deleted: approved expenses stay on its account for the days on which it had one.
alter table expenses add column deleted_category_id uuid;
alter table expense_splits add column deleted_category_id uuid;

create function keep_deleted_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.deleted_category_id := case when new.category_id is null
      and exists (select from documents d where d.organization_id = new.organization_id and d.id = (to_jsonb(new) ->> tg_argv[0])::uuid and d.issued_at is not null)
      and not exists (select from expense_categories c where c.organization_id = new.organization_id and c.id = old.category_id) then old.category_id end;
  return new;
end $$;
create trigger keep_deleted_category before update of category_id on expenses for each row
  when (old.category_id is distinct from new.category_id) execute function keep_deleted_category('id');
create trigger keep_deleted_category before update of category_id on expense_splits for each row
  when (old.category_id is distinct from new.category_id) execute function keep_deleted_category('expense_id');

create function forget_deleted_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update expenses e set deleted_category_id = null where e.organization_id = new.organization_id and e.id = new.id and e.deleted_category_id is not null;
  update expense_splits s set deleted_category_id = null
    where s.organization_id = new.organization_id and s.expense_id = new.id and s.deleted_category_id is not null;
  return null;
end $$;
create trigger forget_deleted_category after update on documents for each row
  when (new.kind = 'EXPENSE' and old.issued_at is not null and new.issued_at is null) execute function forget_deleted_category();

-- As before, and a voided credit is booked the other way round on the day of the void. A deleted category keeps its subject.
create or replace function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.day, i.event, i.id, i.id, i.payment_id, i.direction, i.times, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.*, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times
    from documents d where d.kind = 'EXPENSE' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.*, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date), 'CANCELLED', -1
    from documents d join organizations o on o.id = d.organization_id
    where d.kind = 'EXPENSE' and d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day)
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net,
      -- of the goods as much as fits into each category, one after the other
      greatest(0, least(c.net, c.goods - (sum(c.net) over (order by c.subject nulls first) - c.net)))::bigint as goods
    from (select 'CATEGORY:' || case when s.line_id is null then coalesce(x.category_id, x.deleted_category_id)
          else coalesce(s.category_id, s.deleted_category_id) end as subject, sum(l.amount_minor)::bigint as net,
        max(case when i.document_type = 'EXPENSE' then x.goods_minor else 0 end) as goods
      from document_lines l
      join expenses x on x.organization_id = l.organization_id and x.id = coalesce(i.source_document_id, i.id)
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case when i.payment_id is not null then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * (p.net - p.goods)),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end),
    (5, 'GOODS_RECEIVED', null, -e.side * p.goods)
  ) l (line, account, subject, minor)
  where i.day between first_day and last_day and (i.day, i.id) >= (first_day, first_id) and (i.day, i.id) <= (last_day, last_id)
$$;
