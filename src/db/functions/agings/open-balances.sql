-- Says what parties owed on a day: the balances of documents and credits as they were then.

-- Allocations that were booked or voided after a day. The margin is for time zones, which may have changed since.
create or replace function changed_allocations(as_of date) returns table(organization_id uuid, document_id uuid, payment_id uuid)
  language sql stable parallel safe as $$
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.booked_on > as_of
  union all
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.voided_at >= (as_of - 2)::timestamptz
$$;
grant execute on function changed_allocations(date) to kontor_across, kontor_confined;

-- What was owed of each document of a kind at the end of a day. All documents, for statements and checks.
create or replace function open_balances(of_kind text, as_of date)
  returns table(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
  language sql stable parallel safe as $$
  select u.* from organizations o cross join lateral untouched_balances(o.id, o.currency, of_kind, as_of) u
  where u.document_id not in (select c.document_id from changed_documents(of_kind, as_of) c)
  union all
  select c.* from changed_balances(of_kind, as_of) c
$$;
grant execute on function open_balances(text, date) to kontor_across, kontor_confined;

-- What manual entries booked up to a day to accounts that had one of these purposes on the day of the entry; debits are positive.
create or replace function entry_balances(purposes text[], as_of date)
  returns table(organization_id uuid, entry_id uuid, kind text, day date, purpose text, home_minor bigint, home_currency text)
  language sql stable parallel safe as $$
  select e.organization_id, e.id, e.kind, e.date, substr(p.subject, 9), sum(l.debit_minor - l.credit_minor)::bigint, e.currency
  from account_periods p
  join journal_entry_lines l on l.organization_id = p.organization_id and l.account_id = p.account_id
  join journal_entries e on e.organization_id = l.organization_id and e.id = l.entry_id and e.date >= p.first_day and e.date < p.end_day
  where p.subject in (select 'PURPOSE:' || u.purpose from unnest(purposes) u (purpose)) and e.date <= as_of
  group by 1, 2, 3, 4, 5, 7 having sum(l.debit_minor - l.credit_minor) <> 0
$$;
grant execute on function entry_balances(text[], date) to kontor_across, kontor_confined;

-- What was open of each payment, and of the credit of each memo, at the end of a day: the lines of the journal on customer credits
-- and supplier advances. Money on a receipt of an issuer who is registered for tax is an advance until an invoice uses it.
create or replace function open_credits(of_kind text, as_of date)
  returns table(organization_id uuid, payment_id uuid, memo_id uuid, counterparty_id uuid, currency text, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
  language sql stable parallel safe as $$
  select p.organization_id, p.id, m.id, p.counterparty_id, p.currency, sum(l.minor)::bigint, sum(l.home)::bigint, l.home_currency, bool_and(l.rate_known)
  from (select p.organization_id, p.id from payments p
      where p.voided_at is null and p.refund_of is null and p.amount_minor > p.allocated_minor + p.refunded_minor
    union
    select c.organization_id, c.payment_id from changed_allocations(as_of) c
    union
    select p.organization_id, coalesce(p.refund_of, p.id) from payments p where p.voided_at >= (as_of - 2)::timestamptz
    union
    select r.organization_id, r.refund_of from payments r where r.paid_at > as_of and r.refund_of is not null
    union -- a document that is not issued yet uses nothing of a payment
    select a.organization_id, a.payment_id from documents d
    cross join lateral (select a.organization_id, a.payment_id from allocations a
      where a.organization_id = d.organization_id and a.document_id = d.id offset 0) a
    where d.kind = 'EXPENSE' and d.status in ('DRAFT', 'PENDING_REVIEW', 'REJECTED') and d.paid_minor > 0) c
  -- offset 0 makes PostgreSQL look each payment up by its id, however many it expects
  cross join lateral (select * from payments p where p.organization_id = c.organization_id and p.id = c.id offset 0) p
  join organizations o on o.id = p.organization_id
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  left join lateral (select m.* from documents m where p.source = 'CREDIT_MEMO' and m.organization_id = p.organization_id and m.payment_id = p.id
    and m.document_type = 'CREDIT_MEMO' offset 0) m on true
  cross join lateral (
    select p.amount_minor as minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate) as home, h.home as home_currency,
      p.rate_currency is null or p.exchange_rate is not null as rate_known
    where p.source <> 'CREDIT_MEMO' and p.paid_at <= as_of
      and (p.voided_on is null or p.voided_on > as_of)
    union all
    select m.total_minor, home_minor(m.total_minor, m.currency, coalesce(m.rate_currency, o.currency), m.exchange_rate), coalesce(m.rate_currency, o.currency),
      m.exchange_rate is not null or m.currency = coalesce(m.rate_currency, o.currency)
    where m.issued_at is not null and m.issue_date <= as_of and (p.voided_on is null or greatest(m.issue_date, p.voided_on) > as_of)
    union all
    select -a.amount_minor, -coalesce(a.payment_home_minor, a.amount_minor), h.home, true
    from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    left join issued_copies i on d.document_type = 'RECEIPT' and i.organization_id = d.organization_id and i.document_id = d.id and i.registered
    where a.organization_id = p.organization_id and a.payment_id = p.id and d.issued_at is not null and a.booked_on <= as_of
      and (i.document_id is null or p.source = 'CREDIT_MEMO')
      and (a.voided_at is null or greatest(a.booked_on, voided_day(a.voided_at, p.voided_at, p.voided_on, o.timezone)) > as_of)
    union all
    select -r.amount_minor, -coalesce(r.refund_home_minor, home_minor(r.amount_minor, r.currency, coalesce(r.rate_currency, r.currency), r.exchange_rate)),
      coalesce(r.rate_currency, r.currency), true
    from payments r where r.organization_id = p.organization_id and r.refund_of = p.id and r.paid_at <= as_of
      and (r.voided_on is null or r.voided_on > as_of)
  ) l
  where p.kind = of_kind and p.refund_of is null
  group by p.organization_id, p.id, m.id, p.counterparty_id, p.currency, l.home_currency having sum(l.minor) <> 0 or sum(l.home) <> 0
$$;
grant execute on function open_credits(text, date) to kontor_across, kontor_confined;

-- Documents whose balance on a day is not, or may not be, their total: partly settled, or changed after that day.
create or replace function changed_documents(of_kind text, as_of date) returns table(organization_id uuid, document_id uuid)
  language sql stable parallel safe as $$
  select c.organization_id, c.document_id from changed_allocations(as_of) c
  union
  select d.organization_id, d.id from documents d where d.cancelled_at >= (as_of - 2)::timestamptz
  union
  select i.organization_id, i.source_document_id from documents i
  where i.kind = 'SALES' and i.issue_date > as_of and i.source_document_id is not null
  union
  select d.organization_id, d.id from documents d where d.kind = of_kind and d.issued_at is not null and d.payment_id is null
    and d.paid_minor + d.credited_minor > 0 and d.total_minor > d.paid_minor + d.credited_minor
$$;
grant execute on function changed_documents(text, date) to kontor_across, kontor_confined;

-- Documents of an organization of which nothing is paid, credited or closed now, without those of changed_documents(), which the
-- caller leaves out. The conversion is that of home_minor(), written out because the call takes longer than reading the row.
create or replace function untouched_balances(organization uuid, home text, of_kind text, as_of date)
  returns table(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
  language sql stable parallel safe as $$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, case when d.due_date is null then d.issue_date else d.due_date end,
    d.currency, d.in_dispute, d.total_minor,
    case when d.currency = coalesce(d.rate_currency, home) then d.total_minor
      when minor_units(d.currency) = minor_units(coalesce(d.rate_currency, home)) 
        then case when d.exchange_rate is null then d.total_minor else round(d.total_minor * d.exchange_rate)::bigint end
      else div(2 * d.total_minor * (coalesce(d.exchange_rate, 1) * minor_units(coalesce(d.rate_currency, home))) + minor_units(d.currency),
        2 * minor_units(d.currency))::bigint end,
    coalesce(d.rate_currency, home), d.exchange_rate is not null or d.currency = coalesce(d.rate_currency, home)
  from documents d
  where d.organization_id = organization and d.kind = of_kind and d.issue_date <= as_of
    and d.issued_at is not null and d.payment_id is null and d.total_minor > 0 and d.paid_minor + d.credited_minor = 0 and d.cancelled_at is null
    and (d.kind = 'EXPENSE' or d.kind = 'SALES' and d.direction = 'OUTGOING' and d.status in ('UNSENT', 'SENT') and d.document_type <> 'RECEIPT'
      and d.converted_to_id is null)
$$;
grant execute on function untouched_balances(uuid, text, text, date) to kontor_across, kontor_confined;

-- What was owed of each document of changed_documents() at the end of the day.
create or replace function changed_balances(of_kind text, as_of date)
  returns table(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
  language sql stable parallel safe as $$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date), d.currency, d.in_dispute,
    sum(p.minor)::bigint, sum(p.home)::bigint, p.home_currency, bool_and(p.rate_known)
  from changed_documents(of_kind, as_of) c
  -- offset 0 makes PostgreSQL look each document up by its id, however many it expects
  cross join lateral (select * from documents d where d.organization_id = c.organization_id and d.id = c.document_id offset 0) d
  join organizations o on o.id = d.organization_id
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  left join lateral (select i.issue_date from documents i where i.organization_id = d.organization_id and i.id = d.converted_to_id offset 0) i on true
  cross join lateral (
    select d.total_minor as minor, home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) as home, h.home as home_currency,
      d.exchange_rate is not null or d.currency = h.home as rate_known
    union all
    select -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor), coalesce(m.rate_currency, m.currency), true
    from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
    where a.organization_id = d.organization_id and a.document_id = d.id and a.booked_on <= as_of
      and (a.voided_at is null or greatest(a.booked_on, voided_day(a.voided_at, m.voided_at, m.voided_on, o.timezone)) > as_of)
    union all
    select coalesce(sum(a.amount_minor), 0) - d.total_minor,
      coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) - home_minor(d.total_minor, d.currency, h.home, d.exchange_rate), h.home, true
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
    having (d.cancelled_at at time zone o.timezone)::date <= as_of or i.issue_date <= as_of
  ) p
  where d.kind = of_kind and d.issued_at is not null and d.payment_id is null and d.issue_date <= as_of and d.document_type <> 'RECEIPT'
  group by d.organization_id, d.id, d.counterparty_id, d.document_type, d.due_date, d.issue_date, d.currency, d.in_dispute, p.home_currency
  having sum(p.minor) <> 0 or sum(p.home) <> 0
$$;
grant execute on function changed_balances(text, date) to kontor_across, kontor_confined;
