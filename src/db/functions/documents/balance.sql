-- Says what is open of a document, and whether it is settled.

create or replace function open_minor(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.payment_id is not null or d.cancelled_at is not null or d.converted_to_id is not null then 0
    else d.total_minor - d.paid_minor - d.credited_minor end
$$;
grant execute on function open_minor(documents) to kontor_across, kontor_confined;

-- PAID needs money, or a total of zero.
create or replace function is_settled(total bigint, paid bigint, credited bigint) returns boolean language sql immutable parallel safe as $$
  select paid + credited = total and (paid > 0 or total = 0)
$$;

create or replace function outstanding_minor(d documents) returns bigint language sql immutable parallel safe as $$
  select case when d.document_type = 'RECEIPT' and d.issued_at is not null then 0 else open_minor(d) end
$$;

-- The currency of a line that is booked at its face value because no rate is known; null otherwise.
create or replace function face_currency(currency text, home_currency text, exchange_rate numeric) returns text
  language sql immutable parallel safe as $$
  select case when exchange_rate is null and currency <> home_currency then currency else '' end
$$;
grant execute on function face_currency(text, text, numeric) to kontor_confined;
