-- Guards remembered calls of API keys: each belongs to a key that exists, and is deleted with it.

-- These triggers guarantee what a foreign key would, but look each key up once per statement. A foreign key would look it up for
-- every call, thousands of times for one key.
create or replace function require_keys_of_calls() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- the same lock that a foreign key takes: until this transaction ends, the key cannot be deleted
  perform from api_keys k where k.id in (select a.api_key_id from added a) for key share;
  if exists (select from (select distinct a.api_key_id from added a) named
      where not exists (select from api_keys k where k.id = named.api_key_id)) then
    raise exception 'A call names an API key that does not exist.'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function delete_calls_of_keys() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from api_key_calls c using removed r where c.api_key_id = r.id;
  return null;
end $$;

create or replace trigger require_keys after insert on api_key_calls referencing new table as added
  for each statement execute function require_keys_of_calls();
create or replace trigger delete_calls after delete on api_keys referencing old table as removed
  for each statement execute function delete_calls_of_keys();
