-- Sums of the journal by day and account, so that reports over all years need not compute the whole journal. The journal stays a
-- query: the sums only repeat it. Every change of what is booked inserts a mark for the days that it concerns, in the same
-- transaction. A report adds up the stored sums of days without a mark, and computes the journal of days with one. See decision 0052.

-- The lines of the journal with the account that takes them on their day, one line for each line of an event and account.
create function booked_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text,
    event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text,
    exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select j.organization_id, j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.line,
    coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.currency, j.home_currency, j.exchange_rate,
    sum(j.minor)::bigint, sum(j.home_minor)::bigint
  from journal_lines(first_day, first_id, last_day, last_id) j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods tax on tax.organization_id = j.organization_id
    and tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
      else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
$$;
grant execute on function booked_lines(date, uuid, date, uuid) to kontor_confined;

create function booked_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text,
    event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text,
    exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select * from booked_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;
grant execute on function booked_lines(date, date) to kontor_confined;

-- The currency of a line that is booked at its face value, because no rate was known; else empty.
create function face_currency(currency text, home_currency text, exchange_rate numeric) returns text language sql immutable parallel safe as $$
  select case when exchange_rate is null and currency <> home_currency then currency else '' end
$$;
grant execute on function face_currency(text, text, numeric) to kontor_confined;

-- What documents booked to income and expenses when they were issued.
create function results_of(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, document_id uuid, day date,
    account_id uuid, home_currency text, face_currency text, home_minor bigint)
  language sql stable parallel safe as $$
  select b.organization_id, b.document_id, b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
    sum(b.home_minor)::bigint
  from booked_lines(first_day, first_id, last_day, last_id) b
  join accounts a on a.organization_id = b.organization_id and a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
  where b.event in ('ISSUED', 'CREDITED') group by 1, 2, 3, 4, 5, 6
$$;
grant execute on function results_of(date, uuid, date, uuid) to kontor_confined;

-- Money that paid documents, and refunds of credits, each with the share of the document that was paid with it and before it.
create function money_moved(first_day date, last_day date) returns table (organization_id uuid, document_id uuid, day date, times integer,
    amount_minor bigint, upto numeric)
  language sql stable parallel safe as $$
  select a.organization_id, a.document_id, a.booked_on as day, 1 as times, a.amount_minor, u.upto
  from allocations a cross join lateral (select sum(b.amount_minor) as upto from allocations b where b.organization_id = a.organization_id
    and b.document_id = a.document_id and (b.created_at, b.id) <= (a.created_at, a.id)) u
  where a.booked_on between first_day and last_day and not a.is_credit
  union all
  select a.organization_id, a.document_id, v.day, -1, a.amount_minor, u.upto
  from allocations a join organizations o on o.id = a.organization_id
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  cross join lateral (select greatest(a.booked_on, case when p.voided_at = a.voided_at then p.voided_on else (a.voided_at at time zone o.timezone)::date end) as day) v
  cross join lateral (select sum(b.amount_minor) as upto from allocations b where b.organization_id = a.organization_id
    and b.document_id = a.document_id and (b.created_at, b.id) <= (a.created_at, a.id)) u
  where a.voided_at is not null and not a.is_credit and (a.booked_on between first_day and last_day
    or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz) and v.day between first_day and last_day
  union all
  select r.organization_id, m.id, r.day, r.times, r.amount_minor, u.upto
  from (
    select p.organization_id, p.refund_of, p.paid_at as day, 1 as times, p.amount_minor, p.created_at, p.id
    from payments p where p.paid_at between first_day and last_day and p.refund_of is not null
    union all
    select p.organization_id, p.refund_of, v.day, -1, p.amount_minor, p.created_at, p.id
    from payments p cross join lateral (select p.voided_on as day) v
    where p.voided_at is not null and p.refund_of is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz) and v.day between first_day and last_day
  ) r
  join documents m on m.organization_id = r.organization_id and m.payment_id = r.refund_of and m.document_type = 'CREDIT_MEMO'
  cross join lateral (select sum(b.amount_minor) as upto from payments b where b.organization_id = r.organization_id
    and b.refund_of = r.refund_of and (b.created_at, b.id) <= (r.created_at, r.id)) u
$$;
grant execute on function money_moved(date, date) to kontor_confined;

-- The share of an amount of a document that an allocation pays, rounded after the shares before it, so that the shares add up.
create function share_of(home_minor bigint, upto numeric, amount_minor bigint, total_minor bigint) returns bigint language sql immutable parallel safe as $$
  select (round(home_minor * upto / total_minor) - round(home_minor * (upto - amount_minor) / total_minor))::bigint
$$;
grant execute on function share_of(bigint, numeric, bigint, bigint) to kontor_confined;

-- Unlogged: after a crash all of them are empty, and the sums are computed anew. No foreign keys, which would be checked for every row.
create unlogged table journal_sums (
  organization_id uuid not null default current_organization(),
  day date not null,
  basis text not null check (basis in ('ACCRUAL', 'CASH')),
  account_id uuid,
  home_currency text not null,
  face_currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  lines bigint not null
);
create index on journal_sums (organization_id, basis, day);
select organization_table('journal_sums');

-- What each document booked to income and expenses when it was issued. On cash basis its payments take their shares of it.
create unlogged table journal_results (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  day date not null,
  account_id uuid not null,
  home_currency text not null,
  face_currency text not null,
  home_minor bigint not null
);
create index on journal_results (organization_id, document_id);
create index on journal_results (organization_id, day);
select organization_table('journal_results');

-- Up to which day the sums of an organization are stored, and by which version of the journal's functions.
create unlogged table journal_sums_state (
  organization_id uuid primary key default current_organization(),
  upto date not null,
  version text not null
);
select organization_table('journal_sums_state');

-- Days whose stored sums no longer count, by the transaction that changed something; '-infinity' means all days. The key includes
-- the transaction so that writers never wait for each other.
create unlogged table journal_marks (
  organization_id uuid not null default current_organization(),
  day date not null,
  transaction xid8 not null default pg_current_xact_id(),
  primary key (organization_id, day, transaction)
);
select organization_table('journal_marks');
revoke insert, update on journal_marks from kontor_confined;

-- Changes with every function that the journal is computed with: what an earlier version stored is then computed anew.
create function journal_version() returns text language sql stable as $$
  select md5(string_agg(p.prosrc, '' order by p.proname, p.oid) || (select coalesce(string_agg(k::text, '' order by k.kind), '') from all_ledger_kinds() k))
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any (array['journal_lines', 'journal_of_allocations', 'journal_of_closed',
    'journal_of_documents', 'journal_of_expenses', 'journal_of_payments', 'journal_of_stock', 'booked_lines', 'money_moved',
    'share_of', 'results_of', 'accrual_sums', 'cash_shares', 'cash_sums', 'store_journal_sums',
    'home_minor', 'convert_minor', 'unbilled_account', 'tax_code'])
$$;
grant execute on function journal_version() to kontor_confined;

create function mark_days(organization uuid, variadic days date[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) select distinct organization, d from unnest(days) d where d is not null on conflict do nothing;
end $$;

-- Marks all days on which these documents are booked: issue, end, allocations, refunds of their credit, and what they were converted from.
create function mark_documents(organization uuid, changed uuid[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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

create function mark_issued() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.issue_date) on conflict do nothing;
  return null;
end $$;
create trigger mark_issued_of_new after insert on documents for each row when (new.issued_at is not null) execute function mark_issued();
-- what is paid before it is issued has allocations already
create trigger mark_issued_when_final after update on documents for each row
  when (old.issued_at is null and new.issued_at is not null and new.paid_minor = 0 and new.credited_minor = 0) execute function mark_issued();

create function mark_changed_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_days(new.organization_id, old.issue_date, new.issue_date);
  perform mark_documents(new.organization_id, array[new.id]);
  if new.issued_at is null then -- no longer final
    perform mark_days(new.organization_id, variadic array(select a.booked_on from allocations a
      where a.organization_id = new.organization_id and a.document_id = new.id));
  end if;
  return null;
end $$;
create trigger mark_changed_document after update on documents for each row
  when (case when old.issued_at is null then new.issued_at is not null and (new.paid_minor > 0 or new.credited_minor > 0)
    else new.issued_at is null or (old.kind, old.direction, old.document_type, old.currency, old.issue_date, old.subtotal_minor, old.tax_minor, old.total_minor)
        is distinct from (new.kind, new.direction, new.document_type, new.currency, new.issue_date, new.subtotal_minor, new.tax_minor, new.total_minor)
      or (old.exchange_rate, old.rate_currency, old.tax_rate, old.source_document_id, old.payment_id, old.cancelled_at, old.converted_to_id)
        is distinct from (new.exchange_rate, new.rate_currency, new.tax_rate, new.source_document_id, new.payment_id, new.cancelled_at, new.converted_to_id) end)
  execute function mark_changed_document();

create function mark_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.paid_at) on conflict do nothing;
  return null;
end $$;
create trigger mark_payment after insert on payments for each row when (new.source <> 'CREDIT_MEMO') execute function mark_payment();

create function mark_changed_payment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger mark_changed_payment after update on payments for each row
  when ((old.paid_at, old.source, old.voided_at, old.direction, old.amount_minor, old.withheld_minor, old.currency, old.exchange_rate, old.rate_currency,
      old.bank_account_id, old.refund_of, old.refund_home_minor)
    is distinct from (new.paid_at, new.source, new.voided_at, new.direction, new.amount_minor, new.withheld_minor, new.currency, new.exchange_rate, new.rate_currency,
      new.bank_account_id, new.refund_of, new.refund_home_minor))
  execute function mark_changed_payment();

-- The share of an allocation on cash basis is rounded after those before it, and a closed document is booked with what it was credited.
create function mark_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.booked_on); end if;
  perform mark_days(new.organization_id, new.booked_on);
  perform mark_documents(new.organization_id, array[new.document_id]);
  return null;
end $$;
create trigger mark_allocation after insert on allocations for each row execute function mark_allocation();
create trigger mark_changed_allocation after update on allocations for each row when (old.* is distinct from new.*) execute function mark_allocation();

create function mark_movement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.date); end if;
  perform mark_days(new.organization_id, new.date);
  return null;
end $$;
create trigger mark_movement after insert or update on stock_movements for each row execute function mark_movement();
create trigger mark_entry after insert on journal_entries for each row execute function mark_movement();

create function mark_closed_order() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_days(new.organization_id, (new.ended_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id;
  return null;
end $$;
create trigger mark_closed_order after update on orders for each row when (old.cleared_minor <> new.cleared_minor) execute function mark_closed_order();

create function mark_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_documents(new.organization_id, array[new.id]);
  return null;
end $$;
create trigger mark_expense after update on expenses for each row
  when ((old.category_id, old.goods_minor) is distinct from (new.category_id, new.goods_minor)) execute function mark_expense();

create function mark_splits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization uuid;
  changed uuid[];
begin
  for organization, changed in select c.organization_id, array_agg(distinct c.expense_id) from changed_splits c group by 1 loop
    perform mark_documents(organization, changed);
  end loop;
  return null;
end $$;
create trigger mark_new_splits after insert on expense_splits referencing new table as changed_splits for each statement execute function mark_splits();
create trigger mark_changed_splits after update on expense_splits referencing new table as changed_splits for each statement execute function mark_splits();
create trigger mark_removed_splits after delete on expense_splits referencing old table as changed_splits for each statement execute function mark_splits();

-- Another account, time zone or main currency may concern every day.
create function mark_all_days() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_marks (organization_id, day) select distinct o.id, '-infinity'::date
    from changed_periods c join organizations o on o.id = c.organization_id on conflict do nothing; -- not of one that is being deleted
  return null;
end $$;
create trigger mark_new_periods after insert on account_periods referencing new table as changed_periods for each statement execute function mark_all_days();
create trigger mark_changed_periods after update on account_periods referencing new table as changed_periods for each statement execute function mark_all_days();
create trigger mark_removed_periods after delete on account_periods referencing old table as changed_periods for each statement execute function mark_all_days();

create function mark_organization() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from journal_sums s where s.organization_id = old.id;
    delete from journal_results r where r.organization_id = old.id;
    delete from journal_sums_state s where s.organization_id = old.id;
    delete from journal_marks m where m.organization_id = old.id;
  else
    perform mark_days(new.id, '-infinity');
  end if;
  return null;
end $$;
create trigger mark_organization after update on organizations for each row
  when ((old.currency, old.timezone) is distinct from (new.currency, new.timezone)) execute function mark_organization();
-- after the foreign keys have removed everything else
create trigger remove_marks after delete on organizations for each row execute function mark_organization();

-- Ranges of days that are computed together: a gap of a few days costs less than another range.
create function day_ranges(days date[]) returns table (first_day date, last_day date) language sql immutable parallel safe as $$
  select min(d.day), max(d.day) from (
    select s.day, count(*) filter (where s.is_first) over (order by s.day) as range from (
      select u.day, u.day - lag(u.day) over (order by u.day) > 3 is not false as is_first from unnest(days) u (day)) s) d
  group by d.range
$$;
grant execute on function day_ranges(date[]) to kontor_confined;

-- Up to which day the stored sums of the organization count, apart from marked days.
create function journal_stored_upto() returns date language sql stable as $$
  select coalesce((select s.upto from journal_sums_state s where s.version = journal_version()
    and not exists (select from journal_marks m where m.day = '-infinity')), '-infinity'::date)
$$;
grant execute on function journal_stored_upto() to kontor_confined;

-- The functions below are written in PL/pgSQL so that the query of the journal, which takes PostgreSQL long to plan, is planned only
-- if something has to be computed. They take several ranges of days at once, for one plan.

create function accrual_sums(first_days date[], last_days date[]) returns table (day date, account_id uuid, home_currency text, face_currency text,
    debit_minor bigint, credit_minor bigint, lines bigint)
  language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
      sum(greatest(b.home_minor, 0))::bigint, sum(greatest(-b.home_minor, 0))::bigint, count(*)
    from unnest(first_days, last_days) r (first_day, last_day) cross join lateral booked_lines(r.first_day, r.last_day) b group by 1, 2, 3, 4;
end $$;
grant execute on function accrual_sums(date[], date[]) to kontor_confined;

-- The shares of documents that were paid. What a document booked is read from `journal_results`, or computed if its day is marked or
-- not yet stored.
create function cash_shares(first_days date[], last_days date[]) returns table (day date, account_id uuid, home_currency text, face_currency text, home_minor bigint)
  language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select m.day, r.account_id, r.home_currency, r.face_currency, m.times * share_of(r.home_minor, m.upto, m.amount_minor, d.total_minor)
    from unnest(first_days, last_days) g (first_day, last_day) cross join lateral money_moved(g.first_day, g.last_day) m
    join documents d on d.id = m.document_id and d.issued_at is not null and d.total_minor > 0
      and d.issue_date <= (select journal_stored_upto()) and d.issue_date not in (select k.day from journal_marks k)
    join journal_results r on r.document_id = m.document_id;
  if not exists (select from journal_marks) and journal_stored_upto() = 'infinity' then return; end if;
  return query
    select m.day, r.account_id, r.home_currency, r.face_currency, m.times * share_of(r.home_minor, m.upto, m.amount_minor, d.total_minor)
    from unnest(first_days, last_days) g (first_day, last_day) cross join lateral money_moved(g.first_day, g.last_day) m
    join documents d on d.id = m.document_id and d.issued_at is not null and d.total_minor > 0
      and (d.issue_date > (select journal_stored_upto()) or d.issue_date in (select k.day from journal_marks k))
    cross join lateral results_of(d.issue_date, d.id, d.issue_date, d.id) r where r.document_id = m.document_id;
end $$;
grant execute on function cash_shares(date[], date[]) to kontor_confined;

-- Income and expenses when money moved. What documents booked is replaced by the shares that were paid; other events count as they
-- are booked.
create function cash_sums(first_days date[], last_days date[]) returns table (day date, account_id uuid, home_currency text, face_currency text,
    debit_minor bigint, credit_minor bigint, lines bigint)
  language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select l.day, l.account_id, l.home_currency, l.face_currency, sum(greatest(l.home_minor, 0))::bigint, sum(greatest(-l.home_minor, 0))::bigint, count(*)
    from (
      select s.* from cash_shares(first_days, last_days) s
      union all
      select b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate), b.home_minor
      from unnest(first_days, last_days) r (first_day, last_day) cross join lateral booked_lines(r.first_day, r.last_day) b
      join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
      where b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED')) l
    group by 1, 2, 3, 4;
end $$;
grant execute on function cash_sums(date[], date[]) to kontor_confined;

-- The sums of a period, for the organization of the transaction: stored sums of days without a mark, and the journal of the others,
-- all of one moment.
create function journal_balances(first_day date, last_day date, of_basis text) returns table (day date, account_id uuid, home_currency text,
    face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
  language sql stable as $$
  with stored as materialized (
    select journal_stored_upto() as upto
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from journal_marks m
      where m.day between first_day and last_day and m.day <= (select s.upto from stored s))) r
  ), missing as materialized (
    select coalesce(array_agg(m.first_day), '{}') as first_days, coalesce(array_agg(m.last_day), '{}') as last_days from (
      select r.first_day, r.last_day from ranges r
      union all select greatest(first_day, s.upto + 1), last_day from stored s where s.upto < last_day) m
  )
  select s.day, s.account_id, s.home_currency, s.face_currency, s.debit_minor, s.credit_minor, s.lines from journal_sums s
    where s.basis = of_basis and s.day between first_day and last_day and s.day <= (select t.upto from stored t)
      and s.day not in (select r.first_day + n from ranges r cross join lateral generate_series(0, r.last_day - r.first_day) n)
  union all
  select n.* from missing m cross join lateral accrual_sums(m.first_days, m.last_days) n where of_basis = 'ACCRUAL'
  union all
  select n.* from missing m cross join lateral cash_sums(m.first_days, m.last_days) n where of_basis = 'CASH'
$$;
grant execute on function journal_balances(date, date, text) to kontor_confined;

-- Stores sums of the organization of the transaction: of marked days, and of the days of the next `events` events. The statement that
-- removes marks also computes the sums, so that a mark is removed only if the change behind it is in them. One transaction does so
-- at a time: sums are never replaced by older ones.
create function store_journal_sums(events integer) returns text language plpgsql as $$
declare
  current_version text := journal_version();
  stored date;
  next_day date;
  first_days date[];
  last_days date[];
begin
  if current_organization() is null then return 'DONE'; end if;
  select s.upto into stored from journal_sums_state s where s.version = current_version;
  if stored = 'infinity' and not exists (select from journal_marks) then return 'DONE'; end if;
  if not pg_try_advisory_xact_lock(hashtextextended(current_organization()::text || ':journal sums', 0)) then return 'BUSY'; end if;
  delete from journal_marks m where m.day = '-infinity';
  if found or not exists (select from journal_sums_state s where s.version = current_version) then
    delete from journal_sums;
    delete from journal_results;
    insert into journal_sums_state (upto, version) values ('-infinity', current_version)
      on conflict (organization_id) do update set upto = excluded.upto, version = excluded.version;
  end if;
  select s.upto into stored from journal_sums_state s;
  if stored < 'infinity' then
    select coalesce(max(p.day), 'infinity') into next_day
      from journal_part(stored + 1, '00000000-0000-0000-0000-000000000000', 'infinity', events) p;
  end if;
  with marked as (
    delete from journal_marks m where m.day in (select distinct n.day from journal_marks n where n.day > '-infinity' order by n.day limit 100)
    returning m.day
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from marked m where m.day <= stored)) r
    union all select stored + 1, next_day where stored < 'infinity'
  ), booked as materialized (
    select b.* from ranges r cross join lateral booked_lines(r.first_day, r.last_day) b
  ), old_sums as (
    delete from journal_sums s using ranges r where s.day between r.first_day and r.last_day
  ), old_results as (
    delete from journal_results s using ranges r where s.day between r.first_day and r.last_day
  ), kept as (
    update journal_sums_state set upto = next_day where stored < 'infinity'
  ), results as (
    insert into journal_results (document_id, day, account_id, home_currency, face_currency, home_minor)
      select b.document_id, b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate), sum(b.home_minor)
      from booked b join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE') where b.event in ('ISSUED', 'CREDITED')
      group by 1, 2, 3, 4, 5
  ), sums as (
    insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
      select b.day, v.basis, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
        sum(greatest(b.home_minor, 0)), sum(greatest(-b.home_minor, 0)), count(*)
      from booked b left join accounts a on a.id = b.account_id cross join (values ('ACCRUAL'), ('CASH')) v (basis)
      where v.basis = 'ACCRUAL' or b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED') and a.type in ('INCOME', 'EXPENSE')
      group by 1, 2, 3, 4, 5
  )
  select array(select r.first_day from ranges r order by 1), array(select r.last_day from ranges r order by 1) into first_days, last_days;
  -- after the results of documents, which it reads; changes since then have left marks
  insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
    select s.day, 'CASH', s.account_id, s.home_currency, s.face_currency, sum(greatest(s.home_minor, 0)), sum(greatest(-s.home_minor, 0)), count(*)
    from cash_shares(first_days, last_days) s group by 1, 3, 4, 5;
  -- the few days that are marked meanwhile are computed by the report
  return case when next_day < 'infinity' or (select count(distinct m.day) from journal_marks m) > 20 then 'MORE' else 'DONE' end;
end $$;
grant execute on function store_journal_sums(integer) to kontor_confined;
