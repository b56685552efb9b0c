-- Sales documents: receipts by law, credits that fall back on their document, the status of credit memos, conversions.

-- The kind of what a payment settles; a refund has that of the payment it gives back. Payments of one kind are not seen with the
-- scope of another.
alter table payments add column kind text not null default 'SALES' constraint payment_kind check (kind <> '');
grant insert (kind) on payments to kontor_confined;

-- The invoice-receipt of an exempt dealer in Israel is a receipt by law (official type 400): it is numbered with the receipts.
create function is_receipt_by_law(document_type text, series text) returns boolean language sql immutable parallel safe as $$
  select document_type = 'RECEIPT' or (document_type = 'INVOICE_RECEIPT' and series = 'RECEIPT')
$$;
grant execute on function is_receipt_by_law to kontor_confined, kontor_across;

alter table documents drop constraint cancelled_type, drop constraint settled_when_paid;
alter table documents
  add constraint cancelled_type check (cancelled_at is null
    or (issued_at is not null and (document_type = 'PAYMENT_REQUEST' or is_receipt_by_law(document_type, series)))) not valid,
  -- a payment request that was paid stays PAID when its payments move to the invoice
  add constraint settled_when_paid check (status <> 'PAID' or payment_id is not null or converted_to_id is not null
    or (paid_minor + credited_minor = total_minor and (paid_minor > 0 or total_minor = 0))) not valid;
alter table documents validate constraint cancelled_type;
alter table documents validate constraint settled_when_paid;

-- Applies what is open of the credits of a document's own memos to the document, as far as it is open, the oldest first. The
-- caller has locked the document; the credits are locked here, so that none of them is refunded or used meanwhile.
create function apply_open_credits(organization uuid, corrected uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credit record;
  owed documents;
  part bigint;
begin
  for credit in select p.id, p.amount_minor - p.allocated_minor - p.refunded_minor as open, m.id as memo
      from documents m join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
      where m.organization_id = organization and m.source_document_id = corrected and m.document_type = 'CREDIT_MEMO'
      order by m.sequence, m.id for update of p loop
    select * into owed from documents d where d.organization_id = organization and d.id = corrected;
    part := least(credit.open, open_minor(owed));
    continue when part <= 0;
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values (organization, new_id(), credit.id, corrected, part);
    insert into document_events (organization_id, id, document_id, type, payload) values (organization, new_id(), corrected, 'CREDIT_APPLIED',
      jsonb_build_object('memoId', credit.memo, 'amount', trim_scale(major_units(part, owed.minor_digits)), 'currency', owed.currency, 'userId', current_person()));
  end loop;
end $$;

-- A part of the credit of a memo is open again: it goes to the document that the memo corrects, if that is open.
create function apply_freed_credit(organization uuid, credit uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  corrected uuid := (select m.source_document_id from documents m
    where m.organization_id = organization and m.payment_id = credit and m.document_type = 'CREDIT_MEMO');
begin
  if corrected is null then return; end if;
  perform from documents d where d.organization_id = organization and d.id = corrected for no key update;
  perform apply_open_credits(organization, corrected);
end $$;

-- As before, for the organization of the request.
create function apply_freed_credit(credit uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$ select apply_freed_credit(current_organization(), credit) $$;
grant execute on function apply_freed_credit(uuid) to kontor_confined;

-- As before. When money is taken away, the open credits of the document's own memos take its place; a receipt by law without
-- money is cancelled.
create or replace function apply_allocation() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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
  update payments p set allocated_minor = p.allocated_minor + change
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

-- As before. The credit that was refunded is open again.
create or replace function apply_refund() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set refunded_minor = p.refunded_minor + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
    where p.organization_id = new.organization_id and p.id = new.refund_of
      and (tg_op = 'UPDATE' or (p.voided_at is null and p.source <> 'REFUND' and p.currency = new.currency
        and p.kind = new.kind and p.direction <> new.direction and p.counterparty_id is not distinct from new.counterparty_id
        and (p.withheld_minor = 0 or p.refunded_minor + new.amount_minor <= p.amount_minor - p.withheld_minor)));
  if not found then
    raise exception 'That payment cannot be refunded.' using errcode = 'check_violation', constraint = 'refund_fits_payment';
  end if;
  if tg_op = 'UPDATE' then perform apply_freed_credit(new.organization_id, new.refund_of); end if;
  return null;
end $$;

-- What is left of the credit of a credit memo; nothing of other documents.
create function open_credit(d documents) returns bigint language sql stable parallel safe as $$
  select case when d.document_type = 'CREDIT_MEMO' then coalesce((select p.amount_minor - p.allocated_minor - p.refunded_minor from payments p
    where p.organization_id = d.organization_id and p.id = d.payment_id), 0) else 0 end
$$;
grant execute on function open_credit to kontor_confined, kontor_across;

-- As before. A credit memo is PAID exactly when its credit is used up. A converted document stays PAID.
create or replace function guard_document() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rules ledger_kinds;
  is_final boolean;
  is_used boolean; -- whether nothing is left of the credit of a memo
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
        from next_document_number(new.organization_id, new.document_type, new.source_document_id, new.issue_date_given, new.issue_date) n;
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

create function follow_credit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update documents d set status = case when new.amount_minor = new.allocated_minor + new.refunded_minor then 'PAID'
      when d.sent_at is null then k.open_status else coalesce(k.sent_status, k.open_status) end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.payment_id = new.id and d.document_type = 'CREDIT_MEMO' and k.kind = d.kind and k.open_status is not null;
  return null;
end $$;
create trigger follow_credit after update of allocated_minor, refunded_minor on payments for each row
  when (new.source = 'CREDIT_MEMO' and (old.amount_minor = old.allocated_minor + old.refunded_minor)
    <> (new.amount_minor = new.allocated_minor + new.refunded_minor)) execute function follow_credit();

-- As before. The request keeps its status, since its payments are not lost; a document of the same official type would repeat it.
create or replace function convert_document(request uuid, invoice uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved allocations;
  before text := (select d.status from documents d where d.organization_id = current_organization() and d.id = request);
begin
  if exists (select from issued_copies r join issued_copies i on i.organization_id = r.organization_id and i.official_type = r.official_type
      where r.organization_id = current_organization() and r.document_id = request and i.document_id = invoice) then
    raise exception 'Both documents are of the same official type.' using errcode = 'check_violation', constraint = 'converted_to_another_type';
  end if;
  for moved in update allocations a set voided_at = now()
      where a.organization_id = current_organization() and a.document_id = request and a.voided_at is null returning a.* loop
    insert into allocations (organization_id, id, payment_id, document_id, line_id, amount_minor)
      values (moved.organization_id, new_id(), moved.payment_id, invoice, moved.line_id, moved.amount_minor);
  end loop;
  update documents d set converted_to_id = invoice, status = before
    from documents i
    where d.organization_id = current_organization() and d.id = request and d.document_type = 'PAYMENT_REQUEST' and d.issued_at is not null
      and d.cancelled_at is null and d.converted_to_id is null and d.credited_minor = 0
      and i.organization_id = d.organization_id and i.id = invoice and i.source_document_id = d.id and i.issued_at is not null
      and i.document_type in ('INVOICE', 'INVOICE_RECEIPT') and i.total_minor = d.total_minor;
  if not found then
    raise exception 'The document cannot be converted.' using errcode = 'check_violation', constraint = 'convertible_document';
  end if;
end $$;

-- What is stored, by the rules above.
update documents d set status = case when d.sent_at is null then 'UNSENT' else 'SENT' end
  where d.document_type = 'CREDIT_MEMO' and d.status = 'PAID' and open_credit(d) > 0;
do $$
declare
  corrected record;
begin
  for corrected in select distinct m.organization_id, m.source_document_id as id from documents m
      join documents d on d.organization_id = m.organization_id and d.id = m.source_document_id
      where m.document_type = 'CREDIT_MEMO' and open_minor(d) > 0 and open_credit(m) > 0 order by 1, 2 loop
    perform from documents d where d.organization_id = corrected.organization_id and d.id = corrected.id for no key update;
    perform apply_open_credits(corrected.organization_id, corrected.id);
  end loop;
end $$;
update documents d set cancelled_at = a.voided_at
  from (select a.organization_id, a.document_id, max(a.voided_at) as voided_at from allocations a group by 1, 2) a
  where a.organization_id = d.organization_id and a.document_id = d.id and d.document_type = 'INVOICE_RECEIPT'
    and is_receipt_by_law(d.document_type, d.series) and d.paid_minor = 0 and d.cancelled_at is null;
