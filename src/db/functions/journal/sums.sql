-- Stores sums of the journal in advance and says up to which day; reports add the days that were marked since.

-- Changes with every function that the journal is computed with, so that the sums of an earlier version are computed again.
create or replace function journal_version() returns text language sql stable as $$
  select md5(string_agg(p.prosrc, '' order by p.proname, p.oid) || (select coalesce(string_agg(k::text, '' order by k.kind), '') from all_ledger_kinds() k))
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any (array['journal_lines', 'journal_of_allocations', 'journal_of_closed',
    'journal_of_documents', 'journal_of_expenses', 'journal_of_payments', 'journal_of_stock', 'booked_lines', 'money_moved',
    'share_of', 'results_of', 'accrual_sums', 'cash_shares', 'cash_sums', 'store_journal_sums',
    'placed_lines', 'is_result_line', 'part_of', 'divided_results', 'grouped_results', 'tax_shares',
    'divided_taxes', 'grouped_taxes',
    'home_minor', 'convert_minor', 'unbilled_account', 'tax_code'])
$$;
grant execute on function journal_version() to kontor_confined;

-- Ranges of days that are computed together: a gap of a few days costs less than another range.
create or replace function day_ranges(days date[]) returns table(first_day date, last_day date) language sql immutable parallel safe as $$
  select min(d.day), max(d.day) from (
    select s.day, count(*) filter (where s.is_first) over (order by s.day) as range from (
      select u.day, u.day - lag(u.day) over (order by u.day) > 3 is not false as is_first from unnest(days) u (day)) s) d
  group by d.range
$$;
grant execute on function day_ranges(date[]) to kontor_confined;

-- The day up to which the stored sums of the organization are valid, apart from marked days.
create or replace function journal_stored_upto() returns date language sql stable as $$
  select coalesce((select s.upto from journal_sums_state s where s.version = journal_version()
    and not exists (select from journal_marks m where m.day = '-infinity')), '-infinity'::date)
$$;
grant execute on function journal_stored_upto() to kontor_confined;

create or replace function accrual_sums(first_days date[], last_days date[])
  returns table(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
  language plpgsql stable as $$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
      sum(greatest(b.home_minor, 0))::bigint, sum(greatest(-b.home_minor, 0))::bigint, count(*)
    from unnest(first_days, last_days) r (first_day, last_day) cross join lateral booked_lines(r.first_day, r.last_day) b group by 1, 2, 3, 4;
end $$;
grant execute on function accrual_sums(date[], date[]) to kontor_confined;

-- The shares of documents that were paid. The results of a document are read from `journal_results`, or computed if its day is
-- marked or not yet stored.
create or replace function cash_shares(first_days date[], last_days date[])
  returns table(day date, account_id uuid, home_currency text, face_currency text, home_minor bigint)
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

-- Income and expenses on cash basis. The results of documents are replaced by the shares that were paid; other events count as they
-- are booked.
create or replace function cash_sums(first_days date[], last_days date[])
  returns table(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
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

-- The sums of a period for the organization of the transaction, read at one moment: stored sums of days without a mark, and the
-- computed journal of the others.
create or replace function journal_balances(first_day date, last_day date, of_basis text)
  returns table(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
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

-- Stores sums, results and taxes by day for the organization of the transaction: of marked days, and of the days of the next
-- `events` events. The statement that removes marks also computes the sums, so that a mark is removed only if its change is in
-- them. One transaction at a time does so, so that sums are never replaced by older ones.
create or replace function store_journal_sums(events integer) returns text language plpgsql as $$
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
    delete from journal_results_by_day;
    delete from journal_taxes_by_day;
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
  ), placed as materialized (
    select p.*, face_currency(p.currency, p.home_currency, p.exchange_rate) as face_currency from ranges r
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
  ), booked as materialized ( -- as booked_lines()
    select p.day, p.event, p.event_id, p.document_id, p.payment_id, p.line, p.account_id, p.currency, p.home_currency, p.face_currency,
      p.exchange_rate, sum(p.home_minor)::bigint as home_minor
    from placed p group by 1, 2, 3, 4, 5, p.entry_id, 6, 7, 8, 9, 10, 11
  ), lines as materialized (
    select array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      p.face_currency, p.home_minor)::result_line from placed p where is_result_line(p.document_id, p.event, p.account)) as lines
  ), old_sums as (
    delete from journal_sums s using ranges r where s.day between r.first_day and r.last_day
  ), old_results as (
    delete from journal_results s using ranges r where s.day between r.first_day and r.last_day
  ), old_results_by_day as (
    delete from journal_results_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), old_taxes_by_day as (
    delete from journal_taxes_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), kept as (
    update journal_sums_state set upto = next_day where stored < 'infinity'
  ), results as (
    insert into journal_results (document_id, day, account_id, home_currency, face_currency, home_minor)
      select b.document_id, b.day, b.account_id, b.home_currency, b.face_currency, sum(b.home_minor)
      from booked b join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE') where b.event in ('ISSUED', 'CREDITED')
      group by 1, 2, 3, 4, 5
  ), results_by_day as (
    insert into journal_results_by_day select d.* from lines l cross join lateral grouped_results(l.lines) d
  ), taxes_by_day as (
    insert into journal_taxes_by_day select d.* from lines l cross join lateral grouped_taxes(l.lines) d
  ), sums as (
    insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
      select b.day, v.basis, b.account_id, b.home_currency, b.face_currency,
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

-- The days of a period that have to be computed, and the day up to which the others are stored.
create or replace function journal_gaps(first_day date, last_day date, out upto date, out marked date[], out first_days date[], out last_days date[])
  returns record
  language sql stable as $$
  with stored as materialized (
    select journal_stored_upto() as upto
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from journal_marks m
      where m.day between first_day and last_day and m.day > '-infinity' and m.day <= (select s.upto from stored s))) r
  ), missing as (
    select r.first_day, r.last_day from ranges r
    union all select greatest(first_day, s.upto + 1), last_day from stored s where s.upto < last_day
  )
  select s.upto, array(select r.first_day + n from ranges r cross join lateral generate_series(0, r.last_day - r.first_day) n),
    array(select m.first_day from missing m order by 1), array(select m.last_day from missing m order by 1)
  from stored s
$$;
grant execute on function journal_gaps(date, date) to kontor_confined;

-- Enqueues a job, once an hour, for organizations in which more days were changed than a report computes by itself, so that their
-- sums are stored before the first report asks for them.
create or replace function start_summing_up(most integer) returns bigint language sql as $$
  select count(requeue_job('sum-up-journal', 'organizationId', o.id, o.id)) from (
    select o.id from organizations o
    where exists (select from journal_marks m where m.organization_id = o.id offset 20)
    order by random() limit most) o
$$;

-- How much of the journal is added up, in percent of the documents, up to the last stored day.
create or replace function summed_up_percent() returns integer language sql stable as $$
  select coalesce(floor(100.0 * count(*) filter (where d.issue_date <= (select s.upto from journal_sums_state s)) / nullif(count(*), 0)), 0)::integer
  from documents d where d.issued_at is not null
$$;
grant execute on function summed_up_percent() to kontor_confined;
