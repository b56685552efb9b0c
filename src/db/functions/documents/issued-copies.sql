-- Keeps the content of a document as it was issued, in the language of the document.

-- The language of a document: the one that the organization chose if its country has documents in that language, and English for
-- customers abroad. TypeScript has the same rule for drafts (countries/document-language.ts), and a test compares both. Both are
-- needed: the copy is written in the transaction of the number, and a preview has no copy.
create or replace function document_language(country text, customer_country text, chosen text) returns text
  language sql immutable parallel safe as $$
  select case when country = 'IL' and coalesce(customer_country, country) = country then coalesce(chosen, 'he') else 'en' end
$$;

-- The copy of a document as its organization, customer and bank account are now, with the status of the document.
create or replace function issued_copy(d documents) returns setof issued_copies language sql stable as $$
  select d.organization_id, d.id,
    jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number,
      'taxNumber', o.tax_number, 'address', o.address, 'email', o.email, 'phone', o.phone, 'senderName', s.sender_name),
    case when c.id is not null then jsonb_build_object('name', nullif(d.counterparty_name, ''), 'email', c.email, 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address) end,
    case when b.id is not null then jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban, 'routingNumber', b.routing_number,
      'localBankCode', b.local_bank_code, 'bankAddress', b.bank_address, 'bankCountry', b.bank_country, 'notes', b.notes) end,
    document_language(o.country, c.country, s.language), r.registered,
    coalesce(t.official_type, d.document_type),
    jsonb_build_object('en', coalesce(t.title_en, d.document_type), 'he', coalesce(t.title_he, d.document_type)),
    s.logo_file_id, null::uuid, null::text, now(),
    jsonb_build_object('dueDate', d.due_date, 'payUntil', d.pay_until, 'notes', d.notes)
  from organizations o
  cross join lateral registered_for_numbering(o.id, d.document_type, d.source_document_id) r (registered)
  left join organization_settings s on s.organization_id = o.id
  left join customers c on c.organization_id = d.organization_id and c.id = d.counterparty_id
  left join bank_accounts b on b.organization_id = d.organization_id and b.id = d.bank_account_id
  left join official_document_types t on t.country = o.country and t.document_type = d.document_type
    and t.registered = r.registered
  where o.id = d.organization_id
$$;

create or replace function copy_issued_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into issued_copies select c.* from issued_copy(new) c;
  return null;
end $$;

-- Refuses changes of a copy; only the original is added to it, once.
create or replace function guard_issued_copy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  if tg_op = 'DELETE' or old.original_file_id is not null
    or to_jsonb(new) - '{original_file_id,original_sha256}'::text[] <> to_jsonb(old) - '{original_file_id,original_sha256}'::text[] then
    raise exception 'The copy of an issued document does not change.' using errcode = 'check_violation', constraint = 'issued_copy_is_frozen';
  end if;
  return new;
end $$;

create or replace trigger guard_issued_copy before delete or update on issued_copies
  for each row execute function guard_issued_copy();
create or replace trigger copy_issued_document_of_new after insert on documents
  for each row when (new.kind = 'SALES'::text and new.issued_at is not null) execute function copy_issued_document();
create or replace trigger copy_issued_document_when_final after update on documents
  for each row when (new.kind = 'SALES'::text and old.issued_at is null and new.issued_at is not null) execute function copy_issued_document();
