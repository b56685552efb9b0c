-- Credited is not paid, and what asks for money without being a tax document is converted or cancelled instead of credited
-- (decision 0040).
--
-- The version before keeps working while this one migrates (FLT-16): it reads and writes none of the new columns, and what
-- it derives from the paid amount alone is refused by the checks below where a credit makes a difference.

alter table documents
  add column credited_minor bigint not null default 0, -- settled by credit memos of this document; paid_minor is money alone
  add column converted_to_id uuid, -- the invoice that was issued for this payment request
  add constraint documents_converted_to_id_fkey foreign key (organization_id, converted_to_id) references documents (organization_id, id);
create index on documents (organization_id, converted_to_id) where converted_to_id is not null;
grant update (cancelled_at) on documents to kontor_confined;

-- True if the credit of a memo settles the document that the memo corrects. A credit that settles another document stems
-- from money that was received, so it counts as paid there.
alter table allocations add column is_credit boolean not null default false;

create function open_minor(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.payment_id is not null or d.cancelled_at is not null or d.converted_to_id is not null then 0
    else d.total_minor - d.paid_minor - d.credited_minor end
$$;
grant execute on function open_minor(documents) to kontor_confined, kontor_across;

-- PAID needs money, or a total of zero.
create function is_settled(total bigint, paid bigint, credited bigint) returns boolean language sql immutable parallel safe as $$
  select paid + credited = total and (paid > 0 or total = 0)
$$;

-- Half a minor unit for each line, rounded up; one more where the tax is added.
create or replace function amounts_match(lines bigint, line_sum numeric, subtotal bigint, tax bigint, total bigint) returns boolean
  language sql immutable parallel safe as $$
  select abs(line_sum - subtotal) <= (lines + 1) / 2 and abs(subtotal + tax - total) <= (lines + 1) / 2 + 1
    and (lines > 0 or (subtotal, tax, total) = (0, 0, 0))
$$;

-- Allocations

create function mark_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- the memo is written after its credit, in the same transaction, so a credit without a memo is that of the document
  new.is_credit := exists (select from payments p
      where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO')
    and not exists (select from documents m where m.organization_id = new.organization_id and m.payment_id = new.payment_id
      and m.document_type = 'CREDIT_MEMO' and m.source_document_id <> new.document_id);
  return new;
end $$;
create trigger mark_credit before insert on allocations for each row execute function mark_credit();

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
      payment_date = case when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.paid_at
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_date end,
      payment_method = case when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.method
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_method end,
      receipt_number = case when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.receipt_number end,
      -- a receipt without its payment acknowledges nothing
      cancelled_at = case when change < 0 and d.document_type = 'RECEIPT' and d.paid_minor + money = 0 then coalesce(d.cancelled_at, new.voided_at) else d.cancelled_at end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.id = new.document_id and k.kind = d.kind and d.status = any (k.payable_statuses)
      and d.payment_id is null and (change < 0 or d.cancelled_at is null and d.converted_to_id is null)
      and d.currency = paying.currency and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
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
  update payments p set allocated_minor = p.allocated_minor + change
    where p.organization_id = new.organization_id and p.id = new.payment_id and (change < 0 or p.voided_at is null);
  if not found then
    raise exception 'The payment was voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
  end if;
  return null;
end $$;

-- Documents

create or replace function guard_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rules ledger_kinds;
  is_final boolean;
begin
  if tg_op = 'UPDATE' and old.issued_at is not null
    and (new.organization_id, new.id, new.kind, new.direction, new.series, new.sequence, new.number, new.issued_at)
      is distinct from (old.organization_id, old.id, old.kind, old.direction, old.series, old.sequence, old.number, old.issued_at) then
    perform refuse_frozen();
  end if;
  select * into rules from ledger_kinds k where k.kind = new.kind;
  if tg_op = 'UPDATE' then perform refuse_frozen_change(rules, old, new); end if;
  if rules.kind is null or new.direction <> rules.direction or new.document_type <> all (rules.document_types) or new.status <> all (rules.statuses) then
    raise exception 'A document has a kind, and a direction, type and status of that kind.' using errcode = 'check_violation', constraint = 'document_of_kind';
  end if;
  if new.counterparty_id is null and rules.counterparty_needed then
    raise exception 'A document of this kind names its counterparty.' using errcode = 'not_null_violation', column = 'counterparty_id';
  end if;
  is_final := new.status <> all (rules.draft_statuses);
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((rules.transitions -> old.status) ? new.status, false)
      and not (old.status = 'PAID' and new.status = case when new.sent_at is null then rules.open_status else coalesce(rules.sent_status, rules.open_status) end) then
      if old.issued_at is not null and not is_final then perform refuse_frozen(); end if;
      raise exception 'A document does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    -- deleting the account would take it off the document; an edit of the document may
    if old.issued_at is not null and old.bank_account_id is not null and new.bank_account_id is null and pg_trigger_depth() > 1 then
      raise exception 'The account stands on an issued document.' using errcode = 'check_violation', constraint = 'account_on_issued_document';
    end if;
  end if;
  if new.status = rules.sent_status and new.sent_at is null then new.sent_at := now(); end if;
  if new.paid_minor > 0 and new.status <> all (rules.payable_statuses) then
    raise exception 'A document that is % has no payments.', new.status using errcode = 'check_violation', constraint = 'payable_when_paid';
  end if;
  -- PAID exactly when nothing is open and money was received (INV-05); the other direction is the check settled_when_paid
  if is_final and rules.open_status is not null and new.payment_id is null and new.total_minor > 0
    and is_settled(new.total_minor, new.paid_minor, new.credited_minor) and new.status <> 'PAID' then
    if tg_op = 'UPDATE' and old.issued_at is not null then
      raise exception 'A document of which nothing is open is PAID.' using errcode = 'check_violation', constraint = 'settled_when_paid';
    end if;
    new.status := 'PAID'; -- it was paid in full before it became final
  end if;
  if tg_op = 'UPDATE' and old.issued_at is not null and is_final then return new; end if;
  new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c
    where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  if is_final then
    if rules.numbered then
      select n.day, n.series, n.sequence, n.number into new.issue_date, new.series, new.sequence, new.number
        from next_document_number(new.organization_id, new.document_type, new.issue_date_given, new.issue_date) n;
    end if;
    new.issued_at := now();
  else
    new.issued_at := null; -- a kind may let a final document be taken back; one with a number never is
    new.exchange_rate := null;
    new.rate_currency := null;
    new.rate_date := null;
  end if;
  return new;
end $$;

-- Memos correct tax documents, and credits do not exceed what they correct.
create function guard_memo() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  source documents;
begin
  select * into source from documents d where d.organization_id = new.organization_id and d.id = new.source_document_id;
  if source.document_type = any (select unnest(k.unbilled_types) from ledger_kinds k where k.kind = new.kind) then
    raise exception 'A document that is no tax document is cancelled.' using errcode = 'check_violation', constraint = 'memo_of_tax_document';
  end if;
  if new.document_type = 'CREDIT_MEMO' and new.total_minor + coalesce((select sum(m.total_minor) from documents m
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $$;
create trigger guard_memo before insert on documents for each row
  when (new.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') and new.source_document_id is not null) execute function guard_memo();

-- A cancellation and a conversion are final, and so is text that the law wants: the reason of a memo, the tax withheld
-- from a receipt.
create function guard_legal_content() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_frozen();
  return new;
end $$;
create trigger guard_legal_content before update on documents for each row
  when (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at
    or old.converted_to_id is not null and new.converted_to_id is distinct from old.converted_to_id
    or old.issued_at is not null and (
      old.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') and new.notes is distinct from old.notes
      or old.document_type in ('RECEIPT', 'INVOICE_RECEIPT')
        and new.country_specific_data -> 'withholdingTax' is distinct from old.country_specific_data -> 'withholdingTax'))
  execute function guard_legal_content();

-- Links a payment request to the invoice that was issued for it, and moves its payments there.
create function convert_document(request uuid, invoice uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved allocations;
begin
  for moved in update allocations a set voided_at = now()
      where a.organization_id = current_organization() and a.document_id = request and a.voided_at is null returning a.* loop
    insert into allocations (organization_id, id, payment_id, document_id, line_id, amount_minor)
      values (moved.organization_id, new_id(), moved.payment_id, invoice, moved.line_id, moved.amount_minor);
  end loop;
  update documents d set converted_to_id = invoice
    from documents i
    where d.organization_id = current_organization() and d.id = request and d.document_type = 'PAYMENT_REQUEST' and d.issued_at is not null
      and d.cancelled_at is null and d.converted_to_id is null and d.credited_minor = 0
      and i.organization_id = d.organization_id and i.id = invoice and i.source_document_id = d.id and i.issued_at is not null
      and i.document_type in ('INVOICE', 'INVOICE_RECEIPT') and i.total_minor = d.total_minor;
  if not found then
    raise exception 'The document cannot be converted.' using errcode = 'check_violation', constraint = 'convertible_document';
  end if;
end $$;
grant execute on function convert_document(uuid, uuid) to kontor_confined;

-- Sums

-- What a document adds to the totals of its status. Credit memos are subtracted from paid sales on their own.
create function sales_total(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.cancelled_at is not null or d.converted_to_id is not null then 0
    when d.status = 'PAID' then d.total_minor else d.total_minor - d.credited_minor end
$$;

create or replace function add_sales(document documents, sort text, status text, times integer) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rate numeric := coalesce(document.exchange_rate, 0);
  rated text := coalesce(document.rate_currency, '');
  sold bigint := case sort when 'SALE' then times * document.total_minor else 0 end;
  credited bigint := case sort when 'CREDIT' then times * document.total_minor else 0 end;
  period date := case when status = 'DRAFT' or rate <> 0 then date_trunc('month', document.issue_date)::date else document.issue_date end;
begin
  with gone as (
    delete from sales_by_day s where s.ctid = any (array(select t.ctid from sales_by_day t
      where t.organization_id = document.organization_id and t.day = period and t.sort = add_sales.sort and t.status = add_sales.status
        and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.open_minor
  )
  insert into sales_by_day
    select document.organization_id, period, sort, status, document.currency, rate, rated, sum(a.documents), sum(a.total_minor), sum(a.open_minor)
    from (select * from gone union all
      select times, times * sales_total(document), times * open_minor(document)) a (documents, total_minor, open_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.open_minor)) <> (0, 0, 0);
  if status <> 'PAID' or sort = 'OTHER' then return; end if;
  with gone as (
    delete from sales_by_customer s where s.ctid = any (array(select t.ctid from sales_by_customer t
      where t.organization_id = document.organization_id and t.year = extract(year from document.issue_date)::integer
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.credited_minor
  )
  insert into sales_by_customer
    select document.organization_id, extract(year from document.issue_date)::integer, document.counterparty_id, document.currency, rate, rated,
      sum(a.documents), sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select case sort when 'SALE' then times else 0 end, sold, credited) a (documents, total_minor, credited_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.credited_minor)) <> (0, 0, 0);
  if rate <> 0 then return; end if;
  with gone as (
    delete from sales_by_customer_day s where s.ctid = any (array(select t.ctid from sales_by_customer_day t
      where t.organization_id = document.organization_id and t.day = document.issue_date
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency for update skip locked))
    returning s.total_minor, s.credited_minor
  )
  insert into sales_by_customer_day
    select document.organization_id, document.issue_date, document.counterparty_id, document.currency, sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select sold, credited) a (total_minor, credited_minor)
    having (sum(a.total_minor), sum(a.credited_minor)) <> (0, 0);
end $$;

create or replace function sales_by_day_now() returns SETOF sales_by_day language sql stable as $$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*), sum(sales_total(d))::bigint, sum(open_minor(d))::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
$$;

-- Existing documents: the credits of their own memos move from paid to credited, and a document that was only credited is
-- no longer PAID. Receipts whose payments were all voided are cancelled.

drop trigger update_sales_totals_of_changed on documents;
alter table documents drop constraint paid_within_total, drop constraint settled_when_paid;

update allocations a set is_credit = true from documents m
  where m.organization_id = a.organization_id and m.payment_id = a.payment_id and m.document_type = 'CREDIT_MEMO' and m.source_document_id = a.document_id;

update documents d set paid_minor = d.paid_minor - c.minor, credited_minor = c.minor,
    status = case when d.status <> 'PAID' or d.paid_minor > c.minor then d.status when d.sent_at is null then k.open_status else coalesce(k.sent_status, k.open_status) end,
    payment_date = case when d.status <> 'PAID' then d.payment_date else c.paid_at end,
    payment_method = case when d.status <> 'PAID' then d.payment_method else c.method end,
    receipt_number = case when d.paid_minor > c.minor then d.receipt_number end
  from ledger_kinds k, (
    select a.organization_id, a.document_id, sum(a.amount_minor) filter (where a.is_credit) as minor,
      (array_agg(p.paid_at order by a.id desc) filter (where not a.is_credit))[1] as paid_at,
      (array_agg(p.method order by a.id desc) filter (where not a.is_credit))[1] as method
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    where a.voided_at is null group by 1, 2 having bool_or(a.is_credit)) c
  where k.kind = d.kind and c.organization_id = d.organization_id and c.document_id = d.id;

update documents d set cancelled_at = v.voided_at
  from (select a.organization_id, a.document_id, max(a.voided_at) as voided_at from allocations a group by 1, 2 having count(*) = count(a.voided_at)) v
  where d.document_type = 'RECEIPT' and d.payment_id is null and d.cancelled_at is null and d.paid_minor = 0
    and v.organization_id = d.organization_id and v.document_id = d.id;

alter table documents
  add constraint paid_within_total check (paid_minor >= 0 and credited_minor >= 0 and paid_minor + credited_minor <= greatest(total_minor, 0)),
  add constraint settled_when_paid check (status <> 'PAID' or payment_id is not null
    or paid_minor + credited_minor = total_minor and (paid_minor > 0 or total_minor = 0)),
  add constraint cancelled_type check (cancelled_at is null or issued_at is not null and document_type in ('RECEIPT', 'PAYMENT_REQUEST')),
  add constraint closed_document_is_unpaid check (payment_id is not null or paid_minor = 0 or cancelled_at is null and converted_to_id is null),
  add constraint closed_once check (cancelled_at is null or converted_to_id is null);

create trigger update_sales_totals_of_changed after update on documents for each row
  when (new.kind = 'SALES' and new.direction = 'OUTGOING' and new.payment_id is null
    and (old.status, old.document_type, old.counterparty_id, old.currency, old.exchange_rate, old.issue_date, old.total_minor, old.paid_minor,
        old.credited_minor, old.cancelled_at, old.converted_to_id)
      is distinct from (new.status, new.document_type, new.counterparty_id, new.currency, new.exchange_rate, new.issue_date, new.total_minor, new.paid_minor,
        new.credited_minor, new.cancelled_at, new.converted_to_id))
  execute function update_sales_totals();

delete from sales_by_day;
delete from sales_by_customer;
delete from sales_by_customer_day;
insert into sales_by_day select * from sales_by_day_now();
insert into sales_by_customer select * from sales_by_customer_now();
insert into sales_by_customer_day select * from sales_by_customer_day_now();

-- Journal

create or replace function journal() returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, account text, debit_minor bigint, credit_minor bigint, currency text) language sql stable parallel safe as $$
  with happened as (
    -- as for what is owed to us, debits positive; what we owe is turned round below
    select d.organization_id, d.issue_date as day, null::timestamptz as voided_at, 'ISSUED' as event, d.id as event_id, d.id as document_id,
      null::uuid as payment_id, d.currency, d.direction, e.account, e.minor
    from documents d join all_ledger_kinds() k on k.kind = d.kind
    cross join lateral (select d.document_type <> all (k.unbilled_types) as billed) b
    cross join lateral (values
      (k.balance_account, d.total_minor),
      (case when b.billed then k.result_account else 'UNBILLED' end, case when b.billed then d.tax_minor else 0 end - d.total_minor),
      ('TAX', case when b.billed then -d.tax_minor else 0 end)) e (account, minor)
    where d.issued_at is not null and d.payment_id is null
    union all
    select d.organization_id, d.issue_date, null, 'CREDITED', d.id, d.id, d.payment_id, d.currency, d.direction, e.account, e.minor
    from documents d join documents s on s.organization_id = d.organization_id and s.id = d.source_document_id
    join all_ledger_kinds() k on k.kind = d.kind
    cross join lateral (select s.document_type <> all (k.unbilled_types) as billed) b
    cross join lateral (values
      ('PREPAYMENTS', -d.total_minor),
      (case when b.billed then k.result_account else 'UNBILLED' end, d.total_minor - case when b.billed then d.tax_minor else 0 end),
      ('TAX', case when b.billed then d.tax_minor else 0 end)) e (account, minor)
    where d.document_type = 'CREDIT_MEMO' and d.payment_id is not null
    union all
    -- what was asked for without an invoice is no longer owed once it was cancelled or invoiced
    select d.organization_id, greatest(d.issue_date, coalesce(i.issue_date, (d.cancelled_at at time zone o.timezone)::date)), null,
      case when i.id is null then 'CANCELLED' else 'CONVERTED' end, d.id, d.id, null, d.currency, d.direction, e.account, e.minor
    from documents d join all_ledger_kinds() k on k.kind = d.kind
    join organizations o on o.id = d.organization_id
    left join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    cross join lateral (select d.total_minor - d.paid_minor - d.credited_minor as minor) b
    cross join lateral (values (k.balance_account, -b.minor), ('UNBILLED', b.minor)) e (account, minor)
    where d.payment_id is null and (d.cancelled_at is not null or d.converted_to_id is not null)
    union all
    select p.organization_id, p.paid_at, p.voided_at, 'PAID', p.id, null, p.id, p.currency, p.direction, e.account, e.minor
    from payments p cross join lateral (values ('CASH', p.amount_minor), ('PREPAYMENTS', -p.amount_minor)) e (account, minor)
    where p.source <> 'CREDIT_MEMO'
    union all
    -- an allocation that was made later than its payment is entered on the day it was made
    select a.organization_id, greatest(p.paid_at, d.issue_date, case when a.created_at <> p.created_at then (a.created_at at time zone o.timezone)::date end),
      a.voided_at, 'ALLOCATED', a.id, a.document_id, a.payment_id, d.currency, d.direction,
      e.account, e.minor
    from allocations a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    join all_ledger_kinds() k on k.kind = d.kind
    join organizations o on o.id = a.organization_id
    cross join lateral (values ('PREPAYMENTS', a.amount_minor), (k.balance_account, -a.amount_minor)) e (account, minor)
    where d.issued_at is not null
  )
  select h.organization_id, t.day, h.event || t.voided, h.event_id, h.document_id, h.payment_id, h.account,
    greatest(t.minor, 0), greatest(-t.minor, 0), h.currency
  from happened h left join organizations o on o.id = h.organization_id and h.voided_at is not null
  cross join lateral (select case h.direction when 'OUTGOING' then h.minor else -h.minor end as minor) s
  cross join lateral (
    select h.day, '' as voided, s.minor
    union all select greatest(h.day, (h.voided_at at time zone o.timezone)::date), '_VOIDED', -s.minor where h.voided_at is not null) t
  where t.minor <> 0
$$;
