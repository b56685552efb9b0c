-- Guards the amounts of a document: they add up, are within the limits, and its lines match its totals.

-- Allows half a minor unit for each line, rounded up, and one more if tax is added.
create or replace function amounts_match(lines bigint, line_sum numeric, subtotal bigint, tax bigint, total bigint) returns boolean
  language sql immutable parallel safe as $$
  select abs(line_sum - subtotal) <= (lines + 1) / 2 and abs(subtotal + tax - total) <= (lines + 1) / 2 + 1
    and (lines > 0 or (subtotal, tax, total) = (0, 0, 0))
$$;

-- Checks every line as well, because the journal books by tax category: a large line and its deduction may add up to a small sum.
create or replace function require_matching_amounts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  issued documents;
  largest bigint;
begin
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind, lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount
        from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) s
      where d.organization_id = new.organization_id and d.id = new.id and d.issued_at is not null
        and (not amounts_match(s.lines, s.amount, d.subtotal_minor, d.tax_minor, d.total_minor)
          or k.pays_lines and s.amount <> d.total_minor)) then -- lines that are paid one by one must add up to the total
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

-- The largest amount in minor units (amountMax in core/values/money.ts).
create or replace function amount_max() returns bigint language sql immutable parallel safe as $$ select 999999999999999 $$;
grant execute on function amount_max() to kontor_confined;

-- Without a rate an amount counts at face value, as in the journal. The detail of the error is the currency in which the amount is
-- too large.
create or replace function require_amounts_fit(d documents, largest numeric, home text, country_home text) returns void
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

-- Checks a draft with an exchange rate of its own as an issued document is checked: its amounts must fit in the currency of the
-- organization. One draft with too large a rate would otherwise make every export of expenses fail.
create or replace function require_draft_fits() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  draft documents := new;
  home text;
begin
  select o.currency into home from organizations o where o.id = new.organization_id;
  draft.exchange_rate := new.given_rate;
  perform require_amounts_fit(draft, greatest(abs(new.subtotal_minor), abs(new.tax_minor), abs(new.total_minor)), home, home);
  return new;
end $$;

create constraint trigger amounts_match_when_new after insert on documents deferrable initially deferred
  for each row when (new.issued_at is not null) execute function require_matching_amounts();
create constraint trigger amounts_match_when_final after update on documents deferrable initially deferred
  for each row when (old.issued_at is null and new.issued_at is not null) execute function require_matching_amounts();
create or replace trigger require_draft_fits before insert or update of given_rate, currency, subtotal_minor, tax_minor, total_minor on documents
  for each row when (new.issued_at is null and new.given_rate is not null) execute function require_draft_fits();
