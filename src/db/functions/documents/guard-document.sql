-- Guards the life of a document of the ledger: which status follows which, what its kind freezes, and that an issued document is
-- not deleted.

-- The state machine and the freezing of every kind, as `ledger_kinds` declares them; a test compares it with ledgerKind() in
-- TypeScript. Both are needed: this function refuses every writer, and TypeScript says beforehand what can be done with a document.
-- A draft carries the current name of its counterparty. A document gets its number when it becomes final (INV-06), a memo is
-- numbered with the status of its source, and a final document is frozen (INV-07). A credit memo is PAID exactly when its credit is
-- used up. A converted document stays PAID.
create or replace function guard_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rules ledger_kinds;
  is_final boolean;
  is_used boolean; -- whether the whole credit of a memo is used
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
  -- a credit memo is PAID exactly when its credit is used up
  if new.document_type = 'CREDIT_MEMO' and new.payment_id is not null and rules.open_status is not null and (tg_op = 'INSERT' or new.status <> old.status) then
    select p.amount_minor = p.allocated_minor + p.refunded_minor into is_used from payments p
      where p.organization_id = new.organization_id and p.id = new.payment_id;
    if tg_op = 'INSERT' then
      new.status := case when is_used then 'PAID' when new.status = rules.sent_status then rules.sent_status else rules.open_status end;
    elsif (new.status = 'PAID') <> is_used then
      raise exception 'A credit memo is PAID when its credit is used up.' using errcode = 'check_violation', constraint = 'settled_when_paid';
    end if;
  end if;
  is_final := new.status <> all (rules.draft_statuses);
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((rules.transitions -> old.status) ? new.status, false)
      and not (old.status = 'PAID' and new.status = case when new.sent_at is null then rules.open_status else coalesce(rules.sent_status, rules.open_status) end) then
      if old.issued_at is not null and not is_final then perform refuse_frozen(); end if;
      raise exception 'A document does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    if new.status <> old.status and old.status = 'PAID' and old.converted_to_id is not null then
      raise exception 'The payments of a converted document are those of its invoice.' using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    -- deleting the bank account would otherwise remove it from the document; an edit of the document may remove it
    if old.issued_at is not null and old.bank_account_id is not null and new.bank_account_id is null and pg_trigger_depth() > 1 then
      raise exception 'The account stands on an issued document.' using errcode = 'check_violation', constraint = 'account_on_issued_document';
    end if;
  end if;
  if new.status = rules.sent_status and new.sent_at is null then new.sent_at := now(); end if;
  if new.paid_minor > 0 and new.status <> all (rules.payable_statuses) then
    raise exception 'A document that is % has no payments.', new.status using errcode = 'check_violation', constraint = 'payable_when_paid';
  end if;
  -- PAID exactly when nothing is open and money was received (INV-05); the check settled_when_paid holds the other direction
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
        from next_document_number(new.organization_id, new.document_type, new.source_document_id, new.issue_date_given, new.issue_date) n;
    end if;
    new.issued_at := now();
  else
    new.issued_at := null; -- a kind may allow that a final document is taken back, but never one with a number
    new.exchange_rate := null;
    new.rate_currency := null;
    new.rate_date := null;
  end if;
  return new;
end $$;

create or replace function refuse_frozen() returns void language plpgsql as $$
begin
  raise exception 'An issued document does not change.' using errcode = 'check_violation', constraint = 'issued_document_is_frozen';
end $$;

-- Compares all columns that a kind may freeze at once, and column by column only if one of them changed.
create or replace function refuse_frozen_change(rules ledger_kinds, was documents, becomes documents) returns void language plpgsql as $$
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

create or replace function refuse_deleting_final() returns trigger language plpgsql as $$
begin
  raise exception 'A number is given for good.' using errcode = 'check_violation', constraint = 'numbered_document_stays';
end $$;

-- The kinds, for functions that run with the rights of a request, which cannot read the table itself.
create or replace function all_ledger_kinds() returns setof ledger_kinds
  language sql stable parallel safe security definer rows 10 set search_path = public, pg_temp as $$ select * from ledger_kinds $$;
grant execute on function all_ledger_kinds() to kontor_across, kontor_confined;

-- Keeps cancellations, conversions and the text that the law requires: the reason of a memo, and the tax withheld from a receipt.
create or replace function guard_legal_content() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_frozen();
  return new;
end $$;

create or replace trigger guard_document before insert or update on documents for each row execute function guard_document();
create or replace trigger refuse_deleting_final before delete on documents
  for each row when (old.issued_at is not null) execute function refuse_deleting_final();
create or replace trigger guard_legal_content before update on documents
  for each row when (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at or old.converted_to_id is not null and new.converted_to_id is distinct from old.converted_to_id or old.issued_at is not null and (((old.document_type = any (array['CREDIT_MEMO'::text, 'DEBIT_MEMO'::text])) or old.document_type = 'RECEIPT'::text and old.payment_id is not null) and new.notes is distinct from old.notes or (old.document_type = any (array['RECEIPT'::text, 'INVOICE_RECEIPT'::text])) and ((new.country_specific_data -> 'withholdingTax'::text) is distinct from (old.country_specific_data -> 'withholdingTax'::text) or (new.country_specific_data -> 'withheldAmount'::text) is distinct from (old.country_specific_data -> 'withheldAmount'::text)))) execute function guard_legal_content();
