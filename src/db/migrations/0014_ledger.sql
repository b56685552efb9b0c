-- The ledger of obligations: what is owed to an organization, how it was paid, and what happened to it. Money is whole
-- minor units. The database numbers what is issued, freezes it, and derives what was paid; code only decides.

-- Numbers follow the calendar: the next one is not dated before the last. Only what issues a document moves a counter.
alter table document_numbering add column last_issue_date date;
revoke insert, update, delete on document_numbering from kontor_confined;
grant insert (organization_id, document_type, prefix, padding), update (prefix, padding) on document_numbering to kontor_confined;

create function major_units(minor bigint, digits smallint) returns numeric language sql immutable parallel safe
  as $$ select minor * 10::numeric ^ (-digits)::numeric $$;

-- A list by status reads in the order of a document's life. Nothing here but comparisons of text, which are leakproof: so
-- a request that wants one status finds it by the index too.
create function status_rank(status text) returns integer language sql immutable parallel safe
  as $$ select case status when 'DRAFT' then 1 when 'UNSENT' then 2 when 'SENT' then 3 when 'PAID' then 4 end $$;

create table payments (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  direction       text not null default 'OUTGOING' check (direction in ('OUTGOING', 'INCOMING')), -- of what it pays
  counterparty_id uuid,
  amount_minor    bigint not null check (amount_minor > 0),
  allocated_minor bigint not null default 0,
  currency        text not null check (currency <> ''),
  minor_digits    smallint not null check (minor_digits between 0 and 4),
  paid_at         date not null,
  method          text,
  source          text not null check (source in ('DOCUMENT', 'MARK_PAID', 'PAYMENT', 'CREDIT_MEMO')),
  voided_at       timestamptz,
  void_reason     text,
  created_by      uuid, -- no reference: what was paid stays paid when somebody's account goes
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint payment_counterparty foreign key (organization_id, counterparty_id) references customers,
  constraint allocated_within_payment check (allocated_minor between 0 and amount_minor)
);
create index on payments (id);
create index on payments (organization_id, counterparty_id);
create index on payments (organization_id, paid_at, id);
select organization_table('payments');

create table documents (
  organization_id       uuid not null default current_organization() references organizations on delete cascade,
  id                    uuid not null,
  kind                  text not null default 'SALES' check (kind in ('SALES')),
  direction             text not null default 'OUTGOING' check (direction in ('OUTGOING', 'INCOMING')),
  document_type         text not null check (document_type <> ''),
  status                text not null default 'DRAFT' check (status in ('DRAFT', 'UNSENT', 'SENT', 'PAID')),
  series                text not null default '',
  sequence              bigint,
  number                text,
  counterparty_id       uuid not null,
  counterparty_name     text not null default '', -- the customer's on a draft; as it was when the document was issued
  bank_account_id       uuid,
  currency              text not null check (currency <> ''),
  minor_digits          smallint not null check (minor_digits between 0 and 4),
  exchange_rate         numeric check (exchange_rate > 0), -- to the currency of the organization, fixed when it is issued (0018)
  rate_currency         text, -- what that currency was: an organization may count in another one later
  rate_date             date, -- the day of the rate; none for 1, which is everybody's
  issue_date            date not null,
  issue_date_given      boolean not null default false, -- else it is the day on which the document is issued
  due_date              date,
  pay_until             date,
  subtotal_minor        bigint not null,
  tax_minor             bigint not null,
  total_minor           bigint not null,
  paid_minor            bigint not null default 0,
  tax_rate              numeric(9, 6),
  notes                 text,
  payment_method        text,
  payment_date          date,
  receipt_number        text,
  in_dispute            boolean not null default false,
  vat_allocation_number text,
  country_specific_data jsonb,
  generator_version     text not null,
  source_document_id    uuid, -- what a receipt or a memo is about
  payment_id            uuid, -- the payment that a receipt acknowledges or a credit memo grants: it owes nothing itself
  revision              integer not null default 0, -- how often the lines of the draft were written anew
  issued_at             timestamptz,
  sent_at               timestamptz,
  cancelled_at          timestamptz,
  created_by            uuid, -- no reference: what was issued stays when somebody's account goes
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  primary key (organization_id, id),
  constraint document_counterparty foreign key (organization_id, counterparty_id) references customers,
  foreign key (organization_id, bank_account_id) references bank_accounts on delete set null (bank_account_id),
  foreign key (organization_id, source_document_id) references documents,
  foreign key (organization_id, payment_id) references payments,
  constraint rate_to_a_currency check ((exchange_rate is null) = (rate_currency is null)),
  constraint numbered_when_issued check ((status = 'DRAFT') = (sequence is null) and (sequence is null) = (number is null)
    and (sequence is null) = (issued_at is null)),
  constraint paid_within_total check (paid_minor between 0 and greatest(total_minor, 0)),
  constraint owed_or_nothing check (status = 'DRAFT' or total_minor >= 0),
  constraint draft_is_unpaid check (status <> 'DRAFT' or paid_minor = 0),
  -- paid exactly when nothing is open (INV-05); a document over nothing is paid when somebody says so
  constraint settled_when_paid check (status = 'DRAFT' or payment_id is not null or total_minor = 0
    or (status = 'PAID') = (paid_minor = total_minor))
);
create index on documents (id);
create unique index one_document_per_number on documents (organization_id, kind, document_type, series, sequence)
  where sequence is not null;
create index on documents (organization_id, counterparty_id, issue_date, id);
create index on documents (organization_id, bank_account_id);
create index on documents (organization_id, source_document_id);
create index on documents (organization_id, payment_id);
-- the orders of the list of sales documents; what is empty is last both ways
create index on documents (organization_id, issue_date, id) where kind = 'SALES';
create index on documents (organization_id, due_date, id) where kind = 'SALES';
create index on documents (organization_id, due_date desc nulls last, id desc) where kind = 'SALES';
create index on documents (organization_id, major_units(total_minor, minor_digits), id) where kind = 'SALES';
create index on documents (organization_id, status_rank(status), issue_date, id) where kind = 'SALES'; -- those of one status too
create index on documents (organization_id, sequence, id) where kind = 'SALES';
create index on documents (organization_id, sequence desc nulls last, id desc) where kind = 'SALES';
create index on documents (organization_id, lower(counterparty_name), id) where kind = 'SALES';
create index on documents (organization_id, issue_date, id) where kind = 'SALES' and in_dispute;
select organization_table('documents');
-- What the database derives is nobody's to write.
revoke insert, update on documents from kontor_confined;
grant insert (organization_id, id, kind, direction, document_type, status, counterparty_id, bank_account_id, currency, minor_digits,
    issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes,
    payment_method, payment_date, country_specific_data, generator_version, source_document_id, payment_id, created_by),
  update (document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date,
    issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date,
    receipt_number, in_dispute, vat_allocation_number, country_specific_data, generator_version, revision, sent_at)
  on documents to kontor_confined;

create table document_lines (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  document_id     uuid not null,
  position        integer not null,
  id              text not null, -- the client's own
  item_id         text,
  description     text not null check (description <> ''),
  quantity        numeric(20, 6) not null check (quantity >= 0),
  unit_price      numeric(24, 6) not null check (unit_price >= 0),
  amount_minor    bigint not null,
  tax_rate        numeric(9, 6),
  tax_category    text,
  primary key (organization_id, document_id, id),
  foreign key (organization_id, document_id) references documents on delete cascade
);
select organization_table('document_lines');

create table allocations (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  payment_id      uuid not null,
  document_id     uuid not null,
  line_id         text,
  amount_minor    bigint not null check (amount_minor > 0),
  voided_at       timestamptz,
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, payment_id) references payments,
  foreign key (organization_id, document_id) references documents
);
create index on allocations (organization_id, payment_id);
create index on allocations (organization_id, document_id);
select organization_table('allocations');
revoke insert, update, delete on allocations, payments from kontor_confined;
grant insert (organization_id, id, payment_id, document_id, line_id, amount_minor) on allocations to kontor_confined;
grant insert (organization_id, id, direction, counterparty_id, amount_minor, currency, minor_digits, paid_at, method, source, created_by),
  update (voided_at, void_reason) on payments to kontor_confined;

-- Whoever will number documents of these types takes their counters first, in one order (reliability, lock order).
create function hold_counters(types text[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into document_numbering (organization_id, document_type)
    select current_organization(), t from unnest(types) t order by t on conflict do nothing;
  perform from document_numbering n where n.organization_id = current_organization() and n.document_type = any (types)
    order by n.document_type for update;
end $$;

-- A draft keeps its customer's name; leaving DRAFT gives the next number (INV-06); what was issued is frozen (INV-07).
create function keep_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counter document_numbering;
begin
  if tg_op = 'UPDATE' and old.status <> 'DRAFT' then
    if new.status = 'DRAFT' or (new.organization_id, new.id, new.kind, new.direction, new.document_type, new.series, new.sequence, new.number,
        new.counterparty_id, new.counterparty_name, new.currency, new.minor_digits, new.exchange_rate, new.rate_currency, new.rate_date, new.issue_date,
        new.subtotal_minor, new.tax_minor, new.total_minor, new.tax_rate, new.source_document_id, new.payment_id, new.issued_at)
      is distinct from (old.organization_id, old.id, old.kind, old.direction, old.document_type, old.series, old.sequence, old.number,
        old.counterparty_id, old.counterparty_name, old.currency, old.minor_digits, old.exchange_rate, old.rate_currency, old.rate_date, old.issue_date,
        old.subtotal_minor, old.tax_minor, old.total_minor, old.tax_rate, old.source_document_id, old.payment_id, old.issued_at) then
      raise exception 'An issued document does not change.' using errcode = 'check_violation', constraint = 'issued_document_is_frozen';
    end if;
    -- deleting the account would take it off the document; whoever edits the document may
    if old.bank_account_id is not null and new.bank_account_id is null and pg_trigger_depth() > 1 then
      raise exception 'The account stands on an issued document.' using errcode = 'check_violation', constraint = 'account_on_issued_document';
    end if;
    if new.status = 'SENT' and new.sent_at is null then new.sent_at := now(); end if;
    return new;
  end if;
  new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c
    where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  if new.status = 'DRAFT' then return new; end if;
  select * into counter from document_numbering n
    where n.organization_id = new.organization_id and n.document_type = new.document_type for update;
  if not found then
    insert into document_numbering (organization_id, document_type) values (new.organization_id, new.document_type) on conflict do nothing;
    select * into counter from document_numbering n
      where n.organization_id = new.organization_id and n.document_type = new.document_type for update;
  end if;
  if new.issue_date < counter.last_issue_date then
    if new.issue_date_given then
      raise exception 'The last number is dated later.'
        using errcode = 'check_violation', constraint = 'issue_date_in_order', detail = counter.last_issue_date::text;
    end if;
    new.issue_date := counter.last_issue_date;
  end if;
  update document_numbering n set next_number = n.next_number + 1, last_issue_date = new.issue_date
    where n.organization_id = new.organization_id and n.document_type = new.document_type;
  new.sequence := counter.next_number;
  new.number := counter.prefix || lpad(counter.next_number::text, greatest(counter.padding, length(counter.next_number::text)), '0');
  new.issued_at := now();
  if new.status = 'SENT' then new.sent_at := now(); end if;
  return new;
end $$;
create trigger keep_document before insert or update on documents for each row execute function keep_document();

create function keep_numbered() returns trigger language plpgsql as $$
begin
  raise exception 'A number is given for good.' using errcode = 'check_violation', constraint = 'numbered_document_stays';
end $$;
create trigger keep_numbered before delete on documents for each row when (old.sequence is not null) execute function keep_numbered();

-- Lines belong to a draft, or come with the document that is issued in this very transaction.
create function keep_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line document_lines := case tg_op when 'DELETE' then old else new end;
begin
  if exists (select from documents d where d.organization_id = line.organization_id and d.id = line.document_id
      and d.status <> 'DRAFT' and (tg_op <> 'INSERT' or d.issued_at <> now())) then
    raise exception 'An issued document does not change.' using errcode = 'check_violation', constraint = 'issued_document_is_frozen';
  end if;
  return line;
end $$;
create trigger keep_lines before insert or update or delete on document_lines for each row execute function keep_lines();

-- On everything issued the amounts agree, within a minor unit for each line (INV-02).
create function require_agreement() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d, lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount
        from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) s
      where d.organization_id = new.organization_id and d.id = new.id and d.status <> 'DRAFT'
        and (abs(s.amount - d.subtotal_minor) > s.lines or abs(d.subtotal_minor + d.tax_minor - d.total_minor) > s.lines
          or (s.lines = 0 and (d.subtotal_minor, d.tax_minor, d.total_minor) <> (0, 0, 0)))) then
    raise exception 'The amounts do not agree.' using errcode = 'check_violation', constraint = 'amounts_agree';
  end if;
  return null;
end $$;
create constraint trigger amounts_agree_when_new after insert on documents deferrable initially deferred
  for each row when (new.status <> 'DRAFT') execute function require_agreement();
create constraint trigger amounts_agree_when_issued after update on documents deferrable initially deferred
  for each row when (old.status = 'DRAFT' and new.status <> 'DRAFT') execute function require_agreement();

-- What is paid and what is allocated follow the allocations, and with them the status (INV-03, 04, 05). The rows that
-- are counted on are locked by being written, the document before the payment.
create function settle() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  change bigint := case when tg_op = 'INSERT' then new.amount_minor when old.voided_at is null and new.voided_at is not null then -new.amount_minor else 0 end;
  paying payments;
begin
  if change = 0 then return null; end if;
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  update documents d set paid_minor = d.paid_minor + change,
      status = case when d.paid_minor + change = d.total_minor then 'PAID' when d.sent_at is not null then 'SENT' else 'UNSENT' end,
      payment_date = case when d.paid_minor + change = d.total_minor then paying.paid_at when d.status = 'PAID' then null else d.payment_date end,
      payment_method = case when d.paid_minor + change = d.total_minor then paying.method when d.status = 'PAID' then null else d.payment_method end,
      receipt_number = case when d.status = 'PAID' then null else d.receipt_number end
    where d.organization_id = new.organization_id and d.id = new.document_id and d.status <> 'DRAFT' and d.payment_id is null
      and d.currency = paying.currency and d.direction = paying.direction;
  if not found then
    raise exception 'That document cannot be paid with this payment.' using errcode = 'check_violation', constraint = 'payment_fits_document';
  end if;
  update payments p set allocated_minor = p.allocated_minor + change
    where p.organization_id = new.organization_id and p.id = new.payment_id and (change < 0 or p.voided_at is null);
  if not found then
    raise exception 'The payment was voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
  end if;
  return null;
end $$;
create trigger settle after insert or update on allocations for each row execute function settle();

-- A voided payment takes its allocations along, and the receipts that acknowledged it are cancelled, never deleted.
create function void_allocations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update allocations a set voided_at = new.voided_at
    where a.organization_id = new.organization_id and a.payment_id = new.id and a.voided_at is null;
  update documents d set cancelled_at = new.voided_at
    where d.organization_id = new.organization_id and d.payment_id = new.id and d.cancelled_at is null;
  return null;
end $$;
create trigger void_allocations after update of voided_at on payments for each row
  when (old.voided_at is null and new.voided_at is not null) execute function void_allocations();

create function keep_voided() returns trigger language plpgsql as $$
begin
  raise exception 'A voided payment stays voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
end $$;
create trigger keep_voided before update on payments for each row
  when (old.voided_at is not null and new.voided_at is distinct from old.voided_at) execute function keep_voided();

-- A draft shows its customer as the customer is called now.
create function rename_drafts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update documents d set counterparty_name = coalesce(new.name, new.email, '')
    where d.organization_id = new.organization_id and d.counterparty_id = new.id and d.status = 'DRAFT';
  return null;
end $$;
create trigger rename_drafts after update of name, email on customers for each row
  when (coalesce(old.name, old.email, '') <> coalesce(new.name, new.email, '')) execute function rename_drafts();

-- What happened to a document, each entry sealed by a hash over itself and the one before (INV-19).
create table document_events (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  document_id     uuid not null, -- no reference: the trail outlives a draft
  seq             integer not null default 0,
  type            text not null check (type <> ''),
  actor_user_id   uuid, -- null for what the product records by itself
  payload         jsonb,
  created_at      timestamptz not null default now(),
  prev_hash       bytea not null default '',
  hash            bytea not null default '',
  primary key (organization_id, id),
  unique (organization_id, document_id, seq)
);
select organization_table('document_events');
select append_only('document_events');
revoke insert on document_events from kontor_confined;
grant insert (organization_id, id, document_id, type, actor_user_id, payload) on document_events to kontor_confined;

-- The bytes are described in docs/decisions/0023-a-chain-anyone-can-check.md, so that anyone can recompute them; verify/chain.ts does.
create function document_event_hash(entry document_events) returns bytea language sql immutable parallel safe as $$
  select sha256(entry.prev_hash || convert_to(jsonb_build_array(entry.document_id, entry.seq, entry.type, entry.actor_user_id, entry.payload,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')) $$;

create function chain_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last document_events;
begin
  perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
  if not found then
    raise exception 'There is no such document.' using errcode = 'foreign_key_violation';
  end if;
  select * into last from document_events e
    where e.organization_id = new.organization_id and e.document_id = new.document_id order by e.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prev_hash := coalesce(last.hash, '');
  new.hash := document_event_hash(new);
  return new;
end $$;
create trigger chain before insert on document_events for each row execute function chain_event();

revoke execute on function hold_counters from public;
grant execute on function hold_counters to kontor_confined;
