-- Says who acts in this transaction: the key or app, or else the person.

-- Whose Idempotency-Keys these are, when the caller brings no key of its own: an app's with one person, or the person's.
create or replace function current_principal() returns text language sql stable as $$
  select coalesce('app:' || nullif(current_setting('app.client', true), '') || ' ', 'user:') || current_person()
$$;
grant execute on function current_principal() to kontor_across, kontor_confined;
