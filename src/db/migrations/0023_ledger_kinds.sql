-- The ledger for every kind of obligation. A kind is one row of ledger_kinds; the guards below read the row instead of
-- naming statuses, so a new kind needs a row and a table of its own columns, and no new trigger.
--
-- The rows are declared in TypeScript (catalog/kinds.ts); a test compares both.
--
-- Old names that stay for one version, so that processes of the version before keep working while this one migrates
-- (FLT-16): hold_counters().

create table ledger_kinds (
  kind                text primary key check (kind <> ''),
  direction           text not null check (direction in ('OUTGOING', 'INCOMING')), -- owed to us, owed by us
  payment_direction   text not null check (payment_direction in ('OUTGOING', 'INCOMING')), -- payments that settle it
  document_types      text[] not null check (cardinality(document_types) > 0),
  unbilled_types      text[] not null default '{}', -- ask for money without being an invoice: no revenue, no tax
  statuses            text[] not null check (cardinality(statuses) > 0), -- in the order of its life
  draft_statuses      text[] not null check (draft_statuses <@ statuses), -- not final: no number, not in the journal
  payable_statuses    text[] not null check (payable_statuses <@ statuses),
  transitions         jsonb not null, -- {"DRAFT": ["UNSENT"]}; back from PAID leads only the void of a payment
  open_status         text, -- of a final document that is not paid; null where payments do not change the status
  sent_status         text, -- the same once it was sent
  numbered            boolean not null, -- gets a number without gaps when it becomes final
  frozen_when_final   text[] not null, -- columns that no longer change once it is final; 'lines' are its lines
  frozen_when_paid    text[] not null, -- columns that do not change while it has a payment
  pays_lines          boolean not null, -- every allocation names the line it pays
  counterparty_needed boolean not null,
  balance_account     text not null, -- where the journal keeps what is owed
  result_account      text not null, -- where the journal keeps what for
  final_events        text[] not null default '{}', -- one of these events is emitted when it becomes final
  constraint paid_status check (('PAID' = any (statuses)) = (open_status is not null)),
  constraint open_status_of_kind check (array_remove(array[open_status, sent_status], null) <@ payable_statuses),
  constraint one_direction check (payment_direction = direction), -- the journal books both sides by the direction
  -- amounts are compared once, when a document becomes final, and allocations are in its currency
  constraint final_amounts_are_frozen check (frozen_when_final @> '{currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}'),
  constraint paid_currency_is_frozen check (not draft_statuses && payable_statuses or frozen_when_paid @> '{currency,minor_digits}'),
  constraint paid_lines_are_frozen check (not pays_lines or not draft_statuses && payable_statuses or frozen_when_paid @> '{lines}')
);
select system_table('ledger_kinds');

insert into ledger_kinds values (
  'SALES', 'OUTGOING', 'OUTGOING',
  '{INVOICE,RECEIPT,INVOICE_RECEIPT,PAYMENT_REQUEST,CREDIT_MEMO,DEBIT_MEMO}', '{RECEIPT,PAYMENT_REQUEST}',
  '{DRAFT,UNSENT,SENT,PAID}', '{DRAFT}', '{UNSENT,SENT,PAID}',
  '{"DRAFT": ["UNSENT", "SENT", "PAID"], "UNSENT": ["SENT", "PAID"], "SENT": ["PAID"], "PAID": []}', 'UNSENT', 'SENT',
  true,
  '{document_type,counterparty_id,counterparty_name,currency,minor_digits,exchange_rate,rate_currency,rate_date,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}',
  '{}', false, true, 'RECEIVABLES', 'REVENUE', '{invoice.issued,receipt.issued}');

-- For functions that run with the rights of a request, which cannot read the table itself.
create function all_ledger_kinds() returns setof ledger_kinds language sql stable parallel safe security definer rows 10
  set search_path = public, pg_temp as $$ select * from ledger_kinds $$;
revoke execute on function all_ledger_kinds from public;
grant execute on function all_ledger_kinds to kontor_confined, kontor_across;

-- What checks on documents said about the statuses of sales documents, the guard now says for the kind.
alter table documents
  drop constraint documents_kind_check,
  drop constraint documents_status_check,
  drop constraint numbered_when_issued,
  drop constraint owed_or_nothing,
  drop constraint draft_is_unpaid,
  drop constraint settled_when_paid,
  alter column counterparty_id drop not null,
  add constraint numbered_when_issued check ((sequence is null) = (number is null) and (sequence is null or issued_at is not null)),
  add constraint owed_or_nothing check (issued_at is null or total_minor >= 0),
  add constraint settled_when_paid check (status <> 'PAID' or payment_id is not null or paid_minor = total_minor);

-- Only allocations change what is paid of a line, and only of kinds whose lines are paid one by one.
alter table document_lines
  add column paid_minor bigint not null default 0,
  add constraint line_paid_within_amount check (paid_minor = 0 or paid_minor between 0 and amount_minor);
revoke insert, update on document_lines from kontor_confined;
grant insert (organization_id, document_id, position, id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category),
  update (position, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category)
  on document_lines to kontor_confined;

-- Whether amounts match (INV-02): each sum may be off by a minor unit for each line. ledger/totals.ts says the same to
-- people; a test compares both.
create function amounts_match(lines bigint, line_sum numeric, subtotal bigint, tax bigint, total bigint) returns boolean
  language sql immutable parallel safe as $$
  select abs(line_sum - subtotal) <= lines and abs(subtotal + tax - total) <= lines
    and (lines > 0 or (subtotal, tax, total) = (0, 0, 0))
$$;

-- Locks the counters of these types in one order, before any document is locked (reliability, lock order).
alter function hold_counters(text[]) rename to lock_counters;
create function hold_counters(types text[]) returns void language sql security definer set search_path = public, pg_temp
  as $$ select lock_counters(types) $$;
revoke execute on function hold_counters from public;
grant execute on function hold_counters to kontor_confined;

-- The next number of a type (INV-06). Numbers follow the calendar: a day that was not given moves to the last number's.
create function next_document_number(organization uuid, type text, day_given boolean, inout day date, out sequence bigint, out number text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counter document_numbering;
begin
  select * into counter from document_numbering n where n.organization_id = organization and n.document_type = type for update;
  if not found then
    insert into document_numbering (organization_id, document_type) values (organization, type) on conflict do nothing;
    select * into counter from document_numbering n where n.organization_id = organization and n.document_type = type for update;
  end if;
  if day < counter.last_issue_date then
    if day_given then
      raise exception 'The last number is dated later.'
        using errcode = 'check_violation', constraint = 'issue_date_in_order', detail = counter.last_issue_date::text;
    end if;
    day := counter.last_issue_date;
  end if;
  update document_numbering n set next_number = n.next_number + 1, last_issue_date = day
    where n.organization_id = organization and n.document_type = type;
  sequence := counter.next_number;
  number := counter.prefix || lpad(sequence::text, greatest(counter.padding, length(sequence::text)), '0');
end $$;
revoke execute on function next_document_number from public;

-- The state machine and the freezing of every kind. A draft carries the current name of its counterparty; becoming final
-- gives the number (INV-06); what is final is frozen (INV-07).
create function guard_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  -- PAID exactly when nothing is open (INV-05); the other direction is the check settled_when_paid
  if is_final and rules.open_status is not null and new.payment_id is null and new.total_minor > 0
    and new.paid_minor = new.total_minor and new.status <> 'PAID' then
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
      select n.day, n.sequence, n.number into new.issue_date, new.sequence, new.number
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

create function refuse_frozen() returns void language plpgsql as $$
begin
  raise exception 'An issued document does not change.' using errcode = 'check_violation', constraint = 'issued_document_is_frozen';
end $$;

-- Compares all columns that a kind may freeze at once, and column by column only if one of them changed.
create function refuse_frozen_change(rules ledger_kinds, was documents, becomes documents) returns void language plpgsql as $$
declare
  before jsonb;
  after jsonb;
begin
  if was.sequence is not null and becomes.status = any (rules.draft_statuses) then perform refuse_frozen(); end if;
  if (becomes.document_type, becomes.counterparty_id, becomes.counterparty_name, becomes.currency, becomes.minor_digits, becomes.exchange_rate, becomes.rate_currency, becomes.rate_date,
        becomes.issue_date, becomes.due_date, becomes.subtotal_minor, becomes.tax_minor, becomes.total_minor, becomes.tax_rate, becomes.source_document_id, becomes.payment_id)
      is not distinct from (was.document_type, was.counterparty_id, was.counterparty_name, was.currency, was.minor_digits, was.exchange_rate, was.rate_currency, was.rate_date,
        was.issue_date, was.due_date, was.subtotal_minor, was.tax_minor, was.total_minor, was.tax_rate, was.source_document_id, was.payment_id)
    or (was.issued_at is null and (was.paid_minor = 0 or cardinality(rules.frozen_when_paid) = 0)) then
    return;
  end if;
  before := to_jsonb(was);
  after := to_jsonb(becomes);
  if exists (select from unnest(case when was.issued_at is null then '{}' else rules.frozen_when_final end
        || case when was.paid_minor = 0 then '{}' else rules.frozen_when_paid end) f (field)
      where before -> f.field is distinct from after -> f.field) then
    perform refuse_frozen();
  end if;
end $$;

drop trigger keep_document on documents;
drop function keep_document();
create trigger guard_document before insert or update on documents for each row execute function guard_document();

-- A final document stays, whether its kind is numbered or not.
alter function keep_numbered() rename to refuse_deleting_final;
drop trigger keep_numbered on documents;
create trigger refuse_deleting_final before delete on documents for each row when (old.issued_at is not null)
  execute function refuse_deleting_final();

-- Lines change while their document may, or come with the document that becomes final in this very transaction.
create or replace function keep_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line document_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and new.paid_minor <> old.paid_minor then
    old.paid_minor := new.paid_minor; -- written by apply_allocation() alone
    if new is not distinct from old then return new; end if;
  end if;
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind
      where d.organization_id = line.organization_id and d.id = line.document_id
        and (d.issued_at is not null and (tg_op <> 'INSERT' or d.issued_at <> now()) and 'lines' = any (k.frozen_when_final)
          or d.paid_minor > 0 and 'lines' = any (k.frozen_when_paid))) then
    perform refuse_frozen();
  end if;
  return line;
end $$;
alter function keep_lines() rename to guard_lines;
alter trigger keep_lines on document_lines rename to guard_lines;

create or replace function require_agreement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind, lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount
        from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) s
      where d.organization_id = new.organization_id and d.id = new.id and d.issued_at is not null
        and (not amounts_match(s.lines, s.amount, d.subtotal_minor, d.tax_minor, d.total_minor)
          or k.pays_lines and s.amount <> d.total_minor)) then -- lines that are paid one by one add up to the total
    raise exception 'The amounts do not agree.' using errcode = 'check_violation', constraint = 'amounts_agree';
  end if;
  return null;
end $$;
alter function require_agreement() rename to require_matching_amounts;
drop trigger amounts_agree_when_new on documents;
drop trigger amounts_agree_when_issued on documents;
create constraint trigger amounts_match_when_new after insert on documents deferrable initially deferred
  for each row when (new.issued_at is not null) execute function require_matching_amounts();
create constraint trigger amounts_match_when_final after update on documents deferrable initially deferred
  for each row when (old.issued_at is null and new.issued_at is not null) execute function require_matching_amounts();

alter function keep_rate() rename to set_exchange_rate;
drop trigger keep_rate_of_new on documents;
drop trigger keep_rate_when_issued on documents;
-- Triggers fire in the order of their names: these after guard_document, which sets the date and issued_at.
create trigger set_exchange_rate_of_new before insert on documents
  for each row when (new.issued_at is not null) execute function set_exchange_rate();
create trigger set_exchange_rate_when_final before update on documents
  for each row when (old.issued_at is null and new.issued_at is not null) execute function set_exchange_rate();

-- What is paid and what is allocated follow the allocations, and with them the status (INV-03, 04, 05). The rows that are
-- counted on are locked by being written, the document before the payment.
create or replace function settle() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change bigint := case when tg_op = 'INSERT' then new.amount_minor when old.voided_at is null and new.voided_at is not null then -new.amount_minor else 0 end;
  paying payments;
  paid documents;
begin
  if change = 0 then return null; end if;
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  update documents d set paid_minor = d.paid_minor + change,
      status = case when k.open_status is null or d.issued_at is null then d.status when d.paid_minor + change = d.total_minor then 'PAID'
        when d.status <> 'PAID' then d.status
        when d.sent_at is not null then coalesce(k.sent_status, k.open_status) else k.open_status end,
      payment_date = case when d.paid_minor + change = d.total_minor then paying.paid_at when d.paid_minor = d.total_minor then null else d.payment_date end,
      payment_method = case when d.paid_minor + change = d.total_minor then paying.method when d.paid_minor = d.total_minor then null else d.payment_method end,
      receipt_number = case when d.paid_minor = d.total_minor then null else d.receipt_number end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.id = new.document_id and k.kind = d.kind and d.status = any (k.payable_statuses)
      and d.payment_id is null and d.currency = paying.currency and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
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
alter function settle() rename to apply_allocation;
alter trigger settle on allocations rename to apply_allocation;

alter function keep_voided() rename to refuse_unvoiding;
alter trigger keep_voided on payments rename to refuse_unvoiding;

-- A draft shows its counterparty under the current name.
create or replace function rename_drafts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update documents d set counterparty_name = coalesce(new.name, new.email, '')
    where d.organization_id = new.organization_id and d.counterparty_id = new.id and d.issued_at is null;
  return null;
end $$;
alter function rename_drafts() rename to update_drafts_of_counterparty;
alter trigger rename_drafts on customers rename to update_drafts_of_counterparty;

alter function chain_event() rename to append_to_history;
alter trigger chain on document_events rename to append_to_history;

-- The dashboard's totals of sales and cash.
alter function sum_up_document() rename to update_sales_totals;
alter trigger sum_up_new on documents rename to update_sales_totals_of_new;
alter trigger sum_up_deleted on documents rename to update_sales_totals_of_deleted;
alter trigger sum_up_changed on documents rename to update_sales_totals_of_changed;
alter function sum_up_payment() rename to update_cash_totals;
alter trigger sum_up_new on payments rename to update_cash_totals_of_new;
alter trigger sum_up_voided on payments rename to update_cash_totals_of_voided;

-- A document is in the journal once it is final, on its issue date, in the accounts of its kind. Money first belongs to
-- the counterparty (PREPAYMENTS) and pays final documents from there; what a credit memo grants is handled alike.
create or replace function journal() returns table (
    organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid,
    account text, debit_minor bigint, credit_minor bigint, currency text)
  language sql stable parallel safe as $$
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
