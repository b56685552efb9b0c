-- Fixes the exchange rate of a document or payment when it is issued or recorded, and keeps given rates.

-- Fixes the rate of a document. It fires after guard_document(), which may have moved the date. A memo has the rate of the document
-- that it corrects, a receipt that of the day of its payment, any other document that of its issue date, unless a rate was given.
create or replace function set_exchange_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own record;
  paid payments; -- the payment that a receipt states
  day date := new.issue_date;
  largest bigint := greatest(abs(new.subtotal_minor), abs(new.tax_minor), abs(new.total_minor));
begin
  select o.currency, o.country, country_currency(o.country) as country_currency into own
    from organizations o where o.id = new.organization_id;
  if new.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') then
    select d.exchange_rate, d.rate_currency, d.rate_date, d.country_rate, d.country_rate_date
      into new.exchange_rate, new.rate_currency, new.rate_date, new.country_rate, new.country_rate_date from documents d
      where d.organization_id = new.organization_id and d.id = new.source_document_id;
    perform require_amounts_fit(new, largest, coalesce(new.rate_currency, own.currency), own.country_currency);
    return new;
  end if;
  if new.document_type = 'RECEIPT' then
    select p.* into paid from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
    day := coalesce(paid.paid_at, new.payment_date, new.issue_date);
  end if;
  new.exchange_rate := 1;
  new.rate_date := null;
  if new.currency <> own.currency and new.given_rate is not null then
    new.exchange_rate := new.given_rate;
    new.rate_date := coalesce(new.given_rate_date, new.issue_date);
  elsif new.currency <> own.currency and paid.rate_currency = own.currency and paid.exchange_rate is not null then
    new.exchange_rate := paid.exchange_rate;
    new.rate_date := paid.rate_date;
  elsif new.currency <> own.currency then
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
      from rate_on(new.currency, own.currency, day, own.country) r;
  end if;
  new.rate_currency := case when new.exchange_rate is not null then own.currency end;
  if own.currency = own.country_currency then
    new.country_rate := new.exchange_rate;
    new.country_rate_date := new.rate_date;
  elsif new.currency = own.country_currency then
    new.country_rate := 1;
    new.country_rate_date := null;
  elsif new.currency = own.currency and new.given_rate is not null then -- a given rate can only be the rate to this currency
    new.country_rate := new.given_rate;
    new.country_rate_date := coalesce(new.given_rate_date, new.issue_date);
  else
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.country_rate, new.country_rate_date
      from rate_on(new.currency, own.country_currency, day, own.country) r;
  end if;
  perform require_amounts_fit(new, largest, own.currency, own.country_currency);
  return new;
end $$;

-- Refuses changes of the rates of an issued document; a document that becomes a draft again has none.
create or replace function keep_fixed_rates() returns trigger language plpgsql as $$
begin
  if new.issued_at is not null then perform refuse_frozen(); end if;
  new.country_rate := null;
  new.country_rate_date := null;
  return new;
end $$;

create or replace function set_payment_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own organizations;
  home text;
  refunded payments;
  is_given boolean := new.exchange_rate is not null and new.source not in ('CREDIT_MEMO', 'REFUND');
begin
  select * into own from organizations o where o.id = new.organization_id;
  home := own.currency;
  if not is_given or new.currency = home then
    new.exchange_rate := null;
    new.rate_date := null;
  end if;
  if new.currency = home then return new; end if;
  new.rate_currency := home;
  if new.source <> 'CREDIT_MEMO' then
    if is_given then
      new.rate_date := coalesce(new.rate_date, new.paid_at);
    else
      select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
        from rate_on(new.currency, home, new.paid_at, own.country) r;
    end if;
    if convert_minor(new.amount_minor, new.currency, home, 1, coalesce(new.exchange_rate, 1)) > amount_max() then
      raise exception 'The amount is too large in %.', home using errcode = 'check_violation', detail = home,
        constraint = case when is_given then 'payment_fits_given_rate' else 'payment_fits_home' end;
    end if;
  end if;
  if new.refund_of is not null then
    select * into refunded from payments p where p.organization_id = new.organization_id and p.id = new.refund_of for no key update;
    new.refund_home_minor := case when refunded.rate_currency = home then part_of_payment(refunded, new.amount_minor)
      else home_minor(new.amount_minor, new.currency, home, new.exchange_rate) end; -- it was received in another home currency
  end if;
  return new;
end $$;

-- Gives a credit memo and its credit the rate of the document that the memo corrects.
create or replace function set_credit_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set exchange_rate = new.exchange_rate, rate_currency = new.rate_currency, rate_date = new.rate_date
    where p.organization_id = new.organization_id and p.id = new.payment_id and p.exchange_rate is distinct from new.exchange_rate;
  return null;
end $$;

-- Triggers fire in the order of their names: these fire after guard_document, which sets the date and issued_at.
create or replace trigger set_exchange_rate_of_new before insert on documents
  for each row when (new.issued_at is not null) execute function set_exchange_rate();
create or replace trigger set_exchange_rate_when_final before update on documents
  for each row when (old.issued_at is null and new.issued_at is not null) execute function set_exchange_rate();
create or replace trigger keep_fixed_rates before update on documents
  for each row when (old.issued_at is not null and (new.issued_at is null or new.given_rate is distinct from old.given_rate or new.given_rate_date is distinct from old.given_rate_date or new.country_rate is distinct from old.country_rate or new.country_rate_date is distinct from old.country_rate_date)) execute function keep_fixed_rates();
create or replace trigger set_payment_rate before insert on payments for each row execute function set_payment_rate();
create or replace trigger set_credit_rate after insert on documents
  for each row when (new.document_type = 'CREDIT_MEMO'::text and new.payment_id is not null and new.rate_currency <> new.currency) execute function set_credit_rate();
