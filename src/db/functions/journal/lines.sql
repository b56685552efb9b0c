-- The lines of the journal between two days, with the accounts that they are booked to.

-- The lines of the journal between two days. Expenses are booked by category: their `tax_category` is CATEGORY:<id>, the subject of
-- account_periods.
create or replace function journal_lines(first_day date, last_day date)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  select * from journal_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;
grant execute on function journal_lines(date, date) to kontor_across, kontor_confined;

create or replace function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, first_id, last_day, last_id)
      union all select * from journal_of_expenses(first_day, first_id, last_day, last_id)
      union all select * from journal_of_closed(first_day, first_id, last_day, last_id)
      union all select * from journal_of_payments(first_day, first_id, last_day, last_id)
      union all select * from journal_of_allocations(first_day, first_id, last_day, last_id)
      union all select * from journal_of_stock(first_day, first_id, last_day, last_id)) l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.subject,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  -- entries that people made
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day and (e.date, e.id) >= (first_day, first_id) and (e.date, e.id) <= (last_day, last_id)
$$;
grant execute on function journal_lines(date, uuid, date, uuid) to kontor_across, kontor_confined;

-- The lines of the journal with the account that takes them on their day, one line for each event, line and account.
create or replace function booked_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select p.organization_id, p.day, p.event, p.event_id, p.document_id, p.payment_id, p.entry_id, p.line, p.account_id, p.currency, p.home_currency,
    p.exchange_rate, sum(p.minor)::bigint, sum(p.home_minor)::bigint
  from placed_lines(first_day, first_id, last_day, last_id) p
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
$$;
grant execute on function booked_lines(date, uuid, date, uuid) to kontor_confined;

create or replace function booked_lines(first_day date, last_day date)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select * from booked_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;
grant execute on function booked_lines(date, date) to kontor_confined;

-- The same lines before they are added up by account.
create or replace function placed_lines(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, subject text, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
  language sql stable parallel safe as $$
  select j.organization_id, j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.direction, j.line, j.account,
    coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.tax_category, j.currency, j.home_currency, j.exchange_rate,
    j.minor, j.home_minor
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
$$;
grant execute on function placed_lines(date, uuid, date, uuid) to kontor_confined;

-- What documents booked to income and expenses when they were issued.
create or replace function results_of(first_day date, first_id uuid, last_day date, last_id uuid)
  returns table(organization_id uuid, document_id uuid, day date, account_id uuid, home_currency text, face_currency text, home_minor bigint)
  language sql stable parallel safe as $$
  select b.organization_id, b.document_id, b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
    sum(b.home_minor)::bigint
  from booked_lines(first_day, first_id, last_day, last_id) b
  join accounts a on a.organization_id = b.organization_id and a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
  where b.event in ('ISSUED', 'CREDITED') group by 1, 2, 3, 4, 5, 6
$$;
grant execute on function results_of(date, uuid, date, uuid) to kontor_confined;

-- The share of a document's amount that an allocation pays, rounded after the earlier shares, so that the shares add up.
create or replace function share_of(home_minor bigint, upto numeric, amount_minor bigint, total_minor bigint) returns bigint
  language sql immutable parallel safe as $$
  select (round(home_minor * upto / total_minor) - round(home_minor * (upto - amount_minor) / total_minor))::bigint
$$;
grant execute on function share_of(bigint, numeric, bigint, bigint) to kontor_confined;

-- The money that paid documents, and refunds of credits, each with the share of the document that was paid with it and before it.
create or replace function money_moved(first_day date, last_day date)
  returns table(organization_id uuid, document_id uuid, day date, times integer, amount_minor bigint, upto numeric)
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

-- Whether a line of the journal is a line of the result of its document. Rounding of allocations and goods that the stock receives
-- are not.
create or replace function is_result_line(document_id uuid, event text, account text) returns boolean
  language sql immutable parallel safe as $$
  select document_id is not null and (account in ('REVENUE', 'EXPENSES', 'TAX')
    or account in ('ROUNDING', 'GOODS_RECEIVED') and event in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'))
$$;
grant execute on function is_result_line(uuid, text, text) to kontor_confined;
