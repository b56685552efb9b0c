-- Keeps the totals of money in and out by day exact.

create or replace function cash_by_day_now() returns setof cash_by_day language sql stable as $$
  select c.organization_id, c.day, c.direction, c.currency, sum(c.payments)::bigint, sum(c.minor)::bigint, c.rated_on
  from (
    select p.organization_id, p.paid_at as day, p.direction, p.currency, 1 as payments, p.amount_minor - p.withheld_minor as minor, null::date as rated_on
    from payments p where p.source <> 'CREDIT_MEMO'
    union all
    select p.organization_id, p.voided_on, p.direction, p.currency, -1, p.withheld_minor - p.amount_minor, nullif(p.paid_at, p.voided_on)
    from payments p where p.source <> 'CREDIT_MEMO' and p.voided_at is not null) c
  group by 1, 2, 3, 4, 7 having (sum(c.payments), sum(c.minor)) <> (0, 0)
$$;

-- Cash is the amount that was received or paid, without the tax that was withheld.
create or replace function update_cash_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  times integer := case tg_op when 'INSERT' then 1 else -1 end;
  counted date := case tg_op when 'INSERT' then new.paid_at else new.voided_on end;
  rated date := nullif(new.paid_at, counted);
begin
  with gone as (
    delete from cash_by_day s where s.ctid = any (array(select t.ctid from cash_by_day t
      where t.organization_id = new.organization_id and t.day = counted and t.direction = new.direction and t.currency = new.currency
        and t.rated_on is not distinct from rated
      for update skip locked))
    returning s.payments, s.amount_minor
  )
  insert into cash_by_day
    select new.organization_id, counted, new.direction, new.currency, sum(a.payments), sum(a.amount_minor), rated
    from (select * from gone union all select times, times * (new.amount_minor - new.withheld_minor)) a (payments, amount_minor)
    having (sum(a.payments), sum(a.amount_minor)) <> (0, 0);
  return null;
end $$;

create or replace trigger update_cash_totals_of_new after insert on payments
  for each row when (new.source <> 'CREDIT_MEMO'::text and new.voided_at is null) execute function update_cash_totals();
create or replace trigger update_cash_totals_of_voided after update of voided_at on payments
  for each row when (new.source <> 'CREDIT_MEMO'::text and old.voided_at is null and new.voided_at is not null) execute function update_cash_totals();
