-- Keeps the earlier addresses of people, so that the claimant of an expense is still recognized by them.

create or replace function keep_former_address() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into former_addresses (user_id, email) values (new.id, old.email) on conflict do nothing;
  return null;
end $$;

create or replace trigger keep_former_address after update of email on users
  for each row when (lower(old.email) <> lower(new.email)) execute function keep_former_address();
