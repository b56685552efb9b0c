-- People, the organizations they belong to, and what they prove themselves with.

create type member_role as enum ('EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER'); -- each includes those before it

create table users (
  id            uuid primary key,
  name          text not null check (name <> ''),
  email         text not null check (email <> ''),
  password_hash text,
  email_verified_at timestamptz,
  disabled_at   timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create unique index one_user_per_email on users (lower(email));
select person_table('users', 'id');

create table sessions (
  id           uuid primary key,
  user_id      uuid not null references users on delete cascade,
  secret_hash  bytea not null unique,
  signed_in_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ends_at      timestamptz not null,
  user_agent   text,
  address      text
);
create index on sessions (user_id);
select person_table('sessions');

create table organizations (
  id                  uuid primary key,
  name                text not null check (name <> ''),
  country             text not null check (country ~ '^[A-Z]{2}$'),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  timezone            text not null,
  registration_number text, tax_number text, address text, email text, phone text,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);
create index on organizations (registration_number, country) where registration_number is not null;
select organization_table('organizations', 'id');

create table memberships (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  role            member_role not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on memberships (user_id);
select organization_table('memberships');

-- An organization always has an owner. Checked at commit, so that ownership can be handed over in one transaction.
create function require_owner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid;
begin
  if tg_table_name = 'organizations' then place := new.id; else place := old.organization_id; end if;
  if exists (select from organizations where id = place)
     and not exists (select from memberships where organization_id = place and role = 'OWNER') then
    raise exception 'An organization always has an owner.' using errcode = 'check_violation', constraint = 'organization_has_owner';
  end if;
  return null;
end $$;
create constraint trigger organization_has_owner after insert on organizations
  deferrable initially deferred for each row execute function require_owner();
create constraint trigger organization_has_owner after update or delete on memberships
  deferrable initially deferred for each row execute function require_owner();

create table api_keys (
  id           uuid primary key,
  user_id      uuid not null default current_person() references users on delete cascade,
  name         text not null check (length(name) between 1 and 80),
  prefix       text not null,
  secret_hash  bytea not null unique,
  scopes       text[] not null check (cardinality(scopes) between 1 and 50),
  all_orgs     boolean not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  created_at   timestamptz not null default now()
);
create index on api_keys (user_id, created_at);
select person_table('api_keys');

create table api_key_organizations (
  api_key_id      uuid not null references api_keys on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null default current_person(),
  primary key (api_key_id, organization_id),
  -- a key reaches an organization only while its person belongs to it
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index on api_key_organizations (organization_id, user_id);
select person_table('api_key_organizations');

create table api_key_calls (
  id              uuid primary key,
  api_key_id      uuid not null references api_keys on delete cascade,
  user_id         uuid not null,
  method          text not null,
  path            text not null,
  feature         text,
  verb            text,
  status_code     integer not null,
  error_code      text,
  duration_ms     integer not null,
  organization_id uuid, -- a record of what was, so it outlives the organization
  created_at      timestamptz not null
);
create index on api_key_calls (api_key_id, created_at desc, id desc);
create index on api_key_calls (created_at); -- pruning
select person_table('api_key_calls');
revoke insert, update, delete on api_key_calls from kontor_confined;

-- Sign-in failures are counted exactly, per account and per address (RATE, WEB).
create table sign_in_failures (
  subject       text primary key,
  failures      integer not null,
  since         timestamptz not null,
  blocked_until timestamptz
);
select system_table('sign_in_failures');

-- One attempt to sign in counts against its account and its address, or against neither when it must wait: nobody can
-- use up the tries of an account from an address that is itself refused. Counted before the password is looked at, so
-- that a burst in parallel gets no more tries than one after the other. Returns the seconds to wait, 0 to go on. After
-- the allowed failures within 15 minutes the wait doubles from 15 seconds to 15 minutes; there is no hard lock.
create function count_sign_in(account text, per_account integer, address text, per_address integer)
  returns double precision language plpgsql as $$
declare
  wait double precision := 0;
begin
  wait := greatest(sign_in_wait(account), sign_in_wait(address));
  if wait > 0 then return wait; end if;
  perform count_sign_in_failure(account, per_account), count_sign_in_failure(address, per_address);
  return 0;
end $$;

create function sign_in_wait(attempted text) returns double precision language plpgsql as $$
begin
  insert into sign_in_failures (subject, failures, since) values (attempted, 0, now()) on conflict do nothing;
  return (select coalesce(greatest(0, extract(epoch from f.blocked_until - clock_timestamp())), 0)
    from (select blocked_until from sign_in_failures where subject = attempted for update) f);
end $$;

create function count_sign_in_failure(attempted text, allowed integer) returns void language plpgsql as $$
declare
  entry sign_in_failures;
begin
  select * into entry from sign_in_failures where subject = attempted;
  if greatest(entry.since, entry.blocked_until) < now() - interval '15 minutes' then
    entry.failures := 0;
    entry.since := now();
  end if;
  entry.failures := entry.failures + 1;
  entry.blocked_until := case when entry.failures >= allowed then
    clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(entry.failures - allowed, 10))) end;
  update sign_in_failures set failures = entry.failures, since = entry.since, blocked_until = entry.blocked_until
  where subject = attempted;
end $$;

-- An attempt that turned out to be no failure. A wait that others have earned stays.
create function forgive_sign_in(attempted text, allowed integer) returns void language sql as $$
  update sign_in_failures set failures = greatest(0, failures - 1),
    blocked_until = case when failures - 1 >= allowed then blocked_until end
  where subject = attempted;
$$;

-- A right password: the account starts afresh, the address has one failure less.
create function welcome_sign_in(account text, address text, per_address integer) returns void language sql as $$
  delete from sign_in_failures where subject = account;
  select forgive_sign_in(address, per_address);
$$;
