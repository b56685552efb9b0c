-- Receipts in the books: a receipt is booked when money comes, and not when it is issued (decision 0048).

-- The money of an allocation to a receipt of an issuer who is registered for tax is an advance of the customer: the receipt states
-- it, and it stays an open remainder of the payment until an invoice uses it.
alter table allocations add column is_advance boolean not null default false;

-- As before, and marks an advance, which uses nothing of the payment.
create or replace function book_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paying payments;
  owed documents;
begin
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  if paying.rate_currency is not null then -- the amounts depend on the allocations before: one after the other
    perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id for no key update;
  end if;
  select * into owed from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  select booked_day(paying.paid_at, owed.issue_date, paying.created_at, now(), o.timezone) into new.booked_on
    from organizations o where o.id = new.organization_id;
  new.is_advance := paying.source <> 'CREDIT_MEMO' and (owed.kind, owed.document_type) = ('SALES', 'RECEIPT') and coalesce(
    (select c.registered from issued_copies c where c.organization_id = owed.organization_id and c.document_id = owed.id), false);
  if paying.rate_currency is null then return new; end if;
  if paying.source = 'CREDIT_MEMO' and paying.exchange_rate is null and owed.rate_currency = paying.rate_currency then
    -- the credit is used before its memo is written
    paying.exchange_rate := owed.exchange_rate;
    update payments p set exchange_rate = owed.exchange_rate, rate_date = owed.rate_date
      where p.organization_id = new.organization_id and p.id = new.payment_id;
  end if;
  if new.is_advance then
    new.document_home_minor := part_of_document(owed, new.amount_minor, paying.rate_currency);
    return new;
  end if;
  new.payment_home_minor := part_of_payment(paying, new.amount_minor);
  -- a document that was issued in another home currency is relieved at the rate of the payment
  new.document_home_minor := case when owed.rate_currency <> paying.rate_currency then new.payment_home_minor
    else part_of_document(owed, new.amount_minor, paying.rate_currency) end;
  return new;
end $$;

create or replace function part_of_payment(whole payments, part bigint) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(u.minor), 0), coalesce(sum(u.home), 0) into used, used_home from (
    select a.amount_minor as minor, coalesce(a.payment_home_minor, a.amount_minor) as home from allocations a
      where a.organization_id = whole.organization_id and a.payment_id = whole.id and a.voided_at is null and not a.is_advance
    union all
    select r.amount_minor, coalesce(r.refund_home_minor, r.amount_minor) from payments r
      where r.organization_id = whole.organization_id and r.refund_of = whole.id and r.voided_at is null) u;
  if used + part = whole.amount_minor then
    return home_minor(whole.amount_minor, whole.currency, whole.rate_currency, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, whole.rate_currency, whole.exchange_rate);
end $$;

-- As before, and an advance stays an open remainder.
create or replace function apply_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
      and d.currency = paying.currency and k.kind = paying.kind and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
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

-- As before, and the receipts of a payment together do not state more than its amount.
create or replace function refuse_second_statement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  payment uuid := new.payment_id;
  paying payments;
  stated boolean;
begin
  if tg_table_name = 'documents' then
    perform from payments p where p.organization_id = new.organization_id and p.id = payment for no key update;
    stated := exists (select from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null);
  else
    if not exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT')) then return null; end if;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = payment;
    if new.is_advance and new.amount_minor > paying.amount_minor - paying.allocated_minor - paying.refunded_minor then
      raise exception 'An advance is within the open remainder.' using errcode = 'check_violation', constraint = 'allocated_within_payment';
    end if;
    stated := exists (select from documents r where r.organization_id = new.organization_id and r.payment_id = payment
        and r.document_type = 'RECEIPT' and r.cancelled_at is null)
      -- an advance stays an open remainder, so its amount could be stated again
      or paying.amount_minor < (select sum(a.amount_minor) from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
        where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'));
  end if;
  if stated then
    raise exception 'The payment is stated by a receipt already.' using errcode = 'check_violation', constraint = 'payment_stated_once';
  end if;
  return null;
end $$;

-- As before, without receipts: what they acknowledge is booked when it is paid.
create or replace function journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select i.organization_id, i.issue_date, b.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.tax_category, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.* from documents d where d.kind = 'SALES' and d.document_type <> 'RECEIPT' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all -- apart, since sales have an index of their own
    select d.* from documents d where d.kind not in ('SALES', 'EXPENSE') and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event) e
  left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and e.event = 'CREDITED'
  cross join lateral (select e.event, coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
    exists (select from account_periods m where m.subject like 'TAX:%') and exists (select from document_lines l
      where l.organization_id = i.organization_id and l.document_id = i.id and l.tax_category is not null) as split,
    unbilled_account(i.organization_id, coalesce(s.document_type, i.document_type), coalesce(s.id, i.id)) as unbilled,
    case e.event when 'CREDITED' then -1 else 1 end as side) b
  cross join lateral (
    select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax where b.billed and not b.split
    union all
    select null, true, i.total_minor, 0 where not b.billed
    union all
    -- the net amount and the tax by tax category, in proportion to the lines
    select c.tax_category, c.is_first,
      (case when c.all_net = 0 then case when c.is_first then i.subtotal_minor else 0 end
        else round(i.subtotal_minor * c.net_upto / c.all_net) - round(i.subtotal_minor * (c.net_upto - c.net) / c.all_net) end)::bigint,
      (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
        else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
    from (select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
        sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
        sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
      from (select tax_code(l.tax_category) as tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
        from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by 1) g) c
    where b.billed and b.split
  ) p
  cross join lateral (values
    (1, case b.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
    (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
    (3, 'TAX', p.tax_category, -b.side * p.tax),
    (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
  ) l (line, account, tax_category, minor)
$$;

-- As before, without receipts: nothing was booked when they were issued.
create or replace function journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select d.organization_id, e.day, e.event, d.id, d.id, null::uuid, d.direction, 1, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, d.exchange_rate, 'ROUNDING'
  from (
    select d.organization_id, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) as day, 'CANCELLED' as event, d.id
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
    (2, unbilled_account(d.organization_id, d.document_type, d.id), open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
  where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
$$;

-- Receipts from before. The triggers must not run: nothing is paid or taken back.
alter table allocations disable trigger user;
update allocations a set is_advance = true, payment_home_minor = null
  from documents d, issued_copies c, payments p
  where d.organization_id = a.organization_id and d.id = a.document_id and (d.kind, d.document_type) = ('SALES', 'RECEIPT')
    and c.organization_id = d.organization_id and c.document_id = d.id and c.registered
    and p.organization_id = a.organization_id and p.id = a.payment_id and p.source <> 'CREDIT_MEMO';
alter table allocations enable trigger user;
alter table payments disable trigger user;
update payments p set allocated_minor = p.allocated_minor - a.minor
  from (select organization_id, payment_id, sum(amount_minor) as minor from allocations where is_advance and voided_at is null group by 1, 2) a
  where p.organization_id = a.organization_id and p.id = a.payment_id;
alter table payments enable trigger user;

-- As before, and an exempt dealer's invoice-receipt, which is a receipt by law, is cancelled too.
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
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $$;

-- A voided payment counts in the cash flow on its day, and negatively on the day of the void, as in the journal. That day is kept: it
-- would change with the time zone of the organization.
alter table payments add column voided_on date;
create function date_void() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.voided_on := (select greatest(new.paid_at, (new.voided_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id);
  return new;
end $$;
create trigger date_void before update on payments for each row when (old.voided_at is null and new.voided_at is not null) execute function date_void();
alter table payments disable trigger user;
update payments p set voided_on = greatest(p.paid_at, (p.voided_at at time zone o.timezone)::date)
  from organizations o where o.id = p.organization_id and p.voided_at is not null;
alter table payments enable trigger user;

-- As before, and the day of a void is the one that is kept.
create or replace function journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
  select p.organization_id, p.day, p.event, p.id, null::uuid, p.id, r.direction, r.times, l.line, l.account, null::text, l.bank_account_id, l.minor, p.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
      is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
  from (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
      and (p.paid_at, p.id) >= (first_day, first_id) and (p.paid_at, p.id) <= (last_day, last_id)
    union all
    select p.organization_id, p.voided_on, 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ) p
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
    case when p.refund_of is null then p.times else -p.times end as times) r
  cross join lateral (values
    (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (3, 'PREPAYMENTS', null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
  ) l (line, account, bank_account_id, minor, home)
  where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
$$;

-- As before. Money on a receipt of an issuer who is not registered for tax is income, at the rate of the payment. An advance is
-- booked with its payment alone. What is voided with its payment is reversed on the same day.
create or replace function journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid) returns setof journal_part_line
  language sql stable parallel safe as $$
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
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select (d.kind, d.document_type) = ('SALES', 'RECEIPT') as is_receipt, coalesce(a.payment_home_minor, a.amount_minor) as home) u
  cross join lateral (values (1, 'PREPAYMENTS', a.amount_minor, u.home),
    (2, case when u.is_receipt then unbilled_account(d.organization_id, d.document_type, d.id) else k.balance_account end, -a.amount_minor,
      case when u.is_receipt then -u.home else -coalesce(a.document_home_minor, a.amount_minor) end)) l (line, account, minor, home)
  where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
$$;

-- A void is converted at the rate of its payment (`rated_on`); everything else at that of its own day.
alter table cash_by_day add column rated_on date;
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
-- Voids from before.
insert into cash_by_day
  select p.organization_id, d.day, p.direction, p.currency, sum(d.times), sum(d.times * (p.amount_minor - p.withheld_minor)), d.rated_on
  from payments p cross join lateral (values (p.paid_at, 1, null::date), (p.voided_on, -1, p.paid_at)) d (day, times, rated_on)
  where p.source <> 'CREDIT_MEMO' and p.voided_on <> p.paid_at group by 1, 2, 3, 4, 7;
