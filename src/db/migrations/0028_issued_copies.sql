-- What an issued sales document was printed with (issuer, customer, bank account, language, tax status, title) is copied
-- when the document is issued, and its original is kept. Documents are numbered by the official type of the country.
--
-- Processes of the version before keep working while this one migrates (FLT-16): they reach the changed functions through
-- triggers and lock_counters() only.

-- The official type of each type of document, with its printed title. Declared in TypeScript (countries/*/documents); a
-- test compares both. Types of one official type share the counter of the document type in `series`.
create table official_document_types (
  country       text not null,
  registered    boolean not null, -- whether the issuer is registered for the tax
  document_type text not null,
  official_type text not null, -- the code of the authority, or the document type where numbers do not follow codes
  series        text not null,
  title_en      text not null,
  title_he      text not null,
  primary key (country, registered, document_type)
);
select system_table('official_document_types');

insert into official_document_types values
  ('IL', true, 'INVOICE', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', true, 'INVOICE_RECEIPT', '320', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'חשבונית מס / קבלה'),
  ('IL', true, 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', true, 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', true, 'CREDIT_MEMO', '330', 'CREDIT_MEMO', 'Credit Tax Invoice', 'חשבונית מס זיכוי'),
  ('IL', true, 'DEBIT_MEMO', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', false, 'INVOICE', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', false, 'INVOICE_RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', false, 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', false, 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', false, 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Notice', 'הודעת זיכוי'),
  ('IL', false, 'DEBIT_MEMO', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('SG', true, 'INVOICE', 'INVOICE', 'INVOICE', 'Tax Invoice', 'Tax Invoice'),
  ('SG', true, 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'Tax Invoice / Receipt'),
  ('SG', true, 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', true, 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', true, 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', true, 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('SG', false, 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('SG', false, 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('SG', false, 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', false, 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', false, 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', false, 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('US', true, 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('US', true, 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('US', true, 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('US', true, 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('US', true, 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Memo', 'Credit Memo'),
  ('US', true, 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Memo', 'Debit Memo');

-- Whether an organization is registered for VAT or GST. An Israeli company or partnership is, by the first digits of its
-- number; others need a tax number. The rules of the countries in TypeScript say the same; a test compares both.
create function is_registered_for_tax(country text, registration_number text, tax_number text) returns boolean
  language sql immutable parallel safe as $$
  select case country
    when 'IL' then coalesce(tax_number, '') <> '' or left(lpad(regexp_replace(coalesce(registration_number, ''),
        '[\s\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\u002d\u058a\u05be\u2010-\u2015\ufe58\ufe63\uff0d]', '', 'g'),
        9, '0'), 2) in ('50', '51', '52', '53', '54', '55', '56', '57')
    when 'SG' then coalesce(tax_number, '') <> ''
    else true end
$$;

-- The language of a document: the one that the organization chose if its country has documents in it, and English for
-- customers abroad. TypeScript says the same for drafts (countries/document-language.ts); a test compares both.
create function document_language(country text, customer_country text, chosen text) returns text language sql immutable parallel safe as $$
  select case when country = 'IL' and coalesce(customer_country, country) = country then coalesce(chosen, 'he') else 'en' end
$$;

-- The official type of documents of this type, and the document type whose counter numbers them.
create function official_numbering(organization uuid, type text, out series text, out official_type text) language sql stable parallel safe as $$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
  where o.id = organization
$$;

-- What a sales document was issued with. One row for each issued document, written by the database when it is issued.
create table issued_copies (
  organization_id  uuid not null default current_organization(),
  document_id      uuid not null,
  issuer           jsonb not null,
  customer         jsonb,
  bank_account     jsonb,
  language         text not null check (language in ('en', 'he')),
  registered       boolean not null,
  official_type    text not null,
  title            jsonb not null, -- {"en": …, "he": …}
  logo_file_id     uuid, -- no reference: a logo may be deleted, the kept original shows it
  original_file_id uuid, -- the rendered original, kept when it is first needed
  original_sha256  text check (original_sha256 ~ '^[0-9a-f]{64}$'),
  created_at       timestamptz not null default now(),
  primary key (organization_id, document_id),
  foreign key (organization_id, document_id) references documents (organization_id, id),
  foreign key (organization_id, original_file_id) references files (organization_id, id),
  constraint original_has_hash check ((original_file_id is null) = (original_sha256 is null))
);
create index on issued_copies (organization_id, original_file_id);
select organization_table('issued_copies');
revoke insert, update, delete on issued_copies from kontor_confined;
grant update (original_file_id, original_sha256) on issued_copies to kontor_confined;

-- The copy of a document as its organization, customer and bank account are now.
create function issued_copy(d documents) returns setof issued_copies language sql stable as $$
  select d.organization_id, d.id,
    jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number,
      'taxNumber', o.tax_number, 'address', o.address, 'email', o.email, 'phone', o.phone, 'senderName', s.sender_name),
    case when c.id is not null then jsonb_build_object('name', nullif(d.counterparty_name, ''), 'email', c.email, 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address) end,
    case when b.id is not null then jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban, 'routingNumber', b.routing_number,
      'localBankCode', b.local_bank_code, 'bankAddress', b.bank_address, 'bankCountry', b.bank_country, 'notes', b.notes) end,
    document_language(o.country, c.country, s.language), is_registered_for_tax(o.country, o.registration_number, o.tax_number),
    coalesce(t.official_type, d.document_type),
    jsonb_build_object('en', coalesce(t.title_en, d.document_type), 'he', coalesce(t.title_he, d.document_type)),
    s.logo_file_id, null::uuid, null::text, now()
  from organizations o
  left join organization_settings s on s.organization_id = o.id
  left join customers c on c.organization_id = d.organization_id and c.id = d.counterparty_id
  left join bank_accounts b on b.organization_id = d.organization_id and b.id = d.bank_account_id
  left join official_document_types t on t.country = o.country and t.document_type = d.document_type
    and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
  where o.id = d.organization_id
$$;

create function copy_issued_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into issued_copies select c.* from issued_copy(new) c;
  return null;
end $$;

-- A copy never changes; the original is added to it once.
create function guard_issued_copy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  if tg_op = 'DELETE' or old.original_file_id is not null
    or to_jsonb(new) - '{original_file_id,original_sha256}'::text[] <> to_jsonb(old) - '{original_file_id,original_sha256}'::text[] then
    raise exception 'The copy of an issued document does not change.' using errcode = 'check_violation', constraint = 'issued_copy_is_frozen';
  end if;
  return new;
end $$;
create trigger guard_issued_copy before update or delete on issued_copies for each row execute function guard_issued_copy();

-- Documents that were issued before get the copy of what is stored now. The second pass finds those that were issued
-- while the first one ran; the triggers lock the table until the end.
insert into issued_copies select c.* from documents d, issued_copy(d) c where d.kind = 'SALES' and d.issued_at is not null;
create trigger copy_issued_document_of_new after insert on documents
  for each row when (new.kind = 'SALES' and new.issued_at is not null) execute function copy_issued_document();
create trigger copy_issued_document_when_final after update on documents
  for each row when (new.kind = 'SALES' and old.issued_at is null and new.issued_at is not null) execute function copy_issued_document();
insert into issued_copies select c.* from documents d, issued_copy(d) c where d.kind = 'SALES' and d.issued_at is not null
  and not exists (select from issued_copies i where i.organization_id = d.organization_id and i.document_id = d.id);

-- Documents of a series are numbered together: documents.series is the document type whose counter numbers them. The
-- documents that were numbered before keep their numbers and the series '', in which every document type had its own.
drop index one_document_per_number;
create unique index one_document_per_number on documents (organization_id, kind, coalesce(nullif(series, ''), document_type), sequence)
  where sequence is not null;
create unique index one_printed_number on documents (organization_id, kind, series, number) where series <> '';
create index earlier_printed_numbers on documents (organization_id, number) where series = '' and sequence is not null;

alter table document_numbering
  add column first_number bigint not null default 1 check (first_number >= 1), -- of the series
  add column earlier_numbers bigint not null default 0; -- numbers of this document type in the series ''
update document_numbering set first_number = next_number, earlier_numbers = next_number - 1 where next_number > 1;

-- A counter that now unites several types continues above the highest number and the last date of each.
do $$
declare
  united record;
begin
  for united in select n.organization_id, t.series, max(n.next_number) as next_number, max(n.last_issue_date) as last_issue_date
      from document_numbering n, official_numbering(n.organization_id, n.document_type) t
      group by n.organization_id, t.series having bool_or(t.series <> n.document_type and n.next_number > 1) loop
    insert into document_numbering (organization_id, document_type) values (united.organization_id, united.series) on conflict do nothing;
    update document_numbering n
      set first_number = united.next_number, next_number = united.next_number, last_issue_date = united.last_issue_date
      where n.organization_id = united.organization_id and n.document_type = united.series;
  end loop;
end $$;
alter table document_numbering add constraint next_after_first check (next_number >= first_number);

grant insert (first_number), update (first_number) on document_numbering to kontor_confined;

-- The documents of an official type: those of its series, and those with its title that were numbered before.
create function documents_of_type(organization uuid, series text, official_type text) returns setof documents language sql stable as $$
  select d.* from documents d where d.organization_id = organization and d.sequence is not null and d.series = documents_of_type.series
  union all select d.* from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
  where d.organization_id = organization and d.sequence is not null and d.series = '' and c.official_type = documents_of_type.official_type
$$;

-- A starting number is chosen before the first number of a series is given. A prefix or number of digits that could
-- repeat a number that was printed is refused.
create function guard_numbering() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own record;
  next bigint;
begin
  if tg_op = 'INSERT' then
    new.next_number := greatest(new.next_number, new.first_number);
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- there is nothing to compare, or the insert becomes an update
    end if;
  elsif (new.prefix, new.padding, new.first_number) = (old.prefix, old.padding, old.first_number) then
    return new;
  end if;
  select * into own from official_numbering(new.organization_id, new.document_type);
  if tg_op = 'UPDATE' and new.first_number <> old.first_number then
    if old.next_number <> old.first_number or old.earlier_numbers > 0
      or own.series = new.document_type and exists (select from documents_of_type(new.organization_id, own.series, own.official_type)) then
      raise exception 'Numbers of this series were given.' using errcode = 'check_violation', constraint = 'first_number_before_first_issue';
    end if;
    new.next_number := new.first_number;
  end if;
  next := new.next_number;
  if own.series <> new.document_type then
    select n.next_number into next from document_numbering n
      where n.organization_id = new.organization_id and n.document_type = own.series for update;
  end if;
  if exists (select from documents_of_type(new.organization_id, own.series, own.official_type) d, substr(d.number, length(new.prefix) + 1) rest
      where starts_with(d.number, new.prefix) and case when rest ~ '^[0-9]{1,18}$' then rest::bigint >= coalesce(next, 1)
        and length(rest) = greatest(new.padding, length(rest::bigint::text)) else false end) then
    raise exception 'A printed number would be repeated.' using errcode = 'check_violation', constraint = 'printed_numbers_stay_unique';
  end if;
  return new;
end $$;
create trigger guard_numbering before insert or update of prefix, padding, first_number on document_numbering
  for each row execute function guard_numbering();

-- Locks the counters of these types in one order, before any document is locked (reliability, lock order).
create or replace function lock_counters(types text[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counters text[] := array(select distinct n.series from unnest(types) t, official_numbering(current_organization(), t) n order by 1);
begin
  insert into document_numbering (organization_id, document_type)
    select current_organization(), c from unnest(counters) c order by c on conflict do nothing;
  perform from document_numbering n where n.organization_id = current_organization() and n.document_type = any (counters)
    order by n.document_type for update;
end $$;

-- The next number of a type, in the series of its official type (INV-06). Numbers follow the calendar: a day that was not
-- given moves to the day of the last number. No document is dated after today in the time zone of its organization; a last
-- date in the future, which earlier versions allowed, does not count. A type without a prefix of its own has that of the
-- series.
drop function next_document_number(uuid, text, boolean, date);
create function next_document_number(organization uuid, type text, day_given boolean,
    inout day date, out series text, out sequence bigint, out number text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = organization);
  official record;
  counter document_numbering;
  format document_numbering;
  last_day date;
begin
  select * into official from official_numbering(organization, type);
  series := official.series;
  select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  if not found then
    insert into document_numbering (organization_id, document_type) values (organization, official.series) on conflict do nothing;
    select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  end if;
  if day > today then
    if day_given then
      raise exception 'The issue date is after today.'
        using errcode = 'check_violation', constraint = 'issue_date_not_in_future', detail = today::text;
    end if;
    day := today;
  end if;
  last_day := counter.last_issue_date;
  if last_day > today then
    select max(d.issue_date) into last_day from documents_of_type(organization, official.series, official.official_type) d where d.issue_date <= today;
  end if;
  if day < last_day then
    if day_given then
      raise exception 'The last number is dated later.'
        using errcode = 'check_violation', constraint = 'issue_date_in_order', detail = last_day::text;
    end if;
    day := last_day;
  end if;
  update document_numbering n set next_number = n.next_number + 1, last_issue_date = day
    where n.organization_id = organization and n.document_type = official.series;
  format := counter;
  if official.series <> type then
    select * into format from document_numbering n
      where n.organization_id = organization and n.document_type = type and (n.prefix <> '' or n.padding > 0);
    if not found then format := counter; end if;
  end if;
  sequence := counter.next_number;
  number := format.prefix || lpad(sequence::text, greatest(format.padding, length(sequence::text)), '0');
  -- the index one_printed_number does not know the numbers that were given before
  if counter.first_number > 1 and exists (select from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where d.organization_id = organization and d.series = '' and d.sequence is not null
        and d.number = next_document_number.number and c.official_type = official.official_type) then
    raise exception 'This number was printed before.' using errcode = 'unique_violation', constraint = 'one_printed_number';
  end if;
end $$;

-- The state machine and the freezing of every kind. A draft carries the current name of its counterparty; becoming final
-- gives the number (INV-06); what is final is frozen (INV-07).
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

-- The day of an instant in a time zone, and in UTC if the zone is unknown; for `kontor verify`.
create function day_in_zone(instant timestamptz, zone text) returns date language plpgsql stable as $$
begin
  return (instant at time zone zone)::date;
exception when invalid_parameter_value then
  return (instant at time zone 'UTC')::date;
end $$;
