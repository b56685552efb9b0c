-- Secrets that must be read back (reliability SEC): a data key for each organization, wrapped by a key that is not in the
-- database; the root of derived keys; the canary that tells a wrong key at start; and what makes a column hold secrets.

-- No request is granted anything here, not even its own organization's rows: a role that may write them can destroy every
-- secret of its organization or turn the counter back, and one that may list them learns which secrets are written when.
-- Requests have the three functions below, which give the wrapped key of the organization they have entered, count the
-- use, and add a first key. Wrapped keys are worth nothing without the wrapping key, which only the process has.
create table organization_keys (
  organization_id uuid not null references organizations on delete cascade, -- with its keys goes all that they sealed
  id              uuid not null,
  wrapped         bytea not null,
  kek_id          text not null, -- which wrapping key
  uses            bigint not null default 0 constraint key_is_not_used_up check (uses between 0 and 4294967296),
  created_at      timestamptz not null default now(),
  retired_at      timestamptz, -- opens still, seals no more
  primary key (organization_id, id)
);
create unique index one_current_key on organization_keys (organization_id) where retired_at is null;
create index on organization_keys (kek_id);
create index on organization_keys (retired_at) where retired_at is not null;
select system_table('organization_keys');

-- Sealed at the first start and opened at every other: with a wrong key nothing starts.
create table secrets_canary (
  only_row   boolean primary key default true check (only_row),
  wrapped    bytea not null,
  kek_id     text not null,
  created_at timestamptz not null default now()
);
select system_table('secrets_canary');

-- What keys for signatures and short-lived seals are derived from. It is not the wrapping key, so that a new wrapping key
-- leaves links and states that are on their way as they are.
create table secrets_root (
  only_row   boolean primary key default true check (only_row),
  wrapped    bytea not null,
  kek_id     text not null,
  created_at timestamptz not null default now()
);
select system_table('secrets_root');

-- A rotation of data keys that has begun and not ended: keys older than this are being replaced.
create table secrets_rotation (
  only_row   boolean primary key default true check (only_row),
  started_at timestamptz not null default now()
);
select system_table('secrets_rotation');

-- Requests reach the keys of the organization they have entered, the product's own connections those of all.
create function reaches_keys_of(organization uuid) returns boolean language sql stable as $$
  select coalesce(organization = current_organization(), false)
    or current_setting('role') not in ('kontor_confined', 'kontor_across')
$$;

-- The columns that secret_column() made, as the catalog knows them: nothing that could be forgotten or grow stale.
create function secret_columns() returns table (table_name text, column_name text) language sql stable as $$
  select c.relname::text, left(a.attname, -length('_key_id'))
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
  where k.contype = 'f' and k.confrelid = 'public.organization_keys'::regclass and a.attgenerated = 's'
  order by 1, 2
$$;

-- The organization's current key, counting one use of it; nothing if there is none yet. The row stays locked until the
-- transaction ends, so a key is not retired between sealing a value and storing it.
create function take_organization_key(organization uuid, for_table text, for_column text,
  out id uuid, out wrapped bytea, out kek_id text, out uses bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not reaches_keys_of(organization) then return; end if;
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

-- A first key for the organization, unless somebody else was faster.
create function add_organization_key(organization uuid, id uuid, wrapped bytea, kek_id text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not reaches_keys_of(organization) then return; end if;
  insert into organization_keys (organization_id, id, wrapped, kek_id)
  values (organization, add_organization_key.id, add_organization_key.wrapped, add_organization_key.kek_id)
  on conflict (organization_id) where retired_at is null do nothing;
end $$;

-- One key of the organization, current or retired, to open what it sealed.
create function organization_key(organization uuid, key uuid, out wrapped bytea, out kek_id text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not reaches_keys_of(organization) then return; end if;
  select k.wrapped, k.kek_id into organization_key.wrapped, organization_key.kek_id
  from organization_keys k where k.organization_id = organization and k.id = key;
end $$;

revoke execute on function reaches_keys_of, secret_columns, take_organization_key, add_organization_key, organization_key
  from public;
grant execute on function take_organization_key, add_organization_key, organization_key to kontor_confined;

-- Makes a bytea column of an organization's table (after organization_table) one for sealed values:
--   it takes nothing that is not a sealed value in form, so no plain text by mistake;
--   <column>_key_id, read from the value, refers to the key: it is one of this organization's own, rotation finds the
--   values of an old key by it, and no key can be destroyed while a value needs it;
--   with worker_only, requests write it and cannot read it (SEC-6): their select *, returning * and excluded.<column>
--   fail. A column that is added to the table later needs its own `grant select (…)`.
create function secret_column(name text, secret text, worker_only boolean default true) returns void language plpgsql as $$
declare
  key_id text := secret || '_key_id';
  readable text;
begin
  execute format('alter table %1$I
    add constraint %4$I check (octet_length(%2$I) >= 113 and get_byte(%2$I, 0) = 1),
    add column %3$I uuid generated always as (encode(substring(%2$I from 2 for 16), ''hex'')::uuid) stored,
    add foreign key (organization_id, %3$I) references organization_keys (organization_id, id)',
    name, secret, key_id, format('%s_%s_is_sealed', name, secret));
  execute format('create index on %I (organization_id, %I)', name, key_id);
  if worker_only then
    select string_agg(quote_ident(a.attname), ', ') into readable from pg_attribute a
    where a.attrelid = format('public.%I', name)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname not in (secret, key_id) and has_column_privilege('kontor_confined', a.attrelid, a.attnum, 'select');
    execute format('revoke select on %I from kontor_confined, kontor_across', name);
    execute format('grant select (%s) on %I to kontor_confined, kontor_across', readable, name);
  end if;
end $$;
revoke execute on function secret_column from public;
