-- Guards that an organization always has an owner.

-- Refuses the end of the last owner. The check is made at commit, so that ownership can be handed over in one transaction. Two
-- owners who leave at the same moment wait for each other, because each would otherwise still see the other.
create or replace function require_owner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid;
begin
  if tg_table_name = 'organizations' then
    place := new.id;
  elsif old.role = 'OWNER' then
    place := old.organization_id;
  else
    return null;
  end if;
  perform from organizations where id = place for no key update;
  if found and not exists (select from memberships where organization_id = place and role = 'OWNER') then
    raise exception 'An organization always has an owner.' using errcode = 'check_violation', constraint = 'organization_has_owner';
  end if;
  return null;
end $$;

create constraint trigger organization_has_owner after insert on organizations deferrable initially deferred
  for each row execute function require_owner();
create constraint trigger organization_has_owner after delete or update on memberships deferrable initially deferred
  for each row execute function require_owner();
