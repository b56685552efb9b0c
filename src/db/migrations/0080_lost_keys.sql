-- When the key of the installation is lost, what it encrypted can never be read again. Such values stay where they are and
-- are marked, so that they can be listed and entered again (docs/decisions/0084-a-lost-key.md).

alter table organization_keys add column lost_at timestamptz;
alter table organization_keys add constraint lost_key_is_retired check (lost_at is null or retired_at is not null);

-- A second factor that cannot be checked any more. It is not removed: the password alone must not become enough.
alter table authenticators add column lost_at timestamptz;

drop function organization_key(uuid, uuid);
create function organization_key(organization uuid, key uuid, out wrapped bytea, out kek_id text, out lost boolean)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  select k.wrapped, k.kek_id, k.lost_at is not null
  into organization_key.wrapped, organization_key.kek_id, organization_key.lost
  from organization_keys k where k.organization_id = organization and k.id = key;
end $$;
revoke execute on function organization_key(uuid, uuid) from public;
grant execute on function organization_key(uuid, uuid) to kontor_confined;

-- How many values each organization lost and has not entered again, by column.
create function lost_values() returns table (organization_id uuid, table_name text, column_name text, times bigint)
  language plpgsql stable as $$
declare
  place record;
begin
  for place in select c.table_name, c.column_name from secret_columns() c loop
    return query execute format('select t.organization_id, %L::text, %L::text, count(*) from %I t
      join organization_keys k on k.organization_id = t.organization_id and k.id = t.%I and k.lost_at is not null group by 1',
      place.table_name, place.column_name, place.table_name, place.column_name || '_key_id');
  end loop;
end $$;
revoke execute on function lost_values() from public;
