-- Converts amounts between currencies in minor units, rounded half away from zero as in TypeScript.

-- The minor units of a currency. The usual currencies come first, because every conversion asks for two of them. TypeScript has the
-- same list, and a test compares them. Both are needed: TypeScript reads and writes amounts in major units, and triggers and
-- reports convert rows here.
create or replace function minor_units(currency text) returns numeric language sql immutable parallel safe as $$
  select case
    when currency in ('EUR', 'GBP', 'ILS', 'SGD', 'USD') then 100::numeric
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF', 'XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XUA')
      then 1
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    when currency in ('CLF', 'UYW') then 10000
    else 100
  end
$$;
grant execute on function minor_units(text) to kontor_across, kontor_confined;

-- An amount at the rates of rate_on(), rounded once, half up and away from zero. It uses whole numbers throughout, because a
-- quotient of numeric is rounded already, and rounding twice is sometimes wrong by one. It is numeric, because a large amount in
-- rupiahs is more than a bigint holds. TypeScript rounds in the same way, and a test compares them: it shows totals before anything
-- is written, and these functions add up rows without sending them.
create or replace function convert_minor(amount numeric, from_currency text, to_currency text, from_rate numeric, to_rate numeric)
  returns numeric
  language sql immutable parallel safe as $$
  select convert_units(amount, from_rate * minor_units(from_currency), to_rate * minor_units(to_currency))
$$;
grant execute on function convert_minor(numeric, text, text, numeric, numeric) to kontor_across, kontor_confined;

-- An amount at a rate that includes the minor units: `rate` of one currency for `per` of the other. Code that converts thousands of
-- amounts computes both once for each rate.
create or replace function convert_units(amount numeric, per numeric, rate numeric) returns numeric
  language sql immutable parallel safe as $$
  select sign(amount) * div(2 * abs(amount) * rate + per, 2 * per)
$$;
grant execute on function convert_units(numeric, numeric, numeric) to kontor_across, kontor_confined;

-- Links a payment request to the invoice that was issued for it, and moves its payments there. The request keeps its status,
-- because its payments are not lost; a document of the same official type would repeat it.
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
grant execute on function convert_document(uuid, uuid) to kontor_confined;
