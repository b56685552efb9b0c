-- Keeps the totals of expenses by vendor exact.

-- What an expense or credit adds to the sums; no row for a rejected one.
create or replace function expense_sum(d documents) returns setof expenses_by_vendor
  language sql stable set search_path = public, pg_temp as $$
  select d.organization_id, case when s.state = 'PENDING' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.state, case s.state when 'APPROVED' then coalesce((select e.vendor from expenses e
      where e.organization_id = d.organization_id and e.id = coalesce(d.source_document_id, d.id)), '') else '' end,
    d.currency, case s.state when 'APPROVED' then coalesce(d.exchange_rate, 0) else 0 end,
    case s.state when 'APPROVED' then coalesce(d.rate_currency, '') else '' end,
    case d.document_type when 'EXPENSE' then 1 else 0 end::bigint,
    case d.document_type when 'EXPENSE' then d.total_minor else -d.total_minor end
  from (select case d.status when 'APPROVED' then 'APPROVED' else 'PENDING' end as state) s where d.status <> 'REJECTED' and d.cancelled_at is null
$$;

create or replace function add_expense(document documents, times integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  added expenses_by_vendor;
begin
  select * into added from expense_sum(document);
  if not found then return; end if;
  with gone as (
    delete from expenses_by_vendor s where s.ctid = any (array(select t.ctid from expenses_by_vendor t
      where t.organization_id = added.organization_id and t.day = added.day and t.state = added.state and t.vendor = added.vendor
        and t.currency = added.currency and t.fixed_rate = added.fixed_rate and t.rate_currency = added.rate_currency for update skip locked))
    returning s.expenses, s.total_minor
  )
  insert into expenses_by_vendor
    select added.organization_id, added.day, added.state, added.vendor, added.currency, added.fixed_rate, added.rate_currency,
      sum(a.expenses), sum(a.total_minor)
    from (select * from gone union all select times * added.expenses, times * added.total_minor) a (expenses, total_minor)
    having (sum(a.expenses), sum(a.total_minor)) <> (0, 0);
end $$;

create or replace function update_expense_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = old.organization_id) then return null; end if;
  if tg_op <> 'INSERT' then perform add_expense(old, -1); end if;
  if tg_op <> 'DELETE' then perform add_expense(new, 1); end if;
  return null;
end $$;

-- The sums, computed from the documents.
create or replace function expenses_by_vendor_now() returns setof expenses_by_vendor language sql stable as $$
  select s.organization_id, s.day, s.state, s.vendor, s.currency, s.fixed_rate, s.rate_currency, sum(s.expenses)::bigint, sum(s.total_minor)::bigint
  from documents d, lateral expense_sum(d) s where d.kind = 'EXPENSE' group by 1, 2, 3, 4, 5, 6, 7
  having (sum(s.expenses), sum(s.total_minor)) <> (0, 0)
$$;

create or replace trigger update_expense_totals_of_new after insert on documents
  for each row when (new.kind = 'EXPENSE'::text) execute function update_expense_totals();
create or replace trigger update_expense_totals_of_deleted after delete on documents
  for each row when (old.kind = 'EXPENSE'::text) execute function update_expense_totals();
create or replace trigger update_expense_totals_of_changed after update on documents
  for each row when (new.kind = 'EXPENSE'::text and (old.status is distinct from new.status or old.total_minor is distinct from new.total_minor or old.currency is distinct from new.currency or old.issue_date is distinct from new.issue_date or old.exchange_rate is distinct from new.exchange_rate or old.cancelled_at is distinct from new.cancelled_at)) execute function update_expense_totals();
