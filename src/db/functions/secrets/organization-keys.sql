-- Guards the keys that encrypt secrets: a request gets only those of its own organization.

-- Whether the transaction may use the keys of an organization: a request those of the organization that it is confined to, the
-- product's own connections those of all.
create or replace function may_use_keys_of(organization uuid) returns boolean language sql stable as $$
  select coalesce(organization = current_organization(), false)
    or current_setting('role') not in ('kontor_confined', 'kontor_across')
$$;

-- The columns that secret_column() made, read from the catalog, so that there is no list to keep up to date.
create or replace function secret_columns() returns table(table_name text, column_name text) language sql stable as $$
  select c.relname::text, left(a.attname, -length('_key_id'))
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
  where k.contype = 'f' and k.confrelid = 'public.organization_keys'::regclass and a.attgenerated = 's'
  order by 1, 2
$$;

-- The current key of the organization, with one more use counted; no row if there is none yet. The row stays locked until the
-- transaction ends, so that a key is not retired between sealing a value and storing it.
create or replace function take_organization_key(organization uuid, for_table text, for_column text, out id uuid, out wrapped bytea, out kek_id text, out uses bigint)
  returns record
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  if not exists (select from secret_columns() c where c.table_name = for_table and c.column_name = for_column) then
    raise exception '%.% is no secret column: secret_column() makes one', for_table, for_column;
  end if;
  update organization_keys k set uses = k.uses + 1
  where k.organization_id = organization and k.retired_at is null and k.uses < 4294967296
  returning k.id, k.wrapped, k.kek_id, k.uses
  into take_organization_key.id, take_organization_key.wrapped, take_organization_key.kek_id, take_organization_key.uses;
  if not found and exists (select from organization_keys k where k.organization_id = organization and k.uses >= 4294967296
      and k.retired_at is null) then
    raise exception 'The key of organization % is used up: run kontor secrets rotate --data', organization
      using errcode = 'program_limit_exceeded';
  end if;
end $$;
grant execute on function take_organization_key(uuid, text, text) to kontor_confined;

-- Adds the first key of the organization, unless another transaction added one before.
create or replace function add_organization_key(organization uuid, id uuid, wrapped bytea, kek_id text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  insert into organization_keys (organization_id, id, wrapped, kek_id)
  values (organization, add_organization_key.id, add_organization_key.wrapped, add_organization_key.kek_id)
  on conflict (organization_id) where retired_at is null do nothing;
end $$;
grant execute on function add_organization_key(uuid, uuid, bytea, text) to kontor_confined;

-- One key of the organization, current or retired, to open a value that was sealed with it.
create or replace function organization_key(organization uuid, key uuid, out wrapped bytea, out kek_id text, out lost boolean)
  returns record
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  select k.wrapped, k.kek_id, k.lost_at is not null
  into organization_key.wrapped, organization_key.kek_id, organization_key.lost
  from organization_keys k where k.organization_id = organization and k.id = key;
end $$;
grant execute on function organization_key(uuid, uuid) to kontor_confined;
