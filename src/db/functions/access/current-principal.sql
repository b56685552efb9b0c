-- Says which principal acts in this transaction: the key or app, or else the person.

-- The principal whose Idempotency-Keys these are if the caller has no key of its own: an app together with one person, or the
-- person.
create or replace function current_principal() returns text language sql stable as $$
  select coalesce('app:' || nullif(current_setting('app.client', true), '') || ' ', 'user:') || current_person()
$$;
grant execute on function current_principal() to kontor_across, kontor_confined;
