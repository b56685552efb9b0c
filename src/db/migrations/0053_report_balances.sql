-- What is open on a day, by document and by payment, for the agings. Both functions read what is open now and what has changed since
-- that day, so the aging of today reads open documents alone. They book as journal_lines() does, and kontor verify compares them.

create index open_expenses on documents (organization_id, id)
  where kind = 'EXPENSE' and issued_at is not null and payment_id is null and total_minor > paid_minor + credited_minor;

create index open_payments on payments (organization_id, id)
  where voided_at is null and refund_of is null and amount_minor > allocated_minor + refunded_minor;

-- Allocations that were booked after a day, or voided after it; the margin is for the time zone of the organization.
create function changed_allocations(as_of date)
returns table (organization_id uuid, document_id uuid, payment_id uuid) language sql stable parallel safe as $$
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.booked_on > as_of
  union all
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.voided_at >= (as_of - 1)::timestamptz
$$;
grant execute on function changed_allocations(date) to kontor_confined, kontor_across;

-- What was owed of each document of a kind at the end of a day, in its currency and in the home currency: the lines of the journal
-- on RECEIVABLES or PAYABLES. A receipt is owed by nobody. A document has one row for each home currency in which it was booked.
create function open_balances(of_kind text, as_of date)
returns table (organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean,
  minor bigint, home_minor bigint, home_currency text, rate_known boolean) language sql stable parallel safe as $$
  with changed as materialized (
    select c.organization_id, c.document_id as id from changed_allocations(as_of) c
    union
    select d.organization_id, d.id from documents d where d.cancelled_at >= (as_of - 1)::timestamptz
    union
    select i.organization_id, i.source_document_id from documents i
    where i.kind = 'SALES' and i.issue_date > as_of and i.source_document_id is not null
  ), open as not materialized (
    select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date) as due, d.currency, d.in_dispute, d.total_minor,
      d.rate_currency, d.exchange_rate, d.paid_minor + d.credited_minor > 0 or d.cancelled_at is not null or d.converted_to_id is not null as is_changed
    from documents d where of_kind = 'SALES' and d.kind = 'SALES' and d.direction = 'OUTGOING' and d.status in ('UNSENT', 'SENT')
      and d.issued_at is not null and d.payment_id is null and d.issue_date <= as_of and d.document_type <> 'RECEIPT'
    union all
    select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date), d.currency, d.in_dispute, d.total_minor,
      d.rate_currency, d.exchange_rate, d.paid_minor + d.credited_minor > 0
    from documents d where of_kind = 'EXPENSE' and d.kind = 'EXPENSE' and d.issued_at is not null and d.payment_id is null
      and d.total_minor > d.paid_minor + d.credited_minor and d.issue_date <= as_of
  )
  -- of these nothing is paid, credited or closed, and was not on that day
  select d.organization_id, d.id, d.counterparty_id, d.document_type, d.due, d.currency, d.in_dispute, d.total_minor,
    case when d.currency = coalesce(d.rate_currency, o.currency) then d.total_minor
      else home_minor(d.total_minor, d.currency, coalesce(d.rate_currency, o.currency), d.exchange_rate) end,
    coalesce(d.rate_currency, o.currency), d.exchange_rate is not null or d.currency = coalesce(d.rate_currency, o.currency)
  from open d join organizations o on o.id = d.organization_id
  where not d.is_changed and d.total_minor > 0 and d.id not in (select c.id from changed c)
  union all
  select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date), d.currency, d.in_dispute,
    sum(p.minor)::bigint, sum(p.home)::bigint, p.home_currency, bool_and(p.rate_known)
  from (select c.organization_id, c.id from changed c
    union
    select d.organization_id, d.id from open d where d.is_changed) c
  join documents d on d.organization_id = c.organization_id and d.id = c.id
  join organizations o on o.id = d.organization_id
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  left join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
  cross join lateral (
    select d.total_minor as minor, home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) as home, h.home as home_currency,
      d.exchange_rate is not null or d.currency = h.home as rate_known
    union all
    select -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor), coalesce(m.rate_currency, m.currency), true
    from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
    where a.organization_id = d.organization_id and a.document_id = d.id and a.booked_on <= as_of
      and (a.voided_at is null or greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date) > as_of)
    union all
    select coalesce(sum(a.amount_minor), 0) - d.total_minor,
      coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) - home_minor(d.total_minor, d.currency, h.home, d.exchange_rate), h.home, true
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
    having (d.cancelled_at at time zone o.timezone)::date <= as_of or i.issue_date <= as_of
  ) p
  where d.kind = of_kind and d.issued_at is not null and d.payment_id is null and d.issue_date <= as_of and d.document_type <> 'RECEIPT'
  group by d.organization_id, d.id, p.home_currency having sum(p.minor) <> 0 or sum(p.home) <> 0
$$;
grant execute on function open_balances(text, date) to kontor_confined, kontor_across;

-- What was open of each payment and of the credit of each memo at the end of a day: the lines of the journal on customer credits and
-- supplier advances. Money on a receipt of an issuer who is registered for tax is an advance until an invoice uses it.
create function open_credits(of_kind text, as_of date)
returns table (organization_id uuid, payment_id uuid, memo_id uuid, counterparty_id uuid, currency text,
  minor bigint, home_minor bigint, home_currency text, rate_known boolean) language sql stable parallel safe as $$
  select p.organization_id, p.id, m.id, p.counterparty_id, p.currency, sum(l.minor)::bigint, sum(l.home)::bigint, l.home_currency, bool_and(l.rate_known)
  from (select p.organization_id, p.id from payments p
      where p.voided_at is null and p.refund_of is null and p.amount_minor > p.allocated_minor + p.refunded_minor
    union
    select c.organization_id, c.payment_id from changed_allocations(as_of) c
    union
    select p.organization_id, coalesce(p.refund_of, p.id) from payments p where p.voided_at >= (as_of - 1)::timestamptz
    union
    select r.organization_id, r.refund_of from payments r where r.paid_at > as_of and r.refund_of is not null
    union -- a document that is not issued yet takes nothing of a payment
    select a.organization_id, a.payment_id from documents d join allocations a on a.organization_id = d.organization_id and a.document_id = d.id
    where d.kind = 'EXPENSE' and d.status in ('DRAFT', 'PENDING_REVIEW', 'REJECTED') and d.paid_minor > 0) c
  join payments p on p.organization_id = c.organization_id and p.id = c.id
  join organizations o on o.id = p.organization_id
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  left join documents m on p.source = 'CREDIT_MEMO' and m.organization_id = p.organization_id and m.payment_id = p.id and m.document_type = 'CREDIT_MEMO'
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
      and (a.voided_at is null or greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date) > as_of)
    union all
    select -r.amount_minor, -coalesce(r.refund_home_minor, home_minor(r.amount_minor, r.currency, coalesce(r.rate_currency, r.currency), r.exchange_rate)),
      coalesce(r.rate_currency, r.currency), true
    from payments r where r.organization_id = p.organization_id and r.refund_of = p.id and r.paid_at <= as_of
      and (r.voided_on is null or r.voided_on > as_of)
  ) l
  where p.kind = of_kind and p.refund_of is null
  group by p.organization_id, p.id, m.id, l.home_currency having sum(l.minor) <> 0 or sum(l.home) <> 0
$$;
grant execute on function open_credits(text, date) to kontor_confined, kontor_across;
