-- An amount that fits may be too large in another currency: the journal could then not be read. Documents and payments whose
-- amounts do not fit in the currency of the organization, or of its country, are refused.

-- The largest amount in minor units (amountMax in core/values/money.ts).
create function amount_max() returns bigint language sql immutable parallel safe as $$ select 999999999999999 $$;

-- Without a rate the face value counts, as in the journal. The detail is the currency in which the amount does not fit.
create function require_amounts_fit(d documents, largest numeric, home text, country_home text) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  misfit text;
begin
  misfit := case
    when d.currency <> home and convert_minor(largest, d.currency, home, 1, coalesce(d.exchange_rate, 1)) > amount_max() then home
    when d.currency <> country_home and convert_minor(largest, d.currency, country_home, 1, d.country_rate) > amount_max() then country_home
  end;
  if misfit is not null then
    raise exception 'The amounts are too large in %.', misfit using errcode = 'check_violation', detail = misfit,
      constraint = case when d.given_rate is null then 'amounts_fit_home' else 'amounts_fit_given_rate' end;
  end if;
end $$;

create or replace function set_exchange_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own record;
  paid payments; -- what a receipt states
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
  elsif new.currency = own.currency and new.given_rate is not null then -- what was given can only be the rate to this currency
    new.country_rate := new.given_rate;
    new.country_rate_date := coalesce(new.given_rate_date, new.issue_date);
  else
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.country_rate, new.country_rate_date
      from rate_on(new.currency, own.country_currency, day, own.country) r;
  end if;
  perform require_amounts_fit(new, largest, own.currency, own.country_currency);
  return new;
end $$;

-- The rate that a document would have without the given one.
create function published_rate(d documents) returns numeric language plpgsql stable parallel safe as $$
begin
  return (select r.to_rate / r.from_rate from organizations o
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral rate_on(d.currency, case when d.currency = h.home then country_currency(o.country) else h.home end,
      coalesce(d.given_rate_date, d.issue_date), o.country) r
    where o.id = d.organization_id);
end $$;
grant execute on function published_rate to kontor_confined, kontor_across;

-- The journal books by tax category, so every line must fit too: a large one and its deduction may add up to little.
create or replace function require_matching_amounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  issued documents;
  largest bigint;
begin
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind, lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount
        from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) s
      where d.organization_id = new.organization_id and d.id = new.id and d.issued_at is not null
        and (not amounts_match(s.lines, s.amount, d.subtotal_minor, d.tax_minor, d.total_minor)
          or k.pays_lines and s.amount <> d.total_minor)) then -- lines that are paid one by one add up to the total
    raise exception 'The amounts do not agree.' using errcode = 'check_violation', constraint = 'amounts_agree';
  end if;
  if new.issued_at is not null and (new.currency <> new.rate_currency or new.rate_currency is null or new.country_rate <> 1) then
    select max(abs(l.amount_minor)) into largest from document_lines l where l.organization_id = new.organization_id and l.document_id = new.id;
    select * into issued from documents d where d.organization_id = new.organization_id and d.id = new.id;
    perform require_amounts_fit(issued, largest, coalesce(issued.rate_currency, o.currency), country_currency(o.country))
      from organizations o where o.id = new.organization_id and largest is not null and issued.id is not null;
  end if;
  return null;
end $$;

-- The rate that was really obtained for a payment may be given, with its day.
grant insert (exchange_rate, rate_date) on payments to kontor_confined;

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
