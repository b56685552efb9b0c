-- Marks the days whose stored sums become wrong by a change, so that no report reads an old sum.

create or replace function mark_days(organization uuid, VARIADIC days date[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) select distinct organization, d from unnest(days) d where d is not null on conflict do nothing;
end $$;

-- Marks all days on which these documents are booked: issue, end, allocations, refunds of their credit, and the payment requests
-- they were converted from.
create or replace function mark_documents(organization uuid, changed uuid[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day)
    with booked as (
      select d.* from documents d where d.organization_id = organization and d.id = any (changed) and d.issued_at is not null
      union select d.* from documents d where d.organization_id = organization and d.source_document_id = any (changed) and d.issued_at is not null
    )
    select distinct organization, e.day from booked d join organizations o on o.id = organization cross join lateral (
      select d.issue_date as day
      union all select greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) where d.cancelled_at is not null
      union all select c.issue_date from documents c where c.organization_id = organization and c.id = d.converted_to_id
      union all select c.issue_date from documents c where c.organization_id = organization and c.converted_to_id = d.id
      union all select unnest(array[a.booked_on, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), greatest(a.booked_on, v.voided_on)])
        from allocations a join payments v on v.organization_id = a.organization_id and v.id = a.payment_id
        where a.organization_id = organization and a.document_id = d.id
      union all select unnest(array[p.paid_at, p.voided_on])
        from payments p where p.organization_id = organization and p.refund_of = d.payment_id and d.payment_id is not null) e
    where e.day is not null
    on conflict do nothing;
end $$;

-- Marks the days of a document that becomes final, also those of earlier payments that were taken back: their days are booked with
-- it.
create or replace function mark_issued() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.issue_date) on conflict do nothing;
  if exists (select from allocations a where a.organization_id = new.organization_id and a.document_id = new.id) then
    perform mark_documents(new.organization_id, array[new.id]);
  end if;
  return null;
end $$;

create or replace function mark_changed_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_days(new.organization_id, old.issue_date, new.issue_date);
  perform mark_documents(new.organization_id, array[new.id]);
  if new.issued_at is null then -- it is no longer final
    perform mark_days(new.organization_id, variadic array(select a.booked_on from allocations a
      where a.organization_id = new.organization_id and a.document_id = new.id));
  end if;
  return null;
end $$;

create or replace function mark_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.paid_at) on conflict do nothing;
  return null;
end $$;

create or replace function mark_changed_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day)
    select distinct new.organization_id, e.day from organizations o cross join lateral (
      select unnest(array[old.paid_at, new.paid_at, old.voided_on, new.voided_on]) as day
      -- allocations and refunds are booked at the rate of the payment
      union all select unnest(array[a.booked_on, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), greatest(a.booked_on, new.voided_on)])
        from allocations a where a.organization_id = new.organization_id and a.payment_id = new.id
      union all select unnest(array[p.paid_at, p.voided_on])
        from payments p where p.organization_id = new.organization_id and p.refund_of = new.id) e
    where o.id = new.organization_id and e.day is not null
    on conflict do nothing;
  return null;
end $$;

-- Marks the days of an allocation and of its document: on cash basis the shares of later allocations are rounded after it, and a
-- closed document is booked with the amount that was credited.
create or replace function mark_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.booked_on); end if;
  perform mark_days(new.organization_id, new.booked_on);
  perform mark_documents(new.organization_id, array[new.document_id]);
  return null;
end $$;

create or replace function mark_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.date); end if;
  perform mark_days(new.organization_id, new.date);
  return null;
end $$;

create or replace function mark_closed_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_days(new.organization_id, (new.ended_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id;
  return null;
end $$;

create or replace function mark_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_documents(new.organization_id, array[new.id]);
  return null;
end $$;

create or replace function mark_splits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization uuid;
  changed uuid[];
begin
  for organization, changed in select c.organization_id, array_agg(distinct c.expense_id) from changed_splits c group by 1 loop
    perform mark_documents(organization, changed);
  end loop;
  return null;
end $$;

-- Marks all days after a change of an account, the time zone or the main currency, which may concern each of them.
create or replace function mark_all_days() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) select distinct o.id, '-infinity'::date
    from changed_periods c join organizations o on o.id = c.organization_id on conflict do nothing; -- not if the organization is being deleted
  return null;
end $$;

create or replace function mark_organization() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from journal_sums s where s.organization_id = old.id;
    delete from journal_results r where r.organization_id = old.id;
    delete from journal_results_by_day r where r.organization_id = old.id;
    delete from journal_taxes_by_day t where t.organization_id = old.id;
    delete from journal_sums_state s where s.organization_id = old.id;
    delete from journal_marks m where m.organization_id = old.id;
  else
    perform mark_days(new.id, '-infinity');
  end if;
  return null;
end $$;

create or replace trigger mark_issued_of_new after insert on documents
  for each row when (new.issued_at is not null) execute function mark_issued();
-- a document that is paid before it is issued has allocations already
create or replace trigger mark_issued_when_final after update on documents
  for each row when (old.issued_at is null and new.issued_at is not null and new.paid_minor = 0 and new.credited_minor = 0) execute function mark_issued();
create or replace trigger mark_changed_document after update on documents
  for each row when (
        case
            when old.issued_at is null then new.issued_at is not null and (new.paid_minor > 0 or new.credited_minor > 0)
            else new.issued_at is null or old.kind is distinct from new.kind or old.direction is distinct from new.direction or old.document_type is distinct from new.document_type or old.currency is distinct from new.currency or old.issue_date is distinct from new.issue_date or old.subtotal_minor is distinct from new.subtotal_minor or old.tax_minor is distinct from new.tax_minor or old.total_minor is distinct from new.total_minor or old.exchange_rate is distinct from new.exchange_rate or old.rate_currency is distinct from new.rate_currency or old.tax_rate is distinct from new.tax_rate or old.source_document_id is distinct from new.source_document_id or old.payment_id is distinct from new.payment_id or old.cancelled_at is distinct from new.cancelled_at or old.converted_to_id is distinct from new.converted_to_id
        end) execute function mark_changed_document();
create or replace trigger mark_payment after insert on payments
  for each row when (new.source <> 'CREDIT_MEMO'::text) execute function mark_payment();
create or replace trigger mark_changed_payment after update on payments
  for each row when (old.paid_at is distinct from new.paid_at or old.source is distinct from new.source or old.voided_at is distinct from new.voided_at or old.direction is distinct from new.direction or old.amount_minor is distinct from new.amount_minor or old.withheld_minor is distinct from new.withheld_minor or old.currency is distinct from new.currency or old.exchange_rate is distinct from new.exchange_rate or old.rate_currency is distinct from new.rate_currency or old.bank_account_id is distinct from new.bank_account_id or old.refund_of is distinct from new.refund_of or old.refund_home_minor is distinct from new.refund_home_minor) execute function mark_changed_payment();
create or replace trigger mark_allocation after insert on allocations for each row execute function mark_allocation();
create or replace trigger mark_changed_allocation after update on allocations
  for each row when (old.* is distinct from new.*) execute function mark_allocation();
create or replace trigger mark_movement after insert or update on stock_movements for each row execute function mark_movement();
create or replace trigger mark_entry after insert on journal_entries for each row execute function mark_movement();
create or replace trigger mark_closed_order after update on orders
  for each row when (old.cleared_minor <> new.cleared_minor) execute function mark_closed_order();
create or replace trigger mark_expense after update on expenses
  for each row when (old.category_id is distinct from new.category_id or old.goods_minor is distinct from new.goods_minor) execute function mark_expense();
create or replace trigger mark_new_splits after insert on expense_splits referencing new table as changed_splits
  for each statement execute function mark_splits();
create or replace trigger mark_changed_splits after update on expense_splits referencing new table as changed_splits
  for each statement execute function mark_splits();
create or replace trigger mark_removed_splits after delete on expense_splits referencing old table as changed_splits
  for each statement execute function mark_splits();
create or replace trigger mark_new_periods after insert on account_periods referencing new table as changed_periods
  for each statement execute function mark_all_days();
create or replace trigger mark_changed_periods after update on account_periods referencing new table as changed_periods
  for each statement execute function mark_all_days();
create or replace trigger mark_removed_periods after delete on account_periods referencing old table as changed_periods
  for each statement execute function mark_all_days();
create or replace trigger mark_organization after update on organizations
  for each row when (old.currency is distinct from new.currency or old.timezone is distinct from new.timezone) execute function mark_organization();
-- it fires after the foreign keys have removed everything else
create or replace trigger remove_marks after delete on organizations for each row execute function mark_organization();
