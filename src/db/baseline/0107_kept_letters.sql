-- The schema of an empty database, as the migrations up to the one in the name of this file make it one by one, with the tables of
-- the job queue. Written by `npm run baseline` and never edited: a change is a new migration. See src/db/README.md.
-- {owner} stands for the name of the login that owns the database, which installations call differently.
set local check_function_bodies = off; -- functions name others that come later
set local search_path = public;


-- Roles, schemas and default privileges

grant kontor_confined, kontor_across to current_user;
create schema graphile_worker;
grant usage on schema public to kontor_across;
grant usage on schema public to kontor_confined;
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;
alter default privileges revoke execute on functions from public;


-- Types, tables, views and functions, in the order in which they need each other

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);
CREATE OR REPLACE FUNCTION public.current_person()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.person', true), '')::uuid $function$;
CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.organization', true), '')::uuid $function$;
CREATE OR REPLACE FUNCTION public.current_organizations()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select coalesce(nullif(current_setting('app.organizations', true), ''), '{}')::uuid[] $function$;
CREATE OR REPLACE FUNCTION public.set_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new is distinct from old then new.updated_at := now(); end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.add_updated_at_trigger(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'updated_at') then
    execute format('create trigger touch before update on %I for each row execute function set_updated_at()', name);
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.organization_table(name text, key text DEFAULT 'organization_id'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_organization()))', name, key);
  execute format('create policy across on %I for select to kontor_across using (%I = any ((select current_organizations())::uuid[]))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  execute format('grant select on %I to kontor_across', name);
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'id' and c.data_type = 'uuid') then
    execute format('create function %I(row_id uuid) returns uuid language plpgsql stable security definer as
      $f$ begin return (select t.%I from public.%I t where t.id = row_id); end $f$', 'owner_of_' || name, key, name);
    execute format('grant execute on function %I(uuid) to kontor_confined', 'owner_of_' || name);
  end if;
  perform add_updated_at_trigger(name);
end $function$;
CREATE OR REPLACE FUNCTION public.person_table(name text, key text DEFAULT 'user_id'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_person()))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  perform add_updated_at_trigger(name);
end $function$;
CREATE OR REPLACE FUNCTION public.system_table(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $function$;
CREATE OR REPLACE FUNCTION public.append_only(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('revoke update, delete, truncate on %I from kontor_confined, kontor_across', name);
  execute format('create trigger append_only before update or delete on %I for each row execute function refuse_change()', name);
end $function$;
create type member_role as enum ('EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER');
create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified_at timestamp with time zone,
  password_hash text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  locale text not null default 'en'::text,
  digest text not null default 'NONE'::text,
  confirm_first boolean not null default false,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_name_check CHECK ((name <> ''::text)),
  constraint users_email_check CHECK ((email <> ''::text)),
  constraint users_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint users_digest_check CHECK ((digest = ANY (ARRAY['NONE'::text, 'DAILY'::text, 'WEEKLY'::text]))),
  constraint confirmed_is_open CHECK ((NOT (confirm_first AND (email_verified_at IS NOT NULL))))
);
create table sessions (
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  signed_in_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  user_agent text,
  address text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_secret_hash_key UNIQUE (secret_hash)
);
create table organizations (
  id uuid not null,
  name text not null,
  country text not null,
  currency text not null,
  timezone text not null,
  registration_number text,
  tax_number text,
  address text,
  email text,
  phone text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid default current_person(),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_name_check CHECK ((name <> ''::text)),
  constraint organizations_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint organizations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_organizations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.id from public.organizations t where t.id = row_id); end $function$;
create table memberships (
  organization_id uuid not null default current_organization(),
  user_id uuid not null,
  role member_role not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (organization_id, user_id)
);
CREATE OR REPLACE FUNCTION public.require_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
create table api_keys (
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  all_orgs boolean not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)))
);
create table api_key_organizations (
  api_key_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint api_key_organizations_pkey PRIMARY KEY (api_key_id, organization_id)
);
create table api_key_calls (
  id uuid not null,
  api_key_id uuid not null,
  user_id uuid not null,
  method text not null,
  path text not null,
  feature text,
  verb text,
  status_code integer not null,
  error_code text,
  duration_ms integer not null,
  organization_id uuid,
  created_at timestamp with time zone not null,
  constraint api_key_calls_pkey PRIMARY KEY (api_key_id, created_at, id)
);
create table sign_in_failures (
  subject text not null,
  failures integer not null,
  since timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);
CREATE OR REPLACE FUNCTION public.count_sign_in(account text, per_account integer, address text, per_address integer)
 RETURNS double precision
 LANGUAGE plpgsql
AS $function$
declare
  wait double precision := 0;
begin
  wait := greatest(sign_in_wait(account), sign_in_wait(address));
  if wait > 0 then return wait; end if;
  perform count_sign_in_failure(account, per_account), count_sign_in_failure(address, per_address);
  return 0;
end $function$;
CREATE OR REPLACE FUNCTION public.sign_in_wait(attempted text)
 RETURNS double precision
 LANGUAGE plpgsql
AS $function$
begin
  insert into sign_in_failures (subject, failures, since) values (attempted, 0, now()) on conflict do nothing;
  return (select coalesce(greatest(0, extract(epoch from f.blocked_until - clock_timestamp())), 0)
    from (select blocked_until from sign_in_failures where subject = attempted for update) f);
end $function$;
CREATE OR REPLACE FUNCTION public.count_sign_in_failure(attempted text, allowed integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.subtract_sign_in_failure(attempted text, allowed integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  update sign_in_failures set failures = greatest(0, failures - 1),
    blocked_until = case when failures - 1 >= allowed then blocked_until end
  where subject = attempted;
$function$;
CREATE OR REPLACE FUNCTION public.record_sign_in_success(account text, address text, per_address integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from sign_in_failures where subject = account;
  select subtract_sign_in_failure(address, per_address);
$function$;
CREATE OR REPLACE FUNCTION public.authorize_request(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[];
  done text;
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs, m.organization_id, m.role,
      set_config('app.credential', 'API_KEY ' || k.id || ' ' || k.scopes::text, true)
    into user_id, key_id, scopes, everywhere, organization_id, role, done
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
    -- Most keys reach all organizations of their person, and need no second query. A subquery in the condition itself would
    -- be planned for every call.
    if not everywhere then
      if not exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = target) then
        organization_id := null;
        role := null;
      end if;
    end if;
  elsif source = 'SESSION' then
    select s.user_id, s.id, s.signed_in_at, m.organization_id, m.role
    into user_id, session_id, signed_in_at, organization_id, role
    from public.sessions s join public.users u on u.id = s.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = s.user_id
    where s.secret_hash = credential and s.ends_at > now() and s.last_seen_at > now() - interval '12 hours'
      and u.disabled_at is null;
  elsif source = 'OAUTH' then
    select a.user_id, a.id, a.client_id, t.scopes, false, m.organization_id, m.role
    into user_id, app_id, client_id, scopes, everywhere, organization_id, role
    from public.oauth_tokens t join public.connected_apps a on a.id = t.app_id join public.users u on u.id = a.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = a.user_id and exists
      (select from public.connected_app_organizations o where o.app_id = a.id and o.organization_id = target)
    where t.secret_hash = credential and t.kind = 'AccessToken' and t.expires_at > now()
      and t.audience in (current_setting('app.service', true), current_setting('app.service', true) || '/mcp')
      and a.revoked_at is null and a.expires_at > now() and u.disabled_at is null;
    done := set_config('app.client', client_id, true);
    done := set_config('app.credential', 'OAUTH ' || app_id || ' ' || scopes::text, true);
  else
    select u.id, m.organization_id, m.role into user_id, organization_id, role
    from public.users u left join public.memberships m on m.organization_id = target and m.user_id = u.id
    where u.id = person and u.disabled_at is null;
  end if;

  if place = 'ONLY' or place = 'ALL' then
    select coalesce(array_agg(m.organization_id), '{}') into places from public.memberships m
    where m.user_id = authorize_request.user_id and (place = 'ONLY' or m.role >= needed) and (everywhere
      or exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = m.organization_id)
      or exists (select from public.connected_app_organizations o where o.app_id = authorize_request.app_id and o.organization_id = m.organization_id));
    reachable := cardinality(places);
    if place = 'ALL' and (scopes is null or scopes && fitting) then
      done := set_config('app.organizations', places::text, true);
    elsif place = 'ONLY' and reachable = 1 then
      select m.organization_id, m.role into organization_id, role
      from public.memberships m where m.organization_id = places[1] and m.user_id = authorize_request.user_id;
    end if;
  end if;

  -- A credential without the scope confines the transaction to nothing, as for an unknown caller.
  if scopes is not null and not scopes && fitting then return; end if;
  done := concat(set_config('app.person', user_id::text, true),
    set_config('app.payroll', coalesce(public.payroll_rights(role, needed, scopes, fitting, place = 'ALL'), ''), true),
    case when role >= needed then set_config('app.organization', organization_id::text, true) end);
end $function$;
CREATE OR REPLACE FUNCTION public.create_organization(id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  most integer := nullif(current_setting('app.organizations_max', true), '');
begin
  if exists (select from organizations o where o.id = create_organization.id) or current_person() is null then
    raise exception 'That organization exists.' using errcode = 'insufficient_privilege';
  end if;
  if most is not null then
    perform from users u where u.id = current_person() for no key update;
    if (select count(*) from (select m.organization_id from memberships m where m.user_id = current_person() and m.role = 'OWNER'
        union select o.id from organizations o where o.created_by = current_person()) mine) >= most then
      raise exception 'A person has at most % organizations.', most
        using errcode = 'check_violation', constraint = 'organizations_max';
    end if;
  end if;
  perform set_config('app.organization', id::text, true);
end $function$;
CREATE OR REPLACE FUNCTION public.belongs_to_all(organizations uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return not exists (select from unnest(organizations) as named (id)
    where not exists (select from memberships m where m.organization_id = named.id and m.user_id = current_person()));
end $function$;
CREATE OR REPLACE FUNCTION public.is_registered_organization(registration_number text, country text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from organizations o
    where o.registration_number = is_registered_organization.registration_number and o.country = is_registered_organization.country);
end $function$;
create table audit_log (
  id uuid not null,
  organization_id uuid,
  user_id uuid,
  source text not null,
  api_key_id uuid,
  session_id uuid,
  run_id text,
  turn_id text,
  request_id text not null,
  operation text not null,
  object_id text,
  detail jsonb,
  created_at timestamp with time zone not null default now(),
  client_id text,
  automation_id uuid,
  constraint somebody_did_it CHECK (((user_id IS NOT NULL) OR (source = ANY (ARRAY['SYSTEM'::text, 'LINK'::text]))))
);
create table events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  type text not null,
  payload jsonb not null,
  cause jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint events_pkey PRIMARY KEY (organization_id, id)
);
CREATE OR REPLACE FUNCTION public.owner_of_events(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.events t where t.id = row_id); end $function$;
create table idempotency_keys (
  user_id uuid not null default current_person(),
  principal text not null,
  organization_id uuid,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  sealed boolean not null default false,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_principal_key_organization_id_key UNIQUE NULLS NOT DISTINCT (principal, key, organization_id)
);
CREATE OR REPLACE FUNCTION public.remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin
  return (select k.organization_id from public.idempotency_keys k
    where k.principal = coalesce(remembered_organization.principal,
        (select 'app:' || a.client_id || ' ' || a.user_id from public.oauth_tokens t
         join public.connected_apps a on a.id = t.app_id where t.secret_hash = credential and t.kind = 'AccessToken'),
        'user:' || coalesce(person, (select s.user_id from public.sessions s where s.secret_hash = credential)))
      and k.key = remembered_organization.key and k.fingerprint = remembered_organization.fingerprint
    limit 1);
end $function$;
create unlogged table rate_buckets (
  key text not null,
  tat timestamp with time zone not null,
  constraint rate_buckets_pkey PRIMARY KEY (key)
);
CREATE OR REPLACE FUNCTION public.take_tokens(bucket text, per_second double precision, burst integer, wanted integer, OUT granted integer, OUT remaining integer, OUT retry_after double precision)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  moment timestamptz := clock_timestamp();
  was timestamptz;
  free integer;
begin
  insert into rate_buckets as b (key, tat) values (bucket, moment) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  was := least(greatest(was, moment), moment + make_interval(secs => burst / per_second));
  free := greatest(0, floor(burst - extract(epoch from was - moment) * per_second + 1e-6)::integer);
  granted := least(free, wanted);
  remaining := free - granted;
  if granted > 0 then
    update rate_buckets b set tat = was + make_interval(secs => granted / per_second) where b.key = bucket;
    retry_after := 0;
  else
    retry_after := greatest(0.001, extract(epoch from was - moment) - (burst - 1) / per_second);
  end if;
end $function$;
create unlogged table job_pressure (
  organization_id uuid not null,
  waiting integer not null,
  constraint job_pressure_pkey PRIMARY KEY (organization_id)
);
CREATE OR REPLACE FUNCTION public.enqueue(job text, payload jsonb, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, job_key text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
declare
  place uuid := public.current_organization();
begin
  if place is null and public.current_person() is null and current_setting('role') in ('kontor_confined', 'kontor_across') then
    raise exception 'Work is ordered by somebody, or within an organization.' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job(
    job, payload::json, run_at => enqueue.run_at, job_key => enqueue.job_key,
    priority => coalesce((select least(p.waiting / 10, 30000) from public.job_pressure p where p.organization_id = place), 0),
    flags => case when place is not null then array['organization:' || place] end);
end $function$;
CREATE OR REPLACE FUNCTION public.lock_subject(subject text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended(current_organization()::text || ':' || subject, 0));
end $function$;
create table customers (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text,
  kind text not null,
  status text not null default 'ACTIVE'::text,
  default_currencies text[] not null,
  email text,
  phone text,
  address text,
  country text,
  registration_number text,
  notes text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  is_customer boolean not null default true,
  is_supplier boolean not null default false,
  import_id uuid,
  is_employee boolean not null default false,
  is_authority boolean not null default false,
  constraint customers_pkey PRIMARY KEY (organization_id, id),
  constraint customers_name_check CHECK ((name <> ''::text)),
  constraint customers_kind_check CHECK ((kind = ANY (ARRAY['ORGANIZATION'::text, 'INDIVIDUAL'::text]))),
  constraint customers_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'INACTIVE'::text])))
);
CREATE OR REPLACE FUNCTION public.owner_of_customers(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin return (select t.organization_id from public.customers t where t.id = row_id and t.is_customer); end $function$;
create table customer_recipients (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  customer_id uuid not null,
  email text not null,
  name text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint customer_recipients_pkey PRIMARY KEY (organization_id, id),
  constraint customer_recipients_email_check CHECK ((email <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_customer_recipients(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.customer_recipients t where t.id = row_id); end $function$;
create table bank_accounts (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  account_name text not null,
  bank_name text not null,
  currencies text[] not null,
  is_default boolean not null,
  account_number text,
  branch_code text,
  local_bank_code text,
  swift_code text,
  iban text,
  routing_number text,
  bank_address text,
  bank_country text,
  notes text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint bank_accounts_pkey PRIMARY KEY (organization_id, id),
  constraint bank_accounts_account_name_check CHECK ((account_name <> ''::text)),
  constraint bank_accounts_bank_name_check CHECK ((bank_name <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_bank_accounts(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.bank_accounts t where t.id = row_id); end $function$;
create table expense_categories (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  color text,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint expense_categories_pkey PRIMARY KEY (organization_id, id),
  constraint expense_categories_name_check CHECK ((name <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_expense_categories(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.expense_categories t where t.id = row_id); end $function$;
create table worker_heartbeats (
  pool_id text not null,
  process text not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint worker_heartbeats_pkey PRIMARY KEY (pool_id)
);
create table failed_jobs (
  id uuid not null,
  organization_id uuid,
  job text not null,
  payload jsonb not null,
  attempts integer not null,
  error text not null,
  created_at timestamp with time zone not null default now(),
  constraint failed_jobs_pkey PRIMARY KEY (id)
);
CREATE OR REPLACE FUNCTION public.count_job_pressure()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('job pressure', 0)) then return; end if; -- another worker is counting
  delete from public.job_pressure;
  insert into public.job_pressure (organization_id, waiting)
  select replace(flag, 'organization:', '')::uuid, count(*)
  from graphile_worker._private_jobs j, jsonb_object_keys(j.flags) flag
  where flag like 'organization:%' and j.run_at <= now() group by 1 having count(*) >= 10;
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_abandoned_jobs(silence interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  silent text[];
begin
  select coalesce(array_agg(distinct j.locked_by), '{}') into silent from graphile_worker._private_jobs j
  where j.locked_by is not null and j.locked_at < now() - silence
    and not exists (select from public.worker_heartbeats h where h.pool_id = j.locked_by and h.seen_at > now() - silence);
  -- As graphile_worker.force_unlock_workers does it, but a job that a frozen worker still holds in a transaction is left
  -- for the next round: nobody waits for the dead. The ids come as an array: a queue that was empty when it was last
  -- counted would be joined with itself row by row.
  update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = any (array(
    select j.id from graphile_worker._private_jobs j where j.locked_by = any (silent) for update skip locked));
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null where id = any (array(
    select q.id from graphile_worker._private_job_queues q where q.locked_by = any (silent) for update skip locked));
  delete from public.worker_heartbeats h where h.seen_at < now() - interval '1 day';
  return cardinality(silent);
end $function$;
CREATE OR REPLACE FUNCTION public.queued_job_subjects(job text, field text)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select coalesce(j.payload ->> field, j.payload #>> array['$order', 'payload', field], '')
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = job and (j.is_available or j.locked_at is not null);
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_job(job text, field text, place uuid, subject uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('app.organization', coalesce(place::text, ''), true);
  perform enqueue(job, jsonb_build_object(field, subject));
  perform set_config('app.organization', '', true);
  return true;
end $function$;
create table leases (
  organization_id uuid not null default current_organization(),
  subject text not null,
  token bigint not null,
  holder text not null,
  expires_at timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (organization_id, subject)
);
CREATE OR REPLACE FUNCTION public.take_lease(named text, by text, seconds integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  taken bigint;
begin
  insert into leases as l (subject, token, holder, expires_at) values (named, 1, by, now() + make_interval(secs => seconds))
  on conflict (organization_id, subject) do update
    set token = l.token + 1, holder = by, expires_at = now() + make_interval(secs => seconds)
    where l.expires_at <= now()
  returning l.token into taken;
  return taken;
end $function$;
CREATE OR REPLACE FUNCTION public.renew_lease(named text, held bigint, seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update leases set expires_at = now() + make_interval(secs => seconds)
  where subject = named and token = held and expires_at > now();
  return found;
end $function$;
CREATE OR REPLACE FUNCTION public.require_lease(named text, held bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from leases where subject = named and token = held for share;
  if not found then raise exception 'The lease on % was lost.', named using errcode = 'object_not_in_prerequisite_state'; end if;
end $function$;
CREATE OR REPLACE FUNCTION public.release_lease(named text, held bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update leases set expires_at = now() where subject = named and token = held;
end $function$;
create table organization_keys (
  organization_id uuid not null,
  id uuid not null,
  wrapped bytea not null,
  kek_id text not null,
  uses bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  lost_at timestamp with time zone,
  constraint organization_keys_pkey PRIMARY KEY (organization_id, id),
  constraint key_is_not_used_up CHECK (((uses >= 0) AND (uses <= '4294967296'::bigint))),
  constraint lost_key_is_retired CHECK (((lost_at IS NULL) OR (retired_at IS NOT NULL)))
);
create table secrets_canary (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint secrets_canary_pkey PRIMARY KEY (only_row),
  constraint secrets_canary_only_row_check CHECK (only_row)
);
create table secrets_root (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint secrets_root_pkey PRIMARY KEY (only_row),
  constraint secrets_root_only_row_check CHECK (only_row)
);
create table secrets_rotation (
  only_row boolean not null default true,
  started_at timestamp with time zone not null default now(),
  constraint secrets_rotation_pkey PRIMARY KEY (only_row),
  constraint secrets_rotation_only_row_check CHECK (only_row)
);
CREATE OR REPLACE FUNCTION public.may_use_keys_of(organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(organization = current_organization(), false)
    or current_setting('role') not in ('kontor_confined', 'kontor_across')
$function$;
CREATE OR REPLACE FUNCTION public.secret_columns()
 RETURNS TABLE(table_name text, column_name text)
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname::text, left(a.attname, -length('_key_id'))
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
  where k.contype = 'f' and k.confrelid = 'public.organization_keys'::regclass and a.attgenerated = 's'
  order by 1, 2
$function$;
CREATE OR REPLACE FUNCTION public.take_organization_key(organization uuid, for_table text, for_column text, OUT id uuid, OUT wrapped bytea, OUT kek_id text, OUT uses bigint)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.add_organization_key(organization uuid, id uuid, wrapped bytea, kek_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not may_use_keys_of(organization) then return; end if;
  insert into organization_keys (organization_id, id, wrapped, kek_id)
  values (organization, add_organization_key.id, add_organization_key.wrapped, add_organization_key.kek_id)
  on conflict (organization_id) where retired_at is null do nothing;
end $function$;
CREATE OR REPLACE FUNCTION public.secret_column(name text, secret text, worker_only boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;
create table mail_deliveries (
  organization_id uuid default current_organization(),
  id uuid not null,
  "to" text not null,
  subject text not null,
  template text not null,
  letter bytea,
  attachments jsonb not null default '[]'::jsonb,
  contents bytea not null default '\x'::bytea,
  status text not null default 'QUEUED'::text,
  attempts integer not null default 0,
  claimed_until timestamp with time zone,
  last_reason text,
  message_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  enclosures jsonb not null default '[]'::jsonb,
  follow_up jsonb,
  kept boolean not null default false,
  constraint mail_deliveries_organization_id_id_key UNIQUE NULLS NOT DISTINCT (organization_id, id),
  constraint mail_deliveries_to_check CHECK ((length("to") <= 1000)),
  constraint mail_deliveries_subject_check CHECK ((length(subject) <= 1000)),
  constraint mail_deliveries_template_check CHECK ((template <> ''::text)),
  constraint mail_deliveries_letter_check CHECK ((octet_length(letter) <= 4194304)),
  constraint mail_deliveries_contents_check CHECK ((octet_length(contents) <= 10485788)),
  constraint mail_deliveries_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'FAILED'::text]))),
  constraint mail_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint mail_deliveries_check CHECK (((status = 'QUEUED'::text) = (letter IS NOT NULL))),
  constraint mail_deliveries_check1 CHECK (((status <> 'SENT'::text) OR (message_id IS NOT NULL))),
  constraint mail_deliveries_check2 CHECK (((status <> 'FAILED'::text) OR (last_reason IS NOT NULL))),
  constraint mail_deliveries_check3 CHECK (((NOT kept) OR (status = 'SENT'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_mail_deliveries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.mail_deliveries t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if template not in ('password-reset', 'verify-email', 'email-changed', 'new-sign-in', 'invitation', 'notification-digest',
    'access-ended', 'account-exists') then
    raise exception 'Kontor writes no % to people.', template using errcode = 'insufficient_privilege';
  end if;
  insert into mail_deliveries (organization_id, id, "to", subject, template, letter, status, last_reason)
  values (null, queue_person_mail.id, queue_person_mail."to", queue_person_mail.subject, queue_person_mail.template,
    queue_person_mail.letter, case when queue_person_mail.letter is null then 'FAILED' else 'QUEUED' end, reason)
  on conflict do nothing;
  if found and queue_person_mail.letter is not null then
    perform graphile_worker.add_job('send-mail', json_build_object('deliveryId', queue_person_mail.id));
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.lost_mail()
 RETURNS TABLE(organization_id uuid, id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select d.organization_id, d.id, d.created_at from public.mail_deliveries d
  where d.status = 'QUEUED' and coalesce(d.claimed_until < now(), true) and d.id::text not in (select queued_job_subjects('send-mail', 'deliveryId'));
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_mail(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('send-mail', 'deliveryId', lost.organization_id, lost.id))
  from (select * from lost_mail() m order by m.created_at, m.id limit most) lost
$function$;
create table outbox (
  organization_id uuid default current_organization(),
  id uuid not null,
  message_id text not null,
  "to" text not null,
  subject text not null,
  text text not null,
  html text not null,
  headers jsonb not null,
  attachments jsonb not null,
  contents bytea not null,
  created_at timestamp with time zone not null default now(),
  holds_payroll boolean not null default false,
  constraint outbox_organization_id_message_id_key UNIQUE NULLS NOT DISTINCT (organization_id, message_id),
  constraint outbox_text_check CHECK ((length(text) <= 200000)),
  constraint outbox_html_check CHECK ((length(html) <= 500000)),
  constraint outbox_contents_check CHECK ((octet_length(contents) <= 15728640))
);
CREATE OR REPLACE FUNCTION public.owner_of_outbox(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.outbox t where t.id = row_id); end $function$;
create table files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  file_name text not null,
  file_type text not null,
  declared_type text,
  file_size integer not null,
  sha256 text not null,
  storage_key text not null,
  purpose text not null default 'upload'::text,
  created_by uuid default current_person(),
  attached_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint files_pkey PRIMARY KEY (organization_id, id),
  constraint files_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint files_file_name_check CHECK (((file_name <> ''::text) AND (length(file_name) <= 200) AND (file_name !~ '[/\\[:cntrl:]]'::text))),
  constraint files_file_type_check CHECK ((length(file_type) <= 255)),
  constraint files_declared_type_check CHECK ((length(declared_type) <= 255)),
  constraint files_file_size_check CHECK ((file_size > 0)),
  constraint files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint files_storage_key_check CHECK ((storage_key <> ''::text)),
  constraint files_purpose_check CHECK ((purpose ~ '^[a-z-]+$'::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_files(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.files t where t.id = row_id); end $function$;
create table file_home (
  single boolean not null default true,
  home text not null,
  constraint file_home_pkey PRIMARY KEY (single),
  constraint file_home_single_check CHECK (single),
  constraint file_home_home_check CHECK ((home ~ '^[0-9a-f]{12}$'::text))
);
create table schedule_marks (
  organization_id uuid not null,
  type text not null,
  period text not null,
  starts_at timestamp with time zone not null,
  fired_at timestamp with time zone not null,
  constraint schedule_marks_pkey PRIMARY KEY (organization_id, type),
  constraint schedule_marks_type_check CHECK ((type = ANY (ARRAY['schedule.hourly'::text, 'schedule.daily'::text, 'schedule.weekly'::text, 'schedule.monthly'::text]))),
  constraint schedule_marks_check CHECK ((starts_at <= fired_at))
);
CREATE OR REPLACE FUNCTION public.schedule_period(type text, zone text, moment timestamp with time zone DEFAULT now(), OUT period text, OUT local_date date, OUT starts_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  clock timestamp;
begin
  clock := moment at time zone zone;
  if type = 'schedule.hourly' then
    starts_at := moment - (clock - date_trunc('hour', clock));
    local_date := clock::date;
    period := to_char(clock, 'YYYY-MM-DD"T"HH24') || zone_offset(clock - (moment at time zone 'UTC'));
    return;
  end if;
  -- A day that a zone left out (Samoa, 30 December 2011) is none; a week or month that would begin with one begins after.
  select candidate.day, due.since into local_date, starts_at
  from generate_series(0, 2) as back,
    lateral (select case type
      when 'schedule.daily' then clock::date - back
      when 'schedule.weekly' then date_trunc('week', clock)::date - 7 * back
      when 'schedule.monthly' then (date_trunc('month', clock) - make_interval(months => back))::date
    end as day) as candidate,
    lateral (select (candidate.day + time '08:00') at time zone zone as since) as due
  where due.since <= moment and (type <> 'schedule.daily' or (due.since at time zone zone)::date = candidate.day)
  order by back limit 1;
  period := to_char(local_date, case type
    when 'schedule.daily' then 'YYYY-MM-DD' when 'schedule.weekly' then 'IYYY-"W"IW' else 'YYYY-MM' end);
exception when invalid_parameter_value then -- a zone that this server does not know must not stop everybody's clock
  if zone = 'UTC' then raise; end if;
  select p.period, p.local_date, p.starts_at
  into schedule_period.period, schedule_period.local_date, schedule_period.starts_at
  from schedule_period(type, 'UTC', moment) p;
end $function$;
CREATE OR REPLACE FUNCTION public.zone_offset(ahead interval)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when ahead < interval '0' then '-' else '+' end
    || to_char(make_interval(secs => abs(extract(epoch from ahead)::double precision)), 'HH24:MI')
$function$;
CREATE OR REPLACE FUNCTION public.schedule_event_id(organization uuid, type text, period text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select encode(set_byte(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 128), 8, (get_byte(h.bytes, 8) & 63) | 128), 'hex')::uuid
  from (select substring(sha256(convert_to(concat_ws(' ', organization, type, period), 'UTF8')) for 16) as bytes) h
$function$;
CREATE OR REPLACE FUNCTION public.fire_schedule(organization uuid, type text, zone text, period text, local_date date, starts_at timestamp with time zone, jobs text[], moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  event_id uuid := schedule_event_id(organization, fire_schedule.type, fire_schedule.period);
  job text;
begin
  insert into schedule_marks as m values (organization, fire_schedule.type, fire_schedule.period, fire_schedule.starts_at, moment)
  on conflict on constraint schedule_marks_pkey do update
    set period = excluded.period, starts_at = excluded.starts_at, fired_at = excluded.fired_at
    where m.starts_at < excluded.starts_at;
  if not found then return false; end if;
  perform set_config('app.organization', organization::text, true);
  insert into events (id, type, payload, cause) values (event_id, fire_schedule.type,
    jsonb_build_object('id', event_id, 'organizationId', organization, 'period', fire_schedule.period,
      'localDate', fire_schedule.local_date, 'timezone', zone,
      'firedAt', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    jsonb_build_object('source', 'CLOCK', 'requestId', concat_ws(':', 'clock', fire_schedule.type, fire_schedule.period),
      'userId', null, 'keyId', null, 'depth', 0))
  on conflict do nothing;
  if found then
    foreach job in array jobs loop perform enqueue(job, jsonb_build_object('eventId', event_id)); end loop;
  end if;
  perform set_config('app.organization', '', true);
  return true;
end $function$;
CREATE OR REPLACE FUNCTION public.consume_rate_limit(bucket text, per_second double precision, burst integer, wanted integer)
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  moment timestamptz;
  was timestamptz;
  missing double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  was := least(greatest(was, moment), moment + make_interval(secs => burst / per_second));
  missing := wanted - (burst - extract(epoch from was - moment) * per_second) - 1e-6;
  if missing > 0 then return greatest(0.001, missing / per_second); end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return 0;
end $function$;
CREATE OR REPLACE FUNCTION public.broken_references()
 RETURNS TABLE(reference text, from_table text, broken bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  key record;
begin
  for key in
    select k.conname, k.conrelid::regclass as origin, k.confrelid::regclass as target,
      string_agg(format('t.%I = f.%I', target.attname, origin.attname), ' and ') as matches,
      string_agg(format('f.%I is not null', origin.attname), ' and ') as given
    from pg_constraint k, unnest(k.conkey, k.confkey) as pair (origin, target)
    join pg_attribute origin on origin.attnum = pair.origin join pg_attribute target on target.attnum = pair.target
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and origin.attrelid = k.conrelid and target.attrelid = k.confrelid
    group by k.oid, k.conname, k.conrelid, k.confrelid
  loop
    reference := key.conname;
    from_table := key.origin;
    execute format('select count(*) from %s f where %s and not exists (select from %s t where %s)',
      key.origin, key.given, key.target, key.matches) into broken;
    if broken > 0 then return next; end if;
  end loop;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_role_above_own()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  reach member_role;
begin
  select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) into reach
  from memberships m where m.organization_id = current_organization() and m.user_id = current_person();
  if (tg_op <> 'INSERT' and old.role > reach) or (tg_op <> 'DELETE' and new.role > reach) then
    raise exception 'That role is out of reach.' using errcode = 'check_violation', constraint = 'role_within_reach';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $function$;
create table invitations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  email text not null,
  role member_role not null,
  invited_by uuid,
  secret_hash bytea not null,
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  accepted_at timestamp with time zone,
  accepted_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint invitations_pkey PRIMARY KEY (organization_id, id),
  constraint invitations_secret_hash_key UNIQUE (secret_hash),
  constraint invitations_email_check CHECK ((email <> ''::text)),
  constraint invitations_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE OR REPLACE FUNCTION public.owner_of_invitations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.invitations t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.accept_invitation(token bytea, verified_only boolean, OUT outcome text, OUT organization uuid)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  person users;
  invitation invitations;
  belongs boolean;
begin
  select * into person from users u where u.id = current_person();
  select * into invitation from invitations i where i.secret_hash = token for update;
  outcome := case
    when invitation.id is null or person.id is null then 'UNKNOWN'
    when lower(invitation.email) <> lower(person.email) then 'OTHER_ADDRESS'
    when verified_only and person.email_verified_at is null then 'NOT_VERIFIED'
    when invitation.accepted_at is not null then 'ACCEPTED'
    when invitation.expires_at <= now() then 'EXPIRED'
    when not exists (select from memberships m where m.organization_id = invitation.organization_id
      and m.user_id = invitation.invited_by and m.role >= greatest(invitation.role, 'MANAGER')) then 'WITHDRAWN'
    else 'ACCEPTED' end;
  if outcome <> 'ACCEPTED' then return; end if;
  belongs := exists (select from memberships m where m.organization_id = invitation.organization_id and m.user_id = person.id);
  if invitation.accepted_at is not null and not belongs then
    outcome := 'USED'; -- whoever was removed since does not come back by the same door
    return;
  end if;
  if invitation.accepted_at is null then
    outcome := case when belongs then 'ACCEPTED' else 'JOINED' end;
    update invitations i set accepted_at = now(), accepted_by = person.id
    where i.organization_id = invitation.organization_id and i.id = invitation.id;
    insert into memberships (organization_id, user_id, role) values (invitation.organization_id, person.id, invitation.role)
    on conflict do nothing;
  end if;
  organization := invitation.organization_id;
  perform set_config('app.organization', organization::text, true);
end $function$;
create table notifications (
  id uuid not null,
  user_id uuid not null,
  organization_id uuid,
  kind text not null,
  data jsonb not null,
  read_at timestamp with time zone,
  digested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_kind_check CHECK ((kind <> ''::text))
);
create table digests (
  user_id uuid not null,
  day date not null,
  created_at timestamp with time zone not null default now(),
  constraint digests_pkey PRIMARY KEY (user_id, day)
);
CREATE OR REPLACE FUNCTION public.are_sales_tax_rates(rates jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when jsonb_typeof(rates) = 'array' then jsonb_array_length(rates) <= 500
      and not exists (select from jsonb_array_elements(rates) r where not coalesce(
        case when jsonb_typeof(r) = 'object' and jsonb_typeof(r -> 'rate') = 'number' then r ->> 'state' ~ '^[A-Z]{2}$'
          and (r ->> 'rate')::numeric between 0 and 100 and r ->> 'since' ~ '^\d{4}-\d{2}-\d{2}$' end, false))
      and not exists (select from jsonb_array_elements(rates) r group by r ->> 'state', r ->> 'since' having count(*) > 1)
    else false end
$function$;
create table organization_settings (
  organization_id uuid not null default current_organization(),
  sender_name text,
  default_tax_rate numeric(7,4),
  require_approval boolean not null default false,
  expense_approval_above_minor bigint,
  logo_file_id uuid,
  language text not null default 'en'::text,
  digest boolean not null default true,
  plan text not null default 'FREE'::text,
  updated_at timestamp with time zone not null default now(),
  locked_until date,
  clear_on_issue boolean not null default false,
  sales_tax_rates jsonb not null default '[]'::jsonb,
  automation_runs_kept_days integer not null default 180,
  constraint organization_settings_pkey PRIMARY KEY (organization_id),
  constraint organization_settings_sender_name_check CHECK ((sender_name <> ''::text)),
  constraint organization_settings_default_tax_rate_check CHECK (((default_tax_rate >= (0)::numeric) AND (default_tax_rate <= (100)::numeric))),
  constraint organization_settings_expense_approval_above_minor_check CHECK ((expense_approval_above_minor >= 0)),
  constraint organization_settings_language_check CHECK ((language = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint sales_tax_rates_are_valid CHECK (are_sales_tax_rates(sales_tax_rates)),
  constraint organization_settings_automation_runs_kept_days_check CHECK (((automation_runs_kept_days >= 30) AND (automation_runs_kept_days <= 3650)))
);
create table document_numbering (
  organization_id uuid not null default current_organization(),
  document_type text not null,
  prefix text not null default ''::text,
  padding integer not null default 0,
  next_number bigint not null default 1,
  updated_at timestamp with time zone not null default now(),
  last_issue_date date,
  first_number bigint not null default 1,
  earlier_numbers bigint not null default 0,
  constraint document_numbering_pkey PRIMARY KEY (organization_id, document_type),
  constraint document_numbering_document_type_check CHECK ((document_type <> ''::text)),
  constraint document_numbering_prefix_check CHECK ((length(prefix) <= 20)),
  constraint document_numbering_padding_check CHECK (((padding >= 0) AND (padding <= 12))),
  constraint document_numbering_next_number_check CHECK ((next_number >= 1)),
  constraint document_numbering_first_number_check CHECK ((first_number >= 1)),
  constraint next_after_first CHECK ((next_number >= first_number))
);
create table oauth_clients (
  id text not null,
  metadata jsonb not null,
  secret_hash bytea,
  fetched_at timestamp with time zone,
  fresh_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_secret_hash_key UNIQUE (secret_hash),
  constraint oauth_clients_id_check CHECK (((length(id) >= 1) AND (length(id) <= 2048))),
  constraint oauth_clients_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint oauth_clients_check CHECK (((fetched_at IS NULL) = (fresh_until IS NULL)))
);
create table connected_apps (
  id uuid not null,
  user_id uuid not null default current_person(),
  client_id text not null,
  client_name text not null,
  client_uri text,
  scopes text[] not null,
  resources text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint connected_apps_pkey PRIMARY KEY (id),
  constraint connected_apps_client_name_check CHECK (((length(client_name) >= 1) AND (length(client_name) <= 200))),
  constraint connected_apps_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50))),
  constraint connected_apps_resources_check CHECK (((cardinality(resources) >= 1) AND (cardinality(resources) <= 10)))
);
create table connected_app_organizations (
  app_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint connected_app_organizations_pkey PRIMARY KEY (app_id, organization_id)
);
create table oauth_tokens (
  kind text not null,
  secret_hash bytea not null,
  app_id uuid,
  payload jsonb not null,
  scopes text[],
  audience text,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint oauth_tokens_pkey PRIMARY KEY (secret_hash, kind),
  constraint oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['AuthorizationCode'::text, 'AccessToken'::text, 'RefreshToken'::text, 'Interaction'::text]))),
  constraint oauth_tokens_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint oauth_tokens_check CHECK (((kind = 'Interaction'::text) = (app_id IS NULL))),
  constraint oauth_tokens_check1 CHECK (((kind = 'AccessToken'::text) = ((scopes IS NOT NULL) AND (audience IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.consume_oauth_token(token_kind text, token_hash bytea, audit_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  app connected_apps;
begin
  update oauth_tokens t set consumed_at = now() where t.kind = token_kind and t.secret_hash = token_hash and t.consumed_at is null;
  if found then return true; end if;
  update connected_apps a set revoked_at = now() from oauth_tokens t
  where t.kind = token_kind and t.secret_hash = token_hash and a.id = t.app_id and a.revoked_at is null returning a.* into app;
  if found then
    insert into audit_log (id, user_id, source, request_id, operation, object_id, client_id)
    values (audit_id, app.user_id, 'SYSTEM', '', 'oauth.reused', app.id, app.client_id);
  end if;
  return false;
end $function$;
CREATE OR REPLACE FUNCTION public.extend_connected_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update connected_apps a set expires_at = least(new.expires_at, a.created_at + interval '1 year')
  where a.id = new.app_id and a.expires_at < least(new.expires_at, a.created_at + interval '1 year');
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.organizations_of_connected_app(app uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
    from connected_app_organizations c join organizations o on o.id = c.organization_id
    where c.app_id = app and c.user_id = current_person());
end $function$;
CREATE OR REPLACE FUNCTION public.current_principal()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce('app:' || nullif(current_setting('app.client', true), '') || ' ', 'user:') || current_person()
$function$;
create table account_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint account_links_pkey PRIMARY KEY (token_hash),
  constraint account_links_user_id_purpose_key UNIQUE (user_id, purpose),
  constraint account_links_purpose_check CHECK ((purpose = ANY (ARRAY['RESET_PASSWORD'::text, 'VERIFY_EMAIL'::text, 'CHANGE_EMAIL'::text]))),
  constraint account_links_email_check CHECK ((email <> ''::text))
);
create table authenticators (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  lost_at timestamp with time zone,
  constraint authenticators_pkey PRIMARY KEY (user_id)
);
create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);
create table passkeys (
  id text not null,
  user_id uuid not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_id_check CHECK (((length(id) >= 1) AND (length(id) <= 1400))),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);
create table passkey_challenges (
  challenge text not null,
  user_id uuid,
  expires_at timestamp with time zone not null default (now() + '00:05:00'::interval),
  constraint passkey_challenges_pkey PRIMARY KEY (challenge)
);
CREATE OR REPLACE FUNCTION public.major_units(minor bigint, digits smallint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select minor * 10::numeric ^ (-digits)::numeric $function$;
CREATE OR REPLACE FUNCTION public.status_rank(status text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case status when 'DRAFT' then 1 when 'UNSENT' then 2 when 'SENT' then 3 when 'PAID' then 4 end $function$;
create table payments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  direction text not null default 'OUTGOING'::text,
  counterparty_id uuid,
  amount_minor bigint not null,
  allocated_minor bigint not null default 0,
  currency text not null,
  minor_digits smallint not null,
  paid_at date not null,
  method text,
  source text not null,
  voided_at timestamp with time zone,
  void_reason text,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  withheld_minor bigint not null default 0,
  reference text,
  details jsonb,
  bank_account_id uuid,
  refund_of uuid,
  refunded_minor bigint not null default 0,
  exchange_rate numeric,
  rate_currency text,
  rate_date date,
  refund_home_minor bigint,
  kind text not null default 'SALES'::text,
  voided_on date,
  constraint payments_pkey PRIMARY KEY (organization_id, id),
  constraint payments_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payments_currency_check CHECK ((currency <> ''::text)),
  constraint payments_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint allocated_within_payment CHECK (((allocated_minor >= 0) AND (refunded_minor >= 0) AND ((allocated_minor + refunded_minor) <= amount_minor))),
  constraint withheld_within_payment CHECK (((withheld_minor >= 0) AND (withheld_minor <= amount_minor) AND ((withheld_minor = 0) OR (source <> ALL (ARRAY['REFUND'::text, 'CREDIT_MEMO'::text]))))),
  constraint refund_names_payment CHECK (((source = 'REFUND'::text) = (refund_of IS NOT NULL))),
  constraint refund_stands_alone CHECK (((source <> 'REFUND'::text) OR ((allocated_minor = 0) AND (refunded_minor = 0)))),
  constraint refunded_payment_stays CHECK (((voided_at IS NULL) OR (refunded_minor = 0))),
  constraint payments_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
  constraint payment_kind CHECK ((kind <> ''::text)),
  constraint payments_source_check CHECK ((source = ANY (ARRAY['DOCUMENT'::text, 'MARK_PAID'::text, 'PAYMENT'::text, 'CREDIT_MEMO'::text, 'REFUND'::text, 'ADVANCE'::text, 'NET'::text, 'STATUTORY'::text, 'LEAVE_CLAIM'::text]))),
  constraint payroll_source CHECK ((((kind = 'PAYSLIP'::text) = (source = ANY (ARRAY['ADVANCE'::text, 'NET'::text, 'STATUTORY'::text]))) AND ((kind = 'LEAVE_CLAIM'::text) = (source = 'LEAVE_CLAIM'::text)) AND ((source <> 'STATUTORY'::text) OR (counterparty_id IS NULL)) AND ((source <> ALL (ARRAY['ADVANCE'::text, 'NET'::text])) OR (counterparty_id IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.owner_of_payments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = 'SALES'); end $function$;
CREATE OR REPLACE FUNCTION public.is_receipt_by_law(document_type text, series text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select document_type = 'RECEIPT' or (document_type = 'INVOICE_RECEIPT' and series = 'RECEIPT')
$function$;
create table documents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null default 'SALES'::text,
  direction text not null default 'OUTGOING'::text,
  document_type text not null,
  status text not null default 'DRAFT'::text,
  series text not null default ''::text,
  sequence bigint,
  number text,
  counterparty_id uuid,
  counterparty_name text not null default ''::text,
  bank_account_id uuid,
  currency text not null,
  minor_digits smallint not null,
  exchange_rate numeric,
  rate_currency text,
  rate_date date,
  issue_date date not null,
  issue_date_given boolean not null default false,
  due_date date,
  pay_until date,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  paid_minor bigint not null default 0,
  tax_rate numeric(9,6),
  notes text,
  payment_method text,
  payment_date date,
  receipt_number text,
  in_dispute boolean not null default false,
  vat_allocation_number text,
  country_specific_data jsonb,
  generator_version text not null,
  source_document_id uuid,
  payment_id uuid,
  revision integer not null default 0,
  issued_at timestamp with time zone,
  sent_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  link_version integer not null default 1,
  credited_minor bigint not null default 0,
  converted_to_id uuid,
  given_rate numeric,
  given_rate_date date,
  country_rate numeric,
  country_rate_date date,
  goods_minor bigint not null default 0,
  constraint documents_pkey PRIMARY KEY (organization_id, id),
  constraint documents_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint documents_document_type_check CHECK ((document_type <> ''::text)),
  constraint documents_currency_check CHECK ((currency <> ''::text)),
  constraint documents_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint documents_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
  constraint rate_to_a_currency CHECK (((exchange_rate IS NULL) = (rate_currency IS NULL))),
  constraint documents_link_version_check CHECK ((link_version > 0)),
  constraint numbered_when_issued CHECK ((((sequence IS NULL) = (number IS NULL)) AND ((sequence IS NULL) OR (issued_at IS NOT NULL)))),
  constraint owed_or_nothing CHECK (((issued_at IS NULL) OR (total_minor >= 0))),
  constraint paid_within_total CHECK (((paid_minor >= 0) AND (credited_minor >= 0) AND ((paid_minor + credited_minor) <= GREATEST(total_minor, (0)::bigint)))),
  constraint closed_document_is_unpaid CHECK (((payment_id IS NOT NULL) OR (paid_minor = 0) OR ((cancelled_at IS NULL) AND (converted_to_id IS NULL)))),
  constraint closed_once CHECK (((cancelled_at IS NULL) OR (converted_to_id IS NULL))),
  constraint given_rate_positive CHECK ((given_rate > (0)::numeric)),
  constraint given_rate_has_date CHECK (((given_rate_date IS NULL) OR (given_rate IS NOT NULL))),
  constraint country_rate_positive CHECK ((country_rate > (0)::numeric)),
  constraint settled_when_paid CHECK (((status <> 'PAID'::text) OR (payment_id IS NOT NULL) OR (converted_to_id IS NOT NULL) OR (((paid_minor + credited_minor) = total_minor) AND ((paid_minor > 0) OR (total_minor = 0))))),
  constraint cancelled_type CHECK (((cancelled_at IS NULL) OR ((issued_at IS NOT NULL) AND ((document_type = 'PAYMENT_REQUEST'::text) OR is_receipt_by_law(document_type, series) OR ((kind = 'EXPENSE'::text) AND (document_type = 'CREDIT_MEMO'::text)) OR (kind = ANY (ARRAY['PAYSLIP'::text, 'LEAVE_CLAIM'::text])))))),
  constraint void_when_cancelled CHECK (((kind <> ALL (ARRAY['PAYSLIP'::text, 'LEAVE_CLAIM'::text])) OR ((status = 'VOID'::text) = (cancelled_at IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.owner_of_documents(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = 'SALES'); end $function$;
create table document_lines (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  "position" integer not null,
  id text not null,
  item_id text,
  description text not null,
  quantity numeric(20,6) not null,
  unit_price numeric(24,6) not null,
  amount_minor bigint not null,
  tax_rate numeric(9,6),
  tax_category text,
  paid_minor bigint not null default 0,
  discount_percent numeric(9,6),
  discount_minor bigint,
  catalog_item_id uuid,
  constraint document_lines_pkey PRIMARY KEY (organization_id, document_id, id),
  constraint document_lines_description_check CHECK ((description <> ''::text)),
  constraint document_lines_quantity_check CHECK ((quantity >= (0)::numeric)),
  constraint document_lines_unit_price_check CHECK ((unit_price >= (0)::numeric)),
  constraint line_paid_within_amount CHECK (((paid_minor = 0) OR ((paid_minor >= 0) AND (paid_minor <= amount_minor)))),
  constraint line_discount CHECK (((num_nonnulls(discount_percent, discount_minor) <= 1) AND ((discount_percent IS NULL) OR ((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))) AND ((discount_minor IS NULL) OR (discount_minor >= 0))))
);
create table allocations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payment_id uuid not null,
  document_id uuid not null,
  line_id text,
  amount_minor bigint not null,
  voided_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  is_credit boolean not null default false,
  booked_on date,
  document_home_minor bigint,
  payment_home_minor bigint,
  is_advance boolean not null default false,
  constraint allocations_pkey PRIMARY KEY (organization_id, id),
  constraint allocations_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_allocations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.allocations t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.lock_counters(types text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  counters text[] := array(
    select n.series from unnest(types) t, official_numbering(current_organization(), t) n
    union select o.series from organizations c join official_document_types o on o.country = c.country
      where c.id = current_organization() and o.document_type = any (types) and o.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO')
    order by 1);
begin
  insert into document_numbering (organization_id, document_type)
    select current_organization(), c from unnest(counters) c order by c on conflict do nothing;
  perform from document_numbering n where n.organization_id = current_organization() and n.document_type = any (counters)
    order by n.document_type for update;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_deleting_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A number is given for good.' using errcode = 'check_violation', constraint = 'numbered_document_stays';
end $function$;
CREATE OR REPLACE FUNCTION public.guard_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  line document_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and new.paid_minor <> old.paid_minor then
    old.paid_minor := new.paid_minor; -- written by apply_allocation() alone
    if new is not distinct from old then return new; end if;
  end if;
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind
      where d.organization_id = line.organization_id and d.id = line.document_id
        and (d.issued_at is not null and (tg_op <> 'INSERT' or d.issued_at <> now()) and 'lines' = any (k.frozen_when_final)
          or d.paid_minor > 0 and 'lines' = any (k.frozen_when_paid))) then
    perform refuse_frozen();
  end if;
  return line;
end $function$;
CREATE OR REPLACE FUNCTION public.require_matching_amounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  issued documents;
  largest bigint;
begin
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind, lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount
        from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) s
      where d.organization_id = new.organization_id and d.id = new.id and d.issued_at is not null
        and (not amounts_match(s.lines, s.amount, d.subtotal_minor, d.tax_minor, d.total_minor)
          or k.pays_lines and s.amount <> d.total_minor)) then -- lines that are paid one by one add up to the total
    raise exception 'The amounts do not agree.' using errcode = 'check_violation', constraint = 'amounts_agree';
  end if;
  if new.issued_at is not null and (new.currency <> new.rate_currency or new.rate_currency is null or new.country_rate <> 1) then
    select max(abs(l.amount_minor)) into largest from document_lines l where l.organization_id = new.organization_id and l.document_id = new.id;
    select * into issued from documents d where d.organization_id = new.organization_id and d.id = new.id;
    perform require_amounts_fit(issued, largest, coalesce(issued.rate_currency, o.currency), country_currency(o.country))
      from organizations o where o.id = new.organization_id and largest is not null and issued.id is not null;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.apply_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  change bigint := case when tg_op = 'INSERT' then new.amount_minor when old.voided_at is null and new.voided_at is not null then -new.amount_minor else 0 end;
  credit bigint := case when new.is_credit then change else 0 end;
  money bigint := change - credit;
  paying payments;
  last payments; -- the payment whose date and method the document shows once it is settled
  paid documents;
begin
  if change = 0 then return null; end if;
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  last := paying;
  if new.is_credit then
    select p.* into last from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      where a.organization_id = new.organization_id and a.document_id = new.document_id and a.voided_at is null and not a.is_credit
      order by a.id desc limit 1;
  end if;
  update documents d set paid_minor = d.paid_minor + money, credited_minor = d.credited_minor + credit,
      status = case when k.open_status is null or d.issued_at is null then d.status
        when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then 'PAID'
        when d.status <> 'PAID' then d.status
        when d.sent_at is not null then coalesce(k.sent_status, k.open_status) else k.open_status end,
      payment_date = case when k.open_status is null then d.payment_date when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.paid_at
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_date end,
      payment_method = case when k.open_status is null then d.payment_method when is_settled(d.total_minor, d.paid_minor + money, d.credited_minor + credit) then last.method
        when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.payment_method end,
      receipt_number = case when is_settled(d.total_minor, d.paid_minor, d.credited_minor) then null else d.receipt_number end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.id = new.document_id and k.kind = d.kind and d.status = any (k.payable_statuses)
      and d.payment_id is null and (change < 0 or d.cancelled_at is null and d.converted_to_id is null)
      and d.currency = paying.currency and (k.kind = paying.kind or (k.kind, paying.kind, paying.source) = ('EXPENSE', 'PAYSLIP', 'NET')) and k.payment_direction = paying.direction and (not k.pays_lines or new.line_id is not null)
    returning d.* into paid;
  if not found then
    raise exception 'That document cannot be paid with this payment.' using errcode = 'check_violation', constraint = 'payment_fits_document';
  end if;
  if exists (select from ledger_kinds k where k.kind = paid.kind and k.pays_lines) then
    update document_lines l set paid_minor = l.paid_minor + change
      where l.organization_id = new.organization_id and l.document_id = new.document_id and l.id = new.line_id;
    if not found then
      raise exception 'The document has no such line.' using errcode = 'check_violation', constraint = 'payment_fits_document';
    end if;
  end if;
  update payments p set allocated_minor = p.allocated_minor + case when new.is_advance then 0 else change end
    where p.organization_id = new.organization_id and p.id = new.payment_id and (change < 0 or p.voided_at is null);
  if not found then
    raise exception 'The payment was voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
  end if;
  if money >= 0 then return null; end if;
  perform apply_open_credits(new.organization_id, new.document_id);
  -- a receipt without its payment acknowledges nothing
  update documents d set cancelled_at = new.voided_at
    where d.organization_id = new.organization_id and d.id = new.document_id and is_receipt_by_law(d.document_type, d.series)
      and d.paid_minor = 0 and d.cancelled_at is null;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.void_allocations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  cancelled documents;
begin
  update allocations a set voided_at = new.voided_at
    where a.organization_id = new.organization_id and a.payment_id = new.id and a.voided_at is null;
  for cancelled in update documents d set cancelled_at = new.voided_at
      where d.organization_id = new.organization_id and d.payment_id = new.id and d.cancelled_at is null returning d.* loop
    if cancelled.document_type = 'CREDIT_MEMO' then perform apply_open_credits(cancelled.organization_id, cancelled.source_document_id); end if;
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_unvoiding()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A voided payment stays voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
end $function$;
CREATE OR REPLACE FUNCTION public.update_drafts_of_counterparty()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update documents d set counterparty_name = coalesce(new.name, new.email, '')
    where d.organization_id = new.organization_id and d.counterparty_id = new.id and d.issued_at is null;
  return null;
end $function$;
create table document_events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  seq integer not null default 0,
  type text not null,
  actor_user_id uuid,
  payload jsonb,
  created_at timestamp with time zone not null default now(),
  prev_hash bytea not null default '\x'::bytea,
  hash bytea not null default '\x'::bytea,
  constraint document_events_pkey PRIMARY KEY (organization_id, id),
  constraint document_events_organization_id_document_id_seq_key UNIQUE (organization_id, document_id, seq),
  constraint document_events_type_check CHECK ((type <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_document_events(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.document_events t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.document_event_hash(entry document_events)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sha256(entry.prev_hash || convert_to(jsonb_build_array(entry.document_id, entry.seq, entry.type, entry.actor_user_id, entry.payload,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')) $function$;
CREATE OR REPLACE FUNCTION public.append_to_history()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  last document_events;
begin
  perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
  if not found then
    raise exception 'There is no such document.' using errcode = 'foreign_key_violation';
  end if;
  select * into last from document_events e
    where e.organization_id = new.organization_id and e.document_id = new.document_id order by e.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prev_hash := coalesce(last.hash, '');
  new.hash := document_event_hash(new);
  return new;
end $function$;
create table exchange_rates (
  source text not null,
  currency text not null,
  date date not null,
  base text not null,
  rate numeric(24,12) not null,
  created_at timestamp with time zone not null default now(),
  constraint exchange_rates_pkey PRIMARY KEY (source, currency, date),
  constraint exchange_rates_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rates_base_check CHECK ((base ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rates_rate_check CHECK ((rate > (0)::numeric)),
  constraint base_is_one CHECK (((currency <> base) OR (rate = (1)::numeric))),
  constraint exchange_rates_source_check CHECK ((source = ANY (ARRAY['ECB'::text, 'BOI'::text, 'MAS'::text, 'BUNDLED'::text])))
);
CREATE OR REPLACE FUNCTION public.rate_on(from_currency text, to_currency text, day date)
 RETURNS TABLE(from_rate numeric, to_rate numeric, rate_date date, source text, base text)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  select found.from_rate, found.to_rate, found.rate_date, found.source, found.base from (
    select 0 as turn, 1.0 as from_rate, 1.0 as to_rate, day as rate_date, 'SAME' as source, from_currency as base
    where from_currency = to_currency
    union all
    (select 1, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'ECB' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'ECB' and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 2, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'BUNDLED' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'BUNDLED' and f.currency = from_currency and f.date between day - 400 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
  ) found
  order by found.turn limit 1
$function$;
CREATE OR REPLACE FUNCTION public.minor_units(currency text)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when currency in ('EUR', 'GBP', 'ILS', 'SGD', 'USD') then 100::numeric
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF', 'XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XUA')
      then 1
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    when currency in ('CLF', 'UYW') then 10000
    else 100
  end
$function$;
CREATE OR REPLACE FUNCTION public.convert_minor(amount numeric, from_currency text, to_currency text, from_rate numeric, to_rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select convert_units(amount, from_rate * minor_units(from_currency), to_rate * minor_units(to_currency))
$function$;
create table sales_by_day (
  organization_id uuid not null,
  day date not null,
  sort text not null,
  status text not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  documents bigint not null,
  total_minor bigint not null,
  open_minor bigint not null,
  constraint sales_by_day_sort_check CHECK ((sort = ANY (ARRAY['SALE'::text, 'OTHER'::text, 'CREDIT'::text])))
);
create table sales_by_customer (
  organization_id uuid not null,
  year integer not null,
  counterparty_id uuid not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  documents bigint not null,
  total_minor bigint not null,
  credited_minor bigint not null
);
create table sales_by_customer_day (
  organization_id uuid not null,
  day date not null,
  counterparty_id uuid not null,
  currency text not null,
  total_minor bigint not null,
  credited_minor bigint not null
);
create table cash_by_day (
  organization_id uuid not null,
  day date not null,
  direction text not null,
  currency text not null,
  payments bigint not null,
  amount_minor bigint not null,
  rated_on date
);
CREATE OR REPLACE FUNCTION public.sales_sort(document_type text, payment_id uuid, source_type text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when payment_id is null then case when document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'SALE' else 'OTHER' end
    when document_type = 'CREDIT_MEMO' and source_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO') then 'CREDIT'
  end
$function$;
CREATE OR REPLACE FUNCTION public.sales_by_day_now()
 RETURNS SETOF sales_by_day
 LANGUAGE sql
 STABLE
AS $function$
  select d.organization_id, case when s.status = 'DRAFT' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.sort, s.status, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), sum(sales_count(d)), sum(sales_total(d))::bigint, sum(outstanding_minor(d))::bigint
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort is not null
  group by 1, 2, 3, 4, 5, 6, 7
  having (sum(sales_count(d)), sum(sales_total(d)), sum(outstanding_minor(d))) <> (0, 0, 0)
$function$;
CREATE OR REPLACE FUNCTION public.paid_sales()
 RETURNS TABLE(document documents, sort text)
 LANGUAGE sql
 STABLE
AS $function$
  select d, s.sort
  from documents d left join documents o on o.organization_id = d.organization_id and o.id = d.source_document_id,
    lateral (select sales_sort(d.document_type, d.payment_id, o.document_type) as sort, case when d.payment_id is null then d.status else o.status end as status) s
  where d.kind = 'SALES' and d.direction = 'OUTGOING' and s.sort in ('SALE', 'CREDIT') and s.status = 'PAID'
$function$;
CREATE OR REPLACE FUNCTION public.sales_by_customer_now()
 RETURNS SETOF sales_by_customer
 LANGUAGE sql
 STABLE
AS $function$
  select d.organization_id, extract(year from d.issue_date)::integer, d.counterparty_id, d.currency, coalesce(d.exchange_rate, 0), coalesce(d.rate_currency, ''), count(*) filter (where p.sort = 'SALE'),
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d group by 1, 2, 3, 4, 5, 6
$function$;
CREATE OR REPLACE FUNCTION public.sales_by_customer_day_now()
 RETURNS SETOF sales_by_customer_day
 LANGUAGE sql
 STABLE
AS $function$
  select d.organization_id, d.issue_date, d.counterparty_id, d.currency,
    coalesce(sum(d.total_minor) filter (where p.sort = 'SALE'), 0)::bigint, coalesce(sum(d.total_minor) filter (where p.sort = 'CREDIT'), 0)::bigint
  from paid_sales() p, lateral (select (p.document).*) d where d.exchange_rate is null group by 1, 2, 3, 4
$function$;
CREATE OR REPLACE FUNCTION public.cash_by_day_now()
 RETURNS SETOF cash_by_day
 LANGUAGE sql
 STABLE
AS $function$
  select c.organization_id, c.day, c.direction, c.currency, sum(c.payments)::bigint, sum(c.minor)::bigint, c.rated_on
  from (
    select p.organization_id, p.paid_at as day, p.direction, p.currency, 1 as payments, p.amount_minor - p.withheld_minor as minor, null::date as rated_on
    from payments p where p.source <> 'CREDIT_MEMO'
    union all
    select p.organization_id, p.voided_on, p.direction, p.currency, -1, p.withheld_minor - p.amount_minor, nullif(p.paid_at, p.voided_on)
    from payments p where p.source <> 'CREDIT_MEMO' and p.voided_at is not null) c
  group by 1, 2, 3, 4, 7 having (sum(c.payments), sum(c.minor)) <> (0, 0)
$function$;
CREATE OR REPLACE FUNCTION public.add_sales(document documents, sort text, status text, times integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  rate numeric := coalesce(document.exchange_rate, 0);
  rated text := coalesce(document.rate_currency, '');
  sold bigint := case sort when 'SALE' then times * document.total_minor else 0 end;
  credited bigint := case sort when 'CREDIT' then times * document.total_minor else 0 end;
  period date := case when status = 'DRAFT' or rate <> 0 then date_trunc('month', document.issue_date)::date else document.issue_date end;
begin
  with gone as (
    delete from sales_by_day s where s.ctid = any (array(select t.ctid from sales_by_day t
      where t.organization_id = document.organization_id and t.day = period and t.sort = add_sales.sort and t.status = add_sales.status
        and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.open_minor
  )
  insert into sales_by_day
    select document.organization_id, period, sort, status, document.currency, rate, rated, sum(a.documents), sum(a.total_minor), sum(a.open_minor)
    from (select * from gone union all
      select times * sales_count(document), times * sales_total(document), times * outstanding_minor(document)) a (documents, total_minor, open_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.open_minor)) <> (0, 0, 0);
  if status <> 'PAID' or sort = 'OTHER' then return; end if;
  with gone as (
    delete from sales_by_customer s where s.ctid = any (array(select t.ctid from sales_by_customer t
      where t.organization_id = document.organization_id and t.year = extract(year from document.issue_date)::integer
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency and t.fixed_rate = rate and t.rate_currency = rated for update skip locked))
    returning s.documents, s.total_minor, s.credited_minor
  )
  insert into sales_by_customer
    select document.organization_id, extract(year from document.issue_date)::integer, document.counterparty_id, document.currency, rate, rated,
      sum(a.documents), sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select case sort when 'SALE' then times else 0 end, sold, credited) a (documents, total_minor, credited_minor)
    having (sum(a.documents), sum(a.total_minor), sum(a.credited_minor)) <> (0, 0, 0);
  if rate <> 0 then return; end if;
  with gone as (
    delete from sales_by_customer_day s where s.ctid = any (array(select t.ctid from sales_by_customer_day t
      where t.organization_id = document.organization_id and t.day = document.issue_date
        and t.counterparty_id = document.counterparty_id and t.currency = document.currency for update skip locked))
    returning s.total_minor, s.credited_minor
  )
  insert into sales_by_customer_day
    select document.organization_id, document.issue_date, document.counterparty_id, document.currency, sum(a.total_minor), sum(a.credited_minor)
    from (select * from gone union all select sold, credited) a (total_minor, credited_minor)
    having (sum(a.total_minor), sum(a.credited_minor)) <> (0, 0);
end $function$;
CREATE OR REPLACE FUNCTION public.update_sales_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  credited documents; -- what a memo credits
  memo documents;
  sort text;
begin
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = old.organization_id) then return null; end if;
  if tg_op <> 'INSERT' then
    sort := sales_sort(old.document_type, old.payment_id, null);
    if sort is not null then perform add_sales(old, sort, old.status, -1); end if;
  end if;
  if tg_op = 'DELETE' then return null; end if;
  select * into credited from documents d
    where d.organization_id = new.organization_id and d.id = new.source_document_id and new.document_type = 'CREDIT_MEMO';
  sort := sales_sort(new.document_type, new.payment_id, credited.document_type);
  if sort = 'CREDIT' then
    perform add_sales(new, sort, credited.status, 1);
  elsif sort is not null then
    perform add_sales(new, sort, new.status, 1);
  end if;
  if sort is distinct from 'SALE' or tg_op = 'INSERT' or old.status = new.status then return null; end if;
  for memo in select * from documents d where d.organization_id = new.organization_id and d.source_document_id = new.id and d.document_type = 'CREDIT_MEMO' loop
    perform add_sales(memo, 'CREDIT', old.status, -1);
    perform add_sales(memo, 'CREDIT', new.status, 1);
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.update_cash_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  times integer := case tg_op when 'INSERT' then 1 else -1 end;
  counted date := case tg_op when 'INSERT' then new.paid_at else new.voided_on end;
  rated date := nullif(new.paid_at, counted);
begin
  with gone as (
    delete from cash_by_day s where s.ctid = any (array(select t.ctid from cash_by_day t
      where t.organization_id = new.organization_id and t.day = counted and t.direction = new.direction and t.currency = new.currency
        and t.rated_on is not distinct from rated
      for update skip locked))
    returning s.payments, s.amount_minor
  )
  insert into cash_by_day
    select new.organization_id, counted, new.direction, new.currency, sum(a.payments), sum(a.amount_minor), rated
    from (select * from gone union all select times, times * (new.amount_minor - new.withheld_minor)) a (payments, amount_minor)
    having (sum(a.payments), sum(a.amount_minor)) <> (0, 0);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.convert_units(amount numeric, per numeric, rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sign(amount) * div(2 * abs(amount) * rate + per, 2 * per)
$function$;
CREATE OR REPLACE FUNCTION public.journal()
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, account text, debit_minor bigint, credit_minor bigint, currency text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.account, greatest(sum(l.minor), 0)::bigint,
    greatest(-sum(l.minor), 0)::bigint, l.currency
  from journal_lines('-infinity', 'infinity') l where l.entry_id is null
  group by l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.line, l.account, l.currency having sum(l.minor) <> 0
$function$;
create table document_mailings (
  organization_id uuid not null default current_organization(),
  mailing_id uuid not null,
  delivery_id uuid not null,
  document_id uuid not null,
  told_at timestamp with time zone,
  constraint document_mailings_pkey PRIMARY KEY (organization_id, mailing_id, delivery_id)
);
create table document_attachments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  "position" smallint not null,
  file_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint document_attachments_pkey PRIMARY KEY (organization_id, id),
  constraint document_attachments_organization_id_document_id_position_key UNIQUE (organization_id, document_id, "position"),
  constraint attachments_max CHECK ((("position" >= 1) AND ("position" <= 20)))
);
CREATE OR REPLACE FUNCTION public.owner_of_document_attachments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.document_attachments t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.printed_rate(from_rate numeric, to_rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select trim_scale(div(2 * to_rate * s.scale + from_rate, 2 * from_rate) / s.scale)
  from (select 10::numeric ^ greatest(0, 11 - floor(log(to_rate / from_rate))) as scale) s
$function$;
CREATE OR REPLACE FUNCTION public.set_exchange_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  own record;
  paid payments; -- what a receipt states
  day date := new.issue_date;
  largest bigint := greatest(abs(new.subtotal_minor), abs(new.tax_minor), abs(new.total_minor));
begin
  select o.currency, o.country, country_currency(o.country) as country_currency into own
    from organizations o where o.id = new.organization_id;
  if new.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') then
    select d.exchange_rate, d.rate_currency, d.rate_date, d.country_rate, d.country_rate_date
      into new.exchange_rate, new.rate_currency, new.rate_date, new.country_rate, new.country_rate_date from documents d
      where d.organization_id = new.organization_id and d.id = new.source_document_id;
    perform require_amounts_fit(new, largest, coalesce(new.rate_currency, own.currency), own.country_currency);
    return new;
  end if;
  if new.document_type = 'RECEIPT' then
    select p.* into paid from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
    day := coalesce(paid.paid_at, new.payment_date, new.issue_date);
  end if;
  new.exchange_rate := 1;
  new.rate_date := null;
  if new.currency <> own.currency and new.given_rate is not null then
    new.exchange_rate := new.given_rate;
    new.rate_date := coalesce(new.given_rate_date, new.issue_date);
  elsif new.currency <> own.currency and paid.rate_currency = own.currency and paid.exchange_rate is not null then
    new.exchange_rate := paid.exchange_rate;
    new.rate_date := paid.rate_date;
  elsif new.currency <> own.currency then
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
      from rate_on(new.currency, own.currency, day, own.country) r;
  end if;
  new.rate_currency := case when new.exchange_rate is not null then own.currency end;
  if own.currency = own.country_currency then
    new.country_rate := new.exchange_rate;
    new.country_rate_date := new.rate_date;
  elsif new.currency = own.country_currency then
    new.country_rate := 1;
    new.country_rate_date := null;
  elsif new.currency = own.currency and new.given_rate is not null then -- what was given can only be the rate to this currency
    new.country_rate := new.given_rate;
    new.country_rate_date := coalesce(new.given_rate_date, new.issue_date);
  else
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.country_rate, new.country_rate_date
      from rate_on(new.currency, own.country_currency, day, own.country) r;
  end if;
  perform require_amounts_fit(new, largest, own.currency, own.country_currency);
  return new;
end $function$;
create table overdue_marks (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  due_date date not null,
  created_at timestamp with time zone not null default now(),
  constraint overdue_marks_pkey PRIMARY KEY (organization_id, document_id, due_date)
);
create table document_counts (
  organization_id uuid not null default current_organization(),
  entry uuid not null default gen_random_uuid(),
  kind text not null,
  document_type text not null,
  status text not null,
  change integer not null,
  constraint document_counts_pkey PRIMARY KEY (organization_id, entry)
);
CREATE OR REPLACE FUNCTION public.sum_up_document_counts(organization uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (
    delete from document_counts c where c.organization_id = organization and c.entry in
      (select o.entry from document_counts o where o.organization_id = organization for update skip locked) returning c.*)
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization, kind, document_type, status, sum(change) from gone group by kind, document_type, status having sum(change) <> 0
$function$;
CREATE OR REPLACE FUNCTION public.count_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif tg_op = 'UPDATE' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1), (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif exists (select from organizations o where o.id = old.organization_id) then -- it may be what is deleted
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1);
  end if;
  if random() < 0.02 then
    perform sum_up_document_counts(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.search_grams(organization uuid, given text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  letters text[] := string_to_array(lower(given), null);
  seed bigint := uuid_hash_extended(organization, 0);
  grams bigint[] := '{}';
begin
  for place in 1 .. cardinality(letters) - 2 loop
    grams := grams || hashtextextended(letters[place] || letters[place + 1] || letters[place + 2], seed);
  end loop;
  return grams;
end $function$;
CREATE OR REPLACE FUNCTION public.search_documents(wanted text, pattern text, most integer)
 RETURNS SETOF documents
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select d.* from documents d where d.organization_id = current_organization() and d.kind = 'SALES'
    and search_grams(d.organization_id, coalesce(d.number, '') || ' ' || d.counterparty_name || ' ' || coalesce(d.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (d.number ilike pattern or d.counterparty_name ilike pattern or d.notes ilike pattern)
    limit most;
end $function$;
CREATE OR REPLACE FUNCTION public.trigger_types(blocks jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(array_agg(distinct block ->> 'ref') filter (where block ->> 'ref' is not null), '{}')
  from jsonb_array_elements(blocks) block where block ->> 'kind' = 'TRIGGER'
$function$;
CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
AS $function$
  select encode(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 112), 'hex')::uuid
  from (select overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6) as bytes) h
$function$;
create table automations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  owner_user_id uuid not null default current_person(),
  name text not null,
  description text,
  status text not null default 'DRAFT'::text,
  blocks jsonb not null,
  edges jsonb not null,
  triggers text[] generated always as (trigger_types(blocks)) stored,
  enabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  graph_id uuid not null default new_id(),
  version integer not null default 1,
  saved_at timestamp with time zone,
  saved_by_user_id uuid,
  constraint automations_pkey PRIMARY KEY (organization_id, id),
  constraint automations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint automations_description_check CHECK ((length(description) <= 2000)),
  constraint automations_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'ENABLED'::text, 'PAUSED'::text, 'PAUSED_NO_ACCESS'::text]))),
  constraint automations_blocks_check CHECK (((jsonb_typeof(blocks) = 'array'::text) AND (jsonb_array_length(blocks) <= 100))),
  constraint automations_edges_check CHECK (((jsonb_typeof(edges) = 'array'::text) AND (jsonb_array_length(edges) <= 300))),
  constraint automation_has_trigger CHECK (jsonb_path_exists(blocks, '$[*]?(@."kind" == "TRIGGER")'::jsonpath)),
  constraint armed_at_some_time CHECK (((status <> 'ENABLED'::text) OR (enabled_at IS NOT NULL))),
  constraint automations_version_check CHECK ((version >= 1))
);
CREATE OR REPLACE FUNCTION public.owner_of_automations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automations t where t.id = row_id); end $function$;
create table automation_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  automation_id uuid not null,
  trigger_event_id uuid,
  trigger_type text,
  input jsonb not null,
  status text not null default 'RUNNING'::text,
  error text,
  depth integer not null,
  token bigint not null default 0,
  deadline timestamp with time zone,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  graph_id uuid,
  record_id text,
  place bigint not null generated always as identity,
  waiting_since timestamp with time zone,
  waits boolean not null default false,
  started_by uuid[] not null default '{}'::uuid[],
  constraint automation_runs_pkey PRIMARY KEY (organization_id, id),
  constraint one_run_per_event UNIQUE (organization_id, automation_id, trigger_event_id),
  constraint automation_runs_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint triggered_or_tried CHECK (((trigger_event_id IS NULL) = (trigger_type IS NULL))),
  constraint ended_at_some_time CHECK (((status = 'RUNNING'::text) = (finished_at IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_runs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_runs t where t.id = row_id); end $function$;
create table automation_steps (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  run_id uuid not null,
  block_id text not null,
  element integer not null default '-1'::integer,
  ref text,
  feature text,
  status text not null,
  attempt integer not null default 1,
  input jsonb,
  output jsonb,
  error text,
  latency_ms integer,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  element_key text not null default ''::text,
  warnings jsonb,
  is_truncated boolean not null default false,
  waits_until timestamp with time zone,
  turn_at timestamp with time zone,
  turn_tokens integer,
  constraint automation_steps_pkey PRIMARY KEY (organization_id, id),
  constraint automation_steps_element_check CHECK ((element >= '-1'::integer)),
  constraint automation_steps_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text]))),
  constraint automation_steps_attempt_check CHECK ((attempt >= 1)),
  constraint automation_steps_warnings_check CHECK ((jsonb_typeof(warnings) = 'array'::text)),
  constraint turn_is_whole CHECK ((((turn_at IS NULL) = (turn_tokens IS NULL)) AND (turn_tokens > 0))),
  constraint only_unfinished_steps_wait CHECK ((((waits_until IS NULL) OR (status = 'PENDING'::text)) AND ((turn_at IS NULL) OR (status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text])))))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_steps(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_steps t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.refuse_change_of_succeeded_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A step that succeeded is not taken again.' using errcode = 'check_violation', constraint = 'succeeded_step_stays';
end $function$;
CREATE OR REPLACE FUNCTION public.advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean)
 RETURNS TABLE(id uuid, block_id text, element integer, attempt integer)
 LANGUAGE sql
AS $function$
  select * from advance_run(run, held, ended, came_to, of_feature, begun, over, null)
$function$;
CREATE OR REPLACE FUNCTION public.milliseconds_since(moment timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
AS $function$
  select least(extract(epoch from clock_timestamp() - moment) * 1000, 2147483647)::integer
$function$;
CREATE OR REPLACE FUNCTION public.start_automations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  armed record;
  run uuid;
  record text;
  is_waiting boolean;
begin
  -- Most events start nothing. Finding that out takes a third of the time of opening the loop.
  if not exists (select from automations a
      where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers)) then
    return null;
  end if;
  record := left(new.payload ->> 'id', 200);
  for armed in
    select a.id, a.graph_id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    -- The lock: an earlier run that ends at this moment either sees the new one, or is seen as ended.
    perform from automation_runs r where r.organization_id = new.organization_id and r.automation_id = armed.id
      and r.record_id = record and r.status = 'RUNNING' order by r.place desc limit 1 for share;
    is_waiting := found;
    insert into automation_runs (organization_id, id, automation_id, graph_id, trigger_event_id, trigger_type, input, depth, record_id, waits)
    values (new.organization_id, run, armed.id, armed.graph_id, new.id, new.type, new.payload,
      coalesce((new.cause ->> 'depth')::integer, 0) + 1, record, is_waiting);
    if not is_waiting then perform enqueue('run-automation', jsonb_build_object('runId', run)); end if;
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.lost_runs()
 RETURNS TABLE(organization_id uuid, id uuid, started_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select queued_job_subjects('run-automation', 'runId'))
    and not (r.waits and r.token = 0 and exists (select from public.automation_runs earlier
      where earlier.organization_id = r.organization_id and earlier.automation_id = r.automation_id
        and earlier.record_id = r.record_id and earlier.status = 'RUNNING' and earlier.place < r.place));
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_runs(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('run-automation', 'runId', lost.organization_id, lost.id))
  from (select * from lost_runs() r order by r.started_at, r.id limit most) lost
$function$;
create table automation_deliveries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  step_id uuid not null,
  kind text not null,
  target text not null,
  attempt integer not null,
  outcome text not null default 'SENDING'::text,
  status integer,
  latency_ms integer,
  reason text,
  answer text,
  created_at timestamp with time zone not null default now(),
  webhook_id text,
  content_hash bytea,
  constraint automation_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint automation_deliveries_kind_check CHECK ((kind = ANY (ARRAY['WEBHOOK'::text, 'EMAIL'::text]))),
  constraint automation_deliveries_target_check CHECK ((length(target) <= 2048)),
  constraint automation_deliveries_attempt_check CHECK ((attempt >= 1)),
  constraint automation_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['SENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'REFUSED'::text, 'UNKNOWN'::text]))),
  constraint automation_deliveries_latency_ms_check CHECK ((latency_ms >= 0)),
  constraint automation_deliveries_reason_check CHECK ((length(reason) <= 1000)),
  constraint automation_deliveries_answer_check CHECK ((length(answer) <= 4096)),
  constraint a_failure_has_its_reason CHECK (((outcome <> ALL (ARRAY['FAILED'::text, 'REFUSED'::text, 'UNKNOWN'::text])) OR (reason IS NOT NULL))),
  constraint automation_deliveries_webhook_id_check CHECK ((length(webhook_id) <= 64)),
  constraint automation_deliveries_content_hash_check CHECK ((octet_length(content_hash) = 32))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_deliveries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_deliveries t where t.id = row_id); end $function$;
create table webhook_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  secret bytea not null,
  created_at timestamp with time zone not null default now(),
  replaced_at timestamp with time zone,
  secret_key_id uuid generated always as ((encode(SUBSTRING(secret FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint webhook_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_secrets_secret_is_sealed CHECK (((octet_length(secret) >= 113) AND (get_byte(secret, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_webhook_secrets(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.webhook_secrets t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.enter(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text)
 RETURNS record
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  select * from public.authorize_request(source, credential, person, place, target, needed, fitting)
$function$;
CREATE OR REPLACE FUNCTION public.found_organization(id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select create_organization(id) $function$;
CREATE OR REPLACE FUNCTION public.keeps_books_here(registration_number text, country text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select is_registered_organization(registration_number, country) $function$;
CREATE OR REPLACE FUNCTION public.forgive_sign_in(attempted text, allowed integer)
 RETURNS void
 LANGUAGE sql
AS $function$ select subtract_sign_in_failure(attempted, allowed) $function$;
CREATE OR REPLACE FUNCTION public.welcome_sign_in(account text, address text, per_address integer)
 RETURNS void
 LANGUAGE sql
AS $function$ select record_sign_in_success(account, address, per_address) $function$;
CREATE OR REPLACE FUNCTION public.hold(subject text)
 RETURNS void
 LANGUAGE sql
AS $function$ select lock_subject(subject) $function$;
CREATE OR REPLACE FUNCTION public.charge_tokens(bucket text, per_second double precision, burst integer, wanted integer)
 RETURNS double precision
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select consume_rate_limit(bucket, per_second, burst, wanted) $function$;
CREATE OR REPLACE FUNCTION public.revive_jobs(silence interval)
 RETURNS integer
 LANGUAGE sql
AS $function$ select requeue_abandoned_jobs(silence) $function$;
CREATE OR REPLACE FUNCTION public.ordered_for(job text, field text)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$ select queued_job_subjects(job, field) $function$;
CREATE OR REPLACE FUNCTION public.order_again(job text, field text, place uuid, subject uuid)
 RETURNS boolean
 LANGUAGE sql
AS $function$ select requeue_job(job, field, place, subject) $function$;
CREATE OR REPLACE FUNCTION public.order_lost_mail(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$ select requeue_lost_mail(most) $function$;
CREATE OR REPLACE FUNCTION public.order_lost_runs(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$ select requeue_lost_runs(most) $function$;
CREATE OR REPLACE FUNCTION public.keep_lease(named text, held bigint, seconds integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$ select renew_lease(named, held, seconds) $function$;
CREATE OR REPLACE FUNCTION public.drop_lease(named text, held bigint)
 RETURNS void
 LANGUAGE sql
AS $function$ select release_lease(named, held) $function$;
CREATE OR REPLACE FUNCTION public.reaches_keys_of(organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select may_use_keys_of(organization) $function$;
CREATE OR REPLACE FUNCTION public.connected_app_places(app uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select organizations_of_connected_app(app) $function$;
CREATE OR REPLACE FUNCTION public.since(moment timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
AS $function$ select milliseconds_since(moment) $function$;
create table ledger_kinds (
  kind text not null,
  direction text not null,
  payment_direction text not null,
  document_types text[] not null,
  unbilled_types text[] not null default '{}'::text[],
  statuses text[] not null,
  draft_statuses text[] not null,
  payable_statuses text[] not null,
  transitions jsonb not null,
  open_status text,
  sent_status text,
  numbered boolean not null,
  frozen_when_final text[] not null,
  frozen_when_paid text[] not null,
  pays_lines boolean not null,
  counterparty_needed boolean not null,
  balance_account text not null,
  result_account text not null,
  final_events text[] not null default '{}'::text[],
  advances_account text not null default 'PREPAYMENTS'::text,
  constraint ledger_kinds_pkey PRIMARY KEY (kind),
  constraint ledger_kinds_kind_check CHECK ((kind <> ''::text)),
  constraint ledger_kinds_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint ledger_kinds_payment_direction_check CHECK ((payment_direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint ledger_kinds_document_types_check CHECK ((cardinality(document_types) > 0)),
  constraint ledger_kinds_statuses_check CHECK ((cardinality(statuses) > 0)),
  constraint ledger_kinds_check CHECK ((draft_statuses <@ statuses)),
  constraint ledger_kinds_check1 CHECK ((payable_statuses <@ statuses)),
  constraint paid_status CHECK ((('PAID'::text = ANY (statuses)) = (open_status IS NOT NULL))),
  constraint open_status_of_kind CHECK ((array_remove(ARRAY[open_status, sent_status], NULL::text) <@ payable_statuses)),
  constraint one_direction CHECK ((payment_direction = direction)),
  constraint final_amounts_are_frozen CHECK ((frozen_when_final @> '{currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}'::text[])),
  constraint paid_currency_is_frozen CHECK (((NOT (draft_statuses && payable_statuses)) OR (frozen_when_paid @> '{currency,minor_digits}'::text[]))),
  constraint paid_lines_are_frozen CHECK (((NOT pays_lines) OR (NOT (draft_statuses && payable_statuses)) OR (frozen_when_paid @> '{lines}'::text[])))
);
CREATE OR REPLACE FUNCTION public.all_ledger_kinds()
 RETURNS SETOF ledger_kinds
 LANGUAGE sql
 STABLE PARALLEL SAFE SECURITY DEFINER ROWS 10
 SET search_path TO 'public', 'pg_temp'
AS $function$ select * from ledger_kinds $function$;
CREATE OR REPLACE FUNCTION public.amounts_match(lines bigint, line_sum numeric, subtotal bigint, tax bigint, total bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select abs(line_sum - subtotal) <= (lines + 1) / 2 and abs(subtotal + tax - total) <= (lines + 1) / 2 + 1
    and (lines > 0 or (subtotal, tax, total) = (0, 0, 0))
$function$;
CREATE OR REPLACE FUNCTION public.hold_counters(types text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select lock_counters(types) $function$;
CREATE OR REPLACE FUNCTION public.guard_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  rules ledger_kinds;
  is_final boolean;
  is_used boolean; -- whether nothing is left of the credit of a memo
begin
  if tg_op = 'UPDATE' and old.issued_at is not null
    and (new.organization_id, new.id, new.kind, new.direction, new.series, new.sequence, new.number, new.issued_at)
      is distinct from (old.organization_id, old.id, old.kind, old.direction, old.series, old.sequence, old.number, old.issued_at) then
    perform refuse_frozen();
  end if;
  select * into rules from ledger_kinds k where k.kind = new.kind;
  if tg_op = 'UPDATE' then perform refuse_frozen_change(rules, old, new); end if;
  if rules.kind is null or new.direction <> rules.direction or new.document_type <> all (rules.document_types) or new.status <> all (rules.statuses) then
    raise exception 'A document has a kind, and a direction, type and status of that kind.' using errcode = 'check_violation', constraint = 'document_of_kind';
  end if;
  if new.counterparty_id is null and rules.counterparty_needed then
    raise exception 'A document of this kind names its counterparty.' using errcode = 'not_null_violation', column = 'counterparty_id';
  end if;
  -- a credit memo is PAID exactly when its credit is used up
  if new.document_type = 'CREDIT_MEMO' and new.payment_id is not null and rules.open_status is not null and (tg_op = 'INSERT' or new.status <> old.status) then
    select p.amount_minor = p.allocated_minor + p.refunded_minor into is_used from payments p
      where p.organization_id = new.organization_id and p.id = new.payment_id;
    if tg_op = 'INSERT' then
      new.status := case when is_used then 'PAID' when new.status = rules.sent_status then rules.sent_status else rules.open_status end;
    elsif (new.status = 'PAID') <> is_used then
      raise exception 'A credit memo is PAID when its credit is used up.' using errcode = 'check_violation', constraint = 'settled_when_paid';
    end if;
  end if;
  is_final := new.status <> all (rules.draft_statuses);
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((rules.transitions -> old.status) ? new.status, false)
      and not (old.status = 'PAID' and new.status = case when new.sent_at is null then rules.open_status else coalesce(rules.sent_status, rules.open_status) end) then
      if old.issued_at is not null and not is_final then perform refuse_frozen(); end if;
      raise exception 'A document does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    if new.status <> old.status and old.status = 'PAID' and old.converted_to_id is not null then
      raise exception 'The payments of a converted document are those of its invoice.' using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    -- deleting the account would take it off the document; an edit of the document may
    if old.issued_at is not null and old.bank_account_id is not null and new.bank_account_id is null and pg_trigger_depth() > 1 then
      raise exception 'The account stands on an issued document.' using errcode = 'check_violation', constraint = 'account_on_issued_document';
    end if;
  end if;
  if new.status = rules.sent_status and new.sent_at is null then new.sent_at := now(); end if;
  if new.paid_minor > 0 and new.status <> all (rules.payable_statuses) then
    raise exception 'A document that is % has no payments.', new.status using errcode = 'check_violation', constraint = 'payable_when_paid';
  end if;
  -- PAID exactly when nothing is open and money was received (INV-05); the other direction is the check settled_when_paid
  if is_final and rules.open_status is not null and new.payment_id is null and new.total_minor > 0
    and is_settled(new.total_minor, new.paid_minor, new.credited_minor) and new.status <> 'PAID' then
    if tg_op = 'UPDATE' and old.issued_at is not null then
      raise exception 'A document of which nothing is open is PAID.' using errcode = 'check_violation', constraint = 'settled_when_paid';
    end if;
    new.status := 'PAID'; -- it was paid in full before it became final
  end if;
  if tg_op = 'UPDATE' and old.issued_at is not null and is_final then return new; end if;
  new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c
    where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  if is_final then
    if rules.numbered then
      select n.day, n.series, n.sequence, n.number into new.issue_date, new.series, new.sequence, new.number
        from next_document_number(new.organization_id, new.document_type, new.source_document_id, new.issue_date_given, new.issue_date) n;
    end if;
    new.issued_at := now();
  else
    new.issued_at := null; -- a kind may let a final document be taken back; one with a number never is
    new.exchange_rate := null;
    new.rate_currency := null;
    new.rate_date := null;
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_frozen()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'An issued document does not change.' using errcode = 'check_violation', constraint = 'issued_document_is_frozen';
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_frozen_change(rules ledger_kinds, was documents, becomes documents)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  before jsonb;
  after jsonb;
begin
  if was.sequence is not null and becomes.status = any (rules.draft_statuses) then perform refuse_frozen(); end if;
  if (becomes.document_type, becomes.counterparty_id, becomes.counterparty_name, becomes.currency, becomes.minor_digits, becomes.exchange_rate, becomes.rate_currency, becomes.rate_date,
        becomes.issue_date, becomes.due_date, becomes.subtotal_minor, becomes.tax_minor, becomes.total_minor, becomes.tax_rate, becomes.source_document_id, becomes.payment_id)
      is not distinct from (was.document_type, was.counterparty_id, was.counterparty_name, was.currency, was.minor_digits, was.exchange_rate, was.rate_currency, was.rate_date,
        was.issue_date, was.due_date, was.subtotal_minor, was.tax_minor, was.total_minor, was.tax_rate, was.source_document_id, was.payment_id)
    or (was.issued_at is null and (was.paid_minor = 0 or cardinality(rules.frozen_when_paid) = 0)) then
    return;
  end if;
  before := to_jsonb(was);
  after := to_jsonb(becomes);
  if exists (select from unnest(case when was.issued_at is null then '{}' else rules.frozen_when_final end
        || case when was.paid_minor = 0 then '{}' else rules.frozen_when_paid end) f (field)
      where before -> f.field is distinct from after -> f.field) then
    perform refuse_frozen();
  end if;
end $function$;
create table automation_graphs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  automation_id uuid not null,
  blocks jsonb not null,
  edges jsonb not null,
  author_user_id uuid not null,
  scopes text[],
  api_key_id uuid,
  app_id uuid,
  client_id text,
  credential_status text,
  created_at timestamp with time zone not null default now(),
  superseded_at timestamp with time zone,
  version integer,
  superseded_version integer,
  constraint automation_graphs_pkey PRIMARY KEY (organization_id, id),
  constraint automation_graphs_credential_status_check CHECK ((credential_status = ANY (ARRAY['ACTIVE'::text, 'ENDED'::text, 'RELEASED'::text]))),
  constraint one_credential_of_graph CHECK (((num_nonnulls(api_key_id, client_id) =
CASE
    WHEN (credential_status IS NULL) THEN 0
    ELSE 1
END) AND ((scopes IS NULL) = (credential_status IS NULL)) AND ((app_id IS NULL) OR (client_id IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_graphs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_graphs t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.replace_graph()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.graph_id := new_id();
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.save_graph()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  credential text := nullif(current_setting('app.credential', true), ''); -- kind, id and scopes
  id uuid := split_part(credential, ' ', 2)::uuid;
  is_key boolean := split_part(credential, ' ', 1) = 'API_KEY';
begin
  if nullif(current_setting('app.role_limit', true), '') is not null then
    raise exception 'An automation cannot write the graph of an automation.'
      using errcode = 'check_violation', constraint = 'graph_saved_by_person';
  end if;
  update automation_graphs g set superseded_at = now(), superseded_version = new.version
  where g.organization_id = new.organization_id and g.automation_id = new.id and g.superseded_at is null;
  insert into automation_graphs (organization_id, id, automation_id, blocks, edges, author_user_id, scopes, api_key_id, app_id,
    client_id, credential_status, version)
  values (new.organization_id, new.graph_id, new.id, new.blocks, new.edges, coalesce(current_person(), new.owner_user_id),
    split_part(credential, ' ', 3)::text[], case when is_key then id end, case when not is_key then id end,
    case when not is_key then current_setting('app.client', true) end, case when credential is not null then 'ACTIVE' end, new.version);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.adopt_graph()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select a.graph_id into new.graph_id from automations a
  where a.organization_id = new.organization_id and a.id = new.automation_id;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.credential_reaches(key uuid, app uuid, place uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
declare
  everywhere boolean;
begin
  if key is not null then
    select k.all_orgs into everywhere from public.api_keys k
    where k.id = key and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    return everywhere is not null and (everywhere or exists
      (select from public.api_key_organizations o where o.api_key_id = key and o.organization_id = place));
  end if;
  return exists (select from public.connected_apps c where c.id = app and c.revoked_at is null and c.expires_at > now())
    and exists (select from public.connected_app_organizations o where o.app_id = app and o.organization_id = place);
end $function$;
CREATE OR REPLACE FUNCTION public.require_rights_of_run(run uuid, needed member_role)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
declare
  home uuid;
  graph uuid;
  starters uuid[];
  rights record;
begin
  select r.organization_id, r.graph_id, r.started_by into home, graph, starters from public.automation_runs r where r.id = run;
  if home is not null then
    rights := public.rights_of_graph(home, graph, starters);
    if rights.role >= needed then return; end if;
  end if;
  raise exception 'The run no longer has the right to do this.' using errcode = 'check_violation', constraint = 'rights_of_run';
end $function$;
CREATE OR REPLACE FUNCTION public.end_credentials(key uuid DEFAULT NULL::uuid, app uuid DEFAULT NULL::uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  paused bigint;
begin
  with ended as (
    update automation_graphs g set credential_status = 'ENDED'
    where g.credential_status = 'ACTIVE' and (key is null or g.api_key_id = key) and (app is null or g.app_id = app)
      and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)
    returning g.organization_id, g.id, g.api_key_id, g.app_id, g.client_id),
  stopped as (
    update automations a set status = 'PAUSED_NO_ACCESS' from ended e
    where a.organization_id = e.organization_id and a.graph_id = e.id and a.status = 'ENABLED'
    returning a.organization_id, a.id, a.name, a.owner_user_id, e.api_key_id, e.app_id, e.client_id),
  told as (
    insert into notifications (id, user_id, organization_id, kind, data)
    select new_id(), m.user_id, m.organization_id, 'AUTOMATIONS_PAUSED', jsonb_build_object('by', null, 'organization', o.name,
      'credential', case when s.api_key_id is null then 'APP' else 'API_KEY' end,
      'credentialName', coalesce((select k.name from api_keys k where k.id = s.api_key_id),
        (select c.client_name from connected_apps c where c.id = s.app_id)),
      'automations', jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id))
    from stopped s join organizations o on o.id = s.organization_id
    join memberships m on m.organization_id = s.organization_id and (m.role >= 'MANAGER' or m.user_id = s.owner_user_id)
    group by m.user_id, m.organization_id, o.name, s.api_key_id, s.app_id, s.client_id)
  select count(*) into paused from stopped;
  return paused;
end $function$;
CREATE OR REPLACE FUNCTION public.end_credentials_of_run(run uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  graph automation_graphs;
begin
  select g.* into graph from automation_runs r join automation_graphs g on g.organization_id = r.organization_id and g.id = r.graph_id
  where r.id = run and r.organization_id = current_organization() and g.credential_status = 'ACTIVE'
    and not credential_reaches(g.api_key_id, g.app_id, g.organization_id);
  return case when found then end_credentials(graph.api_key_id, graph.app_id) else 0 end;
end $function$;
CREATE OR REPLACE FUNCTION public.end_credentials_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_table_name = 'api_keys' then
    perform end_credentials(key => old.id);
  elsif tg_table_name = 'api_key_organizations' then
    perform end_credentials(key => old.api_key_id);
  elsif tg_table_name = 'connected_apps' then
    perform end_credentials(app => old.id);
  else
    perform end_credentials(app => old.app_id);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.release_graph(automation uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if coalesce(current_setting('app.credential', true), '') <> '' or coalesce(current_setting('app.role_limit', true), '') <> '' then
    raise exception 'Only the owner enables it again, in a session.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  update automation_graphs g set credential_status = 'RELEASED' from automations a
  where a.organization_id = current_organization() and a.id = automation and a.owner_user_id = current_person()
    and g.organization_id = a.organization_id and g.id = a.graph_id and (g.credential_status = 'ENDED'
      or (g.credential_status = 'ACTIVE' and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)));
end $function$;
CREATE OR REPLACE FUNCTION public.require_valid_credential()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from automation_graphs g where g.organization_id = new.organization_id and g.id = new.graph_id
      and (g.credential_status = 'ENDED' or (g.credential_status = 'ACTIVE'
        and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)))) then
    raise exception 'The credential of the graph has ended.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.lock_session(person uuid, session uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform from users u where u.id = person for no key update;
  return exists (select from sessions s join users u on u.id = s.user_id
    where s.id = session and s.user_id = person and s.ends_at > now() and u.disabled_at is null);
end $function$;
CREATE OR REPLACE FUNCTION public.end_access(person uuid, request text, cause text, with_password boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  ended jsonb := '{"everything": true}';
  affected integer;
begin
  perform from users u where u.id = person for no key update;
  delete from sessions s where s.user_id = person;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('sessions', affected);

  with revoked as (
    update api_keys k set revoked_at = now() where k.user_id = person and k.revoked_at is null returning k.id)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), person, 'LINK', request, 'api_keys_revoke', r.id, jsonb_build_object('cause', cause) from revoked r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('apiKeys', affected);

  with revoked as (
    update connected_apps a set revoked_at = now() where a.user_id = person and a.revoked_at is null
    returning a.id, a.client_id)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, client_id, detail)
  select new_id(), person, 'LINK', request, 'users_connected_app_revoke', r.id, r.client_id,
    jsonb_build_object('cause', cause) from revoked r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('connectedApps', affected);

  with removed as (delete from passkeys p where p.user_id = person returning p.id, p.name)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), person, 'LINK', request, 'auth.passkey_removed', r.id, jsonb_build_object('name', r.name, 'cause', cause)
  from removed r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('passkeys', affected);

  with removed as (delete from authenticators a where a.user_id = person returning a.confirmed_at)
  insert into audit_log (id, user_id, source, request_id, operation, detail)
  select new_id(), person, 'LINK', request, 'auth.authenticator_removed', jsonb_build_object('cause', cause)
  from removed r where r.confirmed_at is not null;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('secondFactor', affected > 0);
  delete from recovery_codes c where c.user_id = person;
  delete from passkey_challenges c where c.user_id = person;
  delete from account_links l where l.user_id = person;

  with withdrawn as (
    delete from invitations i where i.invited_by = person and i.accepted_at is null
    returning i.organization_id, i.id, i.email, i.role)
  insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), w.organization_id, person, 'LINK', request, 'users_invitation_delete', w.id,
    jsonb_build_object('invitationId', w.id, 'email', w.email, 'role', w.role, 'cause', cause) from withdrawn w;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('invitations', affected);

  with paused as (
    update automations a set status = 'PAUSED_NO_ACCESS' where a.owner_user_id = person and a.status = 'ENABLED'
    returning a.organization_id, a.id)
  insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), p.organization_id, person, 'LINK', request, 'automation.paused', p.id, jsonb_build_object('cause', cause)
  from paused p;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('automations', affected);
  -- Whoever used the account may have saved graphs in a session, and other members can start them. They have no rights
  -- without an author; saving a graph again makes it the owner's.
  update automation_graphs g set author_user_id = '00000000-0000-0000-0000-000000000000' where g.author_user_id = person;

  if with_password then
    update users u set password_hash = null where u.id = person and u.password_hash is not null;
    get diagnostics affected = row_count;
  else
    affected := 0;
  end if;
  return ended || jsonb_build_object('password', affected > 0,
    'organizations', (select count(*) from memberships m where m.user_id = person));
end $function$;
create table mail_counts (
  subject text not null,
  hour timestamp with time zone not null,
  messages integer not null,
  constraint mail_counts_pkey PRIMARY KEY (subject, hour),
  constraint mail_counts_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 1000))),
  constraint mail_counts_messages_check CHECK ((messages > 0))
);
CREATE OR REPLACE FUNCTION public.mailbox_of(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    else name || '@' || domain end
  from (select coalesce(nullif(split_part(split_part(lower(address), '@', 1), '+', 1), ''), split_part(lower(address), '@', 1)) as name,
    split_part(lower(address), '@', 2) as domain) parts
$function$;
CREATE OR REPLACE FUNCTION public.count_message(counted text, allowed integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  sent integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('mail:' || counted, 0));
  select coalesce(sum(c.messages), 0) into sent from mail_counts c
  where c.subject = counted and c.hour > now() - interval '25 hours';
  if sent >= allowed then
    return (select greatest(1, ceil(extract(epoch from min(h.hour) + interval '25 hours' - now()))) from (
        select c.hour, sum(c.messages) over (order by c.hour) as gone from mail_counts c
        where c.subject = counted and c.hour > now() - interval '25 hours') h
      where h.gone > sent - allowed);
  end if;
  insert into mail_counts as m (subject, hour, messages) values (counted, date_trunc('hour', now()), 1)
  on conflict (subject, hour) do update set messages = m.messages + 1;
  return 0;
end $function$;
CREATE OR REPLACE FUNCTION public.count_message_to(address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  allowed integer := nullif(current_setting('app.mail_per_recipient', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  wait := count_message('mailbox:' || mailbox_of(address), allowed);
  if wait > 0 then
    raise exception 'The recipient has got too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_recipient', detail = wait;
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.count_message_of(person uuid, address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  allowed integer := nullif(current_setting('app.mail_per_person', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  if not exists (select from users u where u.id = person and u.email_verified_at is not null) then
    raise exception 'The address of the sender is not confirmed.'
      using errcode = 'check_violation', constraint = 'email_unconfirmed';
  end if;
  wait := count_message('person:' || person, allowed);
  if wait > 0 then
    raise exception 'The person has sent too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_person', detail = wait;
  end if;
  perform count_message_to(address);
end $function$;
CREATE OR REPLACE FUNCTION public.count_queued_mail()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform count_message_of(current_person(), new."to");
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.count_automation_mail()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if nullif(current_setting('app.mail_per_person', true), '') is null then return null; end if;
  if exists (select from automation_deliveries d where d.organization_id = new.organization_id and d.step_id = new.step_id
      and d.kind = new.kind and d.target = new.target and d.id <> new.id) then
    return null;
  end if;
  perform count_message_of(a.owner_user_id, new.target)
  from automation_steps s
  join automation_runs r on r.organization_id = s.organization_id and r.id = s.run_id
  join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
  where s.organization_id = new.organization_id and s.id = new.step_id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean, time_limit interval)
 RETURNS TABLE(id uuid, block_id text, element integer, attempt integer)
 LANGUAGE sql
AS $function$
  select a.id, a.block_id, a.element, a.attempt
  from advance_run(run, held, case when ended is not null then jsonb_build_object('stepId', ended, 'output', came_to, 'feature', of_feature) end,
    begun, over, time_limit) a
$function$;
CREATE OR REPLACE FUNCTION public.run_has_job(run uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return exists (select from automation_runs r
    where r.id = run and r.organization_id = current_organization()
      and r.id::text in (select queued_job_subjects('run-automation', 'runId')));
end $function$;
create table official_document_types (
  country text not null,
  registered boolean not null,
  document_type text not null,
  official_type text not null,
  series text not null,
  title_en text not null,
  title_he text not null,
  constraint official_document_types_pkey PRIMARY KEY (country, registered, document_type)
);
CREATE OR REPLACE FUNCTION public.is_registered_for_tax(country text, registration_number text, tax_number text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case country
    when 'IL' then coalesce(tax_number, '') <> '' or left(lpad(regexp_replace(coalesce(registration_number, ''),
        '[\s\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\u002d\u058a\u05be\u2010-\u2015\ufe58\ufe63\uff0d]', '', 'g'),
        9, '0'), 2) in ('50', '51', '52', '53', '54', '55', '56', '57')
    when 'SG' then coalesce(tax_number, '') <> ''
    else true end
$function$;
CREATE OR REPLACE FUNCTION public.document_language(country text, customer_country text, chosen text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when country = 'IL' and coalesce(customer_country, country) = country then coalesce(chosen, 'he') else 'en' end
$function$;
CREATE OR REPLACE FUNCTION public.official_numbering(organization uuid, type text, OUT series text, OUT official_type text)
 RETURNS record
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
  where o.id = organization
$function$;
create table issued_copies (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  issuer jsonb not null,
  customer jsonb,
  bank_account jsonb,
  language text not null,
  registered boolean not null,
  official_type text not null,
  title jsonb not null,
  logo_file_id uuid,
  original_file_id uuid,
  original_sha256 text,
  created_at timestamp with time zone not null default now(),
  terms jsonb,
  constraint issued_copies_pkey PRIMARY KEY (organization_id, document_id),
  constraint issued_copies_language_check CHECK ((language = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint issued_copies_original_sha256_check CHECK ((original_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint original_has_hash CHECK (((original_file_id IS NULL) = (original_sha256 IS NULL)))
);
CREATE OR REPLACE FUNCTION public.issued_copy(d documents)
 RETURNS SETOF issued_copies
 LANGUAGE sql
 STABLE
AS $function$
  select d.organization_id, d.id,
    jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number,
      'taxNumber', o.tax_number, 'address', o.address, 'email', o.email, 'phone', o.phone, 'senderName', s.sender_name),
    case when c.id is not null then jsonb_build_object('name', nullif(d.counterparty_name, ''), 'email', c.email, 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address) end,
    case when b.id is not null then jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban, 'routingNumber', b.routing_number,
      'localBankCode', b.local_bank_code, 'bankAddress', b.bank_address, 'bankCountry', b.bank_country, 'notes', b.notes) end,
    document_language(o.country, c.country, s.language), r.registered,
    coalesce(t.official_type, d.document_type),
    jsonb_build_object('en', coalesce(t.title_en, d.document_type), 'he', coalesce(t.title_he, d.document_type)),
    s.logo_file_id, null::uuid, null::text, now(),
    jsonb_build_object('dueDate', d.due_date, 'payUntil', d.pay_until, 'notes', d.notes)
  from organizations o
  cross join lateral registered_for_numbering(o.id, d.document_type, d.source_document_id) r (registered)
  left join organization_settings s on s.organization_id = o.id
  left join customers c on c.organization_id = d.organization_id and c.id = d.counterparty_id
  left join bank_accounts b on b.organization_id = d.organization_id and b.id = d.bank_account_id
  left join official_document_types t on t.country = o.country and t.document_type = d.document_type
    and t.registered = r.registered
  where o.id = d.organization_id
$function$;
CREATE OR REPLACE FUNCTION public.copy_issued_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into issued_copies select c.* from issued_copy(new) c;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_issued_copy()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  if tg_op = 'DELETE' or old.original_file_id is not null
    or to_jsonb(new) - '{original_file_id,original_sha256}'::text[] <> to_jsonb(old) - '{original_file_id,original_sha256}'::text[] then
    raise exception 'The copy of an issued document does not change.' using errcode = 'check_violation', constraint = 'issued_copy_is_frozen';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.documents_of_type(organization uuid, series text, official_type text)
 RETURNS SETOF documents
 LANGUAGE sql
 STABLE
AS $function$
  select d.* from documents d where d.organization_id = organization and d.sequence is not null and d.series = documents_of_type.series
  union all select d.* from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
  where d.organization_id = organization and d.sequence is not null and d.series = '' and c.official_type = documents_of_type.official_type
$function$;
CREATE OR REPLACE FUNCTION public.guard_numbering()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  own record;
  next bigint;
begin
  if tg_op = 'INSERT' then
    new.next_number := greatest(new.next_number, new.first_number);
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- there is nothing to compare, or the insert becomes an update
    end if;
  elsif (new.prefix, new.padding, new.first_number) = (old.prefix, old.padding, old.first_number) then
    return new;
  end if;
  select * into own from official_numbering(new.organization_id, new.document_type);
  if tg_op = 'UPDATE' and new.first_number <> old.first_number then
    if old.next_number <> old.first_number or old.earlier_numbers > 0
      or own.series = new.document_type and exists (select from documents_of_type(new.organization_id, own.series, own.official_type)) then
      raise exception 'Numbers of this series were given.' using errcode = 'check_violation', constraint = 'first_number_before_first_issue';
    end if;
    new.next_number := new.first_number;
  end if;
  next := new.next_number;
  if own.series <> new.document_type then
    select n.next_number into next from document_numbering n
      where n.organization_id = new.organization_id and n.document_type = own.series for update;
  end if;
  if exists (select from documents_of_type(new.organization_id, own.series, own.official_type) d, substr(d.number, length(new.prefix) + 1) rest
      where starts_with(d.number, new.prefix) and case when rest ~ '^[0-9]{1,18}$' then rest::bigint >= coalesce(next, 1)
        and length(rest) = greatest(new.padding, length(rest::bigint::text)) else false end) then
    raise exception 'A printed number would be repeated.' using errcode = 'check_violation', constraint = 'printed_numbers_stay_unique';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.day_in_zone(instant timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (instant at time zone zone)::date;
exception when invalid_parameter_value then
  return (instant at time zone 'UTC')::date;
end $function$;
CREATE OR REPLACE FUNCTION public.open_minor(d documents)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when d.payment_id is not null or d.cancelled_at is not null or d.converted_to_id is not null then 0
    else d.total_minor - d.paid_minor - d.credited_minor end
$function$;
CREATE OR REPLACE FUNCTION public.is_settled(total bigint, paid bigint, credited bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select paid + credited = total and (paid > 0 or total = 0)
$function$;
CREATE OR REPLACE FUNCTION public.mark_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- the memo is written after its credit, in the same transaction, so a credit without a memo is that of the document
  new.is_credit := exists (select from payments p
      where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO')
    and not exists (select from documents m where m.organization_id = new.organization_id and m.payment_id = new.payment_id
      and m.document_type = 'CREDIT_MEMO' and m.source_document_id <> new.document_id);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_memo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  source documents;
begin
  select * into source from documents d where d.organization_id = new.organization_id and d.id = new.source_document_id;
  if source.document_type = any (select unnest(k.unbilled_types) from ledger_kinds k where k.kind = new.kind)
    or is_receipt_by_law(source.document_type, source.series) then
    raise exception 'A document that is no tax document is cancelled.' using errcode = 'check_violation', constraint = 'memo_of_tax_document';
  end if;
  if new.kind = 'SALES' and new.issue_date_given and new.issue_date < source.issue_date then
    raise exception 'A memo is not dated before its document.' using errcode = 'check_violation', constraint = 'memo_not_before_document';
  end if;
  if new.document_type = 'CREDIT_MEMO' and new.total_minor + coalesce((select sum(m.total_minor) from documents m
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_legal_content()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform refuse_frozen();
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.convert_document(request uuid, invoice uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  moved allocations;
  before text := (select d.status from documents d where d.organization_id = current_organization() and d.id = request);
begin
  if exists (select from issued_copies r join issued_copies i on i.organization_id = r.organization_id and i.official_type = r.official_type
      where r.organization_id = current_organization() and r.document_id = request and i.document_id = invoice) then
    raise exception 'Both documents are of the same official type.' using errcode = 'check_violation', constraint = 'converted_to_another_type';
  end if;
  for moved in update allocations a set voided_at = now()
      where a.organization_id = current_organization() and a.document_id = request and a.voided_at is null returning a.* loop
    insert into allocations (organization_id, id, payment_id, document_id, line_id, amount_minor)
      values (moved.organization_id, new_id(), moved.payment_id, invoice, moved.line_id, moved.amount_minor);
  end loop;
  update documents d set converted_to_id = invoice, status = before
    from documents i
    where d.organization_id = current_organization() and d.id = request and d.document_type = 'PAYMENT_REQUEST' and d.issued_at is not null
      and d.cancelled_at is null and d.converted_to_id is null and d.credited_minor = 0
      and i.organization_id = d.organization_id and i.id = invoice and i.source_document_id = d.id and i.issued_at is not null
      and i.document_type in ('INVOICE', 'INVOICE_RECEIPT') and i.total_minor = d.total_minor;
  if not found then
    raise exception 'The document cannot be converted.' using errcode = 'check_violation', constraint = 'convertible_document';
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.sales_total(d documents)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when d.cancelled_at is not null or d.converted_to_id is not null or (d.document_type = 'RECEIPT' and d.status in ('UNSENT', 'SENT')) then 0
    when d.status = 'PAID' then d.total_minor else d.total_minor - d.credited_minor end
$function$;
CREATE OR REPLACE FUNCTION public.apply_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update payments p set refunded_minor = p.refunded_minor + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
    where p.organization_id = new.organization_id and p.id = new.refund_of
      and (tg_op = 'UPDATE' or (p.voided_at is null and p.source <> 'REFUND' and p.currency = new.currency
        and p.kind = new.kind and p.direction <> new.direction and p.counterparty_id is not distinct from new.counterparty_id
        and (p.withheld_minor = 0 or p.refunded_minor + new.amount_minor <= p.amount_minor - p.withheld_minor)));
  if not found then
    raise exception 'That payment cannot be refunded.' using errcode = 'check_violation', constraint = 'refund_fits_payment';
  end if;
  if tg_op = 'UPDATE' then perform apply_freed_credit(new.organization_id, new.refund_of); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.hold_to_customer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from added a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id where d.counterparty_id <> p.counterparty_id
        or p.kind = 'EXPENSE' and p.counterparty_id is null and crosses_vendors(p.organization_id, p.id, d.id, array(select n.id from added n))) then
    raise exception 'The payment is of another customer.' using errcode = 'check_violation', constraint = 'payment_of_customer';
  end if;
  update payments p set counterparty_id = owing.customer
    from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.voided_at is null and (a.organization_id, a.payment_id) in (select n.organization_id, n.payment_id from added n)
      group by 1, 2 having count(distinct d.counterparty_id) = 1) owing
    where p.organization_id = owing.organization_id and p.id = owing.payment_id and p.counterparty_id is null and p.source <> 'STATUTORY';
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_reallocating()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'An allocation that was taken back stays so.' using errcode = 'check_violation', constraint = 'allocation_not_voided';
end $function$;
CREATE OR REPLACE FUNCTION public.country_currency(country text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case country when 'IL' then 'ILS' when 'SG' then 'SGD' when 'US' then 'USD' end
$function$;
CREATE OR REPLACE FUNCTION public.rate_source(country text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case country when 'IL' then 'BOI' when 'SG' then 'MAS' end
$function$;
CREATE OR REPLACE FUNCTION public.rate_on(from_currency text, to_currency text, day date, country text)
 RETURNS TABLE(from_rate numeric, to_rate numeric, rate_date date, source text, base text)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  select found.from_rate, found.to_rate, found.rate_date, found.source, found.base from (
    select 0 as turn, 1.0 as from_rate, 1.0 as to_rate, day as rate_date, 'SAME' as source, from_currency as base
    where from_currency = to_currency
    union all
    (select 1, t.rate, f.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = f.source and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = rate_source(country) and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 2, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'ECB' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'ECB' and f.currency = from_currency and f.date between day - 10 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
    union all
    (select 3, f.rate, t.rate, f.date, f.source, f.base
     from exchange_rates f
     join exchange_rates t on t.source = 'BUNDLED' and t.currency = to_currency and t.date = f.date and t.base = f.base
     where f.source = 'BUNDLED' and f.currency = from_currency and f.date between day - 400 and day
       and from_currency <> to_currency
     order by f.date desc limit 1)
  ) found
  order by found.turn limit 1
$function$;
CREATE OR REPLACE FUNCTION public.keep_fixed_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.issued_at is not null then perform refuse_frozen(); end if;
  new.country_rate := null;
  new.country_rate_date := null;
  return new;
end $function$;
create table default_accounts (
  country text not null,
  code text not null,
  name text not null,
  name_he text not null,
  type text not null,
  purpose text,
  tax_categories text[] not null default '{}'::text[],
  categories text[] not null default '{}'::text[],
  constraint default_accounts_pkey PRIMARY KEY (country, code)
);
CREATE OR REPLACE FUNCTION public.fits_purpose(type text, purpose text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when purpose in ('CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING', 'STOCK') then type = 'ASSET'
    when purpose in ('PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX', 'WITHHOLDING_PAYABLE', 'UNBILLED', 'PAYROLL_PAYABLES', 'GOODS_RECEIVED') then type = 'LIABILITY'
    when purpose = 'OPENING_BALANCES' then type = 'EQUITY'
    when purpose = 'REVENUE' then type = 'INCOME'
    when purpose in ('EXPENSES', 'PAYROLL', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS') then type = 'EXPENSE'
    when purpose in ('EXCHANGE_DIFFERENCES', 'ROUNDING') then type in ('EXPENSE', 'INCOME')
    else true end
$function$;
create table accounts (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  code text not null,
  name text not null,
  name_he text,
  type text not null,
  purpose text,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (organization_id, id),
  constraint one_account_per_code UNIQUE (organization_id, code),
  constraint account_state UNIQUE (organization_id, id, type, active),
  constraint accounts_code_check CHECK ((code ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'::text)),
  constraint accounts_name_check CHECK ((name <> ''::text)),
  constraint accounts_name_he_check CHECK ((name_he <> ''::text)),
  constraint accounts_type_check CHECK ((type = ANY (ARRAY['ASSET'::text, 'LIABILITY'::text, 'EQUITY'::text, 'INCOME'::text, 'EXPENSE'::text]))),
  constraint accounts_purpose_check CHECK ((purpose <> ''::text)),
  constraint account_with_purpose_is_active CHECK (((purpose IS NULL) OR active)),
  constraint purpose_fits_type CHECK (((purpose IS NULL) OR fits_purpose(type, purpose)))
);
CREATE OR REPLACE FUNCTION public.owner_of_accounts(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.accounts t where t.id = row_id); end $function$;
create table account_mappings (
  organization_id uuid not null default current_organization(),
  entry uuid not null default gen_random_uuid(),
  account_id uuid not null,
  account_type text not null,
  account_active boolean not null default true,
  category_id uuid,
  bank_account_id uuid,
  tax_category text,
  constraint account_mappings_pkey PRIMARY KEY (organization_id, entry),
  constraint account_mappings_account_active_check CHECK (account_active),
  constraint account_mappings_tax_category_check CHECK ((tax_category ~ '^\S{1,20}$'::text)),
  constraint mapping_of_one_thing CHECK ((num_nonnulls(category_id, bank_account_id, tax_category) = 1)),
  constraint mapping_fits_account_type CHECK (
CASE
    WHEN (category_id IS NOT NULL) THEN (account_type = ANY (ARRAY['EXPENSE'::text, 'ASSET'::text]))
    WHEN (bank_account_id IS NOT NULL) THEN (account_type = ANY (ARRAY['ASSET'::text, 'LIABILITY'::text]))
    ELSE (account_type <> 'EQUITY'::text)
END)
);
CREATE OR REPLACE FUNCTION public.add_default_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into accounts (organization_id, id, code, name, name_he, type, purpose)
    select new.id, new_id(), a.code, a.name, a.name_he, a.type, a.purpose from default_accounts a where a.country = new.country
    order by a.code;
  perform set_config('app.booked_from', '-infinity', true);
  insert into account_mappings (organization_id, account_id, account_type, tax_category)
    select a.organization_id, a.id, a.type, c from default_accounts d
    join accounts a on a.organization_id = new.id and a.code = d.code, unnest(d.tax_categories) c
    where d.country = new.country;
  perform set_config('app.booked_from', '', true);
  return null;
end $function$;
create table journal_entries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  number bigint not null default 0,
  kind text not null,
  date date not null,
  description text not null,
  reference text,
  currency text not null default ''::text,
  reverses_id uuid,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint journal_entries_pkey PRIMARY KEY (organization_id, id),
  constraint one_entry_per_number UNIQUE (organization_id, number),
  constraint one_reversal_per_entry UNIQUE (organization_id, reverses_id),
  constraint journal_entries_number_check CHECK ((number > 0)),
  constraint journal_entries_kind_check CHECK ((kind = ANY (ARRAY['MANUAL'::text, 'OPENING'::text]))),
  constraint journal_entries_description_check CHECK ((description <> ''::text)),
  constraint journal_entries_currency_check CHECK ((currency <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_journal_entries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.journal_entries t where t.id = row_id); end $function$;
create table journal_entry_lines (
  organization_id uuid not null default current_organization(),
  entry_id uuid not null,
  "position" integer not null,
  account_id uuid not null,
  debit_minor bigint not null default 0,
  credit_minor bigint not null default 0,
  description text,
  constraint journal_entry_lines_pkey PRIMARY KEY (organization_id, entry_id, "position"),
  constraint journal_entry_lines_position_check CHECK (("position" > 0)),
  constraint debit_or_credit CHECK (((debit_minor >= 0) AND (credit_minor >= 0) AND ((debit_minor = 0) <> (credit_minor = 0))))
);
CREATE OR REPLACE FUNCTION public.number_journal_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  reversed journal_entries;
  organization organizations;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text || ':journal entries', 0));
  new.number := coalesce((select max(e.number) from journal_entries e where e.organization_id = new.organization_id), 0) + 1;
  select * into organization from organizations o where o.id = new.organization_id;
  new.currency := organization.currency;
  select * into reversed from journal_entries e where e.organization_id = new.organization_id and e.id = new.reverses_id;
  if reversed.reverses_id is not null then
    raise exception 'A reversal is not reversed.' using errcode = 'check_violation', constraint = 'reversal_stays';
  end if;
  if new.date > greatest((now() at time zone organization.timezone)::date, reversed.date) then
    raise exception 'An entry is not dated after today.' using errcode = 'check_violation', constraint = 'entry_not_in_future';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_entry_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  entry journal_entries;
begin
  select * into entry from journal_entries e where e.organization_id = new.organization_id and e.id = new.entry_id;
  if entry.created_at <> now() then
    raise exception 'An entry does not change.' using errcode = 'check_violation', constraint = 'entry_is_final';
  end if;
  if entry.reverses_id is null and exists (select from accounts a
      where a.organization_id = new.organization_id and a.id = new.account_id and not a.active) then
    raise exception 'The account is not active.' using errcode = 'check_violation', constraint = 'entry_uses_active_accounts';
  end if;
  if entry.kind = 'OPENING' and entry.reverses_id is null and opening_entry(entry, new.account_id) is not null then
    raise exception 'The account has an opening balance on this day.' using errcode = 'check_violation', constraint = 'one_opening_balance';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.require_balanced_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not exists (select from journal_entry_lines l where l.organization_id = new.organization_id and l.entry_id = new.id
      having count(*) >= 2 and sum(l.debit_minor) = sum(l.credit_minor)) then
    raise exception 'Debits and credits differ.' using errcode = 'check_violation', constraint = 'entry_is_balanced';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.home_minor(amount numeric, currency text, home text, rate numeric)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (case when currency = home then amount else convert_minor(amount, currency, home, 1, coalesce(rate, 1)) end)::bigint
$function$;
CREATE OR REPLACE FUNCTION public.part_of_payment(whole payments, part bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(u.minor), 0), coalesce(sum(u.home), 0) into used, used_home from (
    select a.amount_minor as minor, coalesce(a.payment_home_minor, a.amount_minor) as home from allocations a
      where a.organization_id = whole.organization_id and a.payment_id = whole.id and a.voided_at is null and not a.is_advance
    union all
    select r.amount_minor, coalesce(r.refund_home_minor, r.amount_minor) from payments r
      where r.organization_id = whole.organization_id and r.refund_of = whole.id and r.voided_at is null) u;
  if used + part = whole.amount_minor then
    return home_minor(whole.amount_minor, whole.currency, whole.rate_currency, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, whole.rate_currency, whole.exchange_rate);
end $function$;
CREATE OR REPLACE FUNCTION public.part_of_document(whole documents, part bigint, home text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(a.amount_minor), 0), coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) into used, used_home
    from allocations a where a.organization_id = whole.organization_id and a.document_id = whole.id and a.voided_at is null;
  if used + part = whole.total_minor then
    return home_minor(whole.total_minor, whole.currency, home, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, home, whole.exchange_rate);
end $function$;
CREATE OR REPLACE FUNCTION public.set_payment_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  own organizations;
  home text;
  refunded payments;
  is_given boolean := new.exchange_rate is not null and new.source not in ('CREDIT_MEMO', 'REFUND');
begin
  select * into own from organizations o where o.id = new.organization_id;
  home := own.currency;
  if not is_given or new.currency = home then
    new.exchange_rate := null;
    new.rate_date := null;
  end if;
  if new.currency = home then return new; end if;
  new.rate_currency := home;
  if new.source <> 'CREDIT_MEMO' then
    if is_given then
      new.rate_date := coalesce(new.rate_date, new.paid_at);
    else
      select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
        from rate_on(new.currency, home, new.paid_at, own.country) r;
    end if;
    if convert_minor(new.amount_minor, new.currency, home, 1, coalesce(new.exchange_rate, 1)) > amount_max() then
      raise exception 'The amount is too large in %.', home using errcode = 'check_violation', detail = home,
        constraint = case when is_given then 'payment_fits_given_rate' else 'payment_fits_home' end;
    end if;
  end if;
  if new.refund_of is not null then
    select * into refunded from payments p where p.organization_id = new.organization_id and p.id = new.refund_of for no key update;
    new.refund_home_minor := case when refunded.rate_currency = home then part_of_payment(refunded, new.amount_minor)
      else home_minor(new.amount_minor, new.currency, home, new.exchange_rate) end; -- it was received in another home currency
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.set_credit_rate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update payments p set exchange_rate = new.exchange_rate, rate_currency = new.rate_currency, rate_date = new.rate_date
    where p.organization_id = new.organization_id and p.id = new.payment_id and p.exchange_rate is distinct from new.exchange_rate;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.booked_day(paid_on date, issued_on date, paid timestamp with time zone, allocated timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select greatest(paid_on, issued_on, case when allocated <> paid then (allocated at time zone zone)::date end)
$function$;
CREATE OR REPLACE FUNCTION public.book_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  paying payments;
  owed documents;
begin
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  if paying.rate_currency is not null then -- the amounts depend on the allocations before: one after the other
    perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id for no key update;
  end if;
  select * into owed from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  select booked_day(paying.paid_at, owed.issue_date, paying.created_at, now(), o.timezone) into new.booked_on
    from organizations o where o.id = new.organization_id;
  new.is_advance := paying.source <> 'CREDIT_MEMO' and (owed.kind, owed.document_type) = ('SALES', 'RECEIPT') and coalesce(
    (select c.registered from issued_copies c where c.organization_id = owed.organization_id and c.document_id = owed.id), false);
  if paying.rate_currency is null then return new; end if;
  if paying.source = 'CREDIT_MEMO' and paying.exchange_rate is null and owed.rate_currency = paying.rate_currency then
    -- the credit is used before its memo is written
    paying.exchange_rate := owed.exchange_rate;
    update payments p set exchange_rate = owed.exchange_rate, rate_date = owed.rate_date
      where p.organization_id = new.organization_id and p.id = new.payment_id;
  end if;
  if new.is_advance then
    new.document_home_minor := part_of_document(owed, new.amount_minor, paying.rate_currency);
    return new;
  end if;
  new.payment_home_minor := part_of_payment(paying, new.amount_minor);
  -- a document that was issued in another home currency is relieved at the rate of the payment
  new.document_home_minor := case when owed.rate_currency <> paying.rate_currency then new.payment_home_minor
    else part_of_document(owed, new.amount_minor, paying.rate_currency) end;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.book_allocations_when_final()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  paid record;
  used bigint := 0;
  used_home bigint := 0;
  home bigint;
begin
  for paid in select a.id, a.amount_minor, a.payment_home_minor, p.rate_currency,
      booked_day(p.paid_at, new.issue_date, p.created_at, a.created_at, o.timezone) as day
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join organizations o on o.id = a.organization_id
    where a.organization_id = new.organization_id and a.document_id = new.id and a.voided_at is null order by a.created_at, a.id
  loop
    home := case when paid.rate_currency is null then null
      when new.rate_currency <> paid.rate_currency then paid.payment_home_minor
      when used + paid.amount_minor = new.total_minor
        then home_minor(new.total_minor, new.currency, paid.rate_currency, new.exchange_rate) - used_home
      else home_minor(paid.amount_minor, new.currency, paid.rate_currency, new.exchange_rate) end;
    used := used + paid.amount_minor;
    used_home := used_home + coalesce(home, paid.amount_minor);
    update allocations a set booked_on = paid.day, document_home_minor = home where a.organization_id = new.organization_id and a.id = paid.id;
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.journal_lines(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select * from journal_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$function$;
CREATE OR REPLACE FUNCTION public.require_keys_of_calls()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- the lock of a foreign key: until this transaction ends, nobody deletes the key
  perform from api_keys k where k.id in (select a.api_key_id from added a) for key share;
  if exists (select from (select distinct a.api_key_id from added a) named
      where not exists (select from api_keys k where k.id = named.api_key_id)) then
    raise exception 'A call names an API key that does not exist.'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.delete_calls_of_keys()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  delete from api_key_calls c using removed r where c.api_key_id = r.id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.amount_max()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select 999999999999999 $function$;
CREATE OR REPLACE FUNCTION public.require_amounts_fit(d documents, largest numeric, home text, country_home text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  misfit text;
begin
  misfit := case
    when d.currency <> home and convert_minor(largest, d.currency, home, 1, coalesce(d.exchange_rate, 1)) > amount_max() then home
    when d.currency <> country_home and convert_minor(largest, d.currency, country_home, 1, d.country_rate) > amount_max() then country_home
  end;
  if misfit is not null then
    raise exception 'The amounts are too large in %.', misfit using errcode = 'check_violation', detail = misfit,
      constraint = case when d.given_rate is null then 'amounts_fit_home' else 'amounts_fit_given_rate' end;
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.published_rate(d documents)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return (select r.to_rate / r.from_rate from organizations o
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral rate_on(d.currency, case when d.currency = h.home then country_currency(o.country) else h.home end,
      coalesce(d.given_rate_date, d.issue_date), o.country) r
    where o.id = d.organization_id);
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_second_statement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  payment uuid := new.payment_id;
  paying payments;
  stated boolean;
begin
  if tg_table_name = 'documents' then
    perform from payments p where p.organization_id = new.organization_id and p.id = payment for no key update;
    stated := exists (select from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null);
  else
    if not exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT')) then return null; end if;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = payment;
    if new.is_advance and new.amount_minor > paying.amount_minor - paying.allocated_minor - paying.refunded_minor then
      raise exception 'An advance is within the open remainder.' using errcode = 'check_violation', constraint = 'allocated_within_payment';
    end if;
    stated := exists (select from documents r where r.organization_id = new.organization_id and r.payment_id = payment
        and r.document_type = 'RECEIPT' and r.cancelled_at is null)
      -- an advance stays an open remainder, so its amount could be stated again
      or paying.amount_minor < (select sum(a.amount_minor) from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
        where a.organization_id = new.organization_id and a.payment_id = payment and a.voided_at is null and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'));
  end if;
  if stated then
    raise exception 'The payment is stated by a receipt already.' using errcode = 'check_violation', constraint = 'payment_stated_once';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.outstanding_minor(d documents)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when d.document_type = 'RECEIPT' and d.issued_at is not null then 0 else open_minor(d) end
$function$;
CREATE OR REPLACE FUNCTION public.is_number_prefix(prefix text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  seen constant text := '[-/._#'
    '\u0030-\u0039\u0041-\u005a\u0061-\u007a\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e'
    '\u0180-\u01c3\u01cd-\u01f0\u01f4-\u02af\u02b9-\u02c1\u02c6-\u02d1\u02ec\u02ee\u0370-\u0373\u0376-\u0377\u037b-\u037d'
    '\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03cf\u03d7-\u03ef\u03f3\u03f7-\u03f8\u03fa-\u0481\u048a-\u052f'
    '\u0531-\u0556\u0559\u0560-\u0586\u0588\u05d0-\u05ea\u05ef-\u05f2\u0620-\u064a\u066e-\u066f\u0671-\u0674\u0679-\u06d3'
    '\u06d5\u06e5-\u06e6\u06ee-\u06ef\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u07a5\u07b1\u07ca-\u07ea\u07f4-\u07f5'
    '\u07fa\u0800-\u0815\u081a\u0824\u0828\u0840-\u0858\u0860-\u086a\u0870-\u0887\u0889-\u088f\u08a0-\u08c9\u0904-\u0939'
    '\u093d\u0950\u0960-\u0961\u0971-\u0980\u0985-\u098c\u098f-\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd'
    '\u09ce\u09e0-\u09e1\u09f0-\u09f1\u09fc\u0a05-\u0a0a\u0a0f-\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a35\u0a38-\u0a39'
    '\u0a5c\u0a72-\u0a74\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2-\u0ab3\u0ab5-\u0ab9\u0abd\u0ad0'
    '\u0ae0-\u0ae1\u0af9\u0b05-\u0b0c\u0b0f-\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32-\u0b33\u0b35-\u0b39\u0b3d\u0b5f-\u0b61'
    '\u0b71\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99-\u0b9a\u0b9c\u0b9e-\u0b9f\u0ba3-\u0ba4\u0ba8-\u0baa'
    '\u0bae-\u0bb9\u0bd0\u0c05-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3d\u0c58-\u0c5a\u0c5c-\u0c5d\u0c60-\u0c61'
    '\u0c80\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3\u0cb5-\u0cb9\u0cbd\u0cdc-\u0cde\u0ce0-\u0ce1\u0cf1-\u0cf2'
    '\u0d04-\u0d0c\u0d0e-\u0d10\u0d12-\u0d3a\u0d3d\u0d4e\u0d54-\u0d56\u0d5f-\u0d61\u0d7a-\u0d7f\u0d85-\u0d96\u0d9a-\u0db1'
    '\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0e01-\u0e30\u0e32\u0e40-\u0e46\u0e81-\u0e82\u0e84\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5'
    '\u0ea7-\u0eb0\u0eb2\u0ebd\u0ec0-\u0ec4\u0ec6\u0ede-\u0edf\u0f00\u0f40-\u0f42\u0f44-\u0f47\u0f49-\u0f4c\u0f4e-\u0f51'
    '\u0f53-\u0f56\u0f58-\u0f5b\u0f5d-\u0f68\u0f6a-\u0f6c\u0f88-\u0f8c\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061'
    '\u1065-\u1066\u106e-\u1070\u1075-\u1081\u108e\u10a0-\u10c5\u10c7\u10cd\u10d0-\u10fa\u10fd-\u115e\u1161-\u1248'
    '\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u1288\u128a-\u128d\u1290-\u12b0\u12b2-\u12b5\u12b8-\u12be\u12c0'
    '\u12c2-\u12c5\u12c8-\u12d6\u12d8-\u1310\u1312-\u1315\u1318-\u135a\u1380-\u138f\u13a0-\u13f5\u13f8-\u13fd\u1401-\u166c'
    '\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16f1-\u16f8\u1700-\u1711\u171f-\u1731\u1740-\u1751\u1760-\u176c\u176e-\u1770'
    '\u1780-\u17b3\u17d7\u17dc\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa\u18b0-\u18f5\u1900-\u191e\u1950-\u196d'
    '\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u1a00-\u1a16\u1a20-\u1a54\u1aa7\u1b05-\u1b33\u1b45-\u1b4c\u1b83-\u1ba0'
    '\u1bae-\u1baf\u1bba-\u1be5\u1c00-\u1c23\u1c4d-\u1c4f\u1c5a-\u1c7d\u1c80-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1ce9-\u1cec'
    '\u1cee-\u1cf3\u1cf5-\u1cf6\u1cfa\u1d00-\u1d2b\u1d2f\u1d3b\u1d4e\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1e99\u1e9c-\u1f15'
    '\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f70\u1f72\u1f74\u1f76\u1f78\u1f7a'
    '\u1f7c\u1f80-\u1fb4\u1fb6-\u1fba\u1fbc\u1fc2-\u1fc4\u1fc6-\u1fc8\u1fca\u1fcc\u1fd0-\u1fd2\u1fd6-\u1fda\u1fe0-\u1fe2'
    '\u1fe4-\u1fea\u1fec\u1ff2-\u1ff4\u1ff6-\u1ff8\u1ffa\u1ffc\u2132\u214e\u2183-\u2184\u2c00-\u2c7b\u2c7e-\u2ce4'
    '\u2ceb-\u2cee\u2cf2-\u2cf3\u2d00-\u2d25\u2d27\u2d2d\u2d30-\u2d67\u2d80-\u2d96\u2da0-\u2da6\u2da8-\u2dae\u2db0-\u2db6'
    '\u2db8-\u2dbe\u2dc0-\u2dc6\u2dc8-\u2dce\u2dd0-\u2dd6\u2dd8-\u2dde\u2e2f\u3005-\u3006\u3031-\u3035\u303b-\u303c'
    '\u3041-\u3096\u309d-\u309e\u30a1-\u30fa\u30fc-\u30fe\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c'
    '\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua61f\ua62a-\ua62b\ua640-\ua66e\ua67f-\ua69b\ua6a0-\ua6e5\ua717-\ua71f\ua722-\ua76f'
    '\ua771-\ua788\ua78b-\ua7dc\ua7f5-\ua7f7\ua7fa-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua840-\ua873\ua882-\ua8b3'
    '\ua8f2-\ua8f7\ua8fb\ua8fd-\ua8fe\ua90a-\ua925\ua930-\ua946\ua960-\ua97c\ua984-\ua9b2\ua9cf\ua9e0-\ua9e4\ua9e6-\ua9ef'
    '\ua9fa-\ua9fe\uaa00-\uaa28\uaa40-\uaa42\uaa44-\uaa4b\uaa60-\uaa76\uaa7a\uaa7e-\uaaaf\uaab1\uaab5-\uaab6\uaab9-\uaabd'
    '\uaac0\uaac2\uaadb-\uaadd\uaae0-\uaaea\uaaf2-\uaaf4\uab01-\uab06\uab09-\uab0e\uab11-\uab16\uab20-\uab26\uab28-\uab2e'
    '\uab30-\uab5a\uab60-\uab68\uab70-\uabe2\uac00-\ud7a3\ud7b0-\ud7c6\ud7cb-\ud7fb\ufa0e-\ufa0f\ufa11\ufa13-\ufa14\ufa1f'
    '\ufa21\ufa23-\ufa24\ufa27-\ufa29\ufe73\U00010000-\U0001000b\U0001000d-\U00010026\U00010028-\U0001003a'
    '\U0001003c-\U0001003d\U0001003f-\U0001004d\U00010050-\U0001005d\U00010080-\U000100fa\U00010280-\U0001029c'
    '\U000102a0-\U000102d0\U00010300-\U0001031f\U0001032d-\U00010340\U00010342-\U00010349\U00010350-\U00010375'
    '\U00010380-\U0001039d\U000103a0-\U000103c3\U000103c8-\U000103cf\U00010400-\U0001049d\U000104b0-\U000104d3'
    '\U000104d8-\U000104fb\U00010500-\U00010527\U00010530-\U00010563\U00010570-\U0001057a\U0001057c-\U0001058a'
    '\U0001058c-\U00010592\U00010594-\U00010595\U00010597-\U000105a1\U000105a3-\U000105b1\U000105b3-\U000105b9'
    '\U000105bb-\U000105bc\U000105c0-\U000105f3\U00010600-\U00010736\U00010740-\U00010755\U00010760-\U00010767\U00010780'
    '\U00010800-\U00010805\U00010808\U0001080a-\U00010835\U00010837-\U00010838\U0001083c\U0001083f-\U00010855'
    '\U00010860-\U00010876\U00010880-\U0001089e\U000108e0-\U000108f2\U000108f4-\U000108f5\U00010900-\U00010915'
    '\U00010920-\U00010939\U00010940-\U00010959\U00010980-\U000109b7\U000109be-\U000109bf\U00010a00\U00010a10-\U00010a13'
    '\U00010a15-\U00010a17\U00010a19-\U00010a35\U00010a60-\U00010a7c\U00010a80-\U00010a9c\U00010ac0-\U00010ac7'
    '\U00010ac9-\U00010ae4\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b60-\U00010b72\U00010b80-\U00010b91'
    '\U00010c00-\U00010c48\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U00010d00-\U00010d23\U00010d4a-\U00010d65'
    '\U00010d6f-\U00010d85\U00010e80-\U00010ea9\U00010eb0-\U00010eb1\U00010ec2-\U00010ec7\U00010f00-\U00010f1c\U00010f27'
    '\U00010f30-\U00010f45\U00010f70-\U00010f81\U00010fb0-\U00010fc4\U00010fe0-\U00010ff6\U00011003-\U00011037'
    '\U00011071-\U00011072\U00011075\U00011083-\U000110af\U000110d0-\U000110e8\U00011103-\U00011126\U00011144\U00011147'
    '\U00011150-\U00011172\U00011176\U00011183-\U000111b2\U000111c1-\U000111c4\U000111da\U000111dc\U00011200-\U00011211'
    '\U00011213-\U0001122b\U0001123f-\U00011240\U00011280-\U00011286\U00011288\U0001128a-\U0001128d\U0001128f-\U0001129d'
    '\U0001129f-\U000112a8\U000112b0-\U000112de\U00011305-\U0001130c\U0001130f-\U00011310\U00011313-\U00011328'
    '\U0001132a-\U00011330\U00011332-\U00011333\U00011335-\U00011339\U0001133d\U00011350\U0001135d-\U00011361'
    '\U00011380-\U00011389\U0001138b\U0001138e\U00011390-\U000113b5\U000113b7\U000113d1\U000113d3\U00011400-\U00011434'
    '\U00011447-\U0001144a\U0001145f-\U00011461\U00011480-\U000114af\U000114c4-\U000114c5\U000114c7\U00011580-\U000115ae'
    '\U000115d8-\U000115db\U00011600-\U0001162f\U00011644\U00011680-\U000116aa\U000116b8\U00011700-\U0001171a'
    '\U00011740-\U00011746\U00011800-\U0001182b\U000118a0-\U000118df\U000118ff-\U00011906\U00011909\U0001190c-\U00011913'
    '\U00011915-\U00011916\U00011918-\U0001192f\U0001193f\U00011941\U000119a0-\U000119a7\U000119aa-\U000119d0\U000119e1'
    '\U000119e3\U00011a00\U00011a0b-\U00011a32\U00011a3a\U00011a50\U00011a5c-\U00011a89\U00011a9d\U00011ab0-\U00011af8'
    '\U00011bc0-\U00011be0\U00011c00-\U00011c08\U00011c0a-\U00011c2e\U00011c40\U00011c72-\U00011c8f\U00011d00-\U00011d06'
    '\U00011d08-\U00011d09\U00011d0b-\U00011d30\U00011d46\U00011d60-\U00011d65\U00011d67-\U00011d68\U00011d6a-\U00011d89'
    '\U00011d98\U00011db0-\U00011ddb\U00011ee0-\U00011ef2\U00011f02\U00011f04-\U00011f10\U00011f12-\U00011f33\U00011fb0'
    '\U00012000-\U00012399\U00012480-\U00012543\U00012f90-\U00012ff0\U00013000-\U0001342f\U00013441-\U00013446'
    '\U00013460-\U000143fa\U00014400-\U00014646\U00016100-\U0001611d\U00016800-\U00016a38\U00016a40-\U00016a5e'
    '\U00016a70-\U00016abe\U00016ad0-\U00016aed\U00016b00-\U00016b2f\U00016b40-\U00016b43\U00016b63-\U00016b77'
    '\U00016b7d-\U00016b8f\U00016d40-\U00016d6c\U00016e40-\U00016e7f\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3'
    '\U00016f00-\U00016f4a\U00016f50\U00016f93-\U00016f9f\U00016fe0-\U00016fe1\U00016fe3\U00016ff2-\U00016ff3'
    '\U00017000-\U00018cd5\U00018cff-\U00018d1e\U00018d80-\U00018df2\U0001aff0-\U0001aff3\U0001aff5-\U0001affb'
    '\U0001affd-\U0001affe\U0001b000-\U0001b122\U0001b132\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b167'
    '\U0001b170-\U0001b2fb\U0001bc00-\U0001bc6a\U0001bc70-\U0001bc7c\U0001bc80-\U0001bc88\U0001bc90-\U0001bc99'
    '\U0001df00-\U0001df1e\U0001df25-\U0001df2a\U0001e100-\U0001e12c\U0001e137-\U0001e13d\U0001e14e\U0001e290-\U0001e2ad'
    '\U0001e2c0-\U0001e2eb\U0001e4d0-\U0001e4eb\U0001e5d0-\U0001e5ed\U0001e5f0\U0001e6c0-\U0001e6de\U0001e6e0-\U0001e6e2'
    '\U0001e6e4-\U0001e6e5\U0001e6e7-\U0001e6ed\U0001e6f0-\U0001e6f4\U0001e6fe-\U0001e6ff\U0001e7e0-\U0001e7e6'
    '\U0001e7e8-\U0001e7eb\U0001e7ed-\U0001e7ee\U0001e7f0-\U0001e7fe\U0001e800-\U0001e8c4\U0001e900-\U0001e943\U0001e94b'
    '\U00020000-\U0002a6df\U0002a700-\U0002b81d\U0002b820-\U0002cead\U0002ceb0-\U0002ebe0\U0002ebf0-\U0002ee5d'
    '\U00030000-\U0003134a\U00031350-\U00033479'
    ']';
begin
  return prefix is nfkc normalized and prefix ~ ('^(' || seen || '+( ' || seen || '+)*)?$');
end $function$;
CREATE OR REPLACE FUNCTION public.guard_prefix()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not is_number_prefix(new.prefix) and not exists (select from document_numbering n where n.organization_id = new.organization_id
      and n.document_type = new.document_type and n.prefix = new.prefix) then
    raise exception 'A prefix has letters, digits, - / . _ # and single spaces between them.'
      using errcode = 'check_violation', constraint = 'prefix_is_visible';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.check_formats_of_series()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  own text := (select o.series from official_numbering(new.organization_id, new.document_type) o);
begin
  if tg_op = 'UPDATE' and (new.prefix, new.padding) = (old.prefix, old.padding) then return null; end if;
  perform from document_numbering n where n.organization_id = new.organization_id order by n.document_type for update;
  if exists (
    with formats as (
      select t.document_type, coalesce(f.prefix, s.prefix, '') as prefix
      from organizations o
      join official_document_types t on t.country = o.country and t.series = own
        and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
      left join document_numbering f on f.organization_id = o.id and f.document_type = t.document_type and (f.prefix <> '' or f.padding > 0)
      left join document_numbering s on s.organization_id = o.id and s.document_type = own
      where o.id = new.organization_id)
    select from formats one, formats other
    where new.document_type in (one.document_type, other.document_type)
      and starts_with(other.prefix, one.prefix) and substr(other.prefix, length(one.prefix) + 1) ~ '^[0-9]+$') then
    raise exception 'Two prefixes of a series lead to the same number.'
      using errcode = 'check_violation', constraint = 'formats_of_series_differ';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.numbers_given(series text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from document_numbering n where n.organization_id = current_organization()
      and n.document_type = numbers_given.series and (n.next_number <> n.first_number or n.earlier_numbers > 0))
    or exists (select from official_numbering(current_organization(), numbers_given.series) o,
      documents_of_type(current_organization(), o.series, o.official_type))
$function$;
CREATE OR REPLACE FUNCTION public.registered_for_numbering(organization uuid, type text, source uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce((select c.registered from issued_copies c where c.organization_id = organization and c.document_id = source
      and type in ('CREDIT_MEMO', 'DEBIT_MEMO')),
    (select is_registered_for_tax(o.country, o.registration_number, o.tax_number) from organizations o where o.id = organization))
$function$;
CREATE OR REPLACE FUNCTION public.official_numbering(organization uuid, type text, registered boolean, OUT series text, OUT official_type text)
 RETURNS record
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = official_numbering.registered
  where o.id = organization
$function$;
CREATE OR REPLACE FUNCTION public.next_document_number(organization uuid, type text, source uuid, day_given boolean, INOUT day date, OUT series text, OUT sequence bigint, OUT number text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = organization);
  official record;
  counter document_numbering;
  format document_numbering;
  last_day date;
begin
  select * into official from official_numbering(organization, type, registered_for_numbering(organization, type, source));
  series := official.series;
  select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  if not found then
    insert into document_numbering (organization_id, document_type) values (organization, official.series) on conflict do nothing;
    select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  end if;
  if day > today then
    if day_given then
      raise exception 'The issue date is after today.'
        using errcode = 'check_violation', constraint = 'issue_date_not_in_future', detail = today::text;
    end if;
    day := today;
  end if;
  last_day := counter.last_issue_date;
  if last_day > today then
    select max(d.issue_date) into last_day from documents_of_type(organization, official.series, official.official_type) d where d.issue_date <= today;
  end if;
  if day < last_day then
    if day_given then
      raise exception 'The last number is dated later.'
        using errcode = 'check_violation', constraint = 'issue_date_in_order', detail = last_day::text;
    end if;
    day := last_day;
  end if;
  update document_numbering n set next_number = n.next_number + 1, last_issue_date = day
    where n.organization_id = organization and n.document_type = official.series;
  format := counter;
  if official.series <> type then
    select * into format from document_numbering n
      where n.organization_id = organization and n.document_type = type and (n.prefix <> '' or n.padding > 0);
    if not found then format := counter; end if;
  end if;
  sequence := counter.next_number;
  number := format.prefix || lpad(sequence::text, greatest(format.padding, length(sequence::text)), '0');
  -- the index one_printed_number does not know the numbers that were given before
  if counter.first_number > 1 and exists (select from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where d.organization_id = organization and d.series = '' and d.sequence is not null
        and d.number = next_document_number.number and c.official_type = official.official_type) then
    raise exception 'This number was printed before.' using errcode = 'unique_violation', constraint = 'one_printed_number';
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_account_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from accounts a where a.organization_id = new.organization_id and a.id <> new.id and lower(a.code) = lower(new.code))
    and (tg_op = 'INSERT' or new.code <> old.code) then
    raise exception 'There is an account with that code.' using errcode = 'unique_violation', constraint = 'one_account_per_code';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.apply_open_credits(organization uuid, corrected uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  credit record;
  owed documents;
  part bigint;
begin
  for credit in select p.id, p.amount_minor - p.allocated_minor - p.refunded_minor as open, m.id as memo
      from documents m join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
      where m.organization_id = organization and m.source_document_id = corrected and m.document_type = 'CREDIT_MEMO' and p.voided_at is null
      order by m.sequence, m.id for update of p loop
    select * into owed from documents d where d.organization_id = organization and d.id = corrected;
    part := least(credit.open, open_minor(owed));
    continue when part <= 0;
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values (organization, new_id(), credit.id, corrected, part);
    insert into document_events (organization_id, id, document_id, type, payload) values (organization, new_id(), corrected, 'CREDIT_APPLIED',
      jsonb_build_object('memoId', credit.memo, 'amount', trim_scale(major_units(part, owed.minor_digits)), 'currency', owed.currency, 'userId', current_person()));
  end loop;
end $function$;
CREATE OR REPLACE FUNCTION public.apply_freed_credit(organization uuid, credit uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  corrected uuid := (select m.source_document_id from documents m
    where m.organization_id = organization and m.payment_id = credit and m.document_type = 'CREDIT_MEMO');
begin
  if corrected is null then return; end if;
  perform from documents d where d.organization_id = organization and d.id = corrected for no key update;
  perform apply_open_credits(organization, corrected);
end $function$;
CREATE OR REPLACE FUNCTION public.apply_freed_credit(credit uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select apply_freed_credit(current_organization(), credit) $function$;
CREATE OR REPLACE FUNCTION public.open_credit(d documents)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when d.document_type = 'CREDIT_MEMO' and d.cancelled_at is null then coalesce((select p.amount_minor - p.allocated_minor - p.refunded_minor
    from payments p where p.organization_id = d.organization_id and p.id = d.payment_id), 0) else 0 end
$function$;
CREATE OR REPLACE FUNCTION public.follow_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update documents d set status = case when new.amount_minor = new.allocated_minor + new.refunded_minor then 'PAID'
      when d.sent_at is null then k.open_status else coalesce(k.sent_status, k.open_status) end
    from ledger_kinds k
    where d.organization_id = new.organization_id and d.payment_id = new.id and d.document_type = 'CREDIT_MEMO' and k.kind = d.kind and k.open_status is not null;
  return null;
end $function$;
create table account_periods (
  organization_id uuid not null default current_organization(),
  subject text not null,
  first_day date not null,
  end_day date not null default 'infinity'::date,
  account_id uuid not null,
  constraint account_periods_pkey PRIMARY KEY (organization_id, subject, first_day),
  constraint account_periods_subject_check CHECK ((subject ~ '^(PURPOSE|BANK|CATEGORY|TAX):.'::text)),
  constraint period_has_days CHECK ((first_day < end_day))
);
CREATE OR REPLACE FUNCTION public.tax_code(category text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select replace(upper(btrim(category)), ' ', '_')
$function$;
CREATE OR REPLACE FUNCTION public.subject_of(mapping account_mappings)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when mapping.bank_account_id is not null then 'BANK:' || mapping.bank_account_id
    when mapping.category_id is not null then 'CATEGORY:' || mapping.category_id
    else 'TAX:' || mapping.account_type || ':' || tax_code(mapping.tax_category) end
$function$;
CREATE OR REPLACE FUNCTION public.book_from(organization uuid, booked text, account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = organization);
  since date := coalesce(nullif(current_setting('app.booked_from', true), '')::date, today);
begin
  if today is null then return; end if; -- the organization is being deleted
  if since > today then
    raise exception 'A mapping begins today or before.' using errcode = 'check_violation', constraint = 'mapping_not_in_future';
  end if;
  if exists (select from account_periods p where p.organization_id = organization and p.subject = booked and p.account_id = account
      and p.first_day <= since and p.end_day = 'infinity') then
    return;
  end if;
  delete from account_periods p where p.organization_id = organization and p.subject = booked and p.first_day >= since;
  update account_periods p set end_day = since where p.organization_id = organization and p.subject = booked and p.end_day > since;
  if account is not null then
    insert into account_periods (organization_id, subject, first_day, account_id) values (organization, booked, since, account);
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.date_mapping()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'DELETE' then
    perform book_from(old.organization_id, subject_of(old), null);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if subject_of(old) <> subject_of(new) then perform book_from(old.organization_id, subject_of(old), null); end if;
  end if;
  perform book_from(new.organization_id, subject_of(new), new.account_id);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.date_purpose()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into account_periods (organization_id, subject, first_day, account_id)
      values (new.organization_id, 'PURPOSE:' || new.purpose, '-infinity', new.id);
    return null;
  end if;
  if old.purpose is not null then perform book_from(old.organization_id, 'PURPOSE:' || old.purpose, null); end if;
  if new.purpose is not null then perform book_from(new.organization_id, 'PURPOSE:' || new.purpose, new.id); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.require_account_of_purpose()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from organizations o where o.id = old.organization_id)
    and not exists (select from accounts a where a.organization_id = old.organization_id and a.purpose = old.purpose) then
    raise exception 'The journal needs an account for %.', old.purpose using errcode = 'check_violation', constraint = 'purpose_has_account';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.opening_entry(entry journal_entries, account uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select e.id from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.organization_id = entry.organization_id and e.date = entry.date and e.kind = 'OPENING' and e.reverses_id is null
    and e.id <> entry.id and l.account_id = account
    and not exists (select from journal_entries r where r.organization_id = e.organization_id and r.reverses_id = e.id)
    and not exists (select from accounts a where a.organization_id = e.organization_id and a.id = account and a.purpose = 'OPENING_BALANCES')
  limit 1
$function$;
CREATE OR REPLACE FUNCTION public.unbilled_account(organization uuid, type text, document uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when type = 'INVOICE_RECEIPT' then 'REVENUE' when type <> 'RECEIPT' then 'UNBILLED'
    when (select c.registered from issued_copies c where c.organization_id = organization and c.document_id = document) then 'CUSTOMER_CREDITS'
    else 'REVENUE' end
$function$;
CREATE OR REPLACE FUNCTION public.journal_lines(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  with signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, first_id, last_day, last_id)
      union all select * from journal_of_expenses(first_day, first_id, last_day, last_id)
      union all select * from journal_of_closed(first_day, first_id, last_day, last_id)
      union all select * from journal_of_payments(first_day, first_id, last_day, last_id)
      union all select * from journal_of_allocations(first_day, first_id, last_day, last_id)
      union all select * from journal_of_stock(first_day, first_id, last_day, last_id)) l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.subject,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  -- entries that people made
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day and (e.date, e.id) >= (first_day, first_id) and (e.date, e.id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.journal_part(first_day date, first_id uuid, last_day date, events integer, OUT day date, OUT id uuid)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select day, id from (
    (select d.issue_date as day, d.id from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select d.issue_date, d.id from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and d.issued_at is not null order by d.issue_date, d.id limit events)
    union all
    (select p.paid_at, p.id from payments p where p.paid_at between first_day and last_day
      and (p.paid_at, p.id) >= (first_day, first_id) order by p.paid_at, p.id limit events)
    union all
    (select a.booked_on, a.id from allocations a where a.booked_on between first_day and last_day
      and (a.booked_on, a.id) >= (first_day, first_id) order by a.booked_on, a.id limit events)
    union all
    (select m.date, m.id from stock_movements m where m.date between first_day and last_day
      and (m.date, m.id) >= (first_day, first_id) order by m.date, m.id limit events)
    union all
    (select e.date, e.id from journal_entries e where e.date between first_day and last_day
      and (e.date, e.id) >= (first_day, first_id) order by e.date, e.id limit events)) e
  order by day, id offset events - 1 limit 1
$function$;
CREATE OR REPLACE FUNCTION public.sales_count(d documents)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when d.cancelled_at is not null or d.converted_to_id is not null then 0 else 1 end
$function$;
create table expenses (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  title text,
  vendor text,
  supplier_id uuid,
  claimant_id uuid,
  category_id uuid,
  source text not null,
  charged_tax_minor bigint,
  deductible_tax_minor bigint,
  notes text,
  document_number text,
  vendor_tax_number text,
  allocation_number text,
  order_id uuid,
  email_message_id text,
  status_reason text,
  reviewed_by uuid,
  reviewed_at timestamp with time zone,
  claimed_by uuid[] not null default '{}'::uuid[],
  changed_by uuid,
  goods_minor bigint not null default 0,
  deleted_category_id uuid,
  entered_fields text[],
  entered_for uuid[] not null default '{}'::uuid[],
  changed_for uuid[] not null default '{}'::uuid[],
  amount_for uuid[] not null default '{}'::uuid[],
  constraint expenses_pkey PRIMARY KEY (organization_id, id),
  constraint expenses_source_check CHECK ((source = ANY (ARRAY['MANUAL'::text, 'SCAN'::text, 'EMAIL'::text]))),
  constraint expenses_charged_tax_minor_check CHECK ((charged_tax_minor >= 0)),
  constraint expenses_deductible_tax_minor_check CHECK ((deductible_tax_minor >= 0)),
  constraint expenses_document_number_check CHECK ((document_number <> ''::text)),
  constraint expenses_vendor_tax_number_check CHECK ((vendor_tax_number <> ''::text)),
  constraint expenses_allocation_number_check CHECK ((allocation_number <> ''::text)),
  constraint deductible_within_charged CHECK (((deductible_tax_minor IS NULL) OR (deductible_tax_minor <= COALESCE(charged_tax_minor, (0)::bigint)))),
  constraint expenses_goods_minor_check CHECK ((goods_minor >= 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_expenses(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.expenses t where t.id = row_id); end $function$;
create table expense_splits (
  organization_id uuid not null default current_organization(),
  expense_id uuid not null,
  line_id text not null,
  category_id uuid,
  description text,
  amount_minor bigint not null,
  charged_tax_minor bigint,
  deleted_category_id uuid,
  constraint expense_splits_pkey PRIMARY KEY (organization_id, expense_id, line_id),
  constraint expense_splits_description_check CHECK ((description <> ''::text)),
  constraint expense_splits_amount_minor_check CHECK ((amount_minor > 0)),
  constraint expense_splits_charged_tax_minor_check CHECK ((charged_tax_minor >= 0))
);
create table expense_customers (
  organization_id uuid not null default current_organization(),
  expense_id uuid not null,
  customer_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint expense_customers_pkey PRIMARY KEY (organization_id, expense_id, customer_id)
);
CREATE OR REPLACE FUNCTION public.search_expenses(wanted text, pattern text, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select e.id from expenses e where e.organization_id = current_organization()
    and search_grams(e.organization_id, coalesce(e.title, '') || ' ' || coalesce(e.vendor, '') || ' ' || coalesce(e.notes, '') || ' '
      || coalesce(e.document_number, '')) @> search_grams(current_organization(), wanted)
    and (e.title ilike pattern or e.vendor ilike pattern or e.notes ilike pattern or e.document_number ilike pattern)
    limit most;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_expense_parties()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if new.claimant_id is not null and not exists (select from customers c
      where c.organization_id = new.organization_id and c.id = new.claimant_id and c.kind = 'INDIVIDUAL') then
    raise exception 'The claimant is a person.' using errcode = 'check_violation', constraint = 'claimant_is_person';
  end if;
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id
      and d.counterparty_id is distinct from coalesce(new.claimant_id, new.supplier_id)) then
    raise exception 'An expense is owed to its claimant or its supplier.' using errcode = 'check_violation', constraint = 'owed_to_claimant_or_supplier';
  end if;
  return null;
end $function$;
create table scan_usage (
  organization_id uuid not null default current_organization(),
  period text not null,
  used integer not null,
  constraint scan_usage_pkey PRIMARY KEY (organization_id, period),
  constraint scan_usage_period_check CHECK ((period ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint scan_usage_used_check CHECK ((used >= 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_documents(row_id uuid, of_kind text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = of_kind); end $function$;
CREATE OR REPLACE FUNCTION public.owner_of_payments(row_id uuid, of_kind text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = of_kind); end $function$;
create table expenses_by_vendor (
  organization_id uuid not null,
  day date not null,
  state text not null,
  vendor text not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  expenses bigint not null,
  total_minor bigint not null,
  constraint expenses_by_vendor_state_check CHECK ((state = ANY (ARRAY['APPROVED'::text, 'PENDING'::text])))
);
CREATE OR REPLACE FUNCTION public.expense_sum(d documents)
 RETURNS SETOF expenses_by_vendor
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select d.organization_id, case when s.state = 'PENDING' or d.exchange_rate is not null then date_trunc('month', d.issue_date)::date else d.issue_date end,
    s.state, case s.state when 'APPROVED' then coalesce((select e.vendor from expenses e
      where e.organization_id = d.organization_id and e.id = coalesce(d.source_document_id, d.id)), '') else '' end,
    d.currency, case s.state when 'APPROVED' then coalesce(d.exchange_rate, 0) else 0 end,
    case s.state when 'APPROVED' then coalesce(d.rate_currency, '') else '' end,
    case d.document_type when 'EXPENSE' then 1 else 0 end::bigint,
    case d.document_type when 'EXPENSE' then d.total_minor else -d.total_minor end
  from (select case d.status when 'APPROVED' then 'APPROVED' else 'PENDING' end as state) s where d.status <> 'REJECTED' and d.cancelled_at is null
$function$;
CREATE OR REPLACE FUNCTION public.add_expense(document documents, times integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  added expenses_by_vendor;
begin
  select * into added from expense_sum(document);
  if not found then return; end if;
  with gone as (
    delete from expenses_by_vendor s where s.ctid = any (array(select t.ctid from expenses_by_vendor t
      where t.organization_id = added.organization_id and t.day = added.day and t.state = added.state and t.vendor = added.vendor
        and t.currency = added.currency and t.fixed_rate = added.fixed_rate and t.rate_currency = added.rate_currency for update skip locked))
    returning s.expenses, s.total_minor
  )
  insert into expenses_by_vendor
    select added.organization_id, added.day, added.state, added.vendor, added.currency, added.fixed_rate, added.rate_currency,
      sum(a.expenses), sum(a.total_minor)
    from (select * from gone union all select times * added.expenses, times * added.total_minor) a (expenses, total_minor)
    having (sum(a.expenses), sum(a.total_minor)) <> (0, 0);
end $function$;
CREATE OR REPLACE FUNCTION public.update_expense_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'DELETE' and not exists (select from organizations o where o.id = old.organization_id) then return null; end if;
  if tg_op <> 'INSERT' then perform add_expense(old, -1); end if;
  if tg_op <> 'DELETE' then perform add_expense(new, 1); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.expenses_by_vendor_now()
 RETURNS SETOF expenses_by_vendor
 LANGUAGE sql
 STABLE
AS $function$
  select s.organization_id, s.day, s.state, s.vendor, s.currency, s.fixed_rate, s.rate_currency, sum(s.expenses)::bigint, sum(s.total_minor)::bigint
  from documents d, lateral expense_sum(d) s where d.kind = 'EXPENSE' group by 1, 2, 3, 4, 5, 6, 7
  having (sum(s.expenses), sum(s.total_minor)) <> (0, 0)
$function$;
CREATE OR REPLACE FUNCTION public.counterparties_called(wanted_name text, wanted_number text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select c.id from customers c where c.organization_id = current_organization()
    and (lower(c.name) = lower(wanted_name) or c.registration_number = wanted_number) order by c.id limit 2;
end $function$;
CREATE OR REPLACE FUNCTION public.note_claimant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  new.claimed_by := array(
    select unnest(new.claimed_by)
    union select unnest(old.claimed_by) where tg_op = 'UPDATE'
    union select p from people_of_claimant(new.organization_id, new.claimant_id) p
    order by 1);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_approval()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id and d.status = 'APPROVED') then
    raise exception 'Nobody approves a claim of their own.' using errcode = 'check_violation', constraint = 'own_claim';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.crosses_vendors(organization uuid, wanted_payment uuid, wanted_document uuid, not_before uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with before as (
    select a.document_id from allocations a where a.organization_id = organization and a.payment_id = wanted_payment and a.id <> all (not_before)
    union
    select m.source_document_id from documents m where m.organization_id = organization and m.payment_id = wanted_payment and m.kind = 'EXPENSE'
  )
  select wanted_document not in (select b.document_id from before b) and exists (
    select from documents d join expenses e on e.organization_id = d.organization_id and e.id = d.id
    cross join before b join expenses f on f.organization_id = d.organization_id and f.id = b.document_id
    where d.organization_id = organization and d.id = wanted_document
      and (d.counterparty_id is not null or lower(coalesce(e.vendor, '')) <> lower(coalesce(f.vendor, ''))))
$function$;
CREATE OR REPLACE FUNCTION public.map_first_category()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  since text := coalesce(current_setting('app.booked_from', true), '');
begin
  perform set_config('app.booked_from', '-infinity', true);
  insert into account_mappings (organization_id, account_id, account_type, category_id)
    select a.organization_id, a.id, a.type, new.id
    from organizations o
    join default_accounts d on d.country = o.country and new.name = any (d.categories)
    join accounts a on a.organization_id = o.id and a.code = d.code and a.type = 'EXPENSE' and a.active
    where o.id = new.organization_id;
  perform set_config('app.booked_from', since, true);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.require_no_control_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from account_mappings m join accounts a on a.organization_id = m.organization_id and a.id = m.account_id
      where m.organization_id = new.organization_id and m.category_id is not null and a.type = 'ASSET' and a.purpose is not null
        and a.id = (to_jsonb(new) ->> case tg_table_name when 'accounts' then 'id' else 'account_id' end)::uuid) then
    raise exception 'An account that the journal keeps by itself takes no expense category.'
      using errcode = 'check_violation', constraint = 'control_account';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_credit_on_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not new.is_credit and exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id
      and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT'))
    and exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.source = 'CREDIT_MEMO') then
    raise exception 'A receipt states money that was received.' using errcode = 'check_violation', constraint = 'receipt_states_money';
  end if;
  return null;
end $function$;
create type journal_part_line as (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, direction text, times integer, line integer, account text, subject text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home text, exchange_rate numeric, rest text);
CREATE OR REPLACE FUNCTION public.journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select i.organization_id, i.issue_date, b.event, i.id, i.id, i.payment_id, i.direction, 1, l.line, l.account,
    l.tax_category, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.* from documents d where d.kind = 'SALES' and d.document_type <> 'RECEIPT' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all -- apart, since sales have an index of their own
    select d.* from documents d where d.kind not in ('SALES', 'EXPENSE') and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 'ISSUED' else 'CREDITED' end as event) e
  left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and e.event = 'CREDITED'
  cross join lateral (select e.event, coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
    exists (select from account_periods m where m.organization_id = i.organization_id and m.subject like 'TAX:%') and exists (select from document_lines l
      where l.organization_id = i.organization_id and l.document_id = i.id and l.tax_category is not null) as split,
    unbilled_account(i.organization_id, coalesce(s.document_type, i.document_type), coalesce(s.id, i.id)) as unbilled,
    case e.event when 'CREDITED' then -1 else 1 end as side) b
  cross join lateral (
    select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax where b.billed and not b.split
    union all
    select null, true, i.total_minor, 0 where not b.billed
    union all
    -- the net amount and the tax by tax category, in proportion to the lines
    select c.tax_category, c.is_first,
      (case when c.all_net = 0 then case when c.is_first then i.subtotal_minor else 0 end
        else round(i.subtotal_minor * c.net_upto / c.all_net) - round(i.subtotal_minor * (c.net_upto - c.net) / c.all_net) end)::bigint,
      (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
        else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
    from (select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
        sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
        sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
      from (select tax_code(l.tax_category) as tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
        from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by 1) g) c
    where b.billed and b.split
  ) p
  cross join lateral (values
    (1, case b.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
    (2, case when b.billed then k.result_account else b.unbilled end, p.tax_category, -b.side * p.net),
    (3, 'TAX', p.tax_category, -b.side * p.tax),
    (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
  ) l (line, account, tax_category, minor)
$function$;
CREATE OR REPLACE FUNCTION public.journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select i.organization_id, i.day, i.event, i.id, i.id, i.payment_id, i.direction, i.times, l.line, l.account,
    l.subject, null::uuid, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate), h.home, i.exchange_rate, 'ROUNDING'
  from (
    select d.*, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times
    from documents d where d.kind = 'EXPENSE' and d.issue_date between first_day and last_day
      and (d.issue_date, d.id) >= (first_day, first_id) and (d.issue_date, d.id) <= (last_day, last_id)
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.*, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date), 'CANCELLED', -1
    from documents d join organizations o on o.id = d.organization_id
    where d.kind = 'EXPENSE' and d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day)
  ) i
  join organizations o on o.id = i.organization_id
  join all_ledger_kinds() k on k.kind = i.kind
  cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
  cross join lateral (select case when i.payment_id is null then 1 else -1 end as side) e
  cross join lateral (
    select c.subject, row_number() over (order by c.subject nulls first) = 1 as is_first, c.net,
      -- of the goods as much as fits into each category, one after the other
      greatest(0, least(c.net, c.goods - (sum(c.net) over (order by c.subject nulls first) - c.net)))::bigint as goods
    from (select 'CATEGORY:' || case when s.line_id is null then coalesce(x.category_id, x.deleted_category_id)
          else coalesce(s.category_id, s.deleted_category_id) end as subject, sum(l.amount_minor)::bigint as net,
        max(case when i.document_type = 'EXPENSE' then x.goods_minor else i.goods_minor end) as goods
      from document_lines l
      -- not coalesce(): under row security PostgreSQL would read all expenses for each document
      join expenses x on x.organization_id = l.organization_id and x.id = case when i.source_document_id is null then i.id else i.source_document_id end
      left join expense_splits s on s.organization_id = l.organization_id and s.expense_id = x.id and s.line_id = l.id
      where l.organization_id = i.organization_id and l.document_id = i.id group by 1) c
  ) p
  cross join lateral (values
    (1, case when i.payment_id is not null then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then e.side * i.total_minor else 0 end),
    (2, k.result_account, p.subject, -e.side * (p.net - p.goods)),
    (3, 'TAX', null, case when p.is_first then -e.side * i.tax_minor else 0 end),
    (4, 'ROUNDING', null, case when p.is_first then -e.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end),
    (5, 'GOODS_RECEIVED', null, -e.side * p.goods)
  ) l (line, account, subject, minor)
  where i.day between first_day and last_day and (i.day, i.id) >= (first_day, first_id) and (i.day, i.id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select d.organization_id, e.day, e.event, d.id, d.id, null::uuid, d.direction, 1, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, d.exchange_rate, 'ROUNDING'
  from (
    select d.organization_id, case when d.kind in ('PAYSLIP', 'LEAVE_CLAIM') then d.issue_date
        else greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) end as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null and (d.kind, d.document_type) <> ('SALES', 'RECEIPT')
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ) e
  join documents d on d.organization_id = e.organization_id and d.id = e.id
  join organizations o on o.id = d.organization_id
  join all_ledger_kinds() k on k.kind = d.kind
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
  cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
    (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
  cross join lateral (select case when d.document_type = 'INVOICE_RECEIPT' then d.tax_minor else 0 end as minor,
    case when d.document_type = 'INVOICE_RECEIPT' then home_minor(d.tax_minor, d.currency, h.home, d.exchange_rate) else 0 end as home) tax
  cross join lateral (values (1, k.balance_account, -open.minor, -open.home),
    (2, case when d.kind in ('SALES', 'EXPENSE') then unbilled_account(d.organization_id, d.document_type, d.id) else k.result_account end, open.minor - tax.minor, open.home - tax.home), (3, 'TAX', tax.minor, tax.home)) l (line, account, minor, home)
  where e.day between first_day and last_day and (e.day, e.id) >= (first_day, first_id) and (e.day, e.id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select p.organization_id, p.day, p.event, p.id, null::uuid, p.id, r.direction, r.times, l.line, l.account, null::text, l.bank_account_id, l.minor, p.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
      is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
  from (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
      and (p.paid_at, p.id) >= (first_day, first_id) and (p.paid_at, p.id) <= (last_day, last_id)
    union all
    select p.organization_id, p.voided_on, 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor, p.kind
    from payments p
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ) p
  join all_ledger_kinds() k on k.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
    case when p.refund_of is null then p.times else -p.times end as times) r
  cross join lateral (values
    (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
    (3, k.advances_account, null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
  ) l (line, account, bank_account_id, minor, home)
  where p.day between first_day and last_day and (p.day, p.id) >= (first_day, first_id) and (p.day, p.id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null::text, null::uuid, l.minor, d.currency,
    l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
    case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
  from (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where not a.is_advance and a.booked_on between first_day and last_day and (a.booked_on, a.id) >= (first_day, first_id) and (a.booked_on, a.id) <= (last_day, last_id)
    union all
    select a.organization_id, greatest(a.booked_on, case when v.voided_at = a.voided_at then v.voided_on else (a.voided_at at time zone o.timezone)::date end),
      'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id join payments v on v.organization_id = a.organization_id and v.id = a.payment_id
    where a.voided_at is not null and not a.is_advance and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ) a
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  join documents d on d.organization_id = a.organization_id and d.id = a.document_id
  join all_ledger_kinds() k on k.kind = d.kind
  join all_ledger_kinds() m on m.kind = p.kind
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  cross join lateral (select (d.kind, d.document_type) = ('SALES', 'RECEIPT') as is_receipt, coalesce(a.payment_home_minor, a.amount_minor) as home) u
  cross join lateral (values (1, m.advances_account, a.amount_minor, u.home),
    (2, case when u.is_receipt then unbilled_account(d.organization_id, d.document_type, d.id) else k.balance_account end, -a.amount_minor,
      case when u.is_receipt then -u.home else -coalesce(a.document_home_minor, a.amount_minor) end)) l (line, account, minor, home)
  where d.issued_at is not null and a.day between first_day and last_day and (a.day, a.id) >= (first_day, first_id) and (a.day, a.id) <= (last_day, last_id)
$function$;
create table suppliers (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  tax_number text,
  gst_number text,
  payment_terms_days integer,
  default_category_id uuid,
  default_currency text,
  withholding_rate numeric(9,6),
  withholding_valid_until date,
  is1099 boolean not null default false,
  bank_name text,
  branch_code text,
  account_number text,
  account_name text,
  iban text,
  swift_code text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint suppliers_pkey PRIMARY KEY (organization_id, id),
  constraint suppliers_tax_number_check CHECK ((tax_number <> ''::text)),
  constraint suppliers_gst_number_check CHECK ((gst_number <> ''::text)),
  constraint suppliers_payment_terms_days_check CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 3650))),
  constraint suppliers_default_currency_check CHECK ((default_currency <> ''::text)),
  constraint suppliers_withholding_rate_check CHECK (((withholding_rate >= (0)::numeric) AND (withholding_rate <= (100)::numeric))),
  constraint suppliers_bank_name_check CHECK ((bank_name <> ''::text)),
  constraint suppliers_branch_code_check CHECK ((branch_code <> ''::text)),
  constraint suppliers_account_number_check CHECK ((account_number <> ''::text)),
  constraint suppliers_account_name_check CHECK ((account_name <> ''::text)),
  constraint suppliers_iban_check CHECK ((iban <> ''::text)),
  constraint suppliers_swift_code_check CHECK ((swift_code <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_suppliers(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.suppliers t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.follow_supplier()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'INSERT' then
    update customers c set is_supplier = true where c.organization_id = new.organization_id and c.id = new.id;
  else
    update customers c set is_supplier = false where c.organization_id = old.organization_id and c.id = old.id;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.note_customer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.note_supplier()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into suppliers (organization_id, id) values (new.organization_id, new.supplier_id) on conflict do nothing;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.registered_organization(registration_number text, country text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (select jsonb_build_object('id', o.id, 'name', o.name) from organizations o
    where o.registration_number = registered_organization.registration_number and o.country = registered_organization.country order by o.id limit 1);
end $function$;
create table items (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  description text,
  sku text,
  barcode text,
  kind text not null,
  unit text,
  sale_price numeric(24,6),
  sale_currency text not null,
  purchase_price numeric(24,6),
  purchase_currency text not null,
  tax_rate numeric(9,6),
  tax_category text,
  tracked boolean not null,
  tracked_since timestamp with time zone,
  low_stock_threshold numeric(20,6),
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint items_pkey PRIMARY KEY (organization_id, id),
  constraint items_name_check CHECK ((name <> ''::text)),
  constraint items_sku_check CHECK ((sku <> ''::text)),
  constraint items_barcode_check CHECK ((barcode <> ''::text)),
  constraint items_kind_check CHECK ((kind = ANY (ARRAY['GOODS'::text, 'SERVICE'::text]))),
  constraint items_unit_check CHECK ((unit <> ''::text)),
  constraint items_sale_price_check CHECK ((sale_price >= (0)::numeric)),
  constraint items_sale_currency_check CHECK ((sale_currency <> ''::text)),
  constraint items_purchase_price_check CHECK ((purchase_price >= (0)::numeric)),
  constraint items_purchase_currency_check CHECK ((purchase_currency <> ''::text)),
  constraint items_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric))),
  constraint items_tax_category_check CHECK ((tax_category <> ''::text)),
  constraint items_low_stock_threshold_check CHECK ((low_stock_threshold >= (0)::numeric)),
  constraint only_goods_are_tracked CHECK (((NOT tracked) OR (kind = 'GOODS'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_items(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.items t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.note_tracking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.tracked_since := case when new.tracked then now() end;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.search_items(wanted text, pattern text, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select i.id from items i where i.organization_id = current_organization()
    and search_grams(i.organization_id, i.name || ' ' || coalesce(i.sku, '') || ' ' || coalesce(i.barcode, '') || ' ' || coalesce(i.description, ''))
      @> search_grams(current_organization(), wanted)
    and (i.name ilike pattern or i.sku ilike pattern or i.barcode ilike pattern or i.description ilike pattern)
    limit most;
end $function$;
create table orders (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null,
  status text not null default 'DRAFT'::text,
  number bigint,
  order_number text,
  counterparty_id uuid not null,
  counterparty_name text not null default ''::text,
  currency text not null,
  minor_digits smallint not null,
  order_date date not null,
  expected_date date,
  reference text,
  notes text,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  opened_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  sent_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  clears_unbilled boolean not null default false,
  cleared_account text,
  cleared_minor bigint not null default 0,
  cleared_currency text,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint one_order_per_number UNIQUE (organization_id, kind, number),
  constraint orders_kind_check CHECK ((kind = ANY (ARRAY['SALES'::text, 'PURCHASE'::text]))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'OPEN'::text, 'PARTIALLY_RECEIVED'::text, 'RECEIVED'::text, 'CLOSED'::text, 'CANCELLED'::text]))),
  constraint orders_currency_check CHECK ((currency <> ''::text)),
  constraint orders_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint orders_reference_check CHECK ((reference <> ''::text)),
  constraint orders_subtotal_minor_check CHECK ((subtotal_minor >= 0)),
  constraint orders_tax_minor_check CHECK ((tax_minor >= 0)),
  constraint orders_total_minor_check CHECK ((total_minor >= 0)),
  constraint orders_end_reason_check CHECK ((end_reason <> ''::text)),
  constraint numbered_when_open CHECK ((((number IS NULL) = (opened_at IS NULL)) AND ((number IS NULL) = (order_number IS NULL)) AND ((number IS NOT NULL) OR (status = ANY (ARRAY['DRAFT'::text, 'CANCELLED'::text]))) AND ((number IS NULL) OR (status <> 'DRAFT'::text)))),
  constraint ended_when_over CHECK (((ended_at IS NULL) = (status <> ALL (ARRAY['CLOSED'::text, 'CANCELLED'::text])))),
  constraint orders_cleared_account_check CHECK ((cleared_account = ANY (ARRAY['EXCHANGE_DIFFERENCES'::text, 'COST_OF_GOODS_SOLD'::text]))),
  constraint orders_cleared_currency_check CHECK ((cleared_currency <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_orders(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.orders t where t.id = row_id); end $function$;
create table order_lines (
  organization_id uuid not null default current_organization(),
  order_id uuid not null,
  id text not null,
  "position" integer not null,
  item_id uuid,
  description text not null,
  quantity numeric(20,6) not null,
  unit_price numeric(24,6) not null,
  amount_minor bigint not null,
  tax_rate numeric(9,6),
  tax_category text,
  fulfilled_quantity numeric(20,6) not null default 0,
  extra_quantity numeric(20,6) not null default 0,
  returned_quantity numeric(20,6) not null default 0,
  untracked_quantity numeric(20,6) not null default 0,
  constraint order_lines_pkey PRIMARY KEY (organization_id, order_id, id),
  constraint order_lines_description_check CHECK ((description <> ''::text)),
  constraint order_lines_quantity_check CHECK ((quantity > (0)::numeric)),
  constraint order_lines_unit_price_check CHECK ((unit_price >= (0)::numeric)),
  constraint order_lines_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint order_lines_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric))),
  constraint fulfilled_within_order CHECK (((fulfilled_quantity >= (0)::numeric) AND (extra_quantity >= (0)::numeric) AND (fulfilled_quantity <= (quantity + extra_quantity))))
);
create table order_fulfilments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  delivery_id uuid not null,
  order_id uuid not null,
  line_id text not null,
  quantity numeric(20,6) not null,
  extra_quantity numeric(20,6) not null default 0,
  date date not null,
  note text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint order_fulfilments_pkey PRIMARY KEY (organization_id, id),
  constraint order_fulfilments_quantity_check CHECK ((quantity > (0)::numeric)),
  constraint order_fulfilments_check CHECK (((extra_quantity >= (0)::numeric) AND (extra_quantity <= quantity))),
  constraint order_fulfilments_note_check CHECK ((note <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_order_fulfilments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.order_fulfilments t where t.id = row_id); end $function$;
create table order_invoice_lines (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  document_line_id text not null,
  order_id uuid not null,
  line_id text not null,
  constraint order_invoice_lines_pkey PRIMARY KEY (organization_id, document_id, document_line_id)
);
CREATE OR REPLACE FUNCTION public.invoiced_quantities(organization uuid, wanted_order uuid, only_issued boolean)
 RETURNS TABLE(line_id text, invoiced numeric, returned numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select x.line_id, sum(l.quantity), sum(least(l.quantity, r.quantity))
  from order_invoice_lines x
  join order_lines o on o.organization_id = x.organization_id and o.order_id = x.order_id and o.id = x.line_id
  join documents d on d.organization_id = x.organization_id and d.id = x.document_id and d.document_type <> 'CREDIT_MEMO'
  join document_lines l on l.organization_id = x.organization_id and l.document_id = x.document_id and l.id = x.document_line_id
    and (o.item_id is null or coalesce(l.catalog_item_id, o.item_id) = o.item_id)
  cross join lateral (select coalesce(sum(m.quantity), 0) as quantity from documents c
    join document_lines m on m.organization_id = c.organization_id and m.document_id = c.id and m.id = l.id
    where c.organization_id = d.organization_id and c.source_document_id = d.id and c.document_type = 'CREDIT_MEMO' and c.issued_at is not null
      and (m.catalog_item_id is not null or l.catalog_item_id is null)) r
  where x.organization_id = organization and x.order_id = wanted_order and d.cancelled_at is null and (d.issued_at is not null or not only_issued)
  group by x.line_id
$function$;
CREATE OR REPLACE FUNCTION public.guard_order_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.document_id and d.document_type = 'CREDIT_MEMO') then
    return null;
  end if;
  if not exists (select from orders o where o.organization_id = new.organization_id and o.id = new.order_id and o.kind = 'SALES'
      and o.number is not null and o.status <> 'CANCELLED') then
    raise exception 'Only an open order of a customer is invoiced.' using errcode = 'check_violation', constraint = 'order_transition';
  end if;
  if exists (select from order_lines o join invoiced_quantities(new.organization_id, new.order_id, false) q on q.line_id = o.id
      where o.organization_id = new.organization_id and o.order_id = new.order_id and o.id = new.line_id
        and q.invoiced - q.returned > o.quantity + o.extra_quantity) then
    raise exception 'The order is invoiced already.' using errcode = 'check_violation', constraint = 'invoiced_within_order';
  end if;
  return null;
end $function$;
create table order_counters (
  organization_id uuid not null default current_organization(),
  kind text not null,
  next_number bigint not null default 1,
  constraint order_counters_pkey PRIMARY KEY (organization_id, kind),
  constraint order_counters_kind_check CHECK ((kind = ANY (ARRAY['SALES'::text, 'PURCHASE'::text]))),
  constraint order_counters_next_number_check CHECK ((next_number >= 1))
);
CREATE OR REPLACE FUNCTION public.guard_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  allowed jsonb := '{"DRAFT": ["OPEN", "CANCELLED"], "OPEN": ["PARTIALLY_RECEIVED", "RECEIVED", "CANCELLED", "CLOSED"],
    "PARTIALLY_RECEIVED": ["RECEIVED", "CLOSED"], "RECEIVED": ["CLOSED"]}';
begin
  if tg_op = 'DELETE' then
    if old.number is not null and exists (select from organizations o where o.id = old.organization_id) then
      raise exception 'An order with a number stays.' using errcode = 'check_violation', constraint = 'numbered_order_stays';
    end if;
    return old;
  end if;
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((allowed -> old.status) ? new.status, false) then
      raise exception 'An order does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'order_transition';
    end if;
    if new.status = 'CANCELLED' and old.status <> 'CANCELLED' and exists (select from invoiced_quantities(new.organization_id, new.id, false) q where q.invoiced > q.returned) then
      raise exception 'The order has invoices.' using errcode = 'check_violation', constraint = 'order_transition';
    end if;
    if old.status <> 'DRAFT' and (new.kind, new.number, new.order_number, new.counterparty_id, new.currency, new.minor_digits, new.order_date, new.subtotal_minor,
        new.tax_minor, new.total_minor, new.opened_at) is distinct from (old.kind, old.number, old.order_number, old.counterparty_id, old.currency,
        old.minor_digits, old.order_date, old.subtotal_minor, old.tax_minor, old.total_minor, old.opened_at)
      or new.kind <> old.kind then
      raise exception 'An order that was opened is fixed.' using errcode = 'check_violation', constraint = 'order_is_open';
    end if;
  end if;
  if new.status in ('DRAFT', 'OPEN') and (tg_op = 'INSERT' or old.status = 'DRAFT') then
    new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  end if;
  if new.status not in ('DRAFT', 'CANCELLED') and new.number is null then
    insert into order_counters as c (organization_id, kind, next_number) values (new.organization_id, new.kind, 2)
      on conflict (organization_id, kind) do update set next_number = c.next_number + 1 returning next_number - 1 into new.number;
    new.order_number := case new.kind when 'SALES' then 'SO-' else 'PO-' end || lpad(new.number::text, greatest(4, length(new.number::text)), '0');
    new.opened_at := now();
  end if;
  new.ended_at := case when new.status in ('CLOSED', 'CANCELLED') then coalesce(new.ended_at, now()) end;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_order_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  line order_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and (old.fulfilled_quantity, old.extra_quantity, old.returned_quantity, old.untracked_quantity)
      is distinct from (new.fulfilled_quantity, new.extra_quantity, new.returned_quantity, new.untracked_quantity) then
    return new; -- by the functions below; callers may not update lines
  end if;
  if exists (select from orders o where o.organization_id = line.organization_id and o.id = line.order_id and o.number is not null
      and (tg_op <> 'INSERT' or o.opened_at <> now())) then
    raise exception 'An order that was opened is fixed.' using errcode = 'check_violation', constraint = 'order_is_open';
  end if;
  return line;
end $function$;
CREATE OR REPLACE FUNCTION public.note_order_party()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if new.kind = 'SALES' then
    update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  else
    insert into suppliers (organization_id, id) values (new.organization_id, new.counterparty_id) on conflict do nothing;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_party()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.counterparty_id = old.id and d.kind = 'SALES') then
    raise exception 'The customer has documents.' using errcode = 'foreign_key_violation', constraint = 'document_counterparty', detail = 'still referenced';
  end if;
  if exists (select from payments p where p.organization_id = old.organization_id and p.counterparty_id = old.id and p.kind = 'SALES') then
    raise exception 'The customer has payments.' using errcode = 'foreign_key_violation', constraint = 'payment_counterparty', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'SALES') then
    raise exception 'The customer has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_supplier()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not exists (select from organizations o where o.id = old.organization_id) then return old; end if;
  if exists (select from expenses e where e.organization_id = old.organization_id and e.supplier_id = old.id) then
    raise exception 'The supplier has expenses.' using errcode = 'foreign_key_violation', constraint = 'expense_supplier', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'PURCHASE') then
    raise exception 'The supplier has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return old;
end $function$;
CREATE OR REPLACE FUNCTION public.count_orders()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op <> 'INSERT' and exists (select from organizations o where o.id = old.organization_id) then
    insert into document_counts (organization_id, kind, document_type, status, change) values (old.organization_id, 'ORDER', old.kind, old.status, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into document_counts (organization_id, kind, document_type, status, change) values (new.organization_id, 'ORDER', new.kind, new.status, 1);
  end if;
  if random() < 0.02 then
    perform sum_up_document_counts(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $function$;
create table stock_levels (
  organization_id uuid not null default current_organization(),
  item_id uuid not null,
  quantity numeric(20,6) not null default 0,
  value_minor bigint not null default 0,
  unit_cost numeric(30,12),
  home_currency text not null,
  movements bigint not null default 0,
  constraint stock_levels_pkey PRIMARY KEY (organization_id, item_id)
);
create table stock_movements (
  organization_id uuid not null default current_organization(),
  id uuid not null default new_id(),
  item_id uuid not null,
  sequence bigint not null default 0,
  kind text not null,
  quantity numeric(20,6) not null,
  date date not null,
  given_cost numeric(30,12),
  value_minor bigint not null default 0,
  difference_minor bigint not null default 0,
  home_currency text not null default ''::text,
  reason text,
  reference text,
  source text not null default 'MANUAL'::text,
  order_id uuid,
  order_line_id text,
  delivery_id uuid,
  document_id uuid,
  document_line_id text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint stock_movements_pkey PRIMARY KEY (organization_id, id),
  constraint one_movement_per_sequence UNIQUE (organization_id, item_id, sequence),
  constraint stock_movements_kind_check CHECK ((kind = ANY (ARRAY['IN'::text, 'OUT'::text, 'ADJUST'::text]))),
  constraint stock_movements_given_cost_check CHECK ((given_cost >= (0)::numeric)),
  constraint stock_movements_reason_check CHECK ((reason <> ''::text)),
  constraint stock_movements_reference_check CHECK ((reference <> ''::text)),
  constraint stock_movements_source_check CHECK ((source = ANY (ARRAY['MANUAL'::text, 'OPENING'::text, 'ORDER'::text, 'DOCUMENT'::text]))),
  constraint direction_of_movement CHECK (
CASE kind
    WHEN 'IN'::text THEN (quantity > (0)::numeric)
    WHEN 'OUT'::text THEN (quantity < (0)::numeric)
    ELSE (quantity <> (0)::numeric)
END),
  constraint adjustment_has_reason CHECK (((kind <> 'ADJUST'::text) OR (reason IS NOT NULL))),
  constraint source_of_movement CHECK (
CASE source
    WHEN 'ORDER'::text THEN (order_id IS NOT NULL)
    WHEN 'DOCUMENT'::text THEN (document_id IS NOT NULL)
    ELSE ((order_id IS NULL) AND (document_id IS NULL))
END)
);
CREATE OR REPLACE FUNCTION public.owner_of_stock_movements(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.stock_movements t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.refuse_stock_value()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The stock would be larger than can be stored.' using errcode = 'check_violation', constraint = 'stock_value_fits';
end $function$;
CREATE OR REPLACE FUNCTION public.apply_movement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  level stock_levels;
  item items;
  home text := (select o.currency from organizations o where o.id = new.organization_id);
  largest constant numeric := 9e14; -- minor units; sums of several stay exact in every program
  cost numeric;
  after_quantity numeric;
  after_value numeric;
begin
  select * into item from items i where i.organization_id = new.organization_id and i.id = new.item_id;
  if item.id is null then return new; end if; -- the foreign key says so
  if not item.tracked then
    raise exception 'The stock of this item is not tracked.' using errcode = 'check_violation', constraint = 'item_is_tracked';
  end if;
  insert into stock_levels (organization_id, item_id, home_currency) values (new.organization_id, new.item_id, home) on conflict do nothing;
  select * into level from stock_levels s where s.organization_id = new.organization_id and s.item_id = new.item_id for update;
  cost := coalesce(level.unit_cost, case when item.purchase_currency = home then item.purchase_price * minor_units(home) end, 0);
  after_quantity := level.quantity + new.quantity;
  if new.quantity > 0 then
    cost := coalesce(new.given_cost, cost);
    if level.quantity >= 0 then
      after_value := level.value_minor + round(new.quantity * cost);
    elsif after_quantity >= 0 then
      after_value := round(after_quantity * cost);
    else
      after_value := round(level.value_minor * after_quantity / level.quantity);
    end if;
    if round(new.quantity * cost) > largest then perform refuse_stock_value(); end if;
    new.difference_minor := round(new.quantity * cost) - (after_value - level.value_minor);
  elsif after_quantity >= 0 then
    after_value := case when after_quantity = 0 then 0 else level.value_minor - round(level.value_minor * -new.quantity / level.quantity) end;
  elsif level.quantity > 0 then
    after_value := round(after_quantity * cost); -- what there was leaves with all of its value
  else
    after_value := level.value_minor + round(new.quantity * cost);
  end if;
  if abs(after_value) > largest or abs(after_quantity) > 1e12 then perform refuse_stock_value(); end if;
  new.value_minor := after_value - level.value_minor;
  new.sequence := level.movements + 1;
  new.home_currency := level.home_currency;
  update stock_levels s set quantity = after_quantity, value_minor = after_value, movements = new.sequence,
      unit_cost = case when after_quantity > 0 then after_value / after_quantity else cost end
    where s.organization_id = new.organization_id and s.item_id = new.item_id;
  if item.low_stock_threshold is not null and level.quantity > item.low_stock_threshold and after_quantity <= item.low_stock_threshold then
    insert into events (organization_id, id, type, payload, cause) values (new.organization_id, new_id(), 'stock.low',
      jsonb_build_object('id', item.id, 'organizationId', new.organization_id, 'itemId', item.id, 'name', item.name, 'sku', item.sku,
        'quantity', trim_scale(after_quantity), 'lowStockThreshold', trim_scale(item.low_stock_threshold), 'movementId', new.id),
      jsonb_build_object('source', 'SYSTEM', 'requestId', 'stock:' || new.id, 'userId', null, 'keyId', null,
        'depth', coalesce(nullif(current_setting('app.run_depth', true), '')::integer, 0)));
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from stock_movements m where m.organization_id = old.organization_id and m.item_id = old.id) then
    raise exception 'The stock of this item has moved.' using errcode = 'check_violation', constraint = 'moved_item_is_tracked';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.moved_of_order_line(organization uuid, wanted_order uuid, wanted_line text)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce((select l.untracked_quantity from order_lines l where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line), 0)
    - coalesce((select sum(m.quantity) from stock_movements m
        where m.organization_id = organization and m.order_id = wanted_order and m.order_line_id = wanted_line), 0)
$function$;
CREATE OR REPLACE FUNCTION public.gone_of_order_line(organization uuid, wanted_order uuid, wanted_line text)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select greatest(l.fulfilled_quantity - l.returned_quantity, coalesce(q.invoiced - q.returned, 0))
  from order_lines l left join invoiced_quantities(organization, wanted_order, true) q on q.line_id = l.id
  where l.organization_id = organization and l.order_id = wanted_order and l.id = wanted_line
$function$;
CREATE OR REPLACE FUNCTION public.begin_tracking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform from orders o where o.organization_id = new.organization_id and o.kind = 'SALES' and o.id in (select l.order_id from order_lines l
    where l.organization_id = new.organization_id and l.item_id = new.id) order by o.id for update;
  update order_lines l set untracked_quantity = gone_of_order_line(l.organization_id, l.order_id, l.id)
    where l.organization_id = new.organization_id and l.item_id = new.id and exists (select from orders o
      where o.organization_id = l.organization_id and o.id = l.order_id and o.kind = 'SALES' and o.number is not null)
      and l.untracked_quantity <> gone_of_order_line(l.organization_id, l.order_id, l.id);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.apply_fulfilment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  ordered orders;
  line order_lines;
  organization organizations;
  cost numeric;
  moving numeric;
begin
  select * into ordered from orders o where o.organization_id = new.organization_id and o.id = new.order_id for update;
  if ordered.status not in ('OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED') then
    raise exception 'The order is not open.' using errcode = 'check_violation', constraint = 'order_takes_deliveries';
  end if;
  update order_lines l set fulfilled_quantity = l.fulfilled_quantity + new.quantity, extra_quantity = l.extra_quantity + new.extra_quantity
    where l.organization_id = new.organization_id and l.order_id = new.order_id and l.id = new.line_id returning * into line;
  update orders o set status = case when exists (select from order_lines l where l.organization_id = o.organization_id and l.order_id = o.id
      and l.fulfilled_quantity < l.quantity) then 'PARTIALLY_RECEIVED' else 'RECEIVED' end
    where o.organization_id = new.organization_id and o.id = new.order_id and o.status <> 'RECEIVED';
  if not exists (select from items i where i.organization_id = line.organization_id and i.id = line.item_id and i.tracked) then return null; end if;
  if ordered.kind = 'PURCHASE' then
    select * into organization from organizations o where o.id = new.organization_id;
    -- in the home currency, by the rate of the day; without a rate the average stays as it is
    select line.amount_minor / line.quantity / minor_units(ordered.currency) * minor_units(organization.currency) * printed_rate(r.from_rate, r.to_rate)
      into cost from rate_on(ordered.currency, organization.currency, new.date, organization.country) r;
    insert into stock_movements (organization_id, item_id, kind, quantity, date, given_cost, source, order_id, order_line_id, delivery_id, reference)
      values (new.organization_id, line.item_id, 'IN', new.quantity, new.date, cost, 'ORDER', new.order_id, new.line_id, new.delivery_id, ordered.order_number);
  else
    moving := gone_of_order_line(new.organization_id, new.order_id, new.line_id) - moved_of_order_line(new.organization_id, new.order_id, new.line_id);
    if moving > 0 then
      insert into stock_movements (organization_id, item_id, kind, quantity, date, source, order_id, order_line_id, delivery_id, reference)
        values (new.organization_id, line.item_id, 'OUT', -moving, new.date, 'ORDER', new.order_id, new.line_id, new.delivery_id, ordered.order_number);
    end if;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.move_stock_of_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  line record;
  moved numeric;
  moving numeric;
  cost numeric;
  is_memo boolean := new.document_type = 'CREDIT_MEMO';
begin
  if not exists (select from document_lines l where l.organization_id = new.organization_id and l.document_id = new.id and l.catalog_item_id is not null)
    and not exists (select from order_invoice_lines x where x.organization_id = new.organization_id and x.document_id = new.id) then
    return null;
  end if;
  perform from orders o where o.organization_id = new.organization_id and o.id in (select x.order_id from order_invoice_lines x
    where x.organization_id = new.organization_id and x.document_id = new.id) order by o.id for update;
  for line in
    select l.id, i.id as catalog_item_id, case when k.is_of_order then x.order_id end as order_id, case when k.is_of_order then x.line_id end as line_id,
      -- of a memo what other memos left of the line of the corrected document
      case when is_memo and c.id is not null then greatest(0, least(l.quantity, c.quantity - b.quantity)) else l.quantity end as quantity, s.moved
    from document_lines l
    left join order_invoice_lines x on x.organization_id = l.organization_id and x.document_id = l.document_id and x.document_line_id = l.id
    left join order_lines o on o.organization_id = x.organization_id and o.order_id = x.order_id and o.id = x.line_id
    left join document_lines c on is_memo and c.organization_id = l.organization_id and c.document_id = new.source_document_id and c.id = l.id
    cross join lateral (select o.item_id is not null and coalesce(case when is_memo then c.catalog_item_id else l.catalog_item_id end, o.item_id) = o.item_id as is_of_order) k
    join items i on i.organization_id = l.organization_id and i.id = case when k.is_of_order then o.item_id else l.catalog_item_id end and i.tracked
    left join lateral (select coalesce(sum(m.quantity), 0) as quantity from documents e
      join document_lines m on m.organization_id = e.organization_id and m.document_id = e.id and m.id = l.id
      where e.organization_id = l.organization_id and e.source_document_id = new.source_document_id and e.document_type = 'CREDIT_MEMO' and e.id <> new.id
        and e.issued_at is not null and (m.catalog_item_id is not null or c.catalog_item_id is null)) b on is_memo
    -- what the line of the corrected document took out, and other memos did not put back
    left join lateral (select -sum(m.quantity) as moved from stock_movements m join documents d on d.organization_id = m.organization_id and d.id = m.document_id
      where m.organization_id = l.organization_id and m.document_line_id = l.id and (d.id = new.source_document_id or d.source_document_id = new.source_document_id)) s on is_memo
    where l.organization_id = new.organization_id and l.document_id = new.id and l.quantity > 0
      and (not is_memo or l.catalog_item_id is not null or k.is_of_order and c.catalog_item_id is null)
    order by i.id, l.id
  loop
    if line.order_id is not null then
      moved := moved_of_order_line(new.organization_id, line.order_id, line.line_id);
      if is_memo then
        moving := -least(line.quantity, moved);
        update order_lines l set returned_quantity = l.fulfilled_quantity - moved - moving where l.organization_id = new.organization_id
          and l.order_id = line.order_id and l.id = line.line_id and l.fulfilled_quantity - moved - moving > l.returned_quantity;
      else
        moving := gone_of_order_line(new.organization_id, line.order_id, line.line_id) - moved;
        if new.cancelled_at is null then moving := greatest(moving, 0); end if;
      end if;
    elsif is_memo then
      moving := -greatest(least(line.quantity, line.moved), 0); -- nothing of an item that the document did not take out
    else
      moving := case when new.cancelled_at is null then line.quantity else -line.quantity end;
    end if;
    if coalesce(moving, 0) = 0 then continue; end if;
    -- goods come back at what they left for
    cost := null;
    if moving < 0 then
      select sum(m.value_minor) / nullif(sum(m.quantity), 0) into cost from stock_movements m
        where m.organization_id = new.organization_id and m.item_id = line.catalog_item_id and m.quantity < 0 and m.value_minor <= 0
          and (m.document_id = coalesce(new.source_document_id, new.id) and m.document_line_id = line.id
            or m.order_id = line.order_id and m.order_line_id = line.line_id);
    end if;
    insert into stock_movements (organization_id, item_id, kind, quantity, date, given_cost, source, document_id, document_line_id, order_id, order_line_id, reference)
      values (new.organization_id, line.catalog_item_id, case when moving > 0 then 'OUT' else 'IN' end, -moving,
        case when new.cancelled_at is null then new.issue_date else greatest(new.issue_date, (select (new.cancelled_at at time zone o.timezone)::date from organizations o where o.id = new.organization_id)) end,
        cost, 'DOCUMENT', new.id, line.id, line.order_id, line.line_id, new.number);
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.link_memo_to_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into order_invoice_lines (organization_id, document_id, document_line_id, order_id, line_id)
    select x.organization_id, new.id, x.document_line_id, x.order_id, x.line_id from order_invoice_lines x
    where x.organization_id = new.organization_id and x.document_id = new.source_document_id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.search_orders(wanted text, pattern text, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select o.id from orders o where o.organization_id = current_organization()
    and search_grams(o.organization_id, coalesce(o.order_number, '') || ' ' || o.counterparty_name || ' ' || coalesce(o.reference, '') || ' ' || coalesce(o.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (o.order_number ilike pattern or o.counterparty_name ilike pattern or o.reference ilike pattern or o.notes ilike pattern)
    limit most;
end $function$;
CREATE OR REPLACE FUNCTION public.journal_of_stock(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS SETOF journal_part_line
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select m.organization_id, m.date, 'STOCK', m.id, m.document_id, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, m.home_currency,
    l.minor, m.home_currency, 1::numeric, 'ROUNDING'
  from stock_movements m
  left join orders o on o.organization_id = m.organization_id and o.id = m.order_id
  cross join lateral (values (1, 'STOCK', m.value_minor),
    (2, case when m.source = 'OPENING' then 'OPENING_BALANCES' when m.source = 'MANUAL' then 'STOCK_ADJUSTMENTS'
      when m.source = 'ORDER' and o.kind = 'PURCHASE' then 'GOODS_RECEIVED' else 'COST_OF_GOODS_SOLD' end, -m.value_minor - m.difference_minor),
    (3, 'COST_OF_GOODS_SOLD', m.difference_minor)) l (line, account, minor)
  where m.date between first_day and last_day and (m.date, m.id) >= (first_day, first_id) and (m.date, m.id) <= (last_day, last_id)
  union all
  select o.organization_id, c.day, 'ORDER_CLOSED', o.id, null::uuid, null::uuid, 'OUTGOING', 1, l.line, l.account, null::text, null::uuid, l.minor, o.cleared_currency,
    l.minor, o.cleared_currency, 1::numeric, 'ROUNDING'
  from orders o join organizations g on g.id = o.organization_id
  cross join lateral (select (o.ended_at at time zone g.timezone)::date as day) c
  cross join lateral (values (1, 'GOODS_RECEIVED', o.cleared_minor), (2, o.cleared_account, -o.cleared_minor)) l (line, account, minor)
  where o.cleared_minor <> 0 and o.ended_at >= (first_day - 2)::timestamptz and o.ended_at < (last_day + 3)::timestamptz
    and c.day between first_day and last_day and (c.day, o.id) >= (first_day, first_id) and (c.day, o.id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.clear_goods_received(organization uuid, wanted_order uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  home text := (select g.currency from organizations g where g.id = organization);
  is_billed boolean;
begin
  select coalesce(sum(m.quantity * l.amount_minor / l.quantity), 0) = coalesce((select sum(e.goods_minor) from expenses e
      where e.organization_id = organization and e.order_id = wanted_order), 0) - credited_goods(organization, wanted_order) into is_billed
    from stock_movements m join order_lines l on l.organization_id = m.organization_id and l.order_id = m.order_id and l.id = m.order_line_id
    where m.organization_id = organization and m.order_id = wanted_order and m.source = 'ORDER';
  update orders o set cleared_currency = home, cleared_account = case when is_billed then 'EXCHANGE_DIFFERENCES' else 'COST_OF_GOODS_SOLD' end,
    cleared_minor = case when not is_billed and not o.clears_unbilled then 0 else
      coalesce((select sum(m.value_minor + m.difference_minor) from stock_movements m
        where m.organization_id = o.organization_id and m.order_id = o.id and m.source = 'ORDER' and m.home_currency = home), 0)
      - coalesce((select sum(home_minor(e.goods_minor, d.currency, home, d.exchange_rate)) from expenses e
        join documents d on d.organization_id = e.organization_id and d.id = e.id
        where e.organization_id = o.organization_id and e.order_id = o.id and e.goods_minor <> 0 and coalesce(d.rate_currency, home) = home), 0)
      + coalesce((select sum(home_minor(c.goods_minor, c.currency, home, c.exchange_rate)) from expenses e
        join documents c on c.organization_id = e.organization_id and c.source_document_id = e.id
        where e.organization_id = o.organization_id and e.order_id = o.id and c.goods_minor <> 0 and c.cancelled_at is null
          and coalesce(c.rate_currency, home) = home), 0) end
    where o.organization_id = organization and o.id = wanted_order and o.kind = 'PURCHASE' and o.status = 'CLOSED';
end $function$;
CREATE OR REPLACE FUNCTION public.clear_closed_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform clear_goods_received(new.organization_id, new.id);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.set_goods_of_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  ordered orders;
  goods bigint;
begin
  if new.issued_at is null then
    update expenses e set goods_minor = 0 where e.organization_id = new.organization_id and e.id = new.id and e.goods_minor <> 0;
    if found then
      perform clear_goods_received(e.organization_id, e.order_id) from expenses e where e.organization_id = new.organization_id and e.id = new.id;
    end if;
    return null;
  end if;
  select o.* into ordered from expenses e join orders o on o.organization_id = e.organization_id and o.id = e.order_id
    where e.organization_id = new.organization_id and e.id = new.id and o.kind = 'PURCHASE' and o.currency = new.currency
      and o.status <> 'CANCELLED' and not o.clears_unbilled for update of o;
  if not found then return null; end if;
  select coalesce(sum(round(l.amount_minor * (l.quantity + l.extra_quantity) / l.quantity)), 0) into goods from order_lines l join items i on i.organization_id = l.organization_id and i.id = l.item_id and i.tracked
    where l.organization_id = ordered.organization_id and l.order_id = ordered.id;
  goods := goods - coalesce((select sum(e.goods_minor) from expenses e where e.organization_id = ordered.organization_id and e.order_id = ordered.id), 0)
    + credited_goods(ordered.organization_id, ordered.id);
  update expenses e set goods_minor = greatest(0, least(goods, new.subtotal_minor)) where e.organization_id = new.organization_id and e.id = new.id;
  perform clear_goods_received(ordered.organization_id, ordered.id);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.date_void()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  new.voided_on := (select greatest(new.paid_at, (new.voided_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_cancelled_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.payment_id and p.voided_at is not null) then
    raise exception 'A credit is cancelled with its payment.' using errcode = 'check_violation', constraint = 'cancelled_with_its_payment';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.keep_deleted_category()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  new.deleted_category_id := case when new.category_id is null
      and exists (select from documents d where d.organization_id = new.organization_id and d.id = (to_jsonb(new) ->> tg_argv[0])::uuid and d.issued_at is not null)
      and not exists (select from expense_categories c where c.organization_id = new.organization_id and c.id = old.category_id) then old.category_id end;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.forget_deleted_category()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update expenses e set deleted_category_id = null where e.organization_id = new.organization_id and e.id = new.id and e.deleted_category_id is not null;
  update expense_splits s set deleted_category_id = null
    where s.organization_id = new.organization_id and s.expense_id = new.id and s.deleted_category_id is not null;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.booked_lines(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select p.organization_id, p.day, p.event, p.event_id, p.document_id, p.payment_id, p.entry_id, p.line, p.account_id, p.currency, p.home_currency,
    p.exchange_rate, sum(p.minor)::bigint, sum(p.home_minor)::bigint
  from placed_lines(first_day, first_id, last_day, last_id) p
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
$function$;
CREATE OR REPLACE FUNCTION public.booked_lines(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select * from booked_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$function$;
CREATE OR REPLACE FUNCTION public.face_currency(currency text, home_currency text, exchange_rate numeric)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when exchange_rate is null and currency <> home_currency then currency else '' end
$function$;
CREATE OR REPLACE FUNCTION public.results_of(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS TABLE(organization_id uuid, document_id uuid, day date, account_id uuid, home_currency text, face_currency text, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select b.organization_id, b.document_id, b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
    sum(b.home_minor)::bigint
  from booked_lines(first_day, first_id, last_day, last_id) b
  join accounts a on a.organization_id = b.organization_id and a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
  where b.event in ('ISSUED', 'CREDITED') group by 1, 2, 3, 4, 5, 6
$function$;
CREATE OR REPLACE FUNCTION public.money_moved(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, document_id uuid, day date, times integer, amount_minor bigint, upto numeric)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select a.organization_id, a.document_id, a.booked_on as day, 1 as times, a.amount_minor, u.upto
  from allocations a cross join lateral (select sum(b.amount_minor) as upto from allocations b where b.organization_id = a.organization_id
    and b.document_id = a.document_id and (b.created_at, b.id) <= (a.created_at, a.id)) u
  where a.booked_on between first_day and last_day and not a.is_credit
  union all
  select a.organization_id, a.document_id, v.day, -1, a.amount_minor, u.upto
  from allocations a join organizations o on o.id = a.organization_id
  join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  cross join lateral (select greatest(a.booked_on, case when p.voided_at = a.voided_at then p.voided_on else (a.voided_at at time zone o.timezone)::date end) as day) v
  cross join lateral (select sum(b.amount_minor) as upto from allocations b where b.organization_id = a.organization_id
    and b.document_id = a.document_id and (b.created_at, b.id) <= (a.created_at, a.id)) u
  where a.voided_at is not null and not a.is_credit and (a.booked_on between first_day and last_day
    or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz) and v.day between first_day and last_day
  union all
  select r.organization_id, m.id, r.day, r.times, r.amount_minor, u.upto
  from (
    select p.organization_id, p.refund_of, p.paid_at as day, 1 as times, p.amount_minor, p.created_at, p.id
    from payments p where p.paid_at between first_day and last_day and p.refund_of is not null
    union all
    select p.organization_id, p.refund_of, v.day, -1, p.amount_minor, p.created_at, p.id
    from payments p cross join lateral (select p.voided_on as day) v
    where p.voided_at is not null and p.refund_of is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz) and v.day between first_day and last_day
  ) r
  join documents m on m.organization_id = r.organization_id and m.payment_id = r.refund_of and m.document_type = 'CREDIT_MEMO'
  cross join lateral (select sum(b.amount_minor) as upto from payments b where b.organization_id = r.organization_id
    and b.refund_of = r.refund_of and (b.created_at, b.id) <= (r.created_at, r.id)) u
$function$;
CREATE OR REPLACE FUNCTION public.share_of(home_minor bigint, upto numeric, amount_minor bigint, total_minor bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (round(home_minor * upto / total_minor) - round(home_minor * (upto - amount_minor) / total_minor))::bigint
$function$;
create unlogged table journal_sums (
  organization_id uuid not null default current_organization(),
  day date not null,
  basis text not null,
  account_id uuid,
  home_currency text not null,
  face_currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  lines bigint not null,
  constraint journal_sums_basis_check CHECK ((basis = ANY (ARRAY['ACCRUAL'::text, 'CASH'::text])))
);
create unlogged table journal_results (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  day date not null,
  account_id uuid not null,
  home_currency text not null,
  face_currency text not null,
  home_minor bigint not null
);
create unlogged table journal_sums_state (
  organization_id uuid not null default current_organization(),
  upto date not null,
  version text not null,
  constraint journal_sums_state_pkey PRIMARY KEY (organization_id)
);
create unlogged table journal_marks (
  organization_id uuid not null default current_organization(),
  day date not null,
  transaction xid8 not null default pg_current_xact_id(),
  constraint journal_marks_pkey PRIMARY KEY (organization_id, day, transaction)
);
CREATE OR REPLACE FUNCTION public.journal_version()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select md5(string_agg(p.prosrc, '' order by p.proname, p.oid) || (select coalesce(string_agg(k::text, '' order by k.kind), '') from all_ledger_kinds() k))
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any (array['journal_lines', 'journal_of_allocations', 'journal_of_closed',
    'journal_of_documents', 'journal_of_expenses', 'journal_of_payments', 'journal_of_stock', 'booked_lines', 'money_moved',
    'share_of', 'results_of', 'accrual_sums', 'cash_shares', 'cash_sums', 'store_journal_sums',
    'placed_lines', 'is_result_line', 'part_of', 'divided_results', 'grouped_results', 'tax_shares',
    'divided_taxes', 'grouped_taxes',
    'home_minor', 'convert_minor', 'unbilled_account', 'tax_code'])
$function$;
CREATE OR REPLACE FUNCTION public.mark_days(organization uuid, VARIADIC days date[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day) select distinct organization, d from unnest(days) d where d is not null on conflict do nothing;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_documents(organization uuid, changed uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day)
    with booked as (
      select d.* from documents d where d.organization_id = organization and d.id = any (changed) and d.issued_at is not null
      union select d.* from documents d where d.organization_id = organization and d.source_document_id = any (changed) and d.issued_at is not null
    )
    select distinct organization, e.day from booked d join organizations o on o.id = organization cross join lateral (
      select d.issue_date as day
      union all select greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) where d.cancelled_at is not null
      union all select c.issue_date from documents c where c.organization_id = organization and c.id = d.converted_to_id
      union all select c.issue_date from documents c where c.organization_id = organization and c.converted_to_id = d.id
      union all select unnest(array[a.booked_on, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), greatest(a.booked_on, v.voided_on)])
        from allocations a join payments v on v.organization_id = a.organization_id and v.id = a.payment_id
        where a.organization_id = organization and a.document_id = d.id
      union all select unnest(array[p.paid_at, p.voided_on])
        from payments p where p.organization_id = organization and p.refund_of = d.payment_id and d.payment_id is not null) e
    where e.day is not null
    on conflict do nothing;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_issued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.issue_date) on conflict do nothing;
  if exists (select from allocations a where a.organization_id = new.organization_id and a.document_id = new.id) then
    perform mark_documents(new.organization_id, array[new.id]);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_changed_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform mark_days(new.organization_id, old.issue_date, new.issue_date);
  perform mark_documents(new.organization_id, array[new.id]);
  if new.issued_at is null then -- no longer final
    perform mark_days(new.organization_id, variadic array(select a.booked_on from allocations a
      where a.organization_id = new.organization_id and a.document_id = new.id));
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day) values (new.organization_id, new.paid_at) on conflict do nothing;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_changed_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day)
    select distinct new.organization_id, e.day from organizations o cross join lateral (
      select unnest(array[old.paid_at, new.paid_at, old.voided_on, new.voided_on]) as day
      -- allocations and refunds are booked at the rate of the payment
      union all select unnest(array[a.booked_on, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), greatest(a.booked_on, new.voided_on)])
        from allocations a where a.organization_id = new.organization_id and a.payment_id = new.id
      union all select unnest(array[p.paid_at, p.voided_on])
        from payments p where p.organization_id = new.organization_id and p.refund_of = new.id) e
    where o.id = new.organization_id and e.day is not null
    on conflict do nothing;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.booked_on); end if;
  perform mark_days(new.organization_id, new.booked_on);
  perform mark_documents(new.organization_id, array[new.document_id]);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_movement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'UPDATE' then perform mark_days(old.organization_id, old.date); end if;
  perform mark_days(new.organization_id, new.date);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_closed_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform mark_days(new.organization_id, (new.ended_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform mark_documents(new.organization_id, array[new.id]);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_splits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  organization uuid;
  changed uuid[];
begin
  for organization, changed in select c.organization_id, array_agg(distinct c.expense_id) from changed_splits c group by 1 loop
    perform mark_documents(organization, changed);
  end loop;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_all_days()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into journal_marks (organization_id, day) select distinct o.id, '-infinity'::date
    from changed_periods c join organizations o on o.id = c.organization_id on conflict do nothing; -- not of one that is being deleted
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.mark_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from journal_sums s where s.organization_id = old.id;
    delete from journal_results r where r.organization_id = old.id;
    delete from journal_results_by_day r where r.organization_id = old.id;
    delete from journal_taxes_by_day t where t.organization_id = old.id;
    delete from journal_sums_state s where s.organization_id = old.id;
    delete from journal_marks m where m.organization_id = old.id;
  else
    perform mark_days(new.id, '-infinity');
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.day_ranges(days date[])
 RETURNS TABLE(first_day date, last_day date)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select min(d.day), max(d.day) from (
    select s.day, count(*) filter (where s.is_first) over (order by s.day) as range from (
      select u.day, u.day - lag(u.day) over (order by u.day) > 3 is not false as is_first from unnest(days) u (day)) s) d
  group by d.range
$function$;
CREATE OR REPLACE FUNCTION public.journal_stored_upto()
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select s.upto from journal_sums_state s where s.version = journal_version()
    and not exists (select from journal_marks m where m.day = '-infinity')), '-infinity'::date)
$function$;
CREATE OR REPLACE FUNCTION public.accrual_sums(first_days date[], last_days date[])
 RETURNS TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate),
      sum(greatest(b.home_minor, 0))::bigint, sum(greatest(-b.home_minor, 0))::bigint, count(*)
    from unnest(first_days, last_days) r (first_day, last_day) cross join lateral booked_lines(r.first_day, r.last_day) b group by 1, 2, 3, 4;
end $function$;
CREATE OR REPLACE FUNCTION public.cash_shares(first_days date[], last_days date[])
 RETURNS TABLE(day date, account_id uuid, home_currency text, face_currency text, home_minor bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select m.day, r.account_id, r.home_currency, r.face_currency, m.times * share_of(r.home_minor, m.upto, m.amount_minor, d.total_minor)
    from unnest(first_days, last_days) g (first_day, last_day) cross join lateral money_moved(g.first_day, g.last_day) m
    join documents d on d.id = m.document_id and d.issued_at is not null and d.total_minor > 0
      and d.issue_date <= (select journal_stored_upto()) and d.issue_date not in (select k.day from journal_marks k)
    join journal_results r on r.document_id = m.document_id;
  if not exists (select from journal_marks) and journal_stored_upto() = 'infinity' then return; end if;
  return query
    select m.day, r.account_id, r.home_currency, r.face_currency, m.times * share_of(r.home_minor, m.upto, m.amount_minor, d.total_minor)
    from unnest(first_days, last_days) g (first_day, last_day) cross join lateral money_moved(g.first_day, g.last_day) m
    join documents d on d.id = m.document_id and d.issued_at is not null and d.total_minor > 0
      and (d.issue_date > (select journal_stored_upto()) or d.issue_date in (select k.day from journal_marks k))
    cross join lateral results_of(d.issue_date, d.id, d.issue_date, d.id) r where r.document_id = m.document_id;
end $function$;
CREATE OR REPLACE FUNCTION public.cash_sums(first_days date[], last_days date[])
 RETURNS TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if cardinality(first_days) = 0 then return; end if;
  return query
    select l.day, l.account_id, l.home_currency, l.face_currency, sum(greatest(l.home_minor, 0))::bigint, sum(greatest(-l.home_minor, 0))::bigint, count(*)
    from (
      select s.* from cash_shares(first_days, last_days) s
      union all
      select b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate), b.home_minor
      from unnest(first_days, last_days) r (first_day, last_day) cross join lateral booked_lines(r.first_day, r.last_day) b
      join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
      where b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED')) l
    group by 1, 2, 3, 4;
end $function$;
CREATE OR REPLACE FUNCTION public.journal_balances(first_day date, last_day date, of_basis text)
 RETURNS TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with stored as materialized (
    select journal_stored_upto() as upto
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from journal_marks m
      where m.day between first_day and last_day and m.day <= (select s.upto from stored s))) r
  ), missing as materialized (
    select coalesce(array_agg(m.first_day), '{}') as first_days, coalesce(array_agg(m.last_day), '{}') as last_days from (
      select r.first_day, r.last_day from ranges r
      union all select greatest(first_day, s.upto + 1), last_day from stored s where s.upto < last_day) m
  )
  select s.day, s.account_id, s.home_currency, s.face_currency, s.debit_minor, s.credit_minor, s.lines from journal_sums s
    where s.basis = of_basis and s.day between first_day and last_day and s.day <= (select t.upto from stored t)
      and s.day not in (select r.first_day + n from ranges r cross join lateral generate_series(0, r.last_day - r.first_day) n)
  union all
  select n.* from missing m cross join lateral accrual_sums(m.first_days, m.last_days) n where of_basis = 'ACCRUAL'
  union all
  select n.* from missing m cross join lateral cash_sums(m.first_days, m.last_days) n where of_basis = 'CASH'
$function$;
CREATE OR REPLACE FUNCTION public.store_journal_sums(events integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  current_version text := journal_version();
  stored date;
  next_day date;
  first_days date[];
  last_days date[];
begin
  if current_organization() is null then return 'DONE'; end if;
  select s.upto into stored from journal_sums_state s where s.version = current_version;
  if stored = 'infinity' and not exists (select from journal_marks) then return 'DONE'; end if;
  if not pg_try_advisory_xact_lock(hashtextextended(current_organization()::text || ':journal sums', 0)) then return 'BUSY'; end if;
  delete from journal_marks m where m.day = '-infinity';
  if found or not exists (select from journal_sums_state s where s.version = current_version) then
    delete from journal_sums;
    delete from journal_results;
    delete from journal_results_by_day;
    delete from journal_taxes_by_day;
    insert into journal_sums_state (upto, version) values ('-infinity', current_version)
      on conflict (organization_id) do update set upto = excluded.upto, version = excluded.version;
  end if;
  select s.upto into stored from journal_sums_state s;
  if stored < 'infinity' then
    select coalesce(max(p.day), 'infinity') into next_day
      from journal_part(stored + 1, '00000000-0000-0000-0000-000000000000', 'infinity', events) p;
  end if;
  with marked as (
    delete from journal_marks m where m.day in (select distinct n.day from journal_marks n where n.day > '-infinity' order by n.day limit 100)
    returning m.day
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from marked m where m.day <= stored)) r
    union all select stored + 1, next_day where stored < 'infinity'
  ), placed as materialized (
    select p.*, face_currency(p.currency, p.home_currency, p.exchange_rate) as face_currency from ranges r
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
  ), booked as materialized ( -- as booked_lines()
    select p.day, p.event, p.event_id, p.document_id, p.payment_id, p.line, p.account_id, p.currency, p.home_currency, p.face_currency,
      p.exchange_rate, sum(p.home_minor)::bigint as home_minor
    from placed p group by 1, 2, 3, 4, 5, p.entry_id, 6, 7, 8, 9, 10, 11
  ), lines as materialized (
    select array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      p.face_currency, p.home_minor)::result_line from placed p where is_result_line(p.document_id, p.event, p.account)) as lines
  ), old_sums as (
    delete from journal_sums s using ranges r where s.day between r.first_day and r.last_day
  ), old_results as (
    delete from journal_results s using ranges r where s.day between r.first_day and r.last_day
  ), old_results_by_day as (
    delete from journal_results_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), old_taxes_by_day as (
    delete from journal_taxes_by_day s using ranges r where s.day between r.first_day and r.last_day
  ), kept as (
    update journal_sums_state set upto = next_day where stored < 'infinity'
  ), results as (
    insert into journal_results (document_id, day, account_id, home_currency, face_currency, home_minor)
      select b.document_id, b.day, b.account_id, b.home_currency, b.face_currency, sum(b.home_minor)
      from booked b join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE') where b.event in ('ISSUED', 'CREDITED')
      group by 1, 2, 3, 4, 5
  ), results_by_day as (
    insert into journal_results_by_day select d.* from lines l cross join lateral grouped_results(l.lines) d
  ), taxes_by_day as (
    insert into journal_taxes_by_day select d.* from lines l cross join lateral grouped_taxes(l.lines) d
  ), sums as (
    insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
      select b.day, v.basis, b.account_id, b.home_currency, b.face_currency,
        sum(greatest(b.home_minor, 0)), sum(greatest(-b.home_minor, 0)), count(*)
      from booked b left join accounts a on a.id = b.account_id cross join (values ('ACCRUAL'), ('CASH')) v (basis)
      where v.basis = 'ACCRUAL' or b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED') and a.type in ('INCOME', 'EXPENSE')
      group by 1, 2, 3, 4, 5
  )
  select array(select r.first_day from ranges r order by 1), array(select r.last_day from ranges r order by 1) into first_days, last_days;
  -- after the results of documents, which it reads; changes since then have left marks
  insert into journal_sums (day, basis, account_id, home_currency, face_currency, debit_minor, credit_minor, lines)
    select s.day, 'CASH', s.account_id, s.home_currency, s.face_currency, sum(greatest(s.home_minor, 0)), sum(greatest(-s.home_minor, 0)), count(*)
    from cash_shares(first_days, last_days) s group by 1, 3, 4, 5;
  -- the few days that are marked meanwhile are computed by the report
  return case when next_day < 'infinity' or (select count(distinct m.day) from journal_marks m) > 20 then 'MORE' else 'DONE' end;
end $function$;
CREATE OR REPLACE FUNCTION public.changed_allocations(as_of date)
 RETURNS TABLE(organization_id uuid, document_id uuid, payment_id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.booked_on > as_of
  union all
  select a.organization_id, a.document_id, a.payment_id from allocations a where a.voided_at >= (as_of - 2)::timestamptz
$function$;
CREATE OR REPLACE FUNCTION public.open_balances(of_kind text, as_of date)
 RETURNS TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select u.* from organizations o cross join lateral untouched_balances(o.id, o.currency, of_kind, as_of) u
  where u.document_id not in (select c.document_id from changed_documents(of_kind, as_of) c)
  union all
  select c.* from changed_balances(of_kind, as_of) c
$function$;
CREATE OR REPLACE FUNCTION public.open_credits(of_kind text, as_of date)
 RETURNS TABLE(organization_id uuid, payment_id uuid, memo_id uuid, counterparty_id uuid, currency text, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select p.organization_id, p.id, m.id, p.counterparty_id, p.currency, sum(l.minor)::bigint, sum(l.home)::bigint, l.home_currency, bool_and(l.rate_known)
  from (select p.organization_id, p.id from payments p
      where p.voided_at is null and p.refund_of is null and p.amount_minor > p.allocated_minor + p.refunded_minor
    union
    select c.organization_id, c.payment_id from changed_allocations(as_of) c
    union
    select p.organization_id, coalesce(p.refund_of, p.id) from payments p where p.voided_at >= (as_of - 2)::timestamptz
    union
    select r.organization_id, r.refund_of from payments r where r.paid_at > as_of and r.refund_of is not null
    union -- a document that is not issued yet takes nothing of a payment
    select a.organization_id, a.payment_id from documents d
    cross join lateral (select a.organization_id, a.payment_id from allocations a
      where a.organization_id = d.organization_id and a.document_id = d.id offset 0) a
    where d.kind = 'EXPENSE' and d.status in ('DRAFT', 'PENDING_REVIEW', 'REJECTED') and d.paid_minor > 0) c
  -- with offset 0 each payment is looked up by its id, whatever number of them PostgreSQL expects
  cross join lateral (select * from payments p where p.organization_id = c.organization_id and p.id = c.id offset 0) p
  join organizations o on o.id = p.organization_id
  cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
  left join lateral (select m.* from documents m where p.source = 'CREDIT_MEMO' and m.organization_id = p.organization_id and m.payment_id = p.id
    and m.document_type = 'CREDIT_MEMO' offset 0) m on true
  cross join lateral (
    select p.amount_minor as minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate) as home, h.home as home_currency,
      p.rate_currency is null or p.exchange_rate is not null as rate_known
    where p.source <> 'CREDIT_MEMO' and p.paid_at <= as_of
      and (p.voided_on is null or p.voided_on > as_of)
    union all
    select m.total_minor, home_minor(m.total_minor, m.currency, coalesce(m.rate_currency, o.currency), m.exchange_rate), coalesce(m.rate_currency, o.currency),
      m.exchange_rate is not null or m.currency = coalesce(m.rate_currency, o.currency)
    where m.issued_at is not null and m.issue_date <= as_of and (p.voided_on is null or greatest(m.issue_date, p.voided_on) > as_of)
    union all
    select -a.amount_minor, -coalesce(a.payment_home_minor, a.amount_minor), h.home, true
    from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    left join issued_copies i on d.document_type = 'RECEIPT' and i.organization_id = d.organization_id and i.document_id = d.id and i.registered
    where a.organization_id = p.organization_id and a.payment_id = p.id and d.issued_at is not null and a.booked_on <= as_of
      and (i.document_id is null or p.source = 'CREDIT_MEMO')
      and (a.voided_at is null or greatest(a.booked_on, voided_day(a.voided_at, p.voided_at, p.voided_on, o.timezone)) > as_of)
    union all
    select -r.amount_minor, -coalesce(r.refund_home_minor, home_minor(r.amount_minor, r.currency, coalesce(r.rate_currency, r.currency), r.exchange_rate)),
      coalesce(r.rate_currency, r.currency), true
    from payments r where r.organization_id = p.organization_id and r.refund_of = p.id and r.paid_at <= as_of
      and (r.voided_on is null or r.voided_on > as_of)
  ) l
  where p.kind = of_kind and p.refund_of is null
  group by p.organization_id, p.id, m.id, p.counterparty_id, p.currency, l.home_currency having sum(l.minor) <> 0 or sum(l.home) <> 0
$function$;
CREATE OR REPLACE FUNCTION public.locked_until(organization uuid)
 RETURNS date
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(organization::text || ':period lock', 0));
  return (select s.locked_until from organization_settings s where s.organization_id = organization);
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_locked_day(until date, day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The period is locked until %.', until using errcode = 'check_violation', constraint = 'period_is_open', detail = until || ' ' || day;
end $function$;
CREATE OR REPLACE FUNCTION public.require_open_period(organization uuid, day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  until date := locked_until(organization);
begin
  if day <= until then perform refuse_locked_day(until, day); end if;
end $function$;
CREATE OR REPLACE FUNCTION public.day_of_organization(organization uuid, instant timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select (instant at time zone o.timezone)::date from organizations o where o.id = organization
$function$;
CREATE OR REPLACE FUNCTION public.check_period_of_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'UPDATE' then
    if old.issued_at is not null then perform require_open_period(old.organization_id, old.issue_date); end if;
    if new.cancelled_at is not null and old.cancelled_at is null then
      perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.cancelled_at));
    end if;
  end if;
  if new.issued_at is not null then perform require_open_period(new.organization_id, new.issue_date); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'UPDATE' then
    perform require_open_period(old.organization_id, old.paid_at);
    if new.voided_at is not null then
      perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.voided_at));
    end if;
  end if;
  perform require_open_period(new.organization_id, new.paid_at);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_allocation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  until date := locked_until(new.organization_id);
  voided_on date;
begin
  if until is null then return null; end if;
  if tg_op = 'UPDATE' and new.voided_at is not null and not exists (select from documents d
      where d.organization_id = new.organization_id and d.id = new.document_id and d.issued_at is not null) then
    return null;
  end if;
  if tg_op = 'UPDATE' and new.voided_at is not null then
    voided_on := day_of_organization(new.organization_id, new.voided_at);
    if voided_on <= until then perform refuse_locked_day(until, voided_on); end if;
    if exists (select from documents i where i.organization_id = new.organization_id and i.source_document_id = new.document_id
        and i.document_type in ('INVOICE', 'INVOICE_RECEIPT') and i.issued_at = now()) then
      return null;
    end if;
  end if;
  if new.booked_on <= until then perform refuse_locked_day(until, new.booked_on); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_category()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  changed jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
  organization uuid := (changed ->> 'organization_id')::uuid;
  expense uuid := coalesce(changed ->> 'expense_id', changed ->> 'id')::uuid;
  day date;
begin
  select min(d.issue_date) into day from documents d where d.organization_id = organization and d.issued_at is not null and d.kind = 'EXPENSE'
    and (d.id = expense or d.source_document_id = expense);
  if day is not null then perform require_open_period(organization, day); end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_date()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform require_open_period(new.organization_id, new.date);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_closed_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform require_open_period(new.organization_id, day_of_organization(new.organization_id, new.ended_at));
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'UPDATE' then
    perform require_open_period(new.organization_id, case when (old.account_id, old.first_day) = (new.account_id, new.first_day)
      then least(old.end_day, new.end_day) else least(old.first_day, new.first_day) end);
  elsif tg_op = 'DELETE' then
    if not exists (select from organizations o where o.id = old.organization_id) then return null; end if; -- it is being deleted
    perform require_open_period(old.organization_id, old.first_day);
  elsif new.first_day > '-infinity' or exists (select from account_periods p
      where p.organization_id = new.organization_id and p.subject = new.subject and p.first_day <> new.first_day) then
    perform require_open_period(new.organization_id, new.first_day);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.check_period_of_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  until date := locked_until(new.id);
  day date;
begin
  if until is null then return null; end if;
  if old.timezone <> new.timezone then
    select min(least(v.was, v.becomes)) into day from (
      select greatest(e.day, (e.instant at time zone old.timezone)::date) as was, greatest(e.day, (e.instant at time zone new.timezone)::date) as becomes
      from (select p.paid_at as day, p.voided_at as instant from payments p
          where p.organization_id = new.id and p.voided_at < (until + 3)::timestamptz and p.source <> 'CREDIT_MEMO'
        union all select a.booked_on, a.voided_at from allocations a where a.organization_id = new.id and a.voided_at < (until + 3)::timestamptz
        union all select d.issue_date, d.cancelled_at from documents d
          where d.organization_id = new.id and d.cancelled_at < (until + 3)::timestamptz and d.payment_id is null) e) v
    where v.was <> v.becomes;
    if day <= until then perform refuse_locked_day(until, day); end if;
  end if;
  if old.currency <> new.currency then
    select min(d.issue_date) into day from documents d where d.organization_id = new.id and d.issued_at is not null and d.rate_currency is null;
    if day <= until then perform refuse_locked_day(until, day); end if;
  end if;
  return null;
end $function$;
create table period_locks (
  organization_id uuid not null default current_organization(),
  id uuid not null default new_id(),
  last_day date not null,
  locked_by uuid,
  locked_at timestamp with time zone not null default now(),
  summed_up_at timestamp with time zone,
  constraint period_locks_pkey PRIMARY KEY (organization_id, id),
  constraint one_lock_per_day UNIQUE (organization_id, last_day)
);
CREATE OR REPLACE FUNCTION public.owner_of_period_locks(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.period_locks t where t.id = row_id); end $function$;
create table locked_balances (
  organization_id uuid not null default current_organization(),
  lock_id uuid not null,
  account_id uuid not null,
  currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  constraint locked_balances_pkey PRIMARY KEY (organization_id, lock_id, account_id, currency)
);
CREATE OR REPLACE FUNCTION public.hold_period_lock(organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  usual text := current_setting('lock_timeout');
begin
  for attempt in 1..10 loop
    begin
      perform set_config('lock_timeout', '150ms', true);
      perform pg_advisory_xact_lock(hashtextextended(organization::text || ':period lock', 0));
      perform set_config('lock_timeout', usual, true);
      return;
    exception when lock_not_available then
      perform pg_sleep(0.02 * random());
    end;
  end loop;
  raise exception 'Others are booking.' using errcode = 'lock_not_available';
end $function$;
CREATE OR REPLACE FUNCTION public.guard_period_lock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today date;
begin
  perform hold_period_lock(new.organization_id);
  today := day_of_organization(new.organization_id, now());
  if new.locked_until > today then
    raise exception 'A period is locked until today at most.' using errcode = 'check_violation', constraint = 'lock_not_in_future', detail = today::text;
  end if;
  if tg_op = 'UPDATE' and old.locked_until > coalesce(new.locked_until, '-infinity') then
    perform require_acting_owner(new.organization_id, 'owner_unlocks_period');
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.follow_period_lock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  delete from period_locks l where l.organization_id = new.organization_id and l.last_day > coalesce(new.locked_until, '-infinity');
  if new.locked_until is not null then
    insert into period_locks (organization_id, last_day, locked_by) values (new.organization_id, new.locked_until, current_person())
      on conflict (organization_id, last_day) do nothing;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.booked_by_account(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, account_id uuid, currency text, debit_minor bigint, credit_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select j.organization_id, j.day, coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.home_currency,
    sum(greatest(j.home_minor, 0))::bigint, sum(greatest(-j.home_minor, 0))::bigint
  from journal_lines(first_day, last_day) j
  left join account_periods bank on bank.organization_id = j.organization_id and j.account = 'CASH' and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods tax on tax.organization_id = j.organization_id and tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
    when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
    else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
    when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
    when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
    when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
    else j.account end and j.day >= standard.first_day and j.day < standard.end_day
  where j.home_minor <> 0 and coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id) is not null
  group by 1, 2, 3, 4
$function$;
create table imports (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null,
  file_name text not null,
  file_size bigint not null,
  sha256 text not null,
  row_count integer not null,
  created_count integer not null,
  updated_count integer not null,
  unchanged_count integer not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint imports_pkey PRIMARY KEY (organization_id, id),
  constraint imports_file_name_check CHECK ((file_name <> ''::text)),
  constraint imports_file_size_check CHECK ((file_size > 0)),
  constraint imports_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint imports_created_count_check CHECK ((created_count >= 0)),
  constraint imports_updated_count_check CHECK ((updated_count >= 0)),
  constraint imports_unchanged_count_check CHECK ((unchanged_count >= 0)),
  constraint every_row_counts_once CHECK ((row_count = ((created_count + updated_count) + unchanged_count))),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['CUSTOMERS'::text, 'SUPPLIERS'::text, 'ITEMS'::text, 'OPENING_BALANCES'::text, 'EMPLOYEES'::text])))
);
CREATE OR REPLACE FUNCTION public.owner_of_imports(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.imports t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.voided_day(allocation_voided timestamp with time zone, payment_voided timestamp with time zone, payment_voided_on date, timezone text)
 RETURNS date
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when payment_voided = allocation_voided then payment_voided_on else (allocation_voided at time zone timezone)::date end
$function$;
CREATE OR REPLACE FUNCTION public.entry_balances(purposes text[], as_of date)
 RETURNS TABLE(organization_id uuid, entry_id uuid, kind text, day date, purpose text, home_minor bigint, home_currency text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select e.organization_id, e.id, e.kind, e.date, substr(p.subject, 9), sum(l.debit_minor - l.credit_minor)::bigint, e.currency
  from account_periods p
  join journal_entry_lines l on l.organization_id = p.organization_id and l.account_id = p.account_id
  join journal_entries e on e.organization_id = l.organization_id and e.id = l.entry_id and e.date >= p.first_day and e.date < p.end_day
  where p.subject in (select 'PURPOSE:' || u.purpose from unnest(purposes) u (purpose)) and e.date <= as_of
  group by 1, 2, 3, 4, 5, 7 having sum(l.debit_minor - l.credit_minor) <> 0
$function$;
CREATE OR REPLACE FUNCTION public.bucket_of(due date, as_of date)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when due >= as_of then 0 when due >= as_of - 30 then 1 when due >= as_of - 60 then 2 when due >= as_of - 90 then 3 else 4 end
$function$;
CREATE OR REPLACE FUNCTION public.refuse_future_movement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if new.date > (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id) then
    raise exception 'Goods are not moved on a day after today.' using errcode = 'check_violation', constraint = 'movement_not_in_future';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.set_goods_of_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  select greatest(0, least(new.subtotal_minor, e.goods_minor - coalesce((select sum(c.goods_minor) from documents c
      where c.organization_id = e.organization_id and c.source_document_id = e.id and c.cancelled_at is null), 0)))
    into new.goods_minor from expenses e where e.organization_id = new.organization_id and e.id = new.source_document_id;
  new.goods_minor := coalesce(new.goods_minor, 0);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.credited_goods(organization uuid, wanted_order uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(c.goods_minor), 0)::bigint from expenses e join documents c on c.organization_id = e.organization_id and c.source_document_id = e.id
  where e.organization_id = organization and e.order_id = wanted_order and c.goods_minor <> 0 and c.cancelled_at is null
$function$;
CREATE OR REPLACE FUNCTION public.clear_goods_of_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform clear_goods_received(e.organization_id, e.order_id) from expenses e
    where e.organization_id = new.organization_id and e.id = new.source_document_id and e.order_id is not null;
  return null;
end $function$;
create table scans (
  organization_id uuid not null default current_organization(),
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null,
  provider_id text not null,
  extracted jsonb not null default '{}'::jsonb,
  error text,
  duplicate_of_id uuid,
  charged_period text,
  processing_ms integer not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scans_pkey PRIMARY KEY (organization_id, attachment_id),
  constraint scans_status_check CHECK ((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]))),
  constraint scans_provider_id_check CHECK ((provider_id <> ''::text)),
  constraint scans_charged_period_check CHECK ((charged_period ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint scans_processing_ms_check CHECK ((processing_ms >= 0)),
  constraint failed_scans_say_why CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint completed_scans_are_charged CHECK (((status = 'FAILED'::text) OR (charged_period IS NOT NULL)))
);
create table scanned_documents (
  organization_id uuid not null default current_organization(),
  vendor_key text not null,
  document_number text not null,
  expense_id uuid not null,
  constraint scanned_documents_pkey PRIMARY KEY (organization_id, vendor_key, document_number),
  constraint scanned_documents_vendor_key_check CHECK ((vendor_key <> ''::text)),
  constraint scanned_documents_document_number_check CHECK ((document_number <> ''::text))
);
create table supplier_aliases (
  organization_id uuid not null default current_organization(),
  alias text not null,
  supplier_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint supplier_aliases_pkey PRIMARY KEY (organization_id, alias),
  constraint supplier_aliases_alias_check CHECK ((alias <> ''::text))
);
CREATE OR REPLACE FUNCTION public.charge_scan(of_attachment uuid, in_period text, allowed integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into scan_usage (organization_id, period, used) values (current_organization(), in_period, 0) on conflict do nothing;
  perform from scan_usage u where u.organization_id = current_organization() and u.period = in_period for update;
  if exists (select from scans s where s.organization_id = current_organization() and s.attachment_id = of_attachment and s.charged_period is not null) then
    return true;
  end if;
  update scan_usage u set used = u.used + 1
    where u.organization_id = current_organization() and u.period = in_period and u.used < allowed;
  return found;
end $function$;
create table scan_batches (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  completed_at timestamp with time zone,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scan_batches_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batches_total_check CHECK (((total >= 1) AND (total <= 100))),
  constraint scan_batches_done_check CHECK ((done >= 0)),
  constraint scan_batches_failed_check CHECK ((failed >= 0)),
  constraint scan_batch_counts CHECK (((done + failed) <= total)),
  constraint scan_batch_ends_with_its_last_file CHECK ((((done + failed) = total) = (completed_at IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_scan_batches(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.scan_batches t where t.id = row_id); end $function$;
create table scan_batch_files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  batch_id uuid not null,
  "position" integer not null,
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null default 'WAITING'::text,
  error text,
  duplicate_of_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scan_batch_files_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batch_files_differ UNIQUE (organization_id, batch_id, attachment_id),
  constraint scan_batch_files_position_check CHECK ((("position" >= 0) AND ("position" <= 99))),
  constraint scan_batch_files_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'COMPLETED'::text, 'FAILED'::text]))),
  constraint failed_scan_batch_files_say_why CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint scanned_duplicates_failed CHECK (((status = 'FAILED'::text) OR (duplicate_of_id IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_scan_batch_files(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.scan_batch_files t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.count_scan_batch_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if old.status <> 'WAITING' then
    raise exception 'This file of the batch has been read.' using errcode = 'check_violation', constraint = 'scan_batch_files_are_read_once';
  end if;
  update scan_batches b set done = b.done + (new.status = 'COMPLETED')::integer, failed = b.failed + (new.status = 'FAILED')::integer,
      completed_at = case when b.done + b.failed + 1 = b.total then now() end
    where b.organization_id = new.organization_id and b.id = new.batch_id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.enqueue_scan(of_file uuid, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  place uuid := current_organization();
begin
  if place is null then
    raise exception 'A scan belongs to an organization.' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job('scan-batch-file', json_build_object('fileId', of_file), run_at => enqueue_scan.run_at,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $function$;
CREATE OR REPLACE FUNCTION public.lost_scans()
 RETURNS TABLE(organization_id uuid, id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select f.organization_id, f.id, f.created_at from public.scan_batch_files f
  where f.status = 'WAITING' and f.id::text not in (select queued_job_subjects('scan-batch-file', 'fileId'));
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_scans(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('scan-batch-file', 'fileId', lost.organization_id, lost.id))
  from (select * from lost_scans() s order by s.created_at, s.id limit most) lost
$function$;
CREATE OR REPLACE FUNCTION public.guard_goods_of_credit()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform refuse_frozen();
  return null;
end $function$;
create table mail_connections (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  provider text not null,
  enabled boolean not null default true,
  host text,
  port integer,
  use_tls boolean not null default true,
  username text,
  password bytea,
  tokens bytea,
  token_expires_at timestamp with time zone,
  folder_or_label text,
  subject_filter text,
  sender_whitelist text[] not null default '{}'::text[],
  auto_poll_enabled boolean not null default false,
  poll_interval_days integer not null default 1,
  next_poll_on date,
  retry_at timestamp with time zone,
  failures integer not null default 0,
  last_polled_at timestamp with time zone,
  attention text,
  auto_scan_automation_id uuid,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  password_key_id uuid generated always as ((encode(SUBSTRING(password FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  tokens_key_id uuid generated always as ((encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  refreshing_until timestamp with time zone,
  constraint mail_connections_pkey PRIMARY KEY (organization_id, id),
  constraint mail_connections_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint mail_connections_provider_check CHECK ((provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text, 'IMAP'::text, 'POP3'::text]))),
  constraint mail_connections_host_check CHECK (((length(host) >= 1) AND (length(host) <= 253))),
  constraint mail_connections_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint mail_connections_username_check CHECK (((length(username) >= 1) AND (length(username) <= 320))),
  constraint mail_connections_folder_or_label_check CHECK (((length(folder_or_label) >= 1) AND (length(folder_or_label) <= 500))),
  constraint mail_connections_subject_filter_check CHECK (((length(subject_filter) >= 1) AND (length(subject_filter) <= 500))),
  constraint mail_connections_sender_whitelist_check CHECK ((cardinality(sender_whitelist) <= 200)),
  constraint mail_connections_poll_interval_days_check CHECK (((poll_interval_days >= 1) AND (poll_interval_days <= 365))),
  constraint mail_connections_failures_check CHECK ((failures >= 0)),
  constraint deleted_mail_connections_have_no_secrets CHECK (((deleted_at IS NULL) OR ((password IS NULL) AND (tokens IS NULL)))),
  constraint mail_tokens_are_of_a_provider CHECK (((tokens IS NULL) OR (provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text])))),
  constraint mail_connections_password_is_sealed CHECK (((octet_length(password) >= 113) AND (get_byte(password, 0) = 1))),
  constraint mail_connections_tokens_is_sealed CHECK (((octet_length(tokens) >= 113) AND (get_byte(tokens, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_mail_connections(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.mail_connections t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.keep_mail_secrets_at_their_server()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.provider, new.host, new.port, new.use_tls, new.username) is distinct from (old.provider, old.host, old.port, old.use_tls, old.username) then
    if new.password is not distinct from old.password then new.password := null; end if;
    if new.tokens is not distinct from old.tokens then
      new.tokens := null;
      new.token_expires_at := null;
    end if;
  end if;
  -- Another mailbox or folder: nothing of it was read, and its places mean other messages.
  if (new.provider, new.host, new.port, new.username, new.folder_or_label) is distinct from
     (old.provider, old.host, old.port, old.username, old.folder_or_label) then
    new.last_polled_at := null;
    delete from mail_places p where p.organization_id = new.organization_id and p.connection_id = new.id;
  end if;
  return new;
end $function$;
create table ingestion_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  connection_id uuid not null,
  status text not null default 'PENDING'::text,
  date_from timestamp with time zone not null,
  date_to timestamp with time zone not null,
  emails_scanned integer not null default 0,
  emails_detected integer not null default 0,
  expenses_created integer not null default 0,
  error_message text,
  started_at timestamp with time zone not null default now(),
  claimed_at timestamp with time zone,
  last_progress_at timestamp with time zone,
  completed_at timestamp with time zone,
  lease uuid,
  lease_until timestamp with time zone,
  resumed integer not null default 0,
  is_automatic boolean not null default false,
  is_continued boolean not null default false,
  created_by uuid default current_person(),
  updated_at timestamp with time zone not null default now(),
  constraint ingestion_runs_pkey PRIMARY KEY (organization_id, id),
  constraint ingestion_runs_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'DONE'::text, 'ERROR'::text, 'MANUAL_STOP'::text]))),
  constraint ingestion_window CHECK ((date_from <= date_to)),
  constraint ended_ingestion_runs CHECK (((status = ANY (ARRAY['DONE'::text, 'ERROR'::text, 'MANUAL_STOP'::text])) = (completed_at IS NOT NULL))),
  constraint running_ingestion_runs_have_a_lease CHECK (((status <> 'RUNNING'::text) OR ((lease IS NOT NULL) AND (lease_until IS NOT NULL)))),
  constraint failed_ingestion_runs_say_why CHECK (((status = 'ERROR'::text) = (error_message IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_ingestion_runs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.ingestion_runs t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.keep_ended_ingestion_runs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.completed_at is not null then
    raise exception 'This run has ended.' using errcode = 'check_violation', constraint = 'ingestion_run_has_ended';
  end if;
  return new;
end $function$;
create table mail_messages (
  organization_id uuid not null default current_organization(),
  key text not null,
  message_id text,
  subject text,
  outcome text not null,
  reason text,
  is_detected boolean not null,
  expense_id uuid,
  connection_id uuid not null,
  received_at timestamp with time zone,
  is_retried boolean not null default false,
  attempts integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint mail_messages_pkey PRIMARY KEY (organization_id, key),
  constraint mail_messages_key_check CHECK (((length(key) >= 1) AND (length(key) <= 100))),
  constraint mail_messages_message_id_check CHECK ((length(message_id) <= 1000)),
  constraint mail_messages_subject_check CHECK ((length(subject) <= 1000)),
  constraint mail_messages_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'DUPLICATE'::text, 'SKIPPED_NOT_EXPENSE'::text, 'DROPPED_NO_DATA'::text, 'FAILED'::text]))),
  constraint mail_messages_reason_check CHECK ((length(reason) <= 2000)),
  constraint mail_messages_attempts_check CHECK ((attempts >= 1)),
  constraint mail_failures_are_retried CHECK (((NOT is_retried) OR (outcome = 'FAILED'::text)))
);
create table mail_places (
  organization_id uuid not null default current_organization(),
  connection_id uuid not null,
  folder text not null,
  place text not null,
  key text not null,
  created_at timestamp with time zone not null default now(),
  constraint mail_places_pkey PRIMARY KEY (organization_id, connection_id, folder, place),
  constraint mail_places_place_check CHECK ((length(place) <= 1000))
);
create table mail_documents (
  organization_id uuid not null default current_organization(),
  hash text not null,
  message_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint mail_documents_pkey PRIMARY KEY (organization_id, hash),
  constraint mail_documents_hash_check CHECK (((length(hash) >= 1) AND (length(hash) <= 200)))
);
create table ingestion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  run_id uuid not null,
  folder text not null,
  place text not null,
  message_id text not null,
  subject text,
  outcome text not null,
  reason text,
  is_detected boolean not null,
  expense_id uuid,
  processed_at timestamp with time zone not null default now(),
  constraint ingestion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_outcome_per_message UNIQUE (organization_id, run_id, folder, place),
  constraint ingestion_messages_place_check CHECK ((length(place) <= 1000)),
  constraint ingestion_messages_message_id_check CHECK ((length(message_id) <= 1000)),
  constraint ingestion_messages_subject_check CHECK ((length(subject) <= 1000)),
  constraint ingestion_messages_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'DUPLICATE'::text, 'SKIPPED_NOT_EXPENSE'::text, 'DROPPED_NO_DATA'::text, 'FAILED'::text]))),
  constraint ingestion_messages_reason_check CHECK ((length(reason) <= 2000)),
  constraint created_messages_are_detected CHECK (((outcome <> 'CREATED'::text) OR is_detected))
);
CREATE OR REPLACE FUNCTION public.owner_of_ingestion_messages(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.ingestion_messages t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.count_ingestion_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update ingestion_runs r set emails_scanned = r.emails_scanned + n.scanned, emails_detected = r.emails_detected + n.detected,
    expenses_created = r.expenses_created + n.created, last_progress_at = now(), resumed = 0
  from (select m.organization_id, m.run_id, count(*)::integer as scanned, (count(*) filter (where m.is_detected))::integer as detected,
      (count(*) filter (where m.outcome = 'CREATED'))::integer as created
    from added m group by m.organization_id, m.run_id) n
  where r.organization_id = n.organization_id and r.id = n.run_id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.enqueue_poll(of_run uuid, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  place uuid;
begin
  select r.organization_id into place from ingestion_runs r where r.id = of_run
    and (current_organization() is null or r.organization_id = current_organization());
  if place is null then return; end if;
  perform graphile_worker.add_job('poll-mailbox', json_build_object('runId', of_run), run_at => enqueue_poll.run_at, max_attempts => 10000,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $function$;
CREATE OR REPLACE FUNCTION public.lost_polls()
 RETURNS TABLE(organization_id uuid, id uuid, started_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select r.organization_id, r.id, r.started_at from public.ingestion_runs r
  where r.completed_at is null and r.id::text not in (select queued_job_subjects('poll-mailbox', 'runId'));
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_polls(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(enqueue_poll(lost.id)) from (select * from lost_polls() p order by p.started_at, p.id limit most) lost
$function$;
CREATE OR REPLACE FUNCTION public.poll_from(of_connection uuid, until timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select least(coalesce(c.last_polled_at, until - interval '30 days'), until,
    (select min(m.received_at) from mail_messages m where m.organization_id = c.organization_id and m.connection_id = c.id and m.is_retried))
  from mail_connections c where c.id = of_connection
$function$;
CREATE OR REPLACE FUNCTION public.start_due_polls(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  with due as (
    select c.organization_id, c.id, c.created_by, (now() at time zone o.timezone)::date as today
    from mail_connections c join organizations o on o.id = c.organization_id
    where c.auto_poll_enabled and c.enabled and c.deleted_at is null and c.attention is null
      and (c.next_poll_on is null or c.next_poll_on <= (now() at time zone o.timezone)::date)
      and (c.retry_at is null or c.retry_at <= now())
      and not exists (select from ingestion_runs r where r.organization_id = c.organization_id and r.connection_id = c.id and r.completed_at is null)
    order by c.organization_id, c.id limit most
    for update of c skip locked
  ), moved as (
    update mail_connections c set next_poll_on = due.today + c.poll_interval_days from due
    where c.organization_id = due.organization_id and c.id = due.id
  ), begun as (
    insert into ingestion_runs (organization_id, id, connection_id, date_from, date_to, is_automatic, is_continued, created_by)
    select due.organization_id, new_id(), due.id, poll_from(due.id, now()), now(), true, true, due.created_by from due returning organization_id, id
  )
  select count(requeue_job('poll-mailbox', 'runId', begun.organization_id, begun.id)) from begun
$function$;
CREATE OR REPLACE FUNCTION public.save_auto_scan(of_connection uuid, automation uuid, label text, new_blocks jsonb, new_edges jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  credential text := current_setting('app.credential', true);
  place uuid := current_organization();
begin
  if not exists (select from mail_connections c where c.organization_id = place and c.id = of_connection and c.deleted_at is null)
    or jsonb_array_length(new_blocks) <> 2 or new_blocks #>> '{0,kind}' <> 'TRIGGER' or new_blocks #>> '{0,ref}' not like 'schedule.%'
    or new_blocks #>> '{1,kind}' <> 'ACTION' or new_blocks #>> '{1,ref}' <> 'expenses_email_poll'
    or new_blocks #>> '{1,config,input,connectionId}' is distinct from of_connection::text
    or new_blocks #>> '{1,config,input,organizationId}' is distinct from place::text then
    raise exception 'An auto-scan polls its own connection.' using errcode = 'check_violation', constraint = 'auto_scan_polls_its_connection';
  end if;
  perform set_config('app.credential', '', true);
  update automations a set blocks = new_blocks, edges = new_edges where a.organization_id = place and a.id = automation;
  if not found then
    insert into automations (organization_id, id, name, blocks, edges) values (place, automation, label, new_blocks, new_edges);
  end if;
  perform set_config('app.credential', coalesce(credential, ''), true);
  update mail_connections c set auto_scan_automation_id = automation where c.organization_id = place and c.id = of_connection;
end $function$;
create table mail_connects (
  organization_id uuid not null default current_organization(),
  state_hash bytea not null,
  provider text not null,
  name text not null,
  user_id uuid not null default current_person(),
  session_id uuid not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '00:10:00'::interval),
  constraint mail_connects_pkey PRIMARY KEY (organization_id, state_hash),
  constraint mail_connects_state_hash_check CHECK ((octet_length(state_hash) = 32)),
  constraint mail_connects_provider_check CHECK ((provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text]))),
  constraint mail_connects_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint mail_connects_end_soon CHECK ((expires_at <= (created_at + '00:10:00'::interval)))
);
create table tax_authority_connections (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  integration_id text not null,
  environment text not null default 'sandbox'::text,
  credentials bytea not null,
  tokens bytea,
  refreshing_until timestamp with time zone,
  state_hash bytea,
  state_until timestamp with time zone,
  is_validated boolean not null default false,
  last_validated_at timestamp with time zone,
  validation_error text,
  failure_notified_at timestamp with time zone,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  credentials_key_id uuid generated always as ((encode(SUBSTRING(credentials FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  tokens_key_id uuid generated always as ((encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint tax_authority_connections_pkey PRIMARY KEY (organization_id, id),
  constraint one_connection_per_integration UNIQUE (organization_id, integration_id),
  constraint tax_authority_connections_integration_id_check CHECK ((integration_id = ANY (ARRAY['il-ita-invoices'::text, 'sg-invoicenow'::text]))),
  constraint tax_authority_connections_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint validated_or_failed CHECK (((NOT is_validated) OR ((last_validated_at IS NOT NULL) AND (validation_error IS NULL)))),
  constraint tax_authority_connections_credentials_is_sealed CHECK (((octet_length(credentials) >= 113) AND (get_byte(credentials, 0) = 1))),
  constraint tax_authority_connections_tokens_is_sealed CHECK (((octet_length(tokens) >= 113) AND (get_byte(tokens, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_tax_authority_connections(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.tax_authority_connections t where t.id = row_id); end $function$;
create table clearances (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  authority text not null,
  environment text,
  status text not null default 'PENDING'::text,
  request jsonb,
  attempts integer not null default 0,
  claimed_until timestamp with time zone,
  next_attempt_at timestamp with time zone,
  submitted_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  number text,
  source text,
  reasons jsonb not null default '[]'::jsonb,
  error text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint clearances_pkey PRIMARY KEY (organization_id, document_id),
  constraint clearances_authority_check CHECK ((authority <> ''::text)),
  constraint clearances_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint clearances_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'ERROR'::text]))),
  constraint clearances_attempts_check CHECK ((attempts >= 0)),
  constraint clearances_source_check CHECK ((source = ANY (ARRAY['AUTHORITY'::text, 'MANUAL'::text]))),
  constraint clearances_error_check CHECK ((error <> ''::text)),
  constraint approved_with_number CHECK ((((status = 'APPROVED'::text) = (number IS NOT NULL)) AND ((number IS NULL) = (source IS NULL)))),
  constraint decided_with_time CHECK (((status = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])) = (decided_at IS NOT NULL))),
  constraint rejected_with_reasons CHECK (((status <> 'REJECTED'::text) OR ((error IS NOT NULL) AND (jsonb_array_length(reasons) > 0)))),
  constraint failed_with_error CHECK (((status <> 'ERROR'::text) OR (error IS NOT NULL))),
  constraint request_names_document CHECK (((request IS NULL) OR ((request ->> 'invoice_id'::text) = (document_id)::text))),
  constraint approved_after_request CHECK (((source IS DISTINCT FROM 'AUTHORITY'::text) OR (request IS NOT NULL))),
  constraint clearances_number_check CHECK ((number ~
CASE
    WHEN (authority = 'sg-invoicenow'::text) THEN '^[0-9A-Za-z][0-9A-Za-z._:-]{0,99}$'::text
    ELSE '^[0-9]+$'::text
END))
);
CREATE OR REPLACE FUNCTION public.guard_clearance()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if old.source = 'AUTHORITY' then
    raise exception 'The authority has allocated a number to the document.' using errcode = 'check_violation', constraint = 'allocated_number_is_final';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.follow_allocation_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  allocated text;
begin
  select c.number into allocated from clearances c
    where c.organization_id = new.organization_id and c.document_id = new.id and c.source = 'AUTHORITY';
  if found then
    if allocated is distinct from new.vat_allocation_number then
      raise exception 'The authority has allocated a number to the document.' using errcode = 'check_violation', constraint = 'allocated_number_is_final';
    end if;
    return null;
  end if;
  update clearances c set status = 'APPROVED', number = new.vat_allocation_number, source = 'MANUAL', decided_at = now(), error = null,
      reasons = '[]', claimed_until = null, next_attempt_at = null
    where c.organization_id = new.organization_id and c.document_id = new.id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.submit_on_issue()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from organization_settings s where s.organization_id = new.organization_id and s.clear_on_issue)
    and ((new.tax_minor > 0 and new.document_type <> 'CREDIT_MEMO')
      or exists (select from organizations o where o.id = new.organization_id and o.country = 'SG')) then
    perform graphile_worker.add_job('clear-document', json_build_object('documentId', new.id), job_key => 'clear-document:' || new.id,
      flags => array['organization:' || new.organization_id]);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.lost_clearances()
 RETURNS TABLE(organization_id uuid, id uuid, submitted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select c.organization_id, c.document_id, c.submitted_at from public.clearances c
  where (c.status = 'PENDING' or (c.status = 'ERROR' and c.next_attempt_at is not null)) and coalesce(c.claimed_until < now(), true)
    and c.document_id::text not in (select queued_job_subjects('clear-document', 'documentId'));
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_clearances(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('clear-document', 'documentId', lost.organization_id, lost.id))
  from (select * from lost_clearances() c order by c.submitted_at, c.id limit most) lost
$function$;
create table employees (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  user_id uuid,
  employee_number text,
  job_title text,
  id_number text,
  email text,
  phone text,
  address text,
  notes text,
  start_date date not null,
  end_date date,
  currency text not null,
  payslip_language text,
  bank_name text,
  bank_code text,
  branch_code text,
  account_number text,
  account_name text,
  account_type text,
  iban text,
  swift_code text,
  routing_number text,
  opening jsonb,
  import_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint employees_pkey PRIMARY KEY (organization_id, id),
  constraint one_employee_per_user UNIQUE (organization_id, user_id),
  constraint one_employee_per_number UNIQUE (organization_id, employee_number),
  constraint employees_employee_number_check CHECK ((employee_number <> ''::text)),
  constraint employees_job_title_check CHECK ((job_title <> ''::text)),
  constraint employees_id_number_check CHECK ((id_number <> ''::text)),
  constraint employees_email_check CHECK ((email <> ''::text)),
  constraint employees_phone_check CHECK ((phone <> ''::text)),
  constraint employees_address_check CHECK ((address <> ''::text)),
  constraint employees_notes_check CHECK ((notes <> ''::text)),
  constraint employees_currency_check CHECK ((currency <> ''::text)),
  constraint employees_payslip_language_check CHECK ((payslip_language = ANY (ARRAY['en'::text, 'he'::text, 'both'::text]))),
  constraint employees_bank_name_check CHECK ((bank_name <> ''::text)),
  constraint employees_bank_code_check CHECK ((bank_code <> ''::text)),
  constraint employees_branch_code_check CHECK ((branch_code <> ''::text)),
  constraint employees_account_number_check CHECK ((account_number <> ''::text)),
  constraint employees_account_name_check CHECK ((account_name <> ''::text)),
  constraint employees_account_type_check CHECK ((account_type = ANY (ARRAY['CHECKING'::text, 'SAVINGS'::text]))),
  constraint employees_iban_check CHECK ((iban <> ''::text)),
  constraint employees_swift_code_check CHECK ((swift_code <> ''::text)),
  constraint employees_routing_number_check CHECK ((routing_number <> ''::text)),
  constraint employees_opening_check CHECK ((jsonb_typeof(opening) = 'object'::text)),
  constraint employed_before_leaving CHECK ((end_date >= start_date))
);
CREATE OR REPLACE FUNCTION public.owner_of_employees(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.employees t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.mark_employee()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update customers c set is_employee = tg_op = 'INSERT' where c.organization_id = coalesce(new.organization_id, old.organization_id) and c.id = coalesce(new.id, old.id);
  if tg_op = 'INSERT' and not exists (select from customers c where c.organization_id = new.organization_id and c.id = new.id and c.kind = 'INDIVIDUAL') then
    raise exception 'An employee is a person.' using errcode = 'check_violation', constraint = 'employee_is_person';
  end if;
  return null;
end $function$;
create table employee_terms (
  organization_id uuid not null default current_organization(),
  employee_id uuid not null,
  since date not null,
  wage_minor bigint not null,
  facts jsonb not null default '{}'::jsonb,
  changed_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint employee_terms_pkey PRIMARY KEY (organization_id, employee_id, since),
  constraint employee_terms_wage_minor_check CHECK ((wage_minor >= 0)),
  constraint employee_terms_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text))
);
create table payslips (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  employee_id uuid not null,
  month date not null,
  period_start date not null,
  period_end date not null,
  is_final boolean not null,
  gross_minor bigint not null,
  reimbursements_minor bigint not null,
  deductions_minor bigint not null,
  net_minor bigint not null,
  contributions_minor bigint not null,
  wage_minor bigint not null,
  tables text not null,
  facts jsonb not null,
  bases jsonb not null,
  corrections jsonb not null default '{}'::jsonb,
  inputs jsonb not null,
  work jsonb,
  warnings jsonb not null default '[]'::jsonb,
  terms_at timestamp with time zone not null,
  computed_at timestamp with time zone not null default now(),
  voided_at timestamp with time zone,
  constraint payslips_pkey PRIMARY KEY (organization_id, id),
  constraint payslips_reimbursements_minor_check CHECK ((reimbursements_minor >= 0)),
  constraint payslips_wage_minor_check CHECK ((wage_minor >= 0)),
  constraint payslips_tables_check CHECK ((tables <> ''::text)),
  constraint payslip_of_month CHECK (((month = (date_trunc('month'::text, (month)::timestamp with time zone))::date) AND ((period_start >= month) AND (period_start <= period_end)) AND (period_end < ((month + '1 mon'::interval))::date))),
  constraint net_is_gross_less_deductions CHECK (((net_minor = (gross_minor - deductions_minor)) AND (net_minor >= 0)))
);
CREATE OR REPLACE FUNCTION public.owner_of_payslips(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.payslips t where t.id = row_id); end $function$;
create table payslip_lines (
  organization_id uuid not null default current_organization(),
  payslip_id uuid not null,
  "position" smallint not null,
  kind text not null,
  code text not null,
  description text not null,
  amount_minor bigint not null,
  corrects date,
  steps jsonb not null default '[]'::jsonb,
  constraint payslip_lines_pkey PRIMARY KEY (organization_id, payslip_id, "position"),
  constraint payslip_lines_kind_check CHECK ((kind = ANY (ARRAY['EARNING'::text, 'REIMBURSEMENT'::text, 'DEDUCTION'::text, 'CONTRIBUTION'::text]))),
  constraint payslip_lines_code_check CHECK ((code <> ''::text)),
  constraint payslip_lines_description_check CHECK ((description <> ''::text))
);
create table payslip_consents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  affirmed boolean not null,
  consented_at timestamp with time zone,
  attachment_id uuid,
  final_authorized boolean not null,
  applied_minor bigint not null,
  rule text not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint payslip_consents_pkey PRIMARY KEY (organization_id, id),
  constraint payslip_consents_applied_minor_check CHECK ((applied_minor >= 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_payslip_consents(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.payslip_consents t where t.id = row_id); end $function$;
create table leave_claims (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  scheme text not null,
  covers_until date not null,
  constraint leave_claims_pkey PRIMARY KEY (organization_id, id),
  constraint leave_claims_scheme_check CHECK ((scheme <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_leave_claims(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.leave_claims t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.follow_document_of_payslip()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  update payslips p set voided_at = new.cancelled_at where p.organization_id = new.organization_id and p.id = new.id;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_payslip()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if to_jsonb(new) - 'voided_at' is not distinct from to_jsonb(old) - 'voided_at' then return new; end if;
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_payslip_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from (select distinct l.organization_id, l.payslip_id from changed l) l
      join documents d on d.organization_id = l.organization_id and d.id = l.payslip_id where d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.require_payslip_adds_up()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from payslips p join documents d on d.organization_id = p.organization_id and d.id = p.id
      cross join lateral (select coalesce(sum(l.amount_minor) filter (where l.kind in ('EARNING', 'REIMBURSEMENT')), 0) as gross,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'REIMBURSEMENT'), 0) as reimbursements,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'DEDUCTION'), 0) as deductions,
        coalesce(sum(l.amount_minor) filter (where l.kind = 'CONTRIBUTION'), 0) as contributions
        from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id) s
      cross join lateral (select coalesce(sum(l.amount_minor), 0) as total, coalesce(sum(l.amount_minor) filter (where l.id = 'NET'), 0) as net
        from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id) o
      where p.organization_id = new.organization_id and p.id = new.id
        and ((s.gross, s.reimbursements, s.deductions, s.contributions) <> (p.gross_minor, p.reimbursements_minor, p.deductions_minor, p.contributions_minor)
          or d.total_minor <> p.gross_minor + p.contributions_minor or d.counterparty_id <> p.employee_id
          or o.net <> p.net_minor or o.total <> d.total_minor)) then
    raise exception 'The lines of a payslip add up to its amounts.' using errcode = 'check_violation', constraint = 'payslip_adds_up';
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.delete_payslip(payslip uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  wanted uuid[] := array(select c.id from leave_claims c where c.organization_id = current_organization() and c.payslip_id = payslip) || payslip;
begin
  if exists (select from documents d where d.organization_id = current_organization() and d.id = any (wanted) and (d.issued_at is not null or d.paid_minor > 0))
    or not exists (select from payslips p where p.organization_id = current_organization() and p.id = payslip) then
    return false;
  end if;
  delete from allocations a where a.organization_id = current_organization() and a.document_id = any (wanted) and a.voided_at is not null;
  delete from documents d where d.organization_id = current_organization() and d.id = any (wanted);
  return true;
end $function$;
create table received_einvoices (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  environment text not null,
  access_point_id text not null,
  sender text,
  outcome text not null,
  reason text,
  expense_id uuid,
  received_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint received_einvoices_pkey PRIMARY KEY (organization_id, id),
  constraint received_einvoices_are_taken_once UNIQUE (organization_id, environment, access_point_id),
  constraint received_einvoices_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint received_einvoices_access_point_id_check CHECK (((length(access_point_id) >= 1) AND (length(access_point_id) <= 200))),
  constraint received_einvoices_sender_check CHECK ((length(sender) <= 200)),
  constraint received_einvoices_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'UNREAD'::text, 'DUPLICATE'::text]))),
  constraint received_einvoices_reason_check CHECK ((length(reason) <= 2000)),
  constraint received_einvoices_say_why CHECK (((outcome = 'CREATED'::text) OR (reason IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_received_einvoices(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.received_einvoices t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.start_receiving()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform graphile_worker.add_job('receive-einvoices', json_build_object('connectionId', c.id), run_at => now() + random() * interval '8 minutes',
    job_key => 'receive-einvoices:' || c.id, flags => array['organization:' || c.organization_id])
  from public.tax_authority_connections c where c.integration_id = 'sg-invoicenow' and c.validation_error is null;
end $function$;
CREATE OR REPLACE FUNCTION public.reads_payroll()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(current_setting('app.payroll', true), '') = 'all'
$function$;
CREATE OR REPLACE FUNCTION public.reads_own_payroll()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(current_setting('app.payroll', true), '') in ('all', 'own')
$function$;
CREATE OR REPLACE FUNCTION public.payroll_rights(role member_role, needed member_role, scopes text[], fitting text[], everywhere boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when fitting && array['payroll:read', 'payroll:write'] and needed < 'CONTRIBUTOR' then 'own'
    when everywhere then case when fitting && array['payroll:read', 'payroll:write'] then 'all' else '' end
    when role >= 'CONTRIBUTOR' and role >= needed and (scopes is null or fitting && array['payroll:read', 'payroll:write']
      or scopes && array['payroll:read', 'payroll:*', '*:read', '*:*']) then 'all'
    else '' end
$function$;
CREATE OR REPLACE FUNCTION public.payroll_table(name text, own text, commands text DEFAULT 'all'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create policy payroll on %I as restrictive for %s to kontor_confined, kontor_across using ((select current_user = %L or reads_payroll()) or %s)',
    name, commands, current_user, own);
end $function$;
CREATE OR REPLACE FUNCTION public.payroll_lines(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET jit TO 'off'
AS $function$
  with kinds (document_ids, payment_ids) as materialized (
    select array(select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')),
      array(select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM'))
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_closed(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_payments(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])
      union all
      select * from journal_of_allocations(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])) l
  ), lines as (
    select b.organization_id, b.day, b.event, b.event_id, b.direction, b.line, b.account, b.bank_account_id, b.sign * b.minor as minor, b.currency,
      b.sign * b.home_minor as home_minor, b.home, b.exchange_rate
    from signed b where b.minor <> 0
    union all
    select b.organization_id, b.day, b.event, b.event_id, b.direction, 9, b.rest, null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
    from signed b where b.currency <> b.home
    group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
    having sum(b.sign * b.home_minor) <> 0
  )
  select j.organization_id, j.day, j.event, j.event_id, j.line, coalesce(bank.account_id, standard.account_id), j.currency, j.home, j.exchange_rate,
    sum(j.minor)::bigint, sum(j.home_minor)::bigint
  from lines j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$function$;
CREATE OR REPLACE FUNCTION public.month_end(day date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when isfinite(day) then (date_trunc('month', day::timestamp) + interval '1 month - 1 day')::date else day end
$function$;
CREATE OR REPLACE FUNCTION public.month_start(day date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when isfinite(day) then date_trunc('month', day::timestamp)::date else day end
$function$;
CREATE OR REPLACE FUNCTION public.payroll_months(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET jit TO 'off'
AS $function$
  select m.organization_id, m.day, ('ffffffff-ffff-ffff-ffff-' || to_char(m.day, 'YYYYMM') || 'ffffff')::uuid,
    (row_number() over (partition by m.organization_id, m.day order by m.account_id, m.currency, m.home_currency))::integer,
    m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from (
    select l.organization_id, month_end(l.day) as day, l.account_id, l.currency, l.home_currency, case when bool_or(l.exchange_rate is null) then null else max(l.exchange_rate) end as exchange_rate,
      sum(l.minor)::bigint as minor, sum(l.home_minor)::bigint as home_minor
    from payroll_lines(month_start(first_day), month_end(last_day)) l
    where month_end(l.day) between first_day and last_day
    group by 1, 2, 3, 4, 5 having sum(l.minor) <> 0 or sum(l.home_minor) <> 0) m
$function$;
CREATE OR REPLACE FUNCTION public.visible_lines(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select b.* from booked_lines(first_day, first_id, last_day, last_id) b
  where (select reads_payroll())
    or (b.document_id is null or b.document_id not in (select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
      and (b.payment_id is null or b.payment_id not in (select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
  union all
  select m.organization_id, m.day, 'PAYROLL', m.event_id, null, null, null, m.line, m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from payroll_months(first_day, last_day) m
  where not (select reads_payroll()) and (m.day, m.event_id) >= (first_day, first_id) and (m.day, m.event_id) <= (last_day, last_id)
$function$;
CREATE OR REPLACE FUNCTION public.visible_lines(first_day date, last_day date)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select * from visible_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$function$;
CREATE OR REPLACE FUNCTION public.visible_balances(first_day date, last_day date, of_basis text)
 RETURNS TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select b.* from journal_balances(first_day, last_day, of_basis) b
  where (select reads_payroll()) or of_basis = 'ACCRUAL' or b.account_id is null or b.account_id not in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
  union all
  select l.day, l.account_id, l.home_currency, face_currency(l.currency, l.home_currency, l.exchange_rate), -sum(greatest(l.home_minor, 0))::bigint,
    -sum(greatest(-l.home_minor, 0))::bigint, -count(*)
  from payroll_lines(first_day, last_day) l where not (select reads_payroll()) and of_basis = 'ACCRUAL' group by 1, 2, 3, 4
  union all
  select m.day, m.account_id, m.home_currency, face_currency(m.currency, m.home_currency, m.exchange_rate), greatest(m.home_minor, 0), greatest(-m.home_minor, 0), 1
  from payroll_months(first_day, last_day) m where not (select reads_payroll()) and of_basis = 'ACCRUAL'
  union all
  select c.day, c.account_id, c.home_currency, c.face_currency, greatest(c.minor, 0), greatest(-c.minor, 0), 1
  from (select month_end(b.day) as day, b.account_id, b.home_currency, b.face_currency, sum(b.debit_minor - b.credit_minor)::bigint as minor
    from journal_balances(month_start(first_day), last_day, 'CASH') b
    where not (select reads_payroll()) and of_basis = 'CASH' and month_end(b.day) between first_day and last_day
      and b.account_id in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
    group by 1, 2, 3, 4) c
$function$;
CREATE OR REPLACE FUNCTION public.advance_run(run uuid, held bigint, ended jsonb, begun jsonb, over boolean, time_limit interval)
 RETURNS TABLE(id uuid, block_id text, element integer, element_key text, attempt integer)
 LANGUAGE plpgsql
AS $function$
begin
  if over then
    update automation_runs r set status = 'SUCCEEDED', finished_at = clock_timestamp(), token = greatest(held, 1)
    where r.id = run and r.token = held and r.status = 'RUNNING';
  elsif held = 0 then
    update automation_runs r set token = 1, deadline = now() + time_limit
    where r.id = run and r.token = 0 and r.status = 'RUNNING';
  else
    perform from automation_runs r where r.id = run and r.token = held and r.status = 'RUNNING' for share;
  end if;
  if not found then
    if exists (select from automation_runs r where r.id = run) then
      raise exception 'Another worker has claimed this run.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
    raise exception 'A step deletes its own run.' using errcode = 'check_violation', constraint = 'own_run';
  end if;
  if ended is not null then
    update automation_steps s set status = 'SUCCEEDED', output = ended -> 'output', error = null,
      feature = coalesce(ended ->> 'feature', s.feature), warnings = nullif(ended -> 'warnings', 'null'),
      is_truncated = coalesce((ended ->> 'isTruncated')::boolean, false),
      finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
    where s.id = (ended ->> 'stepId')::uuid and s.run_id = run and s.status = 'RUNNING';
    if not found then
      raise exception 'The step has ended already.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
  end if;
  if begun is null then return; end if;
  return query
  insert into automation_steps as s (id, run_id, block_id, element, element_key, ref, feature, status, input, output, warnings,
    is_truncated, started_at, finished_at, latency_ms)
  select t.id, run, t."blockId", t.element, coalesce(t."elementKey", case when t.element >= 0 then '#' || t.element else '' end),
    t.ref, t.feature, t.status, t.input, t.output, nullif(t.warnings, 'null'), coalesce(t."isTruncated", false),
    case when t.status <> 'SKIPPED' then clock_timestamp() - make_interval(secs => coalesce(t."startedMsAgo", 0) / 1000.0) end,
    case when t.status <> 'RUNNING' then clock_timestamp() - make_interval(secs => coalesce(t."endedMsAgo", 0) / 1000.0) end,
    t."startedMsAgo" - t."endedMsAgo"
  from jsonb_to_recordset(begun) as t (id uuid, "blockId" text, element integer, "elementKey" text, ref text, feature text,
    status text, input jsonb, output jsonb, warnings jsonb, "isTruncated" boolean, "startedMsAgo" integer, "endedMsAgo" integer)
  on conflict on constraint one_step_per_element do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input, element = excluded.element,
    output = excluded.output, warnings = excluded.warnings, is_truncated = excluded.is_truncated, error = null,
    started_at = excluded.started_at, finished_at = excluded.finished_at, latency_ms = excluded.latency_ms,
    attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was interrupted
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.element_key, s.attempt;
end $function$;
CREATE OR REPLACE FUNCTION public.start_next_of_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  following record;
begin
  if not exists (select from automation_runs r where r.organization_id = new.organization_id
      and r.automation_id = new.automation_id and r.record_id = new.record_id and r.status = 'RUNNING') then
    return null; -- an event that adds one at this moment holds a lock on this run, or sees its end
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.automation_id::text || ':' || new.record_id, 0));
  select r.id, r.token, r.place, r.waits into following from automation_runs r
  where r.organization_id = new.organization_id and r.automation_id = new.automation_id and r.record_id = new.record_id
    and r.status = 'RUNNING' order by r.place limit 1;
  -- It has not begun, and waited for this run. If this run was replayed, its first end has started the other already.
  if following.waits and following.token = 0 and following.place > new.place
      and (new.token <= 1 or not run_has_job(following.id)) then
    perform enqueue('run-automation', jsonb_build_object('runId', following.id));
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.clear_turn()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.waits_until := null;
  if new.status <> 'RUNNING' then
    new.turn_at := null;
    new.turn_tokens := null;
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.take_tokens_in_advance(bucket text, per_second double precision, burst integer, wanted integer, ahead_max double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  moment timestamptz;
  was timestamptz;
  wait double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  if was > moment + make_interval(secs => burst / per_second + ahead_max) then
    was := moment + make_interval(secs => burst / per_second);
  end if;
  was := greatest(was, moment);
  wait := greatest(0, extract(epoch from was - moment) + (wanted - burst) / per_second - 1e-6);
  if wait > ahead_max then return null; end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return wait;
end $function$;
CREATE OR REPLACE FUNCTION public.end_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from automation_steps s
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING', 'FAILED'))
  then return null; end if;
  update automation_steps s set status = 'FAILED', finished_at = now(),
    error = coalesce(s.error || ' ', '') || case when new.status = 'SUCCEEDED'
      then 'The step was not tried again: it is no longer part of the graph.' else coalesce(new.error, 'The run ended before the step.') end
  where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING');
  if new.status = 'SUCCEEDED' then
    -- The block is still there, so its element is not: the run would not have succeeded without it.
    update automation_steps s set status = 'SKIPPED', error = coalesce(s.error || ' ', '') || 'The step was not tried again: its element is no longer in the list.'
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status = 'FAILED'
      and exists (select from automation_graphs g, jsonb_array_elements(g.blocks) block
        where g.organization_id = new.organization_id and g.id = new.graph_id and block ->> 'id' = s.block_id);
  end if;
  return null;
end $function$;
create table automation_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  value bytea not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  value_key_id uuid generated always as ((encode(SUBSTRING(value FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint automation_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint automation_secrets_organization_id_name_key UNIQUE (organization_id, name),
  constraint automation_secrets_name_check CHECK ((name ~ '^[A-Z][A-Z0-9_]{0,63}$'::text)),
  constraint automation_secrets_value_is_sealed CHECK (((octet_length(value) >= 113) AND (get_byte(value, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_secrets(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_secrets t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.limit_automation_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if (select count(*) from automation_secrets s where s.organization_id = new.organization_id) >= 50 then
    raise exception 'An organization can have at most 50 secrets for automations.'
      using errcode = 'check_violation', constraint = 'at_most_50_automation_secrets';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.cancel_runs(automation uuid, only_run uuid, reason text, interrupted text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  cancelled uuid[];
begin
  if only_run is null then
    -- Waits for events that are starting a run of it.
    perform from automations a where a.organization_id = current_organization() and a.id = automation for update;
    perform set_config('app.stopped_automation', automation::text, true);
  end if;
  select coalesce(array_agg(running.id), '{}') into cancelled from (
    select r.id from automation_runs r
    where r.organization_id = current_organization() and r.automation_id = automation and r.status = 'RUNNING'
      and (only_run is null or r.id = only_run) order by r.id for no key update) running;
  update automation_runs r set status = 'CANCELLED', error = reason, finished_at = clock_timestamp(), token = r.token + 1
  where r.organization_id = current_organization() and r.id = any (cancelled);
  -- A statement of its own, so that it sees the steps that were recorded while the runs were waited for.
  update automation_steps s set status = case s.status when 'PENDING' then 'SKIPPED' else 'FAILED' end,
    error = case s.status when 'PENDING' then s.error else interrupted end, finished_at = clock_timestamp()
  where s.organization_id = current_organization() and s.run_id = any (cancelled) and s.status in ('PENDING', 'RUNNING');
  return cardinality(cancelled);
end $function$;
CREATE OR REPLACE FUNCTION public.raise_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  new.saved_at := now();
  new.saved_by_user_id := current_person();
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.own_table(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform organization_table(name);
  -- The owner of the tables has both roles too.
  execute format('create policy own on %I as restrictive to kontor_confined, kontor_across using ((select current_user = %L) or user_id = (select current_person()))',
    name, current_user);
end $function$;
create table companion_sessions (
  organization_id uuid not null default current_organization(),
  key uuid not null,
  user_id uuid not null default current_person(),
  id text not null,
  title text not null,
  icon text,
  archived boolean not null default false,
  last_seq bigint not null default 0,
  last_index integer not null default 0,
  memory jsonb,
  last_activity_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_sessions_pkey PRIMARY KEY (organization_id, key),
  constraint one_session_per_id UNIQUE (user_id, id),
  constraint companion_sessions_id_check CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
  constraint companion_sessions_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint companion_sessions_icon_check CHECK (((length(icon) >= 1) AND (length(icon) <= 100)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_session(source text, credential bytea, person uuid, session text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  caller uuid;
begin
  if source = 'API_KEY' then select k.user_id into caller from api_keys k where k.secret_hash = credential;
  elsif source = 'SESSION' then select s.user_id into caller from sessions s where s.secret_hash = credential;
  elsif source = 'OAUTH' then
    select a.user_id into caller from oauth_tokens t join connected_apps a on a.id = t.app_id
    where t.secret_hash = credential and t.kind = 'AccessToken';
  else caller := person; end if;
  return (select c.organization_id from companion_sessions c where c.user_id = caller and c.id = session);
end $function$;
create table companion_turns (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person(),
  number integer not null,
  source text not null,
  credential_hash bytea,
  confirms_step_id uuid,
  status text not null default 'RUNNING'::text,
  lease uuid,
  held_until timestamp with time zone,
  error text,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  fed_by text[] not null default '{}'::text[],
  fed_role member_role,
  fed_scopes text[],
  constraint companion_turns_pkey PRIMARY KEY (organization_id, id),
  constraint one_turn_per_number UNIQUE (organization_id, session_key, number),
  constraint companion_turns_source_check CHECK ((source = ANY (ARRAY['SESSION'::text, 'API_KEY'::text, 'OAUTH'::text]))),
  constraint companion_turns_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint companion_turns_error_check CHECK ((length(error) <= 2000)),
  constraint held_turns CHECK (((lease IS NULL) = (held_until IS NULL))),
  constraint ended_turns CHECK (((status = 'RUNNING'::text) = (finished_at IS NULL))),
  constraint failed_turns_say_why CHECK (((status <> 'FAILED'::text) OR (error IS NOT NULL))),
  constraint ended_turns_have_no_credential CHECK (((status = 'RUNNING'::text) OR (credential_hash IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_turns(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_turns t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.keep_ended_turns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'RUNNING' then
    raise exception 'This turn has ended.' using errcode = 'check_violation', constraint = 'turn_has_ended';
  end if;
  return new;
end $function$;
create table companion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person(),
  turn_id uuid,
  role text not null,
  index integer not null,
  text text,
  attachments jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_message_per_index UNIQUE (organization_id, session_key, index),
  constraint companion_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
  constraint companion_messages_attachments_check CHECK (((attachments IS NULL) OR (jsonb_typeof(attachments) = 'array'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_messages(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_messages t where t.id = row_id); end $function$;
create table companion_steps (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  turn_id uuid not null,
  executed_by_turn_id uuid,
  user_id uuid not null default current_person(),
  kind text not null,
  ref text,
  parent_id uuid,
  "order" integer not null,
  input jsonb,
  output jsonb,
  status text not null,
  error text,
  expires_at timestamp with time zone,
  interrupted boolean not null default false,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint companion_steps_pkey PRIMARY KEY (organization_id, id),
  constraint companion_steps_kind_check CHECK ((kind = ANY (ARRAY['TOOL'::text, 'AGENT'::text, 'WORKFLOW'::text, 'TEXT'::text]))),
  constraint companion_steps_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text]))),
  constraint companion_steps_error_check CHECK ((length(error) <= 2000)),
  constraint pending_steps_expire CHECK (((status <> 'PENDING'::text) OR (expires_at IS NOT NULL))),
  constraint ended_steps CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text])) = (finished_at IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_steps(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_steps t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.keep_ended_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- What an interrupted step did outside the database is recorded when it is known.
  if (old.status in ('SUCCEEDED', 'FAILED', 'SKIPPED') and not old.interrupted) or (old.status <> 'PENDING' and new.status = 'PENDING') then
    raise exception 'This step has ended.' using errcode = 'check_violation', constraint = 'step_has_ended';
  end if;
  if (new.ref, new.input) is distinct from (old.ref, old.input) then
    raise exception 'A step keeps its call.' using errcode = 'check_violation', constraint = 'step_keeps_its_call';
  end if;
  return new;
end $function$;
create table companion_events (
  organization_id uuid not null default current_organization(),
  session_key uuid not null,
  seq bigint not null,
  user_id uuid not null default current_person(),
  turn_id uuid not null,
  kind text not null,
  step_id uuid,
  delta text,
  data jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_events_pkey PRIMARY KEY (organization_id, session_key, seq),
  constraint companion_events_kind_check CHECK ((kind = ANY (ARRAY['token'::text, 'step'::text, 'turn'::text]))),
  constraint tokens_have_text CHECK (((kind = 'token'::text) = (delta IS NOT NULL)))
);
create table companion_usage (
  organization_id uuid not null default current_organization(),
  day date not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  constraint companion_usage_pkey PRIMARY KEY (organization_id, day),
  constraint companion_usage_input_tokens_check CHECK ((input_tokens >= 0)),
  constraint companion_usage_output_tokens_check CHECK ((output_tokens >= 0)),
  constraint companion_usage_cost_micros_check CHECK ((cost_micros >= 0))
);
CREATE OR REPLACE FUNCTION public.append_companion_events(session uuid, turn uuid, kinds text[], steps uuid[], deltas text[], datas jsonb[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last bigint;
begin
  update companion_sessions s set last_seq = s.last_seq + cardinality(kinds), last_activity_at = clock_timestamp()
  where s.organization_id = current_organization() and s.key = session returning s.last_seq - cardinality(kinds) into last;
  if last is null then return; end if; -- it was deleted
  insert into companion_events (session_key, seq, turn_id, kind, step_id, delta, data)
  select session, last + n, turn, kinds[n], steps[n], deltas[n], datas[n] from generate_subscripts(kinds, 1) n;
  perform pg_notify('companion', session::text);
end $function$;
CREATE OR REPLACE FUNCTION public.hold_turn(turn uuid, holder uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  session uuid;
begin
  select t.session_key into session from companion_turns t
  where t.organization_id = current_organization() and t.id = turn and t.status = 'RUNNING' and t.lease = holder for no key update;
  if session is null then
    raise exception 'This turn has ended.' using errcode = 'check_violation', constraint = 'turn_has_ended';
  end if;
  return session;
end $function$;
CREATE OR REPLACE FUNCTION public.say_in_turn(turn uuid, holder uuid, deltas text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform append_companion_events(hold_turn(turn, holder), turn, array_fill('token'::text, array[cardinality(deltas)]),
    array_fill(null::uuid, array[cardinality(deltas)]), deltas, array_fill(null::jsonb, array[cardinality(deltas)]));
end $function$;
CREATE OR REPLACE FUNCTION public.step_event(s companion_steps)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('id', s.id, 'kind', s.kind, 'ref', s.ref, 'parentId', s.parent_id, 'order', s."order", 'status', s.status,
    'error', s.error, 'output', case when s.status = 'PENDING' then s.output end)
$function$;
CREATE OR REPLACE FUNCTION public.begin_step(turn uuid, holder uuid, step uuid, tool text, given jsonb, begun text, shown jsonb, expires interval)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  session uuid := hold_turn(turn, holder);
  added companion_steps;
begin
  insert into companion_steps (id, session_key, turn_id, kind, ref, "order", input, output, status, expires_at)
  select step, session, turn, 'TOOL', tool, coalesce(max(s."order"), 0) + 1, given, shown, begun, now() + expires
  from companion_steps s where s.organization_id = current_organization() and s.turn_id = turn
  returning * into added;
  perform append_companion_events(session, turn, '{step}', array[step], array[null::text], array[step_event(added)]);
end $function$;
CREATE OR REPLACE FUNCTION public.end_step(turn uuid, holder uuid, step uuid, ended text, result jsonb, reason text, settles boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  changed companion_steps;
begin
  if not settles then perform hold_turn(turn, holder); end if;
  update companion_steps s set status = ended, output = result, error = reason, finished_at = clock_timestamp(), interrupted = false
  where s.organization_id = current_organization() and s.id = step returning * into changed;
  if changed.id is null then return; end if; -- the session was deleted
  perform append_companion_events(changed.session_key, turn, '{step}', array[step], array[null::text], array[step_event(changed)]);
end $function$;
CREATE OR REPLACE FUNCTION public.begin_confirmed_step(turn uuid, holder uuid, step uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  session uuid := hold_turn(turn, holder);
  changed companion_steps;
begin
  update companion_steps s set status = 'RUNNING', executed_by_turn_id = turn
  where s.organization_id = current_organization() and s.id = step and s.session_key = session and s.status = 'PENDING' and s.expires_at > now()
  returning * into changed;
  if changed.id is null then return false; end if;
  perform append_companion_events(session, turn, '{step}', array[step], array[null::text], array[step_event(changed)]);
  return true;
end $function$;
CREATE OR REPLACE FUNCTION public.skip_pending_steps(turn uuid, session uuid, except_step uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  skipped companion_steps;
begin
  for skipped in update companion_steps s set status = 'SKIPPED', error = reason, finished_at = clock_timestamp()
    where s.organization_id = current_organization() and s.session_key = session and s.status = 'PENDING' and s.id is distinct from except_step
    returning s.* loop
    perform append_companion_events(session, turn, '{step}', array[skipped.id], array[null::text], array[step_event(skipped)]);
  end loop;
end $function$;
CREATE OR REPLACE FUNCTION public.end_turn(turn uuid, ended text, reason text, interrupted text, remembered jsonb, message uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  session uuid;
  said text;
  at_index integer;
  failed companion_steps;
  next uuid;
begin
  update companion_turns t set status = ended, error = reason, finished_at = clock_timestamp(), credential_hash = null
  where t.organization_id = current_organization() and t.id = turn returning t.session_key into session;
  if ended <> 'SUCCEEDED' then perform skip_pending_steps(turn, session, null, 'The turn ended without an answer.'); end if;
  for failed in update companion_steps s set status = 'FAILED', error = end_turn.interrupted, finished_at = clock_timestamp(), interrupted = true
    where s.organization_id = current_organization() and (s.turn_id = turn or s.executed_by_turn_id = turn) and s.status = 'RUNNING'
    returning s.* loop
    perform append_companion_events(session, turn, '{step}', array[failed.id], array[null::text], array[step_event(failed)]);
  end loop;
  select string_agg(e.delta, '' order by e.seq) into said from companion_events e
  where e.organization_id = current_organization() and e.turn_id = turn and e.kind = 'token';
  update companion_sessions s set last_index = s.last_index + (said is not null)::integer, memory = coalesce(remembered, s.memory)
  where s.organization_id = current_organization() and s.key = session returning s.last_index into at_index;
  if said is not null then
    insert into companion_messages (id, session_key, turn_id, role, index, text) values (message, session, turn, 'assistant', at_index, said);
  end if;
  perform append_companion_events(session, turn, '{turn}', array[null::uuid], array[null::text],
    array[jsonb_build_object('turnRunId', turn, 'status', ended, 'error', reason)]);
  select t.id into next from companion_turns t where t.organization_id = current_organization() and t.session_key = session
    and t.status = 'RUNNING' and t.lease is null order by t.number limit 1;
  if next is not null then perform enqueue('run-turn', jsonb_build_object('turnId', next), job_key => 'turn:' || next); end if;
end $function$;
CREATE OR REPLACE FUNCTION public.enter_turn(turn uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  person uuid;
  done text;
begin
  if current_person() is not null then return current_person(); end if;
  select t.user_id into person from companion_turns t where t.organization_id = current_organization() and t.id = turn;
  done := set_config('app.person', coalesce(person::text, ''), true);
  done := set_config('app.payroll', '', true);
  return person;
end $function$;
CREATE OR REPLACE FUNCTION public.lost_turns()
 RETURNS TABLE(organization_id uuid, id uuid, started_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query select t.organization_id, t.id, t.started_at from public.companion_turns t
  where t.status = 'RUNNING' and t.started_at < now() - interval '30 seconds'
    and t.id::text not in (select queued_job_subjects('run-turn', 'turnId'))
    and not exists (select from public.companion_turns earlier where earlier.organization_id = t.organization_id
      and earlier.session_key = t.session_key and earlier.status = 'RUNNING' and earlier.number < t.number);
end $function$;
CREATE OR REPLACE FUNCTION public.requeue_lost_turns(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('run-turn', 'turnId', lost.organization_id, lost.id))
  from (select * from lost_turns() t order by t.started_at, t.id limit most) lost
$function$;
CREATE OR REPLACE FUNCTION public.expire_pending_steps(most integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  expired companion_steps;
  ended bigint := 0;
begin
  for expired in update companion_steps s set status = 'SKIPPED', error = 'Nobody answered within an hour.', finished_at = clock_timestamp()
    where (s.organization_id, s.id) in (select p.organization_id, p.id from companion_steps p
      where p.status = 'PENDING' and p.expires_at <= now() order by p.expires_at limit most for update skip locked) returning s.* loop
    perform set_config('app.organization', expired.organization_id::text, true), set_config('app.person', expired.user_id::text, true);
    perform append_companion_events(expired.session_key, expired.turn_id, '{step}', array[expired.id], array[null::text], array[step_event(expired)]);
    ended := ended + 1;
  end loop;
  perform set_config('app.organization', '', true), set_config('app.person', '', true);
  return ended;
end $function$;
CREATE OR REPLACE FUNCTION public.names_in_audit_log(keys uuid[], clients text[])
 RETURNS TABLE(kind text, id text, name text, prefix text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select 'API_KEY', k.id::text, k.name, k.prefix from api_keys k
  where k.id = any (keys) and exists (select from audit_log a where a.organization_id = current_organization() and a.api_key_id = k.id)
  union all
  (select distinct on (c.client_id) 'APP', c.client_id, c.client_name, null from connected_apps c
  where c.client_id = any (clients) and exists (select from audit_log a where a.organization_id = current_organization() and a.client_id = c.client_id)
  order by c.client_id, c.created_at desc)
$function$;
CREATE OR REPLACE FUNCTION public.organization_key(organization uuid, key uuid, OUT wrapped bytea, OUT kek_id text, OUT lost boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not may_use_keys_of(organization) then return; end if;
  select k.wrapped, k.kek_id, k.lost_at is not null
  into organization_key.wrapped, organization_key.kek_id, organization_key.lost
  from organization_keys k where k.organization_id = organization and k.id = key;
end $function$;
CREATE OR REPLACE FUNCTION public.lost_values()
 RETURNS TABLE(organization_id uuid, table_name text, column_name text, times bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  place record;
begin
  for place in select c.table_name, c.column_name from secret_columns() c loop
    return query execute format('select t.organization_id, %L::text, %L::text, count(*) from %I t
      join organization_keys k on k.organization_id = t.organization_id and k.id = t.%I and k.lost_at is not null group by 1',
      place.table_name, place.column_name, place.table_name, place.column_name || '_key_id');
  end loop;
end $function$;
create table backup_outcomes (
  outcome text not null,
  ended_at timestamp with time zone not null,
  bytes bigint,
  missing_files bigint,
  reason text,
  notified_at timestamp with time zone,
  constraint backup_outcomes_pkey PRIMARY KEY (outcome),
  constraint backup_outcomes_outcome_check CHECK ((outcome = ANY (ARRAY['GOOD'::text, 'FAILED'::text]))),
  constraint backup_outcomes_bytes_check CHECK ((bytes >= 0)),
  constraint backup_outcomes_missing_files_check CHECK ((missing_files >= 0))
);
CREATE OR REPLACE FUNCTION public.require_unchanged_books(taken pg_snapshot)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from audit_log a
    where a.organization_id = current_organization() and a.created_at > now() - interval '5 minutes'
      and a.xmin <> pg_current_xact_id()::xid
      and not pg_visible_in_snapshot(full_transaction_id(a.xmin), taken))
  then
    raise exception 'The books have changed meanwhile.' using errcode = 'check_violation', constraint = 'books_unchanged';
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.full_transaction_id(short xid)
 RETURNS xid8
 LANGUAGE sql
 STABLE
AS $function$
  select case when low <= current then (epoch * 4294967296 + low) else ((epoch - 1) * 4294967296 + low) end::text::xid8
  from (select short::text::bigint as low, pg_current_xact_id()::text::bigint % 4294967296 as current,
    pg_current_xact_id()::text::bigint / 4294967296 as epoch) as numbers
$function$;
create table changes (
  organization_id uuid not null,
  resource text not null,
  object_id uuid not null,
  change text not null,
  user_id uuid,
  created_at timestamp with time zone not null default now(),
  constraint changes_resource_check CHECK ((resource <> ''::text)),
  constraint changes_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text])))
);
CREATE OR REPLACE FUNCTION public.add_change(organization uuid, changed text, object uuid, operation text, person uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into changes (organization_id, resource, object_id, change, user_id)
  select organization, changed, object, case operation when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end, person
  -- The rows of a deleted organization are deleted with it.
  where organization is not null and (operation <> 'DELETE' or exists (select from organizations o where o.id = organization));
$function$;
CREATE OR REPLACE FUNCTION public.record_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if new.organization_id is not null then
    insert into changes (organization_id, resource, object_id, change)
    values (new.organization_id, tg_argv[0], new.id, case tg_op when 'INSERT' then 'created' else 'updated' end);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.record_change_of_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  document documents;
begin
  if tg_table_name = 'documents' then document := new;
  else select d.* into document from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  end if;
  perform add_change(document.organization_id, case document.kind when 'SALES' then 'documents' when 'EXPENSE' then 'expenses' else 'payslips' end,
    document.id, 'UPDATE');
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.record_change_of_batch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform add_change(new.organization_id, 'scan_batches', new.batch_id, 'UPDATE');
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.record_change_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'DELETE' then perform add_change(old.organization_id, 'members', old.user_id, tg_op);
  else perform add_change(new.organization_id, 'members', new.user_id, tg_op);
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.record_notification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform add_change(new.organization_id, 'notifications', new.id, tg_op, new.user_id);
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.search_payments(wanted text, pattern text, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select p.id from payments p where p.organization_id = current_organization() and p.kind = 'SALES' and p.reference is not null
    and search_grams(p.organization_id, p.reference) @> search_grams(current_organization(), wanted) and p.reference ilike pattern
    limit most;
end $function$;
create table preferences (
  user_id uuid not null,
  value jsonb not null default '{}'::jsonb,
  updated_at timestamp with time zone not null default now(),
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_value_check CHECK ((jsonb_typeof(value) = 'object'::text)),
  constraint preferences_within_64_kib CHECK ((octet_length((value)::text) <= 65536))
);
create table views (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  screen text not null,
  search text not null default ''::text,
  shared boolean not null default false,
  "position" integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint views_pkey PRIMARY KEY (id),
  constraint views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint views_screen_check CHECK ((screen ~ '^[a-z][a-z0-9/-]{0,59}$'::text)),
  constraint views_search_check CHECK ((length(search) <= 4000))
);
CREATE OR REPLACE FUNCTION public.owner_of_views(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.views t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.finish_job(job_id bigint, pool_id text, attempt integer, had_key boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
declare
  queue integer;
begin
  delete from graphile_worker._private_jobs j
  where j.id = job_id and j.locked_by = pool_id
    and (j.attempts = attempt or (had_key and j.key is null and j.attempts = j.max_attempts))
  returning j.job_queue_id into queue;
  if not found then
    raise exception 'Somebody else has this job now.' using errcode = 'check_violation', constraint = 'job_superseded';
  end if;
  if queue is not null then
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null where q.id = queue and q.locked_by = pool_id;
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.placed_lines(first_day date, first_id uuid, last_day date, last_id uuid)
 RETURNS TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, subject text, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select j.organization_id, j.day, j.event, j.event_id, j.document_id, j.payment_id, j.entry_id, j.direction, j.line, j.account,
    coalesce(j.account_id, bank.account_id, tax.account_id, standard.account_id), j.tax_category, j.currency, j.home_currency, j.exchange_rate,
    j.minor, j.home_minor
  from journal_lines(first_day, first_id, last_day, last_id) j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods tax on tax.organization_id = j.organization_id
    and tax.subject = case when j.tax_category like 'CATEGORY:%' then '' else 'TAX:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'LIABILITY' else 'ASSET' end
      else case j.direction when 'OUTGOING' then 'INCOME' else 'EXPENSE' end end || ':' end || j.tax_category
    and j.day >= tax.first_day and j.day < tax.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
$function$;
create type result_line as (organization_id uuid, document_id uuid, event text, day date, direction text, account text, account_id uuid, subject text, home_currency text, face_currency text, home_minor bigint);
CREATE OR REPLACE FUNCTION public.is_result_line(document_id uuid, event text, account text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select document_id is not null and (account in ('REVENUE', 'EXPENSES', 'TAX')
    or account in ('ROUNDING', 'GOODS_RECEIVED') and event in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'))
$function$;
CREATE OR REPLACE FUNCTION public.part_of(amount numeric, part numeric, upto numeric, whole numeric, is_first boolean)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (case when coalesce(whole, 0) = 0 then case when is_first is not false then amount else 0 end
    else round(amount * upto / whole) - round(amount * (upto - part) / whole) end)::bigint
$function$;
CREATE OR REPLACE FUNCTION public.divided_results(lines result_line[])
 RETURNS TABLE(organization_id uuid, document_id uuid, day date, kind text, document_type text, account_id uuid, category_id uuid, home_currency text, face_currency text, is_plain boolean, counterparty_id uuid, net_minor bigint, tax_minor bigint, goods_minor bigint, rounding_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  with parts as (
    select l.organization_id, l.document_id, l.event, l.day, l.direction, l.home_currency, case when l.account <> 'TAX' then l.account_id end as account_id,
      case when l.subject like 'CATEGORY:%' then substr(l.subject, 10)::uuid end as category_id, min(nullif(l.face_currency, '')) as face,
      sum(l.home_minor) filter (where l.account in ('REVENUE', 'EXPENSES')) as net, sum(l.home_minor) filter (where l.account = 'TAX') as tax,
      sum(l.home_minor) filter (where l.account = 'GOODS_RECEIVED') as goods, sum(l.home_minor) filter (where l.account = 'ROUNDING') as rounding
    from unnest(lines) l group by 1, 2, 3, 4, 5, 6, 7, 8
  ), placed as (
    select p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency, p.account_id, p.category_id, p.net, sum(p.net) over w as upto,
      sum(p.net) over d as all_net, count(p.net) over d as parts, row_number() over w = 1 as is_first, coalesce(sum(p.tax) over d, 0) as tax,
      coalesce(sum(p.goods) over d, 0) as goods, coalesce(sum(p.rounding) over d, 0) as rounding, coalesce(min(p.face) over d, '') as face
    from parts p
    window d as (partition by p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency),
      w as (partition by p.organization_id, p.document_id, p.event, p.day, p.direction, p.home_currency
        order by p.net is null, p.account_id nulls first, p.category_id nulls first)
  )
  select p.organization_id, p.document_id, p.day, d.kind, d.document_type, p.account_id, p.category_id, p.home_currency, p.face,
    p.event in ('ISSUED', 'CREDITED') and p.parts <= 1, d.counterparty_id,
    s.sign * coalesce(p.net, 0)::bigint, s.sign * part_of(p.tax, p.net, p.upto, p.all_net, p.is_first),
    s.sign * part_of(p.goods, p.net, p.upto, p.all_net, p.is_first), s.sign * part_of(p.rounding, p.net, p.upto, p.all_net, p.is_first)
  from placed p
  join documents d on d.organization_id = p.organization_id and d.id = p.document_id
    and d.kind = case p.direction when 'OUTGOING' then 'SALES' else 'EXPENSE' end
  cross join lateral (select case d.kind when 'SALES' then -1 else 1 end as sign) s
  where p.net is not null or p.is_first
$function$;
CREATE OR REPLACE FUNCTION public.tax_shares(organization uuid, document uuid, found numeric, base bigint, tax bigint)
 RETURNS TABLE(rate numeric, category text, base_minor bigint, tax_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select g.rate, g.category, part_of(base, g.net, g.net_upto, g.all_net, g.is_first), part_of(tax, g.weight, g.weight_upto, g.all_weight, g.is_first)
  from (select) one left join lateral (
    select l.rate, l.category, row_number() over w = 1 as is_first, l.net, sum(l.net) over w as net_upto, sum(l.net) over () as all_net,
      l.weight, sum(l.weight) over w as weight_upto, sum(l.weight) over () as all_weight
    from (select coalesce(l.tax_rate, d.tax_rate, found) as rate, tax_code(l.tax_category) as category, sum(l.amount_minor) as net,
        sum(l.amount_minor) * coalesce(l.tax_rate, d.tax_rate, found, 0) as weight
      from documents d join document_lines l on l.organization_id = d.organization_id and l.document_id = d.id
      where d.organization_id = organization and d.id = document group by 1, 2, coalesce(l.tax_rate, d.tax_rate, found, 0)) l
    window w as (order by l.rate nulls first, l.category nulls first)) g on true
$function$;
CREATE OR REPLACE FUNCTION public.found_rate(charged bigint, gross bigint, rates numeric[])
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select max(r.rate) from unnest(rates) r (rate) where charged > 0 and abs(charged - round((gross - charged) * r.rate / 100)) <= 1
$function$;
CREATE OR REPLACE FUNCTION public.bill_rate(organization uuid, document uuid, rates numeric[])
 RETURNS numeric
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select found_rate(x.charged_tax_minor, b.total_minor, rates)
  from documents d
  join expenses x on x.organization_id = d.organization_id and x.id = case when d.source_document_id is null then d.id else d.source_document_id end
  join documents b on b.organization_id = x.organization_id and b.id = x.id
  where d.organization_id = organization and d.id = document and d.tax_rate is null
$function$;
CREATE OR REPLACE FUNCTION public.divided_taxes(lines result_line[])
 RETURNS TABLE(organization_id uuid, document_id uuid, day date, direction text, rate numeric, category text, home_currency text, face_currency text, is_credit boolean, is_plain boolean, is_divided boolean, charged_minor bigint, gross_minor bigint, base_minor bigint, tax_minor bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  with booked as materialized (
    select l.organization_id, l.document_id, l.event, l.day, l.direction, l.home_currency, coalesce(min(nullif(l.face_currency, '')), '') as face,
      (case l.direction when 'OUTGOING' then -1 else 1 end * coalesce(sum(l.home_minor) filter (where l.account <> 'TAX'), 0))::bigint as base,
      (case l.direction when 'OUTGOING' then -1 else 1 end * coalesce(sum(l.home_minor) filter (where l.account = 'TAX'), 0))::bigint as tax
    from unnest(lines) l where l.account <> 'ROUNDING' group by 1, 2, 3, 4, 5, 6
  )
  select b.organization_id, b.document_id, b.day, b.direction, s.rate, s.category, b.home_currency, b.face, b.event = 'CREDITED',
    b.event in ('ISSUED', 'CREDITED') and s.parts = 1 and u.is_whole is not true, u.is_whole is not true, case when not u.is_whole then u.charged end,
    case when not u.is_whole then u.gross end, s.base_minor, s.tax_minor
  from booked b
  left join lateral (
    select x.charged_tax_minor as charged, d.total_minor as gross, g.groups > 1 or d.source_document_id is not null as is_whole
    from documents d join expenses x on x.organization_id = d.organization_id and x.id = case when d.source_document_id is null then d.id else d.source_document_id end
    cross join lateral (select count(distinct (l.tax_rate, tax_code(l.tax_category))) as groups, bool_or(l.tax_rate is null) as lacks_rate
      from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id) g
    where d.organization_id = b.organization_id and d.id = b.document_id and d.tax_rate is null and g.lacks_rate
      and (x.charged_tax_minor > 0 or d.source_document_id is not null)) u on b.direction = 'INCOMING'
  cross join lateral (
    select t.*, count(*) over () as parts from tax_shares(b.organization_id, b.document_id, null, b.base, b.tax) t where u.is_whole is not true
    union all select null, null, b.base, b.tax, 1 where u.is_whole) s
$function$;
create unlogged table journal_results_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  kind text not null,
  document_type text not null,
  account_id uuid,
  category_id uuid,
  home_currency text not null,
  face_currency text not null,
  is_plain boolean not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  goods_minor bigint not null,
  rounding_minor bigint not null,
  document_ids uuid[] not null,
  counterparty_ids uuid[] not null,
  nets bigint[] not null,
  taxes bigint[] not null,
  goods bigint[] not null,
  roundings bigint[] not null
);
alter table journal_results_by_day alter column document_ids set storage external;
alter table journal_results_by_day alter column counterparty_ids set storage external;
create unlogged table journal_taxes_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  direction text not null,
  rate numeric,
  category text,
  home_currency text not null,
  face_currency text not null,
  is_credit boolean not null,
  is_plain boolean not null,
  is_divided boolean not null,
  charged_minor bigint,
  gross_minor bigint,
  base_minor bigint not null,
  tax_minor bigint not null,
  document_ids uuid[] not null
);
alter table journal_taxes_by_day alter column document_ids set storage external;
CREATE OR REPLACE FUNCTION public.grouped_results(lines result_line[])
 RETURNS SETOF journal_results_by_day
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select d.organization_id, d.day, d.kind, d.document_type, d.account_id, d.category_id, d.home_currency, d.face_currency, d.is_plain,
    sum(d.net_minor)::bigint, sum(d.tax_minor)::bigint, sum(d.goods_minor)::bigint, sum(d.rounding_minor)::bigint,
    array_agg(d.document_id order by d.document_id), array_agg(d.counterparty_id order by d.document_id), array_agg(d.net_minor order by d.document_id), array_agg(d.tax_minor order by d.document_id),
    array_agg(d.goods_minor order by d.document_id), array_agg(d.rounding_minor order by d.document_id)
  from divided_results(lines) d group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$function$;
CREATE OR REPLACE FUNCTION public.grouped_taxes(lines result_line[])
 RETURNS SETOF journal_taxes_by_day
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select d.organization_id, d.day, d.direction, d.rate, d.category, d.home_currency, d.face_currency, d.is_credit, d.is_plain, d.is_divided,
    d.charged_minor, d.gross_minor, sum(d.base_minor)::bigint, sum(d.tax_minor)::bigint, array_agg(d.document_id order by d.document_id)
  from divided_taxes(lines) d
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, case when not d.is_divided or d.charged_minor is not null then d.document_id end
$function$;
CREATE OR REPLACE FUNCTION public.journal_gaps(first_day date, last_day date, OUT upto date, OUT marked date[], OUT first_days date[], OUT last_days date[])
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  with stored as materialized (
    select journal_stored_upto() as upto
  ), ranges as materialized (
    select r.first_day, r.last_day from day_ranges(array(select distinct m.day from journal_marks m
      where m.day between first_day and last_day and m.day > '-infinity' and m.day <= (select s.upto from stored s))) r
  ), missing as (
    select r.first_day, r.last_day from ranges r
    union all select greatest(first_day, s.upto + 1), last_day from stored s where s.upto < last_day
  )
  select s.upto, array(select r.first_day + n from ranges r cross join lateral generate_series(0, r.last_day - r.first_day) n),
    array(select m.first_day from missing m order by 1), array(select m.last_day from missing m order by 1)
  from stored s
$function$;
CREATE OR REPLACE FUNCTION public.result_lines(first_days date[], last_days date[])
 RETURNS result_line[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if cardinality(first_days) = 0 then return '{}'; end if;
  return array(select row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject, p.home_currency,
      face_currency(p.currency, p.home_currency, p.exchange_rate), p.home_minor)::result_line
    from unnest(first_days, last_days) r (first_day, last_day)
    cross join lateral placed_lines(r.first_day, '00000000-0000-0000-0000-000000000000', r.last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
    where is_result_line(p.document_id, p.event, p.account));
end $function$;
CREATE OR REPLACE FUNCTION public.results_by_day(first_day date, last_day date)
 RETURNS SETOF journal_results_by_day
 LANGUAGE sql
 STABLE
AS $function$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_results_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_results(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$function$;
CREATE OR REPLACE FUNCTION public.taxes_by_day(first_day date, last_day date)
 RETURNS SETOF journal_taxes_by_day
 LANGUAGE sql
 STABLE
AS $function$
  with gaps as materialized (select * from journal_gaps(first_day, last_day))
  select s.* from journal_taxes_by_day s where s.day between first_day and last_day and s.day <= (select g.upto from gaps g)
    and s.day not in (select unnest(g.marked) from gaps g)
  union all
  select n.* from gaps g cross join lateral grouped_taxes(result_lines(g.first_days, g.last_days)) n where cardinality(g.first_days) > 0
$function$;
CREATE OR REPLACE FUNCTION public.changed_documents(of_kind text, as_of date)
 RETURNS TABLE(organization_id uuid, document_id uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select c.organization_id, c.document_id from changed_allocations(as_of) c
  union
  select d.organization_id, d.id from documents d where d.cancelled_at >= (as_of - 2)::timestamptz
  union
  select i.organization_id, i.source_document_id from documents i
  where i.kind = 'SALES' and i.issue_date > as_of and i.source_document_id is not null
  union
  select d.organization_id, d.id from documents d where d.kind = of_kind and d.issued_at is not null and d.payment_id is null
    and d.paid_minor + d.credited_minor > 0 and d.total_minor > d.paid_minor + d.credited_minor
$function$;
CREATE OR REPLACE FUNCTION public.untouched_balances(organization uuid, home text, of_kind text, as_of date)
 RETURNS TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, case when d.due_date is null then d.issue_date else d.due_date end,
    d.currency, d.in_dispute, d.total_minor,
    case when d.currency = coalesce(d.rate_currency, home) then d.total_minor
      when minor_units(d.currency) = minor_units(coalesce(d.rate_currency, home)) 
        then case when d.exchange_rate is null then d.total_minor else round(d.total_minor * d.exchange_rate)::bigint end
      else div(2 * d.total_minor * (coalesce(d.exchange_rate, 1) * minor_units(coalesce(d.rate_currency, home))) + minor_units(d.currency),
        2 * minor_units(d.currency))::bigint end,
    coalesce(d.rate_currency, home), d.exchange_rate is not null or d.currency = coalesce(d.rate_currency, home)
  from documents d
  where d.organization_id = organization and d.kind = of_kind and d.issue_date <= as_of
    and d.issued_at is not null and d.payment_id is null and d.total_minor > 0 and d.paid_minor + d.credited_minor = 0 and d.cancelled_at is null
    and (d.kind = 'EXPENSE' or d.kind = 'SALES' and d.direction = 'OUTGOING' and d.status in ('UNSENT', 'SENT') and d.document_type <> 'RECEIPT'
      and d.converted_to_id is null)
$function$;
CREATE OR REPLACE FUNCTION public.changed_balances(of_kind text, as_of date)
 RETURNS TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select d.organization_id, d.id, d.counterparty_id, d.document_type, coalesce(d.due_date, d.issue_date), d.currency, d.in_dispute,
    sum(p.minor)::bigint, sum(p.home)::bigint, p.home_currency, bool_and(p.rate_known)
  from changed_documents(of_kind, as_of) c
  -- with offset 0 each document is looked up by its id, whatever number of them PostgreSQL expects
  cross join lateral (select * from documents d where d.organization_id = c.organization_id and d.id = c.document_id offset 0) d
  join organizations o on o.id = d.organization_id
  cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
  left join lateral (select i.issue_date from documents i where i.organization_id = d.organization_id and i.id = d.converted_to_id offset 0) i on true
  cross join lateral (
    select d.total_minor as minor, home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) as home, h.home as home_currency,
      d.exchange_rate is not null or d.currency = h.home as rate_known
    union all
    select -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor), coalesce(m.rate_currency, m.currency), true
    from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
    where a.organization_id = d.organization_id and a.document_id = d.id and a.booked_on <= as_of
      and (a.voided_at is null or greatest(a.booked_on, voided_day(a.voided_at, m.voided_at, m.voided_on, o.timezone)) > as_of)
    union all
    select coalesce(sum(a.amount_minor), 0) - d.total_minor,
      coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) - home_minor(d.total_minor, d.currency, h.home, d.exchange_rate), h.home, true
    from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
    having (d.cancelled_at at time zone o.timezone)::date <= as_of or i.issue_date <= as_of
  ) p
  where d.kind = of_kind and d.issued_at is not null and d.payment_id is null and d.issue_date <= as_of and d.document_type <> 'RECEIPT'
  group by d.organization_id, d.id, d.counterparty_id, d.document_type, d.due_date, d.issue_date, d.currency, d.in_dispute, p.home_currency
  having sum(p.minor) <> 0 or sum(p.home) <> 0
$function$;
CREATE OR REPLACE FUNCTION public.aging_buckets(as_of date)
 RETURNS TABLE(bucket integer, first_due date, last_due date)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  values (0, as_of, 'infinity'::date), (1, as_of - 30, as_of - 1), (2, as_of - 60, as_of - 31), (3, as_of - 90, as_of - 61),
    (4, '-infinity'::date, as_of - 91)
$function$;
CREATE OR REPLACE FUNCTION public.aged_sums(of_kind text, as_of date)
 RETURNS TABLE(party uuid, bucket integer, earlier_home text, face_currency text, home_minor bigint, disputed bigint, documents bigint)
 LANGUAGE plpgsql
 STABLE ROWS 5000
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_sort TO 'off'
AS $function$
declare
  organization constant uuid := current_organization();
  home constant text := (select o.currency from organizations o where o.id = organization);
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select s.counterparty_id, b.bucket, s.earlier_home, s.face_currency, s.home_minor, s.disputed, s.documents
    from aging_buckets(as_of) b
    cross join lateral (
      select u.counterparty_id, nullif(u.home_currency, home) as earlier_home, case when not u.rate_known then u.currency end as face_currency, sum(u.home_minor)::bigint as home_minor,
        sum(u.home_minor) filter (where u.in_dispute)::bigint as disputed, count(*) as documents
      from untouched_balances(organization, home, of_kind, as_of) u
      where u.due between b.first_due and b.last_due and u.document_id not in (select c.document_id from changed c)
        and u.counterparty_id is not null
      group by 1, 2, 3) s;
end $function$;
CREATE OR REPLACE FUNCTION public.first_aged(of_kind text, as_of date, home text, most integer)
 RETURNS TABLE(bucket integer, due date, document_id uuid)
 LANGUAGE plpgsql
 STABLE ROWS 500
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  organization constant uuid := current_organization();
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select b.bucket, f.due, f.document_id
    from aging_buckets(as_of) b
    cross join lateral (select u.due, u.document_id from untouched_balances(organization, home, of_kind, as_of) u
      where u.due between b.first_due and b.last_due and u.document_id not in (select c.document_id from changed c)
        and u.counterparty_id is not null and u.home_currency = home
      order by u.due, u.document_id limit most) f;
end $function$;
CREATE OR REPLACE FUNCTION public.aged_of_parties(of_kind text, as_of date, home text, parties uuid[])
 RETURNS TABLE(party uuid, bucket integer, due date, document_id uuid)
 LANGUAGE plpgsql
 STABLE ROWS 2500
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  organization constant uuid := current_organization();
begin
  return query
    with changed as materialized (select c.document_id from changed_documents(of_kind, as_of) c)
    select p.party, bucket_of(u.due, as_of), u.due, u.document_id
    from unnest(parties) p (party)
    cross join lateral (select u.due, u.document_id from untouched_balances(organization, home, of_kind, as_of) u
      where u.counterparty_id = p.party and u.document_id not in (select c.document_id from changed c) and u.home_currency = home offset 0) u;
end $function$;
CREATE OR REPLACE FUNCTION public.aged_others(of_kind text, as_of date)
 RETURNS TABLE(party uuid, vendor text, entries text, bucket integer, due date, home_currency text, home_minor bigint, in_dispute boolean, document_id uuid, payment_id uuid, entry_id uuid, currency text, rate_known boolean)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
    select coalesce(b.counterparty_id, md5(x.vendor)::uuid, nobody), x.vendor, null::text, bucket_of(b.due, as_of), b.due, b.home_currency, b.home_minor,
      b.in_dispute, b.document_id, null::uuid, null::uuid, b.currency, b.rate_known
    from (select * from changed_balances(of_kind, as_of)
      union all
      select u.* from organizations o cross join lateral untouched_balances(o.id, o.currency, of_kind, as_of) u
      where u.counterparty_id is null and u.document_id not in (select c.document_id from changed_documents(of_kind, as_of) c)) b
    left join lateral (select x.vendor from expenses x where of_kind = 'EXPENSE' and b.counterparty_id is null and x.organization_id = b.organization_id
      and x.id = b.document_id offset 0) x on true;
  return query
    select coalesce(c.counterparty_id, nobody), null::text, null::text, 5, null::date, c.home_currency, c.home_minor, false, c.memo_id, c.payment_id,
      null::uuid, c.currency, c.rate_known
    from open_credits(of_kind, as_of) c;
  return query
    select case e.kind when 'OPENING' then '00000000-0000-0000-0000-000000000001'::uuid else '00000000-0000-0000-0000-000000000002' end, null::text, e.kind,
      case when e.purpose in ('CUSTOMER_CREDITS', 'SUPPLIER_ADVANCES') then 5 else bucket_of(e.day, as_of) end,
      e.day, e.home_currency, case when e.purpose in ('RECEIVABLES', 'SUPPLIER_ADVANCES') then e.home_minor else -e.home_minor end, false, null::uuid, null::uuid,
      e.entry_id, e.home_currency, true
    from entry_balances(case of_kind when 'SALES' then array['RECEIVABLES', 'CUSTOMER_CREDITS'] else array['PAYABLES', 'SUPPLIER_ADVANCES'] end, as_of) e;
end $function$;
CREATE OR REPLACE FUNCTION public.allow_more_attempts(job text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  task integer := (select t.id from graphile_worker._private_tasks t where t.identifier = job);
begin
  delete from graphile_worker._private_jobs j where j.task_id = task and not j.is_available and j.locked_at is null
    and exists (select from graphile_worker._private_jobs other
      where other.task_id = task and (other.is_available or other.locked_at is not null)
        and coalesce(other.payload #> '{$order,payload}', other.payload)::jsonb = coalesce(j.payload #> '{$order,payload}', j.payload)::jsonb);
  update graphile_worker._private_jobs j set max_attempts = least(j.max_attempts + 25, 32767) -- a smallint
  where j.task_id = task and not j.is_available and j.locked_at is null;
end $function$;
CREATE OR REPLACE FUNCTION public.rights_of_graph(place uuid, graph uuid, starters uuid[] DEFAULT '{}'::uuid[], OUT owner_user_id uuid, OUT author_user_id uuid, OUT role member_role, OUT scopes text[], OUT key_id uuid, OUT app_id uuid, OUT client_id text, OUT problem text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$
#variable_conflict use_column
declare
  credential text;
  of_author public.member_role;
  found bigint;
begin
  select a.owner_user_id, g.author_user_id, m.role, g.scopes, g.api_key_id, g.app_id, g.client_id, g.credential_status,
    case when g.author_user_id = a.owner_user_id then m.role else (select n.role from public.memberships n
      join public.users w on w.id = n.user_id where n.organization_id = place and n.user_id = g.author_user_id and w.disabled_at is null) end
  into owner_user_id, author_user_id, role, scopes, key_id, app_id, client_id, credential, of_author
  from public.automation_graphs g
  join public.automations a on a.organization_id = place and a.id = g.automation_id
  left join (public.memberships m join public.users u on u.id = m.user_id and u.disabled_at is null)
    on m.organization_id = place and m.user_id = a.owner_user_id
  where g.organization_id = place and g.id = graph;
  if role is null then
    problem := 'OWNER';
  elsif of_author is null then
    problem := 'AUTHOR';
  elsif credential = 'ENDED' then
    problem := 'CREDENTIAL';
  elsif credential = 'ACTIVE' then
    if not public.credential_reaches(key_id, app_id, place) then problem := 'CREDENTIAL'; end if;
  end if;
  if problem is null and starters <> '{}' then
    select least(of_author, min(m.role)), count(*) into of_author, found
    from public.memberships m join public.users u on u.id = m.user_id and u.disabled_at is null
    where m.organization_id = place and m.user_id = any (starters);
    if found < cardinality(starters) then problem := 'STARTER'; end if;
  end if;
  role := case when problem is null then least(role, of_author) end;
end $function$;
CREATE OR REPLACE FUNCTION public.authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text, OUT author_user_id uuid, OUT acting_for uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  started_at_depth integer;
  starters uuid[];
  rights record;
  payroll text;
  done text;
begin
  select r.organization_id, r.graph_id, r.depth, r.started_by into home, graph, started_at_depth, starters from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  rights := public.rights_of_graph(home, graph, starters);
  author_user_id := rights.author_user_id;
  scopes := rights.scopes;
  key_id := rights.key_id;
  app_id := rights.app_id;
  client_id := rights.client_id;
  if rights.role is null then return; end if;
  acting_for := starters || author_user_id || rights.owner_user_id;
  user_id := coalesce(starters[cardinality(starters)], rights.owner_user_id);
  -- what is a person's own takes that all three are that person
  if author_user_id = user_id then author_user_id := rights.owner_user_id; end if;
  if target = home or place in ('ONLY', 'ALL') then
    organization_id := home;
    role := rights.role;
    reachable := 1;
  end if;
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.role_limit', rights.role::text, true);
  done := set_config('app.run_depth', started_at_depth::text, true);
  payroll := coalesce(public.payroll_rights(role, needed, scopes, fitting, false), '');
  -- what is the owner's own is not that of another author
  done := set_config('app.payroll', case when payroll = 'own' and author_user_id <> user_id then '' else payroll end, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.require_draft_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  draft documents := new;
  home text;
begin
  select o.currency into home from organizations o where o.id = new.organization_id;
  draft.exchange_rate := new.given_rate;
  perform require_amounts_fit(draft, greatest(abs(new.subtotal_minor), abs(new.tax_minor), abs(new.total_minor)), home, home);
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_future_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.paid_at > today then
    raise exception 'The payment is dated after today.' using errcode = 'check_violation', detail = new.paid_at || ' ' || today,
      constraint = case when new.source in ('DOCUMENT', 'MARK_PAID') then 'payment_date_not_in_future' else 'paid_at_not_in_future' end;
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_future_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = new.organization_id);
begin
  if new.issue_date > today then
    raise exception 'The expense is dated after today.' using errcode = 'check_violation', detail = new.issue_date || ' ' || today,
      constraint = case new.document_type when 'EXPENSE' then 'expense_not_in_future' else 'supplier_credit_not_in_future' end;
  end if;
  return null;
end $function$;
create table planned_payments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  counterparty_id uuid,
  currency text not null,
  minor_digits smallint not null,
  amount_minor bigint not null,
  withheld_minor bigint not null default 0,
  due_on date not null,
  method text,
  reference text,
  details jsonb not null,
  bank_account_id uuid,
  shares jsonb not null default '[]'::jsonb,
  receipt text not null default 'NONE'::text,
  status text not null default 'PLANNED'::text,
  problem text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint planned_payments_pkey PRIMARY KEY (organization_id, id),
  constraint planned_payments_currency_check CHECK ((currency <> ''::text)),
  constraint planned_payments_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint planned_payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint planned_payments_check CHECK (((withheld_minor >= 0) AND (withheld_minor <= amount_minor))),
  constraint planned_payments_shares_check CHECK ((jsonb_typeof(shares) = 'array'::text)),
  constraint planned_payments_receipt_check CHECK ((receipt = ANY (ARRAY['NONE'::text, 'WITH_TAX'::text, 'TAX_FREE'::text]))),
  constraint planned_payments_status_check CHECK ((status = ANY (ARRAY['PLANNED'::text, 'RECORDED'::text, 'CANCELLED'::text]))),
  constraint planned_receipt_names_customer CHECK (((receipt = 'NONE'::text) OR (counterparty_id IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_planned_payments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.planned_payments t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.guard_planned_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if old.status <> 'PLANNED' and new.status <> old.status then
    raise exception 'The planned payment was recorded or cancelled before.'
      using errcode = 'check_violation', constraint = 'planned_payment_ends_once';
  end if;
  if new.status = 'RECORDED' and not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.id
      and p.amount_minor = new.amount_minor and p.currency = new.currency) then
    raise exception 'The payment is missing.' using errcode = 'check_violation', constraint = 'recorded_plan_has_payment';
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.acting_role(place uuid)
 RETURNS member_role
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) from memberships m
    where m.organization_id = place and m.user_id = current_person());
end $function$;
CREATE OR REPLACE FUNCTION public.require_acting_owner(place uuid, rule text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if current_person() is not null and acting_role(place) is distinct from 'OWNER' then
    raise exception 'An owner changes that.' using errcode = 'check_violation', constraint = rule;
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_approval_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform require_acting_owner(new.organization_id, 'owner_weakens_approval');
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_format_of_issued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if tg_op = 'INSERT' then
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- the insert becomes an update
    end if;
  elsif (new.prefix, new.padding) = (old.prefix, old.padding) then
    return new;
  end if;
  -- a type without a format of its own has that of its series
  if exists (select from documents d where d.organization_id = new.organization_id and new.document_type in (d.document_type, d.series) and d.sequence is not null) then
    perform require_acting_owner(new.organization_id, 'owner_changes_numbering');
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.guard_main_currency()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from documents d where d.organization_id = new.id and d.issued_at is not null)
    or exists (select from payments p where p.organization_id = new.id)
    or exists (select from journal_entries e where e.organization_id = new.id)
    -- the amount above which somebody else approves would be one in another currency
    or exists (select from organization_settings s where s.organization_id = new.id and s.require_approval) then
    perform require_acting_owner(new.id, 'owner_changes_currency');
  end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.start_summing_up(most integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select count(requeue_job('sum-up-journal', 'organizationId', o.id, o.id)) from (
    select o.id from organizations o
    where exists (select from journal_marks m where m.organization_id = o.id offset 20)
    order by random() limit most) o
$function$;
CREATE OR REPLACE FUNCTION public.summed_up_percent()
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(floor(100.0 * count(*) filter (where d.issue_date <= (select s.upto from journal_sums_state s)) / nullif(count(*), 0)), 0)::integer
  from documents d where d.issued_at is not null
$function$;
CREATE OR REPLACE FUNCTION public.refuse_session_before_confirmation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if exists (select from users u where u.id = new.user_id and u.confirm_first) then
    raise exception 'The address of this account is not confirmed yet.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;
create table former_addresses (
  user_id uuid not null,
  email text not null,
  changed_at timestamp with time zone not null default now(),
  constraint former_addresses_pkey PRIMARY KEY (user_id, email)
);
CREATE OR REPLACE FUNCTION public.keep_former_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into former_addresses (user_id, email) values (new.id, old.email) on conflict do nothing;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.people_of_claimant(place uuid, claimant uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with addresses as (
    select lower(c.email) as email from customers c where c.organization_id = place and c.id = claimant and c.email is not null
    union select lower(e.email) from employees e where e.organization_id = place and e.id = claimant and e.email is not null
  )
  select e.user_id from employees e where e.organization_id = place and e.id = claimant and e.user_id is not null
  union select u.id from users u join addresses a on lower(u.email) = a.email
  union select f.user_id from former_addresses f join addresses a on lower(f.email) = a.email
$function$;
CREATE OR REPLACE FUNCTION public.guard_own_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if current_person() in (select p from people_of_claimant(old.organization_id, old.id) p) then
    perform require_acting_owner(new.organization_id, 'own_record');
  end if;
  return new;
end $function$;
create table graphile_worker.migrations (
  id integer not null,
  ts timestamp with time zone not null default now(),
  breaking boolean not null default false,
  constraint migrations_pkey PRIMARY KEY (id)
);
create table graphile_worker._private_known_crontabs (
  identifier text constraint known_crontabs_identifier_not_null not null,
  known_since timestamp with time zone constraint known_crontabs_known_since_not_null not null,
  last_execution timestamp with time zone,
  constraint known_crontabs_pkey PRIMARY KEY (identifier)
);
create table graphile_worker._private_job_queues (
  id integer constraint job_queues_id_not_null not null generated always as identity (sequence name graphile_worker.job_queues_id_seq),
  queue_name text constraint job_queues_queue_name_not_null1 not null,
  locked_at timestamp with time zone,
  locked_by text,
  is_available boolean constraint job_queues_is_available_not_null not null generated always as ((locked_at IS NULL)) stored,
  constraint job_queues_pkey1 PRIMARY KEY (id),
  constraint job_queues_queue_name_key UNIQUE (queue_name),
  constraint job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);
create table graphile_worker._private_tasks (
  id integer constraint tasks_id_not_null not null generated always as identity (sequence name graphile_worker.tasks_id_seq),
  identifier text constraint tasks_identifier_not_null not null,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_identifier_key UNIQUE (identifier),
  constraint tasks_identifier_check CHECK ((length(identifier) <= 128))
);
create table graphile_worker._private_jobs (
  id bigint constraint jobs_id_not_null1 not null generated always as identity (sequence name graphile_worker.jobs_id_seq1),
  job_queue_id integer,
  task_id integer constraint jobs_task_id_not_null not null,
  payload json constraint jobs_payload_not_null1 not null default '{}'::json,
  priority smallint constraint jobs_priority_not_null1 not null default 0,
  run_at timestamp with time zone constraint jobs_run_at_not_null1 not null default now(),
  attempts smallint constraint jobs_attempts_not_null1 not null default 0,
  max_attempts smallint constraint jobs_max_attempts_not_null1 not null default 25,
  last_error text,
  created_at timestamp with time zone constraint jobs_created_at_not_null1 not null default now(),
  updated_at timestamp with time zone constraint jobs_updated_at_not_null1 not null default now(),
  key text,
  locked_at timestamp with time zone,
  locked_by text,
  revision integer constraint jobs_revision_not_null1 not null default 0,
  flags jsonb,
  is_available boolean constraint jobs_is_available_not_null not null generated always as (((locked_at IS NULL) AND (attempts < max_attempts))) stored,
  constraint jobs_pkey1 PRIMARY KEY (id),
  constraint jobs_key_key1 UNIQUE (key),
  constraint jobs_max_attempts_check CHECK ((max_attempts >= 1)),
  constraint jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512)))
);
create type graphile_worker.job_spec as (identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts smallint, job_key text, priority smallint, flags text[]);
CREATE OR REPLACE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
begin
  -- Ensure all the tasks exist
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.complete_jobs(job_ids bigint[])
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[])
 RETURNS void
 LANGUAGE sql
AS $function$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.remove_job(job_key text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
 STRICT
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
create view graphile_worker.jobs as
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));


-- Rows that migrations insert

insert into ledger_kinds (kind, direction, payment_direction, document_types, unbilled_types, statuses, draft_statuses, payable_statuses, transitions, open_status, sent_status, numbered, frozen_when_final, frozen_when_paid, pays_lines, counterparty_needed, balance_account, result_account, final_events, advances_account) overriding system value values
  ('SALES', 'OUTGOING', 'OUTGOING', '{INVOICE,RECEIPT,INVOICE_RECEIPT,PAYMENT_REQUEST,CREDIT_MEMO,DEBIT_MEMO}', '{RECEIPT,PAYMENT_REQUEST}', '{DRAFT,UNSENT,SENT,PAID}', '{DRAFT}', '{UNSENT,SENT,PAID}', '{"PAID": [], "SENT": ["PAID"], "DRAFT": ["UNSENT", "SENT", "PAID"], "UNSENT": ["SENT", "PAID"]}', 'UNSENT', 'SENT', 'true', '{document_type,counterparty_id,counterparty_name,currency,minor_digits,exchange_rate,rate_currency,rate_date,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{}', 'false', 'true', 'RECEIVABLES', 'REVENUE', '{invoice.issued,receipt.issued}', 'PREPAYMENTS'),
  ('EXPENSE', 'INCOMING', 'INCOMING', '{EXPENSE,CREDIT_MEMO}', '{}', '{DRAFT,PENDING_REVIEW,APPROVED,REJECTED}', '{DRAFT,PENDING_REVIEW,REJECTED}', '{DRAFT,PENDING_REVIEW,APPROVED}', '{"DRAFT": ["PENDING_REVIEW", "APPROVED", "REJECTED"], "APPROVED": ["PENDING_REVIEW"], "REJECTED": ["DRAFT"], "PENDING_REVIEW": ["DRAFT", "APPROVED", "REJECTED"]}', null, null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits}', 'false', 'false', 'PAYABLES', 'EXPENSES', '{expense.approved,expense.credited}', 'PREPAYMENTS'),
  ('PAYSLIP', 'INCOMING', 'INCOMING', '{PAYSLIP}', '{}', '{DRAFT,APPROVED,PAID,VOID}', '{DRAFT}', '{DRAFT,APPROVED,PAID}', '{"PAID": ["VOID"], "VOID": [], "DRAFT": ["APPROVED", "PAID"], "APPROVED": ["PAID", "VOID"]}', 'APPROVED', null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', 'true', 'true', 'PAYROLL_PAYABLES', 'PAYROLL', '{payslip.approved}', 'PAYROLL_PAYABLES'),
  ('LEAVE_CLAIM', 'OUTGOING', 'OUTGOING', '{LEAVE_CLAIM}', '{}', '{DRAFT,OPEN,PAID,VOID}', '{DRAFT}', '{DRAFT,OPEN,PAID}', '{"OPEN": ["PAID", "VOID"], "PAID": [], "VOID": [], "DRAFT": ["OPEN"]}', 'OPEN', null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', 'false', 'true', 'PAYROLL_PAYABLES', 'PAYROLL', '{}', 'PAYROLL_PAYABLES');
insert into official_document_types (country, registered, document_type, official_type, series, title_en, title_he) overriding system value values
  ('IL', 'true', 'INVOICE', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', 'true', 'INVOICE_RECEIPT', '320', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'חשבונית מס / קבלה'),
  ('IL', 'true', 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'true', 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'true', 'CREDIT_MEMO', '330', 'CREDIT_MEMO', 'Credit Tax Invoice', 'חשבונית מס זיכוי'),
  ('IL', 'true', 'DEBIT_MEMO', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', 'false', 'INVOICE', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'false', 'INVOICE_RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'false', 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'false', 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'false', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Notice', 'הודעת זיכוי'),
  ('IL', 'false', 'DEBIT_MEMO', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('SG', 'true', 'INVOICE', 'INVOICE', 'INVOICE', 'Tax Invoice', 'Tax Invoice'),
  ('SG', 'true', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'Tax Invoice / Receipt'),
  ('SG', 'true', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', 'true', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', 'true', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', 'true', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('SG', 'false', 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('SG', 'false', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('SG', 'false', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', 'false', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', 'false', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', 'false', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('US', 'true', 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('US', 'true', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('US', 'true', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('US', 'true', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('US', 'true', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Memo', 'Credit Memo'),
  ('US', 'true', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Memo', 'Debit Memo');
insert into default_accounts (country, code, name, name_he, type, purpose, tax_categories, categories) overriding system value values
  ('IL', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('IL', '1010', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('IL', '1020', 'Cheques for collection', 'שיקים לגבייה', 'ASSET', null, '{}', '{}'),
  ('IL', '1100', 'Trade receivables', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('IL', '1200', 'Advances to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('IL', '1300', 'Input VAT', 'מע"מ תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('IL', '1310', 'Input VAT on equipment', 'מע"מ תשומות ציוד', 'ASSET', null, '{}', '{}'),
  ('IL', '1320', 'Tax withheld by customers', 'ניכוי מס במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('IL', '1330', 'Income tax advances', 'מקדמות מס הכנסה', 'ASSET', null, '{}', '{}'),
  ('IL', '1400', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null, '{}', '{}'),
  ('IL', '1500', 'Equipment', 'ציוד', 'ASSET', null, '{}', '{}'),
  ('IL', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('IL', '2000', 'Trade payables', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('IL', '2100', 'Customer credits and advances', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('IL', '2200', 'Output VAT', 'מע"מ עסקאות', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('IL', '2210', 'VAT payable', 'מע"מ לתשלום', 'LIABILITY', null, '{}', '{}'),
  ('IL', '2300', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('IL', '2400', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('IL', '2410', 'National Insurance payable', 'ביטוח לאומי לשלם', 'LIABILITY', null, '{}', '{}'),
  ('IL', '2500', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('IL', '3000', 'Share capital', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('IL', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('IL', '3200', 'Drawings of owners', 'משיכות בעלים', 'EQUITY', null, '{}', '{}'),
  ('IL', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('IL', '4000', 'Sales', 'הכנסות ממכירות ושירותים', 'INCOME', 'REVENUE', '{}', '{}'),
  ('IL', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('IL', '4910', 'Interest income', 'הכנסות ריבית', 'INCOME', null, '{}', '{}'),
  ('IL', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('IL', '6080', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('IL', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('IL', '6110', 'Social insurance of employees', 'הוצאות סוציאליות', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7000', 'Bank charges', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7010', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('IL', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('IL', '8000', 'Income tax', 'מס הכנסה', 'EXPENSE', null, '{}', '{}'),
  ('SG', '200', 'Sales', 'מכירות', 'INCOME', 'REVENUE', '{}', '{}'),
  ('SG', '260', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('SG', '270', 'Interest income', 'הכנסות ריבית', 'INCOME', null, '{}', '{}'),
  ('SG', '404', 'Bank fees', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('SG', '416', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('SG', '429', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('SG', '437', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('SG', '477', 'Salaries', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('SG', '478', 'CPF contributions', 'הפרשות CPF', 'EXPENSE', null, '{}', '{}'),
  ('SG', '497', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('SG', '505', 'Corporate tax', 'מס חברות', 'EXPENSE', null, '{}', '{}'),
  ('SG', '600', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('SG', '605', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('SG', '610', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('SG', '620', 'Prepayments to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('SG', '625', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('SG', '640', 'GST input tax', 'GST תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('SG', '710', 'Office equipment', 'ציוד משרדי', 'ASSET', null, '{}', '{}'),
  ('SG', '711', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('SG', '800', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('SG', '805', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('SG', '810', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('SG', '820', 'GST output tax', 'GST עסקאות', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('SG', '825', 'CPF payable', 'CPF לתשלום', 'LIABILITY', null, '{}', '{}'),
  ('SG', '830', 'Income tax payable', 'מס הכנסה לשלם', 'LIABILITY', null, '{}', '{}'),
  ('SG', '840', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('SG', '860', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('SG', '900', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('SG', '950', 'Share capital', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('SG', '960', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('SG', '970', 'Funds of the owner', 'חשבון בעלים', 'EQUITY', null, '{}', '{}'),
  ('SG', '999', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('US', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('US', '1050', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('IL', '6010', 'Office', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('IL', '6020', 'Software', 'תוכנה', 'EXPENSE', null, '{}', '{Software}'),
  ('IL', '5000', 'Cost of sales', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('SG', '630', 'Inventory', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('SG', '310', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('US', '1200', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('US', '1400', 'Advances to vendors', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('US', '1410', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null, '{}', '{}'),
  ('US', '1450', 'Recoverable tax on purchases', 'מס תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('US', '1460', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('US', '1500', 'Equipment', 'ציוד', 'ASSET', null, '{}', '{}'),
  ('US', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('US', '2000', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('US', '2100', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('US', '2200', 'Sales tax payable', 'מס מכירה לשלם', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('US', '2250', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('US', '2300', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('US', '2310', 'Payroll taxes payable', 'מסי שכר לשלם', 'LIABILITY', null, '{}', '{}'),
  ('US', '2400', 'Credit cards', 'כרטיסי אשראי', 'LIABILITY', null, '{}', '{}'),
  ('US', '2500', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('US', '3000', 'Common stock', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('US', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('US', '3200', 'Distributions to owners', 'משיכות בעלים', 'EQUITY', null, '{}', '{}'),
  ('US', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('US', '4000', 'Sales', 'מכירות', 'INCOME', 'REVENUE', '{}', '{}'),
  ('US', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('US', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('US', '6020', 'Bank charges', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('US', '6030', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('US', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('US', '6110', 'Payroll taxes', 'מסי שכר', 'EXPENSE', null, '{}', '{}'),
  ('US', '7000', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('US', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('US', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('US', '8000', 'Income taxes', 'מסי הכנסה', 'EXPENSE', null, '{}', '{}'),
  ('IL', '4010', 'Sales at zero rate and exempt', 'הכנסות פטורות ובשיעור אפס', 'INCOME', null, '{ZR,Z,ZERO,ZERO_RATE,ZERO_RATED,EXEMPT,E}', '{}'),
  ('SG', '210', 'Zero-rated and exempt sales', 'מכירות בשיעור אפס ופטורות', 'INCOME', null, '{ZR,ES33,ESN33}', '{}'),
  ('US', '4100', 'Non-taxable sales', 'מכירות שאינן חייבות במס', 'INCOME', null, '{EXEMPT,RESALE,NON_TAXABLE,NONTAXABLE}', '{}'),
  ('IL', '6030', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('IL', '6040', 'Meals and refreshments', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('IL', '6050', 'Marketing', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('IL', '6060', 'Professional services', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('IL', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('SG', '400', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('SG', '412', 'Consulting and accounting', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('SG', '420', 'Entertainment', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('SG', '453', 'Office expenses', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('SG', '463', 'Software and IT', 'תוכנה ומחשוב', 'EXPENSE', null, '{}', '{Software}'),
  ('SG', '469', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('SG', '493', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('US', '6010', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('US', '6040', 'Meals', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('US', '6050', 'Office', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('US', '6060', 'Professional fees', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('US', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('US', '6080', 'Software', 'תוכנה', 'EXPENSE', null, '{}', '{Software}'),
  ('US', '6090', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('IL', '2220', 'Tax withheld from suppliers', 'ניכוי מס במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('SG', '835', 'Tax withheld from suppliers', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('US', '2320', 'Tax withheld from vendors', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('IL', '1600', 'Stock', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('IL', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('IL', '5100', 'Stock adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}'),
  ('SG', '802', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('SG', '320', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}'),
  ('US', '1300', 'Inventory', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('US', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('US', '5000', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('US', '5100', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}');
insert into graphile_worker.migrations (id, breaking) overriding system value values
  ('1', 'true'),
  ('2', 'false'),
  ('3', 'true'),
  ('4', 'false'),
  ('5', 'false'),
  ('6', 'false'),
  ('7', 'false'),
  ('8', 'false'),
  ('9', 'false'),
  ('10', 'false'),
  ('11', 'true'),
  ('12', 'false'),
  ('13', 'true'),
  ('14', 'true'),
  ('15', 'false'),
  ('16', 'true'),
  ('17', 'false'),
  ('18', 'false'),
  ('19', 'true');


-- Indexes and keys, in the order in which the migrations made them

CREATE UNIQUE INDEX one_user_per_email ON public.users USING btree (lower(email));
CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);
CREATE INDEX organizations_registration_number_country_idx ON public.organizations USING btree (registration_number, country) WHERE (registration_number IS NOT NULL);
CREATE INDEX memberships_user_id_idx ON public.memberships USING btree (user_id);
CREATE INDEX api_keys_user_id_created_at_idx ON public.api_keys USING btree (user_id, created_at);
CREATE INDEX api_key_organizations_organization_id_user_id_idx ON public.api_key_organizations USING btree (organization_id, user_id);
CREATE INDEX audit_log_organization_id_created_at_id_idx ON public.audit_log USING btree (organization_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_log_user_id_created_at_id_idx ON public.audit_log USING btree (user_id, created_at DESC, id DESC) WHERE (organization_id IS NULL);
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_user_id_idx ON public.idempotency_keys USING btree (user_id);
CREATE INDEX idempotency_keys_organization_id_idx ON public.idempotency_keys USING btree (organization_id);
CREATE INDEX rate_buckets_tat_idx ON public.rate_buckets USING btree (tat);
CREATE INDEX customers_id_idx ON public.customers USING btree (id);
CREATE UNIQUE INDEX one_recipient_per_email ON public.customer_recipients USING btree (organization_id, customer_id, lower(email));
CREATE INDEX bank_accounts_id_idx ON public.bank_accounts USING btree (id);
CREATE UNIQUE INDEX one_default_bank_account ON public.bank_accounts USING btree (organization_id) WHERE is_default;
CREATE INDEX expense_categories_id_idx ON public.expense_categories USING btree (id);
CREATE INDEX expense_categories_organization_id_lower_id_idx ON public.expense_categories USING btree (organization_id, lower(name), id);
CREATE INDEX failed_jobs_organization_id_idx ON public.failed_jobs USING btree (organization_id);
CREATE INDEX failed_jobs_created_at_idx ON public.failed_jobs USING btree (created_at);
CREATE INDEX failed_jobs_job_idx ON public.failed_jobs USING btree (job);
CREATE UNIQUE INDEX one_current_key ON public.organization_keys USING btree (organization_id) WHERE (retired_at IS NULL);
CREATE INDEX organization_keys_kek_id_idx ON public.organization_keys USING btree (kek_id);
CREATE INDEX organization_keys_retired_at_idx ON public.organization_keys USING btree (retired_at) WHERE (retired_at IS NOT NULL);
CREATE INDEX mail_deliveries_id_idx ON public.mail_deliveries USING btree (id);
CREATE INDEX mail_deliveries_organization_id_created_at_id_idx ON public.mail_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX mail_deliveries_status_idx ON public.mail_deliveries USING btree (status) WHERE (status <> 'SENT'::text);
CREATE INDEX mail_deliveries_created_at_idx ON public.mail_deliveries USING btree (created_at) WHERE (status = 'QUEUED'::text);
CREATE INDEX mail_deliveries_created_at_idx1 ON public.mail_deliveries USING btree (created_at) WHERE (status <> 'QUEUED'::text);
CREATE INDEX outbox_id_idx ON public.outbox USING btree (id);
CREATE INDEX outbox_organization_id_created_at_id_idx ON public.outbox USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX files_id_idx ON public.files USING btree (id);
CREATE INDEX files_storage_key_idx ON public.files USING btree (storage_key);
CREATE INDEX files_created_by_idx ON public.files USING btree (created_by);
CREATE INDEX users_id_idx ON public.users USING btree (id) WHERE (digest <> 'NONE'::text);
CREATE INDEX audit_log_organization_id_user_id_created_at_id_idx ON public.audit_log USING btree (organization_id, user_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_log_organization_id_object_id_created_at_id_idx ON public.audit_log USING btree (organization_id, object_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE UNIQUE INDEX one_invitation_per_address ON public.invitations USING btree (organization_id, lower(email)) WHERE (accepted_at IS NULL);
CREATE INDEX invitations_organization_id_created_at_id_idx ON public.invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX invitations_invited_by_idx ON public.invitations USING btree (invited_by);
CREATE INDEX invitations_accepted_by_idx ON public.invitations USING btree (accepted_by);
CREATE INDEX invitations_expires_at_idx ON public.invitations USING btree (expires_at);
CREATE INDEX notifications_user_id_created_at_id_idx ON public.notifications USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notifications_user_id_idx ON public.notifications USING btree (user_id) WHERE (read_at IS NULL);
CREATE INDEX notifications_organization_id_user_id_idx ON public.notifications USING btree (organization_id, user_id);
CREATE INDEX notifications_created_at_idx ON public.notifications USING btree (created_at);
CREATE INDEX digests_created_at_idx ON public.digests USING btree (created_at);
CREATE INDEX organization_settings_organization_id_logo_file_id_idx ON public.organization_settings USING btree (organization_id, logo_file_id);
CREATE INDEX oauth_clients_created_at_idx ON public.oauth_clients USING btree (created_at);
CREATE INDEX connected_apps_user_id_created_at_idx ON public.connected_apps USING btree (user_id, created_at);
CREATE INDEX connected_apps_client_id_idx ON public.connected_apps USING btree (client_id);
CREATE INDEX connected_apps_expires_at_idx ON public.connected_apps USING btree (expires_at);
CREATE INDEX connected_app_organizations_organization_id_user_id_idx ON public.connected_app_organizations USING btree (organization_id, user_id);
CREATE INDEX oauth_tokens_app_id_idx ON public.oauth_tokens USING btree (app_id);
CREATE INDEX oauth_tokens_expires_at_idx ON public.oauth_tokens USING btree (expires_at);
CREATE INDEX account_links_expires_at_idx ON public.account_links USING btree (expires_at);
CREATE INDEX passkeys_user_id_idx ON public.passkeys USING btree (user_id);
CREATE INDEX passkey_challenges_expires_at_idx ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_user_id_idx ON public.passkey_challenges USING btree (user_id);
CREATE INDEX payments_id_idx ON public.payments USING btree (id);
CREATE INDEX payments_organization_id_counterparty_id_idx ON public.payments USING btree (organization_id, counterparty_id);
CREATE INDEX payments_organization_id_paid_at_id_idx ON public.payments USING btree (organization_id, paid_at, id);
CREATE INDEX documents_id_idx ON public.documents USING btree (id);
CREATE INDEX documents_organization_id_counterparty_id_issue_date_id_idx ON public.documents USING btree (organization_id, counterparty_id, issue_date, id);
CREATE INDEX documents_organization_id_bank_account_id_idx ON public.documents USING btree (organization_id, bank_account_id);
CREATE INDEX documents_organization_id_source_document_id_idx ON public.documents USING btree (organization_id, source_document_id);
CREATE INDEX documents_organization_id_payment_id_idx ON public.documents USING btree (organization_id, payment_id);
CREATE INDEX documents_organization_id_issue_date_id_idx ON public.documents USING btree (organization_id, issue_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_due_date_id_idx ON public.documents USING btree (organization_id, due_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_due_date_id_idx1 ON public.documents USING btree (organization_id, due_date DESC NULLS LAST, id DESC) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_major_units_id_idx ON public.documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_status_rank_issue_date_id_idx ON public.documents USING btree (organization_id, status_rank(status), issue_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_sequence_id_idx ON public.documents USING btree (organization_id, sequence, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_sequence_id_idx1 ON public.documents USING btree (organization_id, sequence DESC NULLS LAST, id DESC) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_lower_id_idx ON public.documents USING btree (organization_id, lower(counterparty_name), id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_issue_date_id_idx1 ON public.documents USING btree (organization_id, issue_date, id) WHERE ((kind = 'SALES'::text) AND in_dispute);
CREATE INDEX allocations_organization_id_payment_id_idx ON public.allocations USING btree (organization_id, payment_id);
CREATE INDEX allocations_organization_id_document_id_idx ON public.allocations USING btree (organization_id, document_id);
CREATE INDEX exchange_rates_source_date_idx ON public.exchange_rates USING btree (source, date);
CREATE INDEX sales_by_day_organization_id_day_sort_status_currency_idx ON public.sales_by_day USING btree (organization_id, day, sort, status, currency);
CREATE INDEX sales_by_customer_organization_id_year_counterparty_id_curr_idx ON public.sales_by_customer USING btree (organization_id, year, counterparty_id, currency);
CREATE INDEX sales_by_customer_day_organization_id_counterparty_id_day_c_idx ON public.sales_by_customer_day USING btree (organization_id, counterparty_id, day, currency);
CREATE INDEX cash_by_day_organization_id_day_direction_currency_idx ON public.cash_by_day USING btree (organization_id, day, direction, currency);
CREATE INDEX documents_organization_id_due_date_id_idx2 ON public.documents USING btree (organization_id, due_date, id) WHERE ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])));
CREATE INDEX document_mailings_organization_id_document_id_idx ON public.document_mailings USING btree (organization_id, document_id);
CREATE INDEX document_events_organization_id_document_id_created_at_idx ON public.document_events USING btree (organization_id, document_id, created_at) WHERE (type = 'VIEWED'::text);
CREATE INDEX document_attachments_id_idx ON public.document_attachments USING btree (id);
CREATE INDEX document_attachments_organization_id_file_id_idx ON public.document_attachments USING btree (organization_id, file_id);
CREATE INDEX document_attachments_created_by_idx ON public.document_attachments USING btree (created_by);
CREATE INDEX documents_organization_id_issue_date_idx ON public.documents USING btree (organization_id, issue_date) WHERE (rate_date IS NOT NULL);
CREATE INDEX open_documents_by_due_date ON public.documents USING btree (due_date, organization_id) WHERE (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text]));
CREATE INDEX search_documents ON public.documents USING gin (search_grams(organization_id, ((((COALESCE(number, ''::text) || ' '::text) || counterparty_name) || ' '::text) || COALESCE(notes, ''::text)))) WITH (gin_pending_list_limit='256') WHERE (kind = 'SALES'::text);
CREATE INDEX automations_id_idx ON public.automations USING btree (id);
CREATE INDEX automations_owner_user_id_idx ON public.automations USING btree (owner_user_id);
CREATE INDEX automations_organization_id_created_at_id_idx ON public.automations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX armed_automations ON public.automations USING btree (organization_id) WHERE (status = 'ENABLED'::text);
CREATE INDEX armed_automations_by_trigger ON public.automations USING gin (triggers) WHERE (status = 'ENABLED'::text);
CREATE INDEX automation_runs_organization_id_automation_id_started_at_id_idx ON public.automation_runs USING btree (organization_id, automation_id, started_at DESC, id DESC);
CREATE INDEX automation_runs_organization_id_trigger_event_id_idx ON public.automation_runs USING btree (organization_id, trigger_event_id);
CREATE INDEX automation_runs_id_idx ON public.automation_runs USING btree (id);
CREATE INDEX automation_steps_id_idx ON public.automation_steps USING btree (id);
CREATE INDEX running_automations ON public.automation_runs USING btree (organization_id, id) WHERE (status = 'RUNNING'::text);
CREATE INDEX automation_deliveries_id_idx ON public.automation_deliveries USING btree (id);
CREATE INDEX automation_deliveries_organization_id_step_id_idx ON public.automation_deliveries USING btree (organization_id, step_id);
CREATE INDEX automation_deliveries_organization_id_created_at_id_idx ON public.automation_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX automation_deliveries_created_at_idx ON public.automation_deliveries USING btree (created_at);
CREATE INDEX webhook_secrets_id_idx ON public.webhook_secrets USING btree (id);
CREATE INDEX webhook_secrets_replaced_at_idx ON public.webhook_secrets USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE UNIQUE INDEX one_webhook_secret_and_one_before ON public.webhook_secrets USING btree (organization_id, ((replaced_at IS NULL)));
CREATE INDEX webhook_secrets_organization_id_secret_key_id_idx ON public.webhook_secrets USING btree (organization_id, secret_key_id);
CREATE INDEX automation_graphs_organization_id_automation_id_idx ON public.automation_graphs USING btree (organization_id, automation_id);
CREATE INDEX automation_graphs_api_key_id_idx ON public.automation_graphs USING btree (api_key_id) WHERE (credential_status = 'ACTIVE'::text);
CREATE INDEX automation_graphs_app_id_idx ON public.automation_graphs USING btree (app_id) WHERE (credential_status = 'ACTIVE'::text);
CREATE INDEX automation_graphs_superseded_at_idx ON public.automation_graphs USING btree (superseded_at);
CREATE INDEX automations_organization_id_graph_id_idx ON public.automations USING btree (organization_id, graph_id);
CREATE INDEX automation_runs_organization_id_graph_id_idx ON public.automation_runs USING btree (organization_id, graph_id);
CREATE INDEX mail_counts_hour_idx ON public.mail_counts USING btree (hour);
CREATE INDEX organizations_created_by_idx ON public.organizations USING btree (created_by);
CREATE INDEX issued_copies_organization_id_original_file_id_idx ON public.issued_copies USING btree (organization_id, original_file_id);
CREATE UNIQUE INDEX one_document_per_number ON public.documents USING btree (organization_id, kind, COALESCE(NULLIF(series, ''::text), document_type), sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX one_printed_number ON public.documents USING btree (organization_id, kind, series, number) WHERE (series <> ''::text);
CREATE INDEX earlier_printed_numbers ON public.documents USING btree (organization_id, number) WHERE ((series = ''::text) AND (sequence IS NOT NULL));
CREATE INDEX documents_organization_id_converted_to_id_idx ON public.documents USING btree (organization_id, converted_to_id) WHERE (converted_to_id IS NOT NULL);
CREATE INDEX payments_organization_id_refund_of_idx ON public.payments USING btree (organization_id, refund_of) WHERE (refund_of IS NOT NULL);
CREATE INDEX payments_organization_id_bank_account_id_idx ON public.payments USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE UNIQUE INDEX one_receipt_per_payment ON public.documents USING btree (organization_id, payment_id) WHERE ((document_type = 'RECEIPT'::text) AND (payment_id IS NOT NULL) AND (cancelled_at IS NULL));
CREATE UNIQUE INDEX one_account_per_purpose ON public.accounts USING btree (organization_id, purpose) WHERE (purpose IS NOT NULL);
CREATE INDEX accounts_id_idx ON public.accounts USING btree (id);
CREATE UNIQUE INDEX one_account_per_category ON public.account_mappings USING btree (organization_id, category_id) WHERE (category_id IS NOT NULL);
CREATE UNIQUE INDEX one_account_per_bank_account ON public.account_mappings USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE UNIQUE INDEX one_account_per_tax_category ON public.account_mappings USING btree (organization_id, tax_category, account_type) WHERE (tax_category IS NOT NULL);
CREATE INDEX account_mappings_organization_id_account_id_idx ON public.account_mappings USING btree (organization_id, account_id);
CREATE INDEX journal_entries_id_idx ON public.journal_entries USING btree (id);
CREATE INDEX journal_entries_organization_id_date_number_idx ON public.journal_entries USING btree (organization_id, date, number);
CREATE INDEX journal_entry_lines_organization_id_account_id_idx ON public.journal_entry_lines USING btree (organization_id, account_id);
CREATE INDEX documents_organization_id_issue_date_idx1 ON public.documents USING btree (organization_id, issue_date) WHERE (kind <> 'SALES'::text);
CREATE INDEX cancelled_documents ON public.documents USING btree (organization_id, cancelled_at) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX voided_payments ON public.payments USING btree (organization_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE INDEX voided_allocations ON public.allocations USING btree (organization_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE INDEX api_key_calls_created_at_idx ON public.api_key_calls USING brin (created_at);
CREATE INDEX account_periods_organization_id_account_id_idx ON public.account_periods USING btree (organization_id, account_id);
CREATE INDEX allocations_by_day ON public.allocations USING btree (organization_id, booked_on, id);
CREATE INDEX expenses_id_idx ON public.expenses USING btree (id);
CREATE INDEX expenses_organization_id_lower_id_idx ON public.expenses USING btree (organization_id, lower(vendor), id);
CREATE INDEX expenses_organization_id_lower_id_idx1 ON public.expenses USING btree (organization_id, lower(vendor) DESC NULLS LAST, id DESC);
CREATE INDEX expenses_organization_id_category_id_idx ON public.expenses USING btree (organization_id, category_id);
CREATE INDEX expenses_organization_id_supplier_id_idx ON public.expenses USING btree (organization_id, supplier_id);
CREATE INDEX expenses_organization_id_claimant_id_idx ON public.expenses USING btree (organization_id, claimant_id) WHERE (claimant_id IS NOT NULL);
CREATE INDEX expenses_reviewed_by_idx ON public.expenses USING btree (reviewed_by);
CREATE INDEX search_expenses ON public.expenses USING gin (search_grams(organization_id, ((((((COALESCE(title, ''::text) || ' '::text) || COALESCE(vendor, ''::text)) || ' '::text) || COALESCE(notes, ''::text)) || ' '::text) || COALESCE(document_number, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX documents_organization_id_issue_date_id_idx2 ON public.documents USING btree (organization_id, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_created_at_id_idx ON public.documents USING btree (organization_id, created_at, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_major_units_id_idx1 ON public.documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_status_issue_date_id_idx ON public.documents USING btree (organization_id, status, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX expense_splits_organization_id_category_id_idx ON public.expense_splits USING btree (organization_id, category_id);
CREATE INDEX expense_customers_organization_id_customer_id_expense_id_idx ON public.expense_customers USING btree (organization_id, customer_id, expense_id);
CREATE INDEX payments_organization_id_kind_paid_at_id_idx ON public.payments USING btree (organization_id, kind, paid_at, id);
CREATE INDEX expenses_by_vendor_organization_id_day_state_vendor_currenc_idx ON public.expenses_by_vendor USING btree (organization_id, day, state, vendor, currency);
CREATE INDEX customers_organization_id_registration_number_idx ON public.customers USING btree (organization_id, registration_number) WHERE (registration_number IS NOT NULL);
CREATE INDEX expenses_changed_by_idx ON public.expenses USING btree (changed_by);
CREATE INDEX expenses_organization_id_document_number_idx ON public.expenses USING btree (organization_id, document_number) WHERE (document_number IS NOT NULL);
CREATE INDEX suppliers_id_idx ON public.suppliers USING btree (id);
CREATE INDEX suppliers_organization_id_default_category_id_idx ON public.suppliers USING btree (organization_id, default_category_id);
CREATE INDEX customers_organization_id_created_at_id_idx ON public.customers USING btree (organization_id, created_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_updated_at_id_idx ON public.customers USING btree (organization_id, updated_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx ON public.customers USING btree (organization_id, lower(name), id);
CREATE INDEX customers_organization_id_lower_id_idx2 ON public.customers USING btree (organization_id, lower(email), id) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx3 ON public.customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_customer;
CREATE INDEX customers_organization_id_created_at_id_idx1 ON public.customers USING btree (organization_id, created_at, id) WHERE is_supplier;
CREATE INDEX customers_organization_id_updated_at_id_idx1 ON public.customers USING btree (organization_id, updated_at, id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx4 ON public.customers USING btree (organization_id, lower(name), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx6 ON public.customers USING btree (organization_id, lower(email), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx7 ON public.customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_supplier;
CREATE INDEX items_id_idx ON public.items USING btree (id);
CREATE UNIQUE INDEX one_item_per_sku ON public.items USING btree (organization_id, lower(sku)) WHERE (sku IS NOT NULL);
CREATE INDEX items_organization_id_barcode_idx ON public.items USING btree (organization_id, barcode) WHERE (barcode IS NOT NULL);
CREATE INDEX items_organization_id_lower_id_idx ON public.items USING btree (organization_id, lower(name), id);
CREATE INDEX items_organization_id_lower_id_idx1 ON public.items USING btree (organization_id, lower(sku), id);
CREATE INDEX items_organization_id_created_at_id_idx ON public.items USING btree (organization_id, created_at, id);
CREATE INDEX items_organization_id_updated_at_id_idx ON public.items USING btree (organization_id, updated_at, id);
CREATE INDEX search_items ON public.items USING gin (search_grams(organization_id, ((((((name || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || COALESCE(barcode, ''::text)) || ' '::text) || COALESCE(description, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX document_lines_organization_id_catalog_item_id_idx ON public.document_lines USING btree (organization_id, catalog_item_id) WHERE (catalog_item_id IS NOT NULL);
CREATE INDEX orders_id_idx ON public.orders USING btree (id);
CREATE INDEX orders_created_by_idx ON public.orders USING btree (created_by);
CREATE INDEX orders_organization_id_order_date_id_idx ON public.orders USING btree (organization_id, order_date, id);
CREATE INDEX orders_organization_id_kind_order_date_id_idx ON public.orders USING btree (organization_id, kind, order_date, id);
CREATE INDEX orders_organization_id_status_order_date_id_idx ON public.orders USING btree (organization_id, status, order_date, id);
CREATE INDEX orders_organization_id_created_at_id_idx ON public.orders USING btree (organization_id, created_at, id);
CREATE INDEX orders_organization_id_lower_id_idx ON public.orders USING btree (organization_id, lower(counterparty_name), id);
CREATE INDEX orders_organization_id_counterparty_id_kind_status_idx ON public.orders USING btree (organization_id, counterparty_id, kind, status);
CREATE INDEX search_orders ON public.orders USING gin (search_grams(organization_id, ((((((COALESCE(order_number, ''::text) || ' '::text) || counterparty_name) || ' '::text) || COALESCE(reference, ''::text)) || ' '::text) || COALESCE(notes, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX order_lines_organization_id_item_id_idx ON public.order_lines USING btree (organization_id, item_id);
CREATE INDEX order_fulfilments_organization_id_order_id_line_id_idx ON public.order_fulfilments USING btree (organization_id, order_id, line_id);
CREATE INDEX order_fulfilments_created_by_idx ON public.order_fulfilments USING btree (created_by);
CREATE INDEX order_invoice_lines_organization_id_order_id_line_id_idx ON public.order_invoice_lines USING btree (organization_id, order_id, line_id);
CREATE INDEX stock_movements_id_idx ON public.stock_movements USING btree (id);
CREATE INDEX stock_movements_created_by_idx ON public.stock_movements USING btree (created_by);
CREATE INDEX stock_movements_organization_id_date_id_idx ON public.stock_movements USING btree (organization_id, date, id);
CREATE INDEX stock_movements_organization_id_item_id_date_id_idx ON public.stock_movements USING btree (organization_id, item_id, date, id);
CREATE INDEX stock_movements_organization_id_order_id_order_line_id_idx ON public.stock_movements USING btree (organization_id, order_id, order_line_id) WHERE (order_id IS NOT NULL);
CREATE INDEX stock_movements_organization_id_document_id_document_line_i_idx ON public.stock_movements USING btree (organization_id, document_id, document_line_id) WHERE (document_id IS NOT NULL);
CREATE INDEX expenses_organization_id_order_id_idx ON public.expenses USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX cleared_orders ON public.orders USING btree (organization_id, ended_at) WHERE (cleared_minor <> 0);
CREATE INDEX journal_sums_organization_id_basis_day_idx ON public.journal_sums USING btree (organization_id, basis, day);
CREATE INDEX journal_results_organization_id_document_id_idx ON public.journal_results USING btree (organization_id, document_id);
CREATE INDEX journal_results_organization_id_day_idx ON public.journal_results USING btree (organization_id, day);
CREATE INDEX open_payments ON public.payments USING btree (organization_id, id) WHERE ((voided_at IS NULL) AND (refund_of IS NULL) AND (amount_minor > (allocated_minor + refunded_minor)));
CREATE INDEX period_locks_locked_by_idx ON public.period_locks USING btree (locked_by);
CREATE INDEX locked_balances_organization_id_account_id_idx ON public.locked_balances USING btree (organization_id, account_id);
CREATE INDEX imports_id_idx ON public.imports USING btree (id);
CREATE INDEX imports_created_by_idx ON public.imports USING btree (created_by);
CREATE INDEX imports_organization_id_created_at_id_idx ON public.imports USING btree (organization_id, created_at, id);
CREATE INDEX customers_organization_id_import_id_idx ON public.customers USING btree (organization_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX partly_settled_documents ON public.documents USING btree (organization_id, kind, id) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND ((paid_minor + credited_minor) > 0) AND (total_minor > (paid_minor + credited_minor)));
CREATE INDEX counted_documents ON public.documents USING btree (organization_id, counterparty_id) WHERE ((kind = 'SALES'::text) AND (cancelled_at IS NULL) AND (converted_to_id IS NULL));
CREATE INDEX scans_organization_id_expense_id_idx ON public.scans USING btree (organization_id, expense_id);
CREATE INDEX scans_organization_id_charged_period_idx ON public.scans USING btree (organization_id, charged_period) WHERE (charged_period IS NOT NULL);
CREATE INDEX scans_created_by_idx ON public.scans USING btree (created_by);
CREATE INDEX scanned_documents_organization_id_expense_id_idx ON public.scanned_documents USING btree (organization_id, expense_id);
CREATE INDEX supplier_aliases_organization_id_supplier_id_idx ON public.supplier_aliases USING btree (organization_id, supplier_id);
CREATE INDEX supplier_aliases_created_by_idx ON public.supplier_aliases USING btree (created_by);
CREATE INDEX files_organization_id_sha256_idx ON public.files USING btree (organization_id, sha256);
CREATE INDEX scan_batches_id_idx ON public.scan_batches USING btree (id);
CREATE INDEX scan_batches_created_by_idx ON public.scan_batches USING btree (created_by);
CREATE INDEX scan_batches_organization_id_created_at_id_idx ON public.scan_batches USING btree (organization_id, created_at, id);
CREATE INDEX scan_batch_files_id_idx ON public.scan_batch_files USING btree (id);
CREATE INDEX scan_batch_files_created_at_idx ON public.scan_batch_files USING btree (created_at) WHERE (status = 'WAITING'::text);
CREATE INDEX mail_connections_organization_id_password_key_id_idx ON public.mail_connections USING btree (organization_id, password_key_id);
CREATE INDEX mail_connections_organization_id_tokens_key_id_idx ON public.mail_connections USING btree (organization_id, tokens_key_id);
CREATE INDEX mail_connections_id_idx ON public.mail_connections USING btree (id);
CREATE INDEX mail_connections_created_by_idx ON public.mail_connections USING btree (created_by);
CREATE INDEX mail_connections_organization_id_auto_scan_automation_id_idx ON public.mail_connections USING btree (organization_id, auto_scan_automation_id);
CREATE INDEX mail_connections_organization_id_created_at_id_idx ON public.mail_connections USING btree (organization_id, created_at, id);
CREATE INDEX mail_connections_next_poll_on_idx ON public.mail_connections USING btree (next_poll_on) WHERE (auto_poll_enabled AND enabled AND (deleted_at IS NULL));
CREATE INDEX ingestion_runs_id_idx ON public.ingestion_runs USING btree (id);
CREATE INDEX ingestion_runs_created_by_idx ON public.ingestion_runs USING btree (created_by);
CREATE INDEX ingestion_runs_organization_id_started_at_id_idx ON public.ingestion_runs USING btree (organization_id, started_at, id);
CREATE INDEX ingestion_runs_organization_id_connection_id_started_at_idx ON public.ingestion_runs USING btree (organization_id, connection_id, started_at);
CREATE INDEX ingestion_runs_started_at_idx ON public.ingestion_runs USING btree (started_at) WHERE (completed_at IS NULL);
CREATE INDEX mail_messages_organization_id_expense_id_idx ON public.mail_messages USING btree (organization_id, expense_id);
CREATE INDEX mail_messages_organization_id_connection_id_idx ON public.mail_messages USING btree (organization_id, connection_id);
CREATE INDEX mail_messages_organization_id_connection_id_received_at_idx ON public.mail_messages USING btree (organization_id, connection_id, received_at) WHERE is_retried;
CREATE INDEX mail_places_organization_id_key_idx ON public.mail_places USING btree (organization_id, key);
CREATE INDEX mail_documents_organization_id_message_key_idx ON public.mail_documents USING btree (organization_id, message_key);
CREATE INDEX ingestion_messages_organization_id_run_id_id_idx ON public.ingestion_messages USING btree (organization_id, run_id, id);
CREATE INDEX ingestion_messages_organization_id_expense_id_idx ON public.ingestion_messages USING btree (organization_id, expense_id);
CREATE INDEX ingestion_messages_id_idx ON public.ingestion_messages USING btree (id);
CREATE INDEX mail_connects_expires_at_idx ON public.mail_connects USING btree (expires_at);
CREATE INDEX mail_connects_user_id_idx ON public.mail_connects USING btree (user_id);
CREATE INDEX mail_connects_session_id_idx ON public.mail_connects USING btree (session_id);
CREATE UNIQUE INDEX one_connection_per_connected_mailbox ON public.mail_connections USING btree (organization_id, provider, lower(username)) WHERE (tokens IS NOT NULL);
CREATE INDEX tax_authority_connections_organization_id_credentials_key_i_idx ON public.tax_authority_connections USING btree (organization_id, credentials_key_id);
CREATE INDEX tax_authority_connections_organization_id_tokens_key_id_idx ON public.tax_authority_connections USING btree (organization_id, tokens_key_id);
CREATE INDEX tax_authority_connections_id_idx ON public.tax_authority_connections USING btree (id);
CREATE INDEX tax_authority_connections_created_by_idx ON public.tax_authority_connections USING btree (created_by);
CREATE UNIQUE INDEX one_document_per_allocation_number ON public.clearances USING btree (organization_id, authority, environment, number) WHERE (source = 'AUTHORITY'::text);
CREATE INDEX clearances_created_by_idx ON public.clearances USING btree (created_by);
CREATE INDEX clearances_submitted_at_idx ON public.clearances USING btree (submitted_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'ERROR'::text]));
CREATE INDEX payroll_payments ON public.payments USING btree (organization_id, counterparty_id, id) WHERE (kind = 'PAYSLIP'::text);
CREATE INDEX employees_id_idx ON public.employees USING btree (id);
CREATE INDEX employees_organization_id_start_date_id_idx ON public.employees USING btree (organization_id, start_date, id);
CREATE INDEX employees_organization_id_import_id_idx ON public.employees USING btree (organization_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX employee_terms_changed_by_idx ON public.employee_terms USING btree (changed_by);
CREATE INDEX payslips_id_idx ON public.payslips USING btree (id);
CREATE INDEX payslips_organization_id_employee_id_month_idx ON public.payslips USING btree (organization_id, employee_id, month);
CREATE INDEX payslips_organization_id_month_employee_id_idx ON public.payslips USING btree (organization_id, month, employee_id);
CREATE UNIQUE INDEX one_payslip_per_month ON public.payslips USING btree (organization_id, employee_id, month) WHERE (voided_at IS NULL);
CREATE INDEX payslip_consents_organization_id_payslip_id_idx ON public.payslip_consents USING btree (organization_id, payslip_id);
CREATE INDEX payslip_consents_organization_id_attachment_id_idx ON public.payslip_consents USING btree (organization_id, attachment_id) WHERE (attachment_id IS NOT NULL);
CREATE INDEX payslip_consents_created_by_idx ON public.payslip_consents USING btree (created_by);
CREATE INDEX leave_claims_id_idx ON public.leave_claims USING btree (id);
CREATE INDEX leave_claims_organization_id_payslip_id_idx ON public.leave_claims USING btree (organization_id, payslip_id);
CREATE INDEX received_einvoices_id_idx ON public.received_einvoices USING btree (id);
CREATE UNIQUE INDEX one_received_einvoice_per_expense ON public.received_einvoices USING btree (organization_id, expense_id) WHERE (outcome <> 'DUPLICATE'::text);
CREATE INDEX received_einvoices_organization_id_expense_id_idx ON public.received_einvoices USING btree (organization_id, expense_id);
alter table only automation_steps add constraint one_step_per_element UNIQUE (organization_id, run_id, block_id, element_key);
CREATE INDEX running_of_record ON public.automation_runs USING btree (organization_id, automation_id, record_id, place) WHERE ((status = 'RUNNING'::text) AND (record_id IS NOT NULL));
CREATE INDEX automation_secrets_id_idx ON public.automation_secrets USING btree (id);
CREATE INDEX automation_secrets_organization_id_value_key_id_idx ON public.automation_secrets USING btree (organization_id, value_key_id);
CREATE INDEX failed_or_cancelled_runs ON public.automation_runs USING btree (organization_id, automation_id, status, started_at DESC, id DESC) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELLED'::text]));
CREATE INDEX companion_sessions_user_id_idx ON public.companion_sessions USING btree (user_id);
CREATE INDEX companion_sessions_organization_id_user_id_last_activity_at_idx ON public.companion_sessions USING btree (organization_id, user_id, last_activity_at DESC, key);
CREATE INDEX companion_turns_id_idx ON public.companion_turns USING btree (id);
CREATE INDEX companion_turns_user_id_idx ON public.companion_turns USING btree (user_id);
CREATE INDEX running_turns ON public.companion_turns USING btree (started_at) WHERE (status = 'RUNNING'::text);
CREATE INDEX companion_messages_user_id_idx ON public.companion_messages USING btree (user_id);
CREATE INDEX companion_messages_organization_id_turn_id_idx ON public.companion_messages USING btree (organization_id, turn_id);
CREATE INDEX companion_steps_user_id_idx ON public.companion_steps USING btree (user_id);
CREATE INDEX companion_steps_organization_id_session_key_created_at_id_idx ON public.companion_steps USING btree (organization_id, session_key, created_at DESC, id DESC);
CREATE INDEX companion_steps_organization_id_turn_id_idx ON public.companion_steps USING btree (organization_id, turn_id);
CREATE INDEX companion_steps_organization_id_executed_by_turn_id_idx ON public.companion_steps USING btree (organization_id, executed_by_turn_id) WHERE (executed_by_turn_id IS NOT NULL);
CREATE INDEX pending_steps ON public.companion_steps USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX companion_events_user_id_idx ON public.companion_events USING btree (user_id);
CREATE INDEX companion_events_organization_id_turn_id_seq_idx ON public.companion_events USING btree (organization_id, turn_id, seq);
CREATE INDEX audit_log_organization_id_api_key_id_created_at_id_idx ON public.audit_log USING btree (organization_id, api_key_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (api_key_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_client_id_created_at_id_idx ON public.audit_log USING btree (organization_id, client_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (client_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_run_id_created_at_id_idx ON public.audit_log USING btree (organization_id, run_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (run_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_turn_id_created_at_id_idx ON public.audit_log USING btree (organization_id, turn_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (turn_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_automation_id_created_at_id_idx ON public.audit_log USING btree (organization_id, automation_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (automation_id IS NOT NULL));
CREATE UNIQUE INDEX one_failure_notice_a_day ON public.notifications USING btree (user_id, ((data ->> 'automationId'::text)), (((created_at AT TIME ZONE 'UTC'::text))::date)) WHERE (kind = 'AUTOMATION_FAILED'::text);
CREATE INDEX owed_by_customer ON public.documents USING btree (organization_id, counterparty_id) WHERE ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])));
CREATE INDEX expenses_by_creator ON public.documents USING btree (organization_id, created_by, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX changes_organization_id_created_at_idx ON public.changes USING btree (organization_id, created_at);
CREATE INDEX changes_created_at_idx ON public.changes USING brin (created_at);
CREATE INDEX search_payments ON public.payments USING gin (search_grams(organization_id, reference)) WITH (gin_pending_list_limit='256') WHERE ((kind = 'SALES'::text) AND (reference IS NOT NULL));
CREATE INDEX views_organization_id_screen_position_created_at_id_idx ON public.views USING btree (organization_id, screen, "position", created_at, id);
CREATE INDEX views_organization_id_user_id_idx ON public.views USING btree (organization_id, user_id);
CREATE INDEX views_user_id_idx ON public.views USING btree (user_id);
CREATE INDEX audit_log_organization_id_source_created_at_id_idx ON public.audit_log USING btree (organization_id, source, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (source <> 'API_KEY'::text));
CREATE INDEX journal_results_by_day_organization_id_day_idx ON public.journal_results_by_day USING btree (organization_id, day);
CREATE INDEX journal_taxes_by_day_organization_id_day_idx ON public.journal_taxes_by_day USING btree (organization_id, day);
CREATE INDEX untouched_documents ON public.documents USING btree (organization_id, kind, (
CASE
    WHEN (due_date IS NULL) THEN issue_date
    ELSE due_date
END), id) INCLUDE (counterparty_id, issue_date, due_date, total_minor, in_dispute, currency, rate_currency, exchange_rate) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND (total_minor > 0) AND ((paid_minor + credited_minor) = 0) AND (cancelled_at IS NULL) AND ((kind = 'EXPENSE'::text) OR ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (document_type <> 'RECEIPT'::text) AND (converted_to_id IS NULL))));
CREATE INDEX untouched_documents_by_party ON public.documents USING btree (organization_id, kind, counterparty_id) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND (total_minor > 0) AND ((paid_minor + credited_minor) = 0) AND (cancelled_at IS NULL) AND ((kind = 'EXPENSE'::text) OR ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (document_type <> 'RECEIPT'::text) AND (converted_to_id IS NULL))));
CREATE INDEX paid_unapproved_expenses ON public.documents USING btree (organization_id, id) WHERE ((kind = 'EXPENSE'::text) AND (status = ANY (ARRAY['DRAFT'::text, 'PENDING_REVIEW'::text, 'REJECTED'::text])) AND (paid_minor > 0));
CREATE INDEX planned_payments_id_idx ON public.planned_payments USING btree (id);
CREATE INDEX planned_payments_organization_id_due_on_id_idx ON public.planned_payments USING btree (organization_id, due_on, id);
CREATE INDEX planned_payments_due_on_idx ON public.planned_payments USING btree (due_on) WHERE (status = 'PLANNED'::text);
CREATE INDEX planned_payments_organization_id_counterparty_id_idx ON public.planned_payments USING btree (organization_id, counterparty_id) WHERE (counterparty_id IS NOT NULL);
CREATE INDEX planned_payments_organization_id_bank_account_id_idx ON public.planned_payments USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE INDEX planned_payments_shares_idx ON public.planned_payments USING gin (shares jsonb_path_ops) WHERE (status = 'PLANNED'::text);
CREATE INDEX former_addresses_lower_idx ON public.former_addresses USING btree (lower(email));
CREATE INDEX open_sales ON public.sales_by_day USING btree (organization_id, currency) WHERE ((status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (open_minor <> 0));
CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);
CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));


-- Foreign keys, in the order in which the migrations made them

alter table only sessions
  add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only memberships
  add constraint memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only api_keys
  add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only api_key_organizations
  add constraint api_key_organizations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  add constraint api_key_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint api_key_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only events
  add constraint events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only idempotency_keys
  add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only customers
  add constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only customer_recipients
  add constraint customer_recipients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint customer_recipients_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only bank_accounts
  add constraint bank_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expense_categories
  add constraint expense_categories_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only failed_jobs
  add constraint failed_jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only leases
  add constraint leases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only organization_keys
  add constraint organization_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only mail_deliveries
  add constraint mail_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only outbox
  add constraint outbox_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only files
  add constraint files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint files_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only schedule_marks
  add constraint schedule_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only invitations
  add constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only notifications
  add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint notifications_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only digests
  add constraint digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only organization_settings
  add constraint organization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint organization_settings_organization_id_logo_file_id_fkey FOREIGN KEY (organization_id, logo_file_id) REFERENCES files(organization_id, id) ON DELETE SET NULL (logo_file_id);
alter table only document_numbering
  add constraint document_numbering_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only connected_apps
  add constraint connected_apps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint connected_apps_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id);
alter table only connected_app_organizations
  add constraint connected_app_organizations_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE,
  add constraint connected_app_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint connected_app_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only oauth_tokens
  add constraint oauth_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE;
alter table only account_links
  add constraint account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only authenticators
  add constraint authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only recovery_codes
  add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only passkeys
  add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only passkey_challenges
  add constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only payments
  add constraint payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id);
alter table only documents
  add constraint documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  add constraint documents_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE SET NULL (bank_account_id),
  add constraint documents_organization_id_source_document_id_fkey FOREIGN KEY (organization_id, source_document_id) REFERENCES documents(organization_id, id),
  add constraint documents_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id);
alter table only document_lines
  add constraint document_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only allocations
  add constraint allocations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint allocations_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  add constraint allocations_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only document_events
  add constraint document_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_day
  add constraint sales_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_customer
  add constraint sales_by_customer_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_customer_day
  add constraint sales_by_customer_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only cash_by_day
  add constraint cash_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only document_mailings
  add constraint document_mailings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_mailings_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only document_attachments
  add constraint document_attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint document_attachments_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint document_attachments_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id);
alter table only overdue_marks
  add constraint overdue_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint overdue_marks_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only document_counts
  add constraint document_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only automations
  add constraint automations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automations_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only automation_runs
  add constraint automation_runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_runs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE,
  add constraint automation_runs_organization_id_trigger_event_id_fkey FOREIGN KEY (organization_id, trigger_event_id) REFERENCES events(organization_id, id);
alter table only automation_steps
  add constraint automation_steps_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES automation_runs(organization_id, id) ON DELETE CASCADE;
alter table only automation_deliveries
  add constraint automation_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_deliveries_organization_id_step_id_fkey FOREIGN KEY (organization_id, step_id) REFERENCES automation_steps(organization_id, id) ON DELETE CASCADE;
alter table only webhook_secrets
  add constraint webhook_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint webhook_secrets_organization_id_secret_key_id_fkey FOREIGN KEY (organization_id, secret_key_id) REFERENCES organization_keys(organization_id, id);
alter table only automation_graphs
  add constraint automation_graphs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_graphs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE;
alter table only automations
  add constraint current_graph FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
alter table only automation_runs
  add constraint graph_of_run FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
alter table only organizations
  add constraint organizations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only issued_copies
  add constraint issued_copies_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  add constraint issued_copies_organization_id_original_file_id_fkey FOREIGN KEY (organization_id, original_file_id) REFERENCES files(organization_id, id);
alter table only documents
  add constraint documents_converted_to_id_fkey FOREIGN KEY (organization_id, converted_to_id) REFERENCES documents(organization_id, id);
alter table only payments
  add constraint payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id),
  add constraint refunded_payment FOREIGN KEY (organization_id, refund_of) REFERENCES payments(organization_id, id);
alter table only accounts
  add constraint accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only account_mappings
  add constraint account_mappings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mapped_account_is_active FOREIGN KEY (organization_id, account_id, account_type, account_active) REFERENCES accounts(organization_id, id, type, active),
  add constraint account_mappings_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE CASCADE,
  add constraint account_mappings_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE CASCADE;
alter table only journal_entries
  add constraint journal_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint journal_entries_organization_id_reverses_id_fkey FOREIGN KEY (organization_id, reverses_id) REFERENCES journal_entries(organization_id, id);
alter table only journal_entry_lines
  add constraint journal_entry_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint journal_entry_lines_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id) ON DELETE CASCADE,
  add constraint journal_entry_lines_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only account_periods
  add constraint account_periods_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint account_periods_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only expenses
  add constraint expenses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expenses_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint expense_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint expense_supplier FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id),
  add constraint expense_claimant FOREIGN KEY (organization_id, claimant_id) REFERENCES customers(organization_id, id),
  add constraint expense_category FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id);
alter table only expense_splits
  add constraint expense_splits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expense_splits_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  add constraint expense_splits_organization_id_expense_id_line_id_fkey FOREIGN KEY (organization_id, expense_id, line_id) REFERENCES document_lines(organization_id, document_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  add constraint expense_splits_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id);
alter table only expense_customers
  add constraint expense_customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expense_customers_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  add constraint expense_customer FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only scan_usage
  add constraint scan_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expenses_by_vendor
  add constraint expenses_by_vendor_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expenses
  add constraint expenses_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only suppliers
  add constraint suppliers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint supplier_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id) ON DELETE CASCADE,
  add constraint supplier_category FOREIGN KEY (organization_id, default_category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (default_category_id);
alter table only items
  add constraint items_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only document_lines
  add constraint line_item FOREIGN KEY (organization_id, catalog_item_id) REFERENCES items(organization_id, id);
alter table only orders
  add constraint orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint orders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint order_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id);
alter table only order_lines
  add constraint order_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint line_of_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id) ON DELETE CASCADE,
  add constraint order_line_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id);
alter table only order_fulfilments
  add constraint order_fulfilments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint order_fulfilments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint order_fulfilments_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id) ON DELETE CASCADE;
alter table only order_invoice_lines
  add constraint order_invoice_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint order_invoice_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint order_invoice_lines_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id);
alter table only order_counters
  add constraint order_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only stock_levels
  add constraint stock_levels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint level_of_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id) ON DELETE CASCADE;
alter table only stock_movements
  add constraint stock_movements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint stock_movements_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint movement_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  add constraint stock_movements_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  add constraint stock_movements_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only expenses
  add constraint expense_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id);
alter table only period_locks
  add constraint period_locks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint period_locks_locked_by_fkey FOREIGN KEY (locked_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only locked_balances
  add constraint locked_balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint balance_of_lock FOREIGN KEY (organization_id, lock_id) REFERENCES period_locks(organization_id, id) ON DELETE CASCADE,
  add constraint balance_of_account FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only imports
  add constraint imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only customers
  add constraint customer_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id);
alter table only scans
  add constraint scans_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint scans_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only scanned_documents
  add constraint scanned_documents_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE;
alter table only supplier_aliases
  add constraint supplier_aliases_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint supplier_aliases_organization_id_supplier_id_fkey FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only scan_batches
  add constraint scan_batches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint scan_batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only scan_batch_files
  add constraint scan_batch_files_organization_id_batch_id_fkey FOREIGN KEY (organization_id, batch_id) REFERENCES scan_batches(organization_id, id) ON DELETE CASCADE;
alter table only mail_connections
  add constraint mail_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint mail_connections_organization_id_auto_scan_automation_id_fkey FOREIGN KEY (organization_id, auto_scan_automation_id) REFERENCES automations(organization_id, id) ON DELETE SET NULL (auto_scan_automation_id),
  add constraint mail_connections_organization_id_password_key_id_fkey FOREIGN KEY (organization_id, password_key_id) REFERENCES organization_keys(organization_id, id),
  add constraint mail_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id);
alter table only ingestion_runs
  add constraint ingestion_runs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint ingestion_runs_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE;
alter table only mail_messages
  add constraint mail_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_messages_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  add constraint mail_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only mail_places
  add constraint mail_places_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  add constraint mail_places_organization_id_key_fkey FOREIGN KEY (organization_id, key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE;
alter table only mail_documents
  add constraint mail_documents_organization_id_message_key_fkey FOREIGN KEY (organization_id, message_key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table only ingestion_messages
  add constraint ingestion_messages_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_runs(organization_id, id) ON DELETE CASCADE,
  add constraint ingestion_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only mail_connects
  add constraint mail_connects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_connects_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint mail_connects_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table only tax_authority_connections
  add constraint tax_authority_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint tax_authority_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint tax_authority_connections_organization_id_credentials_key__fkey FOREIGN KEY (organization_id, credentials_key_id) REFERENCES organization_keys(organization_id, id),
  add constraint tax_authority_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id);
alter table only clearances
  add constraint clearances_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint clearances_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only employees
  add constraint employees_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint employee_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id),
  add constraint employee_user FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE SET NULL (user_id),
  add constraint employee_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id);
alter table only employee_terms
  add constraint employee_terms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint employee_terms_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint employee_terms_organization_id_employee_id_fkey FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id) ON DELETE CASCADE;
alter table only payslips
  add constraint payslips_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint payslip_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id);
alter table only payslip_lines
  add constraint payslip_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_lines_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE;
alter table only payslip_consents
  add constraint payslip_consents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_consents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint payslip_consents_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE,
  add constraint payslip_consents_organization_id_attachment_id_fkey FOREIGN KEY (organization_id, attachment_id) REFERENCES document_attachments(organization_id, id);
alter table only leave_claims
  add constraint leave_claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint leave_claims_organization_id_id_fkey FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint leave_claims_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE;
alter table only received_einvoices
  add constraint received_einvoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint received_einvoices_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only automation_secrets
  add constraint automation_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_secrets_organization_id_value_key_id_fkey FOREIGN KEY (organization_id, value_key_id) REFERENCES organization_keys(organization_id, id);
alter table only companion_sessions
  add constraint companion_sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint companion_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only companion_turns
  add constraint companion_turns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_turns_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE;
alter table only companion_messages
  add constraint companion_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_messages_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_messages_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_steps
  add constraint companion_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_executed_by_turn_id_fkey FOREIGN KEY (organization_id, executed_by_turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_events
  add constraint companion_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_events_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_events_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_usage
  add constraint companion_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only changes
  add constraint changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only preferences
  add constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only views
  add constraint views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only planned_payments
  add constraint planned_payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint planned_payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  add constraint planned_payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id);
alter table only former_addresses
  add constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;


-- Statistics over several columns

CREATE STATISTICS public.settled_documents ON (paid_minor + credited_minor) FROM documents;


-- Triggers

CREATE TRIGGER touch BEFORE UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.organizations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE CONSTRAINT TRIGGER organization_has_owner AFTER INSERT ON public.organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_owner();
CREATE CONSTRAINT TRIGGER organization_has_owner AFTER DELETE OR UPDATE ON public.memberships DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_owner();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.customer_recipients FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.expense_categories FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_deliveries FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER by_a_job BEFORE UPDATE ON public.mail_deliveries FOR EACH ROW WHEN ((current_person() IS NOT NULL)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER final BEFORE UPDATE ON public.mail_deliveries FOR EACH ROW WHEN ((old.status <> 'QUEUED'::text)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER role_within_reach BEFORE INSERT OR DELETE OR UPDATE ON public.memberships FOR EACH ROW WHEN ((current_person() IS NOT NULL)) EXECUTE FUNCTION refuse_role_above_own();
CREATE TRIGGER touch BEFORE UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER role_within_reach BEFORE INSERT OR UPDATE OF role ON public.invitations FOR EACH ROW WHEN ((current_person() IS NOT NULL)) EXECUTE FUNCTION refuse_role_above_own();
CREATE TRIGGER touch BEFORE UPDATE ON public.organization_settings FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.document_numbering FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER prolong AFTER INSERT ON public.oauth_tokens FOR EACH ROW WHEN ((new.app_id IS NOT NULL)) EXECUTE FUNCTION extend_connected_app();
CREATE TRIGGER touch BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.documents FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER guard_lines BEFORE INSERT OR DELETE OR UPDATE ON public.document_lines FOR EACH ROW EXECUTE FUNCTION guard_lines();
CREATE TRIGGER apply_allocation AFTER INSERT OR UPDATE ON public.allocations FOR EACH ROW EXECUTE FUNCTION apply_allocation();
CREATE TRIGGER void_allocations AFTER UPDATE OF voided_at ON public.payments FOR EACH ROW WHEN (((old.voided_at IS NULL) AND (new.voided_at IS NOT NULL))) EXECUTE FUNCTION void_allocations();
CREATE TRIGGER refuse_unvoiding BEFORE UPDATE ON public.payments FOR EACH ROW WHEN (((old.voided_at IS NOT NULL) AND (new.voided_at IS DISTINCT FROM old.voided_at))) EXECUTE FUNCTION refuse_unvoiding();
CREATE TRIGGER update_drafts_of_counterparty AFTER UPDATE OF name, email ON public.customers FOR EACH ROW WHEN ((COALESCE(old.name, old.email, ''::text) <> COALESCE(new.name, new.email, ''::text))) EXECUTE FUNCTION update_drafts_of_counterparty();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.document_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_to_history BEFORE INSERT ON public.document_events FOR EACH ROW EXECUTE FUNCTION append_to_history();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.exchange_rates FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER update_sales_totals_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.direction = 'OUTGOING'::text))) EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER update_sales_totals_of_deleted AFTER DELETE ON public.documents FOR EACH ROW WHEN (((old.kind = 'SALES'::text) AND (old.direction = 'OUTGOING'::text))) EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER update_cash_totals_of_new AFTER INSERT ON public.payments FOR EACH ROW WHEN (((new.source <> 'CREDIT_MEMO'::text) AND (new.voided_at IS NULL))) EXECUTE FUNCTION update_cash_totals();
CREATE TRIGGER update_cash_totals_of_voided AFTER UPDATE OF voided_at ON public.payments FOR EACH ROW WHEN (((new.source <> 'CREDIT_MEMO'::text) AND (old.voided_at IS NULL) AND (new.voided_at IS NOT NULL))) EXECUTE FUNCTION update_cash_totals();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.overdue_marks FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER count_documents AFTER INSERT OR DELETE ON public.documents FOR EACH ROW EXECUTE FUNCTION count_documents();
CREATE TRIGGER count_moved_documents AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((old.document_type <> new.document_type) OR (old.status <> new.status))) EXECUTE FUNCTION count_documents();
CREATE TRIGGER touch BEFORE UPDATE ON public.automations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER succeeded_step_stays BEFORE UPDATE ON public.automation_steps FOR EACH ROW WHEN ((old.status = 'SUCCEEDED'::text)) EXECUTE FUNCTION refuse_change_of_succeeded_step();
CREATE TRIGGER start_automations AFTER INSERT ON public.events FOR EACH ROW EXECUTE FUNCTION start_automations();
CREATE TRIGGER final BEFORE UPDATE ON public.automation_deliveries FOR EACH ROW WHEN ((old.outcome <> ALL (ARRAY['SENDING'::text, 'UNKNOWN'::text]))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER guard_document BEFORE INSERT OR UPDATE ON public.documents FOR EACH ROW EXECUTE FUNCTION guard_document();
CREATE TRIGGER refuse_deleting_final BEFORE DELETE ON public.documents FOR EACH ROW WHEN ((old.issued_at IS NOT NULL)) EXECUTE FUNCTION refuse_deleting_final();
CREATE CONSTRAINT TRIGGER amounts_match_when_new AFTER INSERT ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.issued_at IS NOT NULL)) EXECUTE FUNCTION require_matching_amounts();
CREATE CONSTRAINT TRIGGER amounts_match_when_final AFTER UPDATE ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL))) EXECUTE FUNCTION require_matching_amounts();
CREATE TRIGGER set_exchange_rate_of_new BEFORE INSERT ON public.documents FOR EACH ROW WHEN ((new.issued_at IS NOT NULL)) EXECUTE FUNCTION set_exchange_rate();
CREATE TRIGGER set_exchange_rate_when_final BEFORE UPDATE ON public.documents FOR EACH ROW WHEN (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL))) EXECUTE FUNCTION set_exchange_rate();
CREATE TRIGGER replace_graph BEFORE UPDATE OF blocks, edges ON public.automations FOR EACH ROW EXECUTE FUNCTION replace_graph();
CREATE TRIGGER save_graph AFTER INSERT OR UPDATE OF blocks, edges ON public.automations FOR EACH ROW EXECUTE FUNCTION save_graph();
CREATE TRIGGER adopt_graph BEFORE INSERT ON public.automation_runs FOR EACH ROW WHEN ((new.graph_id IS NULL)) EXECUTE FUNCTION adopt_graph();
CREATE TRIGGER adopt_graph_again BEFORE UPDATE OF status ON public.automation_runs FOR EACH ROW WHEN (((new.status = 'RUNNING'::text) AND (old.status <> 'RUNNING'::text))) EXECUTE FUNCTION adopt_graph();
CREATE TRIGGER end_credentials AFTER UPDATE OF revoked_at, expires_at ON public.api_keys FOR EACH ROW WHEN (((new.revoked_at IS DISTINCT FROM old.revoked_at) OR (new.expires_at IS DISTINCT FROM old.expires_at))) EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials_of_deleted AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials AFTER DELETE ON public.api_key_organizations FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials AFTER UPDATE OF revoked_at, expires_at ON public.connected_apps FOR EACH ROW WHEN (((new.revoked_at IS DISTINCT FROM old.revoked_at) OR (new.expires_at < old.expires_at))) EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials_of_deleted AFTER DELETE ON public.connected_apps FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials AFTER DELETE ON public.connected_app_organizations FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER require_valid_credential AFTER UPDATE OF status ON public.automations FOR EACH ROW WHEN (((new.status = 'ENABLED'::text) AND (old.status <> 'ENABLED'::text))) EXECUTE FUNCTION require_valid_credential();
CREATE TRIGGER count_queued_mail AFTER INSERT ON public.mail_deliveries FOR EACH ROW WHEN (((new.organization_id IS NOT NULL) AND (new.status = 'QUEUED'::text) AND (current_person() IS NOT NULL))) EXECUTE FUNCTION count_queued_mail();
CREATE TRIGGER count_automation_mail AFTER INSERT ON public.automation_deliveries FOR EACH ROW WHEN ((new.kind = 'EMAIL'::text)) EXECUTE FUNCTION count_automation_mail();
CREATE TRIGGER guard_issued_copy BEFORE DELETE OR UPDATE ON public.issued_copies FOR EACH ROW EXECUTE FUNCTION guard_issued_copy();
CREATE TRIGGER copy_issued_document_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.issued_at IS NOT NULL))) EXECUTE FUNCTION copy_issued_document();
CREATE TRIGGER copy_issued_document_when_final AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (old.issued_at IS NULL) AND (new.issued_at IS NOT NULL))) EXECUTE FUNCTION copy_issued_document();
CREATE TRIGGER guard_numbering BEFORE INSERT OR UPDATE OF prefix, padding, first_number ON public.document_numbering FOR EACH ROW EXECUTE FUNCTION guard_numbering();
CREATE TRIGGER mark_credit BEFORE INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION mark_credit();
CREATE TRIGGER guard_memo BEFORE INSERT ON public.documents FOR EACH ROW WHEN (((new.document_type = ANY (ARRAY['CREDIT_MEMO'::text, 'DEBIT_MEMO'::text])) AND (new.source_document_id IS NOT NULL))) EXECUTE FUNCTION guard_memo();
CREATE TRIGGER update_sales_totals_of_changed AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.direction = 'OUTGOING'::text) AND (new.payment_id IS NULL) AND (((((((((((old.status IS DISTINCT FROM new.status) OR (old.document_type IS DISTINCT FROM new.document_type)) OR (old.counterparty_id IS DISTINCT FROM new.counterparty_id)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.exchange_rate IS DISTINCT FROM new.exchange_rate)) OR (old.issue_date IS DISTINCT FROM new.issue_date)) OR (old.total_minor IS DISTINCT FROM new.total_minor)) OR (old.paid_minor IS DISTINCT FROM new.paid_minor)) OR (old.credited_minor IS DISTINCT FROM new.credited_minor)) OR (old.cancelled_at IS DISTINCT FROM new.cancelled_at)) OR (old.converted_to_id IS DISTINCT FROM new.converted_to_id)))) EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER apply_refund_of_new AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.refund_of IS NOT NULL)) EXECUTE FUNCTION apply_refund();
CREATE TRIGGER apply_refund_of_voided AFTER UPDATE OF voided_at ON public.payments FOR EACH ROW WHEN (((new.refund_of IS NOT NULL) AND (old.voided_at IS NULL) AND (new.voided_at IS NOT NULL))) EXECUTE FUNCTION apply_refund();
CREATE TRIGGER hold_to_customer AFTER INSERT ON public.allocations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_to_customer();
CREATE TRIGGER refuse_reallocating BEFORE UPDATE ON public.allocations FOR EACH ROW WHEN (((old.voided_at IS NOT NULL) AND (new.voided_at IS DISTINCT FROM old.voided_at))) EXECUTE FUNCTION refuse_reallocating();
CREATE TRIGGER keep_fixed_rates BEFORE UPDATE ON public.documents FOR EACH ROW WHEN (((old.issued_at IS NOT NULL) AND ((new.issued_at IS NULL) OR ((((new.given_rate IS DISTINCT FROM old.given_rate) OR (new.given_rate_date IS DISTINCT FROM old.given_rate_date)) OR (new.country_rate IS DISTINCT FROM old.country_rate)) OR (new.country_rate_date IS DISTINCT FROM old.country_rate_date))))) EXECUTE FUNCTION keep_fixed_rates();
CREATE TRIGGER touch BEFORE UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER add_default_accounts AFTER INSERT ON public.organizations FOR EACH ROW EXECUTE FUNCTION add_default_accounts();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.journal_entry_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER number_journal_entry BEFORE INSERT ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION number_journal_entry();
CREATE TRIGGER guard_entry_lines BEFORE INSERT ON public.journal_entry_lines FOR EACH ROW EXECUTE FUNCTION guard_entry_lines();
CREATE CONSTRAINT TRIGGER entry_is_balanced AFTER INSERT ON public.journal_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_balanced_entry();
CREATE TRIGGER set_payment_rate BEFORE INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION set_payment_rate();
CREATE TRIGGER set_credit_rate AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.document_type = 'CREDIT_MEMO'::text) AND (new.payment_id IS NOT NULL) AND (new.rate_currency <> new.currency))) EXECUTE FUNCTION set_credit_rate();
CREATE TRIGGER book_allocation BEFORE INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION book_allocation();
CREATE TRIGGER book_allocations_when_final AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL) AND (new.paid_minor > 0))) EXECUTE FUNCTION book_allocations_when_final();
CREATE TRIGGER require_keys AFTER INSERT ON public.api_key_calls REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_keys_of_calls();
CREATE TRIGGER delete_calls AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION delete_calls_of_keys();
CREATE TRIGGER refuse_second_statement AFTER INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION refuse_second_statement();
CREATE TRIGGER refuse_second_statement AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.document_type = 'RECEIPT'::text) AND (new.payment_id IS NOT NULL))) EXECUTE FUNCTION refuse_second_statement();
CREATE TRIGGER guard_legal_content BEFORE UPDATE ON public.documents FOR EACH ROW WHEN ((((old.cancelled_at IS NOT NULL) AND (new.cancelled_at IS DISTINCT FROM old.cancelled_at)) OR ((old.converted_to_id IS NOT NULL) AND (new.converted_to_id IS DISTINCT FROM old.converted_to_id)) OR ((old.issued_at IS NOT NULL) AND ((((old.document_type = ANY (ARRAY['CREDIT_MEMO'::text, 'DEBIT_MEMO'::text])) OR ((old.document_type = 'RECEIPT'::text) AND (old.payment_id IS NOT NULL))) AND (new.notes IS DISTINCT FROM old.notes)) OR ((old.document_type = ANY (ARRAY['RECEIPT'::text, 'INVOICE_RECEIPT'::text])) AND (((new.country_specific_data -> 'withholdingTax'::text) IS DISTINCT FROM (old.country_specific_data -> 'withholdingTax'::text)) OR ((new.country_specific_data -> 'withheldAmount'::text) IS DISTINCT FROM (old.country_specific_data -> 'withheldAmount'::text)))))))) EXECUTE FUNCTION guard_legal_content();
CREATE TRIGGER guard_prefix BEFORE INSERT OR UPDATE OF prefix ON public.document_numbering FOR EACH ROW EXECUTE FUNCTION guard_prefix();
CREATE CONSTRAINT TRIGGER check_formats_of_series AFTER INSERT OR UPDATE OF prefix, padding ON public.document_numbering DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_formats_of_series();
CREATE TRIGGER guard_account_code BEFORE INSERT OR UPDATE OF code ON public.accounts FOR EACH ROW EXECUTE FUNCTION guard_account_code();
CREATE TRIGGER follow_credit AFTER UPDATE OF allocated_minor, refunded_minor ON public.payments FOR EACH ROW WHEN (((new.source = 'CREDIT_MEMO'::text) AND ((old.amount_minor = (old.allocated_minor + old.refunded_minor)) <> (new.amount_minor = (new.allocated_minor + new.refunded_minor))))) EXECUTE FUNCTION follow_credit();
CREATE TRIGGER date_mapping AFTER INSERT OR DELETE OR UPDATE ON public.account_mappings FOR EACH ROW EXECUTE FUNCTION date_mapping();
CREATE TRIGGER date_purpose_of_new AFTER INSERT ON public.accounts FOR EACH ROW WHEN ((new.purpose IS NOT NULL)) EXECUTE FUNCTION date_purpose();
CREATE TRIGGER date_purpose AFTER UPDATE OF purpose ON public.accounts FOR EACH ROW WHEN ((old.purpose IS DISTINCT FROM new.purpose)) EXECUTE FUNCTION date_purpose();
CREATE CONSTRAINT TRIGGER purpose_has_account AFTER UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.purpose IS NOT NULL) AND (old.purpose IS DISTINCT FROM new.purpose))) EXECUTE FUNCTION require_account_of_purpose();
CREATE TRIGGER guard_expense BEFORE UPDATE ON public.expenses FOR EACH ROW WHEN (((((((((((old.id IS DISTINCT FROM new.id) OR (old.vendor IS DISTINCT FROM new.vendor)) OR (old.supplier_id IS DISTINCT FROM new.supplier_id)) OR (old.claimant_id IS DISTINCT FROM new.claimant_id)) OR (old.source IS DISTINCT FROM new.source)) OR (old.charged_tax_minor IS DISTINCT FROM new.charged_tax_minor)) OR (old.deductible_tax_minor IS DISTINCT FROM new.deductible_tax_minor)) OR (old.document_number IS DISTINCT FROM new.document_number)) OR (old.vendor_tax_number IS DISTINCT FROM new.vendor_tax_number)) OR (old.allocation_number IS DISTINCT FROM new.allocation_number))) EXECUTE FUNCTION guard_expense();
CREATE CONSTRAINT TRIGGER guard_expense_parties AFTER INSERT OR UPDATE OF supplier_id, claimant_id ON public.expenses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard_expense_parties();
CREATE TRIGGER update_expense_totals_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN ((new.kind = 'EXPENSE'::text)) EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER update_expense_totals_of_deleted AFTER DELETE ON public.documents FOR EACH ROW WHEN ((old.kind = 'EXPENSE'::text)) EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER note_claimant BEFORE INSERT OR UPDATE OF claimant_id, claimed_by ON public.expenses FOR EACH ROW EXECUTE FUNCTION note_claimant();
CREATE CONSTRAINT TRIGGER guard_approval AFTER UPDATE OF reviewed_by, reviewed_at ON public.expenses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.reviewed_by = ANY (new.claimed_by))) EXECUTE FUNCTION guard_approval();
CREATE TRIGGER map_first_category AFTER INSERT ON public.expense_categories FOR EACH ROW WHEN (new.is_default) EXECUTE FUNCTION map_first_category();
CREATE TRIGGER control_account AFTER INSERT OR UPDATE ON public.account_mappings FOR EACH ROW WHEN ((new.category_id IS NOT NULL)) EXECUTE FUNCTION require_no_control_account();
CREATE TRIGGER control_account AFTER UPDATE OF purpose ON public.accounts FOR EACH ROW WHEN ((new.purpose IS NOT NULL)) EXECUTE FUNCTION require_no_control_account();
CREATE TRIGGER refuse_credit_on_receipt AFTER INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION refuse_credit_on_receipt();
CREATE TRIGGER touch BEFORE UPDATE ON public.suppliers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER follow_supplier AFTER INSERT OR DELETE ON public.suppliers FOR EACH ROW EXECUTE FUNCTION follow_supplier();
CREATE TRIGGER note_customer AFTER INSERT OR UPDATE OF counterparty_id ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.counterparty_id IS NOT NULL))) EXECUTE FUNCTION note_customer();
CREATE TRIGGER note_supplier AFTER INSERT OR UPDATE OF supplier_id ON public.expenses FOR EACH ROW WHEN ((new.supplier_id IS NOT NULL)) EXECUTE FUNCTION note_supplier();
CREATE TRIGGER touch BEFORE UPDATE ON public.items FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER note_tracking_of_new BEFORE INSERT ON public.items FOR EACH ROW EXECUTE FUNCTION note_tracking();
CREATE TRIGGER note_tracking BEFORE UPDATE ON public.items FOR EACH ROW WHEN ((new.tracked <> old.tracked)) EXECUTE FUNCTION note_tracking();
CREATE TRIGGER touch BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.order_fulfilments FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER guard_order_invoice AFTER INSERT ON public.order_invoice_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard_order_invoice();
CREATE TRIGGER guard_order BEFORE INSERT OR DELETE OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION guard_order();
CREATE TRIGGER guard_order_lines BEFORE INSERT OR DELETE OR UPDATE ON public.order_lines FOR EACH ROW EXECUTE FUNCTION guard_order_lines();
CREATE TRIGGER note_order_party AFTER INSERT OR UPDATE OF counterparty_id ON public.orders FOR EACH ROW EXECUTE FUNCTION note_order_party();
CREATE TRIGGER guard_party BEFORE UPDATE OF is_customer ON public.customers FOR EACH ROW WHEN ((old.is_customer AND (NOT new.is_customer))) EXECUTE FUNCTION guard_party();
CREATE TRIGGER guard_supplier BEFORE DELETE ON public.suppliers FOR EACH ROW EXECUTE FUNCTION guard_supplier();
CREATE TRIGGER count_orders AFTER INSERT OR DELETE ON public.orders FOR EACH ROW EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_moved_orders AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION count_orders();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.stock_movements FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER apply_movement BEFORE INSERT ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION apply_movement();
CREATE TRIGGER guard_item BEFORE UPDATE ON public.items FOR EACH ROW WHEN ((old.tracked AND (NOT new.tracked))) EXECUTE FUNCTION guard_item();
CREATE TRIGGER begin_tracking AFTER UPDATE ON public.items FOR EACH ROW WHEN ((new.tracked AND (NOT old.tracked))) EXECUTE FUNCTION begin_tracking();
CREATE TRIGGER apply_fulfilment AFTER INSERT ON public.order_fulfilments FOR EACH ROW EXECUTE FUNCTION apply_fulfilment();
CREATE CONSTRAINT TRIGGER move_stock_of_new AFTER INSERT ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.issued_at IS NOT NULL) AND (new.document_type = ANY (ARRAY['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'CREDIT_MEMO'::text])))) EXECUTE FUNCTION move_stock_of_document();
CREATE CONSTRAINT TRIGGER move_stock_of_issued AFTER UPDATE ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.document_type = ANY (ARRAY['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'CREDIT_MEMO'::text])) AND (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL)) OR ((old.cancelled_at IS NULL) AND (new.cancelled_at IS NOT NULL))))) EXECUTE FUNCTION move_stock_of_document();
CREATE TRIGGER link_memo_to_order AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.document_type = 'CREDIT_MEMO'::text) AND (new.source_document_id IS NOT NULL))) EXECUTE FUNCTION link_memo_to_order();
CREATE TRIGGER clear_closed_order AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.kind = 'PURCHASE'::text) AND (old.status <> 'CLOSED'::text) AND (new.status = 'CLOSED'::text))) EXECUTE FUNCTION clear_closed_order();
CREATE CONSTRAINT TRIGGER set_goods_of_expense AFTER UPDATE ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND (new.document_type = 'EXPENSE'::text) AND ((old.issued_at IS NULL) <> (new.issued_at IS NULL)))) EXECUTE FUNCTION set_goods_of_expense();
CREATE TRIGGER date_void BEFORE UPDATE ON public.payments FOR EACH ROW WHEN (((old.voided_at IS NULL) AND (new.voided_at IS NOT NULL))) EXECUTE FUNCTION date_void();
CREATE TRIGGER guard_cancelled_credit AFTER UPDATE OF cancelled_at ON public.documents FOR EACH ROW WHEN (((new.document_type = 'CREDIT_MEMO'::text) AND (old.cancelled_at IS NULL) AND (new.cancelled_at IS NOT NULL))) EXECUTE FUNCTION guard_cancelled_credit();
CREATE TRIGGER update_expense_totals_of_changed AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND ((old.status IS DISTINCT FROM new.status) OR (old.total_minor IS DISTINCT FROM new.total_minor) OR (old.currency IS DISTINCT FROM new.currency) OR (old.issue_date IS DISTINCT FROM new.issue_date) OR (old.exchange_rate IS DISTINCT FROM new.exchange_rate) OR (old.cancelled_at IS DISTINCT FROM new.cancelled_at)))) EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER keep_deleted_category BEFORE UPDATE OF category_id ON public.expenses FOR EACH ROW WHEN ((old.category_id IS DISTINCT FROM new.category_id)) EXECUTE FUNCTION keep_deleted_category('id');
CREATE TRIGGER keep_deleted_category BEFORE UPDATE OF category_id ON public.expense_splits FOR EACH ROW WHEN ((old.category_id IS DISTINCT FROM new.category_id)) EXECUTE FUNCTION keep_deleted_category('expense_id');
CREATE TRIGGER forget_deleted_category AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND (old.issued_at IS NOT NULL) AND (new.issued_at IS NULL))) EXECUTE FUNCTION forget_deleted_category();
CREATE TRIGGER mark_issued_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN ((new.issued_at IS NOT NULL)) EXECUTE FUNCTION mark_issued();
CREATE TRIGGER mark_issued_when_final AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((old.issued_at IS NULL) AND (new.issued_at IS NOT NULL) AND (new.paid_minor = 0) AND (new.credited_minor = 0))) EXECUTE FUNCTION mark_issued();
CREATE TRIGGER mark_changed_document AFTER UPDATE ON public.documents FOR EACH ROW WHEN (
        CASE
            WHEN (old.issued_at IS NULL) THEN ((new.issued_at IS NOT NULL) AND ((new.paid_minor > 0) OR (new.credited_minor > 0)))
            ELSE ((new.issued_at IS NULL) OR ((((((((old.kind IS DISTINCT FROM new.kind) OR (old.direction IS DISTINCT FROM new.direction)) OR (old.document_type IS DISTINCT FROM new.document_type)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.issue_date IS DISTINCT FROM new.issue_date)) OR (old.subtotal_minor IS DISTINCT FROM new.subtotal_minor)) OR (old.tax_minor IS DISTINCT FROM new.tax_minor)) OR (old.total_minor IS DISTINCT FROM new.total_minor)) OR (((((((old.exchange_rate IS DISTINCT FROM new.exchange_rate) OR (old.rate_currency IS DISTINCT FROM new.rate_currency)) OR (old.tax_rate IS DISTINCT FROM new.tax_rate)) OR (old.source_document_id IS DISTINCT FROM new.source_document_id)) OR (old.payment_id IS DISTINCT FROM new.payment_id)) OR (old.cancelled_at IS DISTINCT FROM new.cancelled_at)) OR (old.converted_to_id IS DISTINCT FROM new.converted_to_id)))
        END) EXECUTE FUNCTION mark_changed_document();
CREATE TRIGGER mark_payment AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.source <> 'CREDIT_MEMO'::text)) EXECUTE FUNCTION mark_payment();
CREATE TRIGGER mark_changed_payment AFTER UPDATE ON public.payments FOR EACH ROW WHEN (((((((((((((old.paid_at IS DISTINCT FROM new.paid_at) OR (old.source IS DISTINCT FROM new.source)) OR (old.voided_at IS DISTINCT FROM new.voided_at)) OR (old.direction IS DISTINCT FROM new.direction)) OR (old.amount_minor IS DISTINCT FROM new.amount_minor)) OR (old.withheld_minor IS DISTINCT FROM new.withheld_minor)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.exchange_rate IS DISTINCT FROM new.exchange_rate)) OR (old.rate_currency IS DISTINCT FROM new.rate_currency)) OR (old.bank_account_id IS DISTINCT FROM new.bank_account_id)) OR (old.refund_of IS DISTINCT FROM new.refund_of)) OR (old.refund_home_minor IS DISTINCT FROM new.refund_home_minor))) EXECUTE FUNCTION mark_changed_payment();
CREATE TRIGGER mark_allocation AFTER INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION mark_allocation();
CREATE TRIGGER mark_changed_allocation AFTER UPDATE ON public.allocations FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION mark_allocation();
CREATE TRIGGER mark_movement AFTER INSERT OR UPDATE ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION mark_movement();
CREATE TRIGGER mark_entry AFTER INSERT ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION mark_movement();
CREATE TRIGGER mark_closed_order AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((old.cleared_minor <> new.cleared_minor)) EXECUTE FUNCTION mark_closed_order();
CREATE TRIGGER mark_expense AFTER UPDATE ON public.expenses FOR EACH ROW WHEN (((old.category_id IS DISTINCT FROM new.category_id) OR (old.goods_minor IS DISTINCT FROM new.goods_minor))) EXECUTE FUNCTION mark_expense();
CREATE TRIGGER mark_new_splits AFTER INSERT ON public.expense_splits REFERENCING NEW TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
CREATE TRIGGER mark_changed_splits AFTER UPDATE ON public.expense_splits REFERENCING NEW TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
CREATE TRIGGER mark_removed_splits AFTER DELETE ON public.expense_splits REFERENCING OLD TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
CREATE TRIGGER mark_new_periods AFTER INSERT ON public.account_periods REFERENCING NEW TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER mark_changed_periods AFTER UPDATE ON public.account_periods REFERENCING NEW TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER mark_removed_periods AFTER DELETE ON public.account_periods REFERENCING OLD TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER mark_organization AFTER UPDATE ON public.organizations FOR EACH ROW WHEN (((old.currency IS DISTINCT FROM new.currency) OR (old.timezone IS DISTINCT FROM new.timezone))) EXECUTE FUNCTION mark_organization();
CREATE TRIGGER remove_marks AFTER DELETE ON public.organizations FOR EACH ROW EXECUTE FUNCTION mark_organization();
CREATE TRIGGER check_period_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN ((new.issued_at IS NOT NULL)) EXECUTE FUNCTION check_period_of_document();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON public.documents FOR EACH ROW WHEN ((((old.issued_at IS NULL) <> (new.issued_at IS NULL)) OR ((new.issued_at IS NOT NULL) AND ((old.cancelled_at IS DISTINCT FROM new.cancelled_at) OR (old.issue_date <> new.issue_date) OR (old.document_type <> new.document_type) OR (old.currency <> new.currency) OR (old.subtotal_minor <> new.subtotal_minor) OR (old.tax_minor <> new.tax_minor) OR (old.total_minor <> new.total_minor) OR (old.exchange_rate IS DISTINCT FROM new.exchange_rate) OR (old.rate_currency IS DISTINCT FROM new.rate_currency) OR (old.payment_id IS DISTINCT FROM new.payment_id) OR (old.source_document_id IS DISTINCT FROM new.source_document_id))))) EXECUTE FUNCTION check_period_of_document();
CREATE TRIGGER check_period_of_new AFTER INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION check_period_of_payment();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON public.payments FOR EACH ROW WHEN (((old.voided_at IS DISTINCT FROM new.voided_at) OR (old.paid_at <> new.paid_at) OR ((new.source <> 'CREDIT_MEMO'::text) AND ((old.amount_minor <> new.amount_minor) OR (old.withheld_minor <> new.withheld_minor) OR (old.currency <> new.currency) OR (old.exchange_rate IS DISTINCT FROM new.exchange_rate) OR (old.rate_currency IS DISTINCT FROM new.rate_currency) OR (old.bank_account_id IS DISTINCT FROM new.bank_account_id) OR (old.refund_home_minor IS DISTINCT FROM new.refund_home_minor))))) EXECUTE FUNCTION check_period_of_payment();
CREATE TRIGGER check_period_of_new AFTER INSERT ON public.allocations FOR EACH ROW EXECUTE FUNCTION check_period_of_allocation();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON public.allocations FOR EACH ROW WHEN (((old.voided_at IS DISTINCT FROM new.voided_at) OR (old.booked_on IS DISTINCT FROM new.booked_on) OR (old.amount_minor <> new.amount_minor) OR (old.document_home_minor IS DISTINCT FROM new.document_home_minor) OR (old.payment_home_minor IS DISTINCT FROM new.payment_home_minor))) EXECUTE FUNCTION check_period_of_allocation();
CREATE TRIGGER check_period AFTER UPDATE OF category_id, goods_minor ON public.expenses FOR EACH ROW WHEN (((old.category_id IS DISTINCT FROM new.category_id) OR (old.goods_minor <> new.goods_minor))) EXECUTE FUNCTION check_period_of_category();
CREATE TRIGGER check_period_of_changed AFTER UPDATE OF category_id ON public.expense_splits FOR EACH ROW WHEN ((old.category_id IS DISTINCT FROM new.category_id)) EXECUTE FUNCTION check_period_of_category();
CREATE TRIGGER check_period_of_replaced AFTER INSERT OR DELETE ON public.expense_splits FOR EACH ROW EXECUTE FUNCTION check_period_of_category();
CREATE TRIGGER check_period AFTER INSERT ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION check_period_of_date();
CREATE TRIGGER check_period AFTER INSERT ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION check_period_of_date();
CREATE TRIGGER check_period AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((old.cleared_minor <> new.cleared_minor)) EXECUTE FUNCTION check_period_of_closed_order();
CREATE TRIGGER check_period AFTER INSERT OR DELETE OR UPDATE ON public.account_periods FOR EACH ROW EXECUTE FUNCTION check_period_of_account();
CREATE TRIGGER check_period AFTER UPDATE OF timezone, currency ON public.organizations FOR EACH ROW WHEN (((old.timezone <> new.timezone) OR (old.currency <> new.currency))) EXECUTE FUNCTION check_period_of_organization();
CREATE TRIGGER guard_period_lock_of_new BEFORE INSERT ON public.organization_settings FOR EACH ROW WHEN ((new.locked_until IS NOT NULL)) EXECUTE FUNCTION guard_period_lock();
CREATE TRIGGER guard_period_lock BEFORE UPDATE OF locked_until ON public.organization_settings FOR EACH ROW WHEN ((old.locked_until IS DISTINCT FROM new.locked_until)) EXECUTE FUNCTION guard_period_lock();
CREATE TRIGGER follow_period_lock_of_new AFTER INSERT ON public.organization_settings FOR EACH ROW WHEN ((new.locked_until IS NOT NULL)) EXECUTE FUNCTION follow_period_lock();
CREATE TRIGGER follow_period_lock AFTER UPDATE OF locked_until ON public.organization_settings FOR EACH ROW WHEN ((old.locked_until IS DISTINCT FROM new.locked_until)) EXECUTE FUNCTION follow_period_lock();
CREATE TRIGGER touch BEFORE UPDATE ON public.imports FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER refuse_future_movement BEFORE INSERT ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION refuse_future_movement();
CREATE TRIGGER refuse_future_movement BEFORE INSERT ON public.order_fulfilments FOR EACH ROW EXECUTE FUNCTION refuse_future_movement();
CREATE TRIGGER set_goods_of_credit BEFORE INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND (new.document_type = 'CREDIT_MEMO'::text) AND (new.source_document_id IS NOT NULL))) EXECUTE FUNCTION set_goods_of_credit();
CREATE TRIGGER clear_goods_of_new_credit AFTER INSERT ON public.documents FOR EACH ROW WHEN ((new.goods_minor <> 0)) EXECUTE FUNCTION clear_goods_of_credit();
CREATE TRIGGER clear_goods_of_voided_credit AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.goods_minor <> 0) AND (old.cancelled_at IS DISTINCT FROM new.cancelled_at))) EXECUTE FUNCTION clear_goods_of_credit();
CREATE TRIGGER touch BEFORE UPDATE ON public.scans FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.scan_batches FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.scan_batch_files FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER count_scan_batch_file AFTER UPDATE ON public.scan_batch_files FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.error IS DISTINCT FROM new.error))) EXECUTE FUNCTION count_scan_batch_file();
CREATE TRIGGER guard_goods_of_credit BEFORE UPDATE OF goods_minor ON public.documents FOR EACH ROW WHEN ((new.goods_minor IS DISTINCT FROM old.goods_minor)) EXECUTE FUNCTION guard_goods_of_credit();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER keep_mail_secrets_at_their_server BEFORE UPDATE ON public.mail_connections FOR EACH ROW EXECUTE FUNCTION keep_mail_secrets_at_their_server();
CREATE TRIGGER touch BEFORE UPDATE ON public.ingestion_runs FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER keep_ended_ingestion_runs BEFORE UPDATE OF status, completed_at, emails_scanned, lease ON public.ingestion_runs FOR EACH ROW EXECUTE FUNCTION keep_ended_ingestion_runs();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER count_ingestion_messages AFTER INSERT ON public.ingestion_messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_ingestion_messages();
CREATE TRIGGER touch BEFORE UPDATE ON public.tax_authority_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.clearances FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER guard_clearance BEFORE UPDATE ON public.clearances FOR EACH ROW WHEN (((old.source = 'AUTHORITY'::text) AND ((((((new.status IS DISTINCT FROM old.status) OR (new.number IS DISTINCT FROM old.number)) OR (new.source IS DISTINCT FROM old.source)) OR (new.request IS DISTINCT FROM old.request)) OR (new.authority IS DISTINCT FROM old.authority)) OR (new.environment IS DISTINCT FROM old.environment)))) EXECUTE FUNCTION guard_clearance();
CREATE TRIGGER follow_allocation_number AFTER UPDATE OF vat_allocation_number ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.vat_allocation_number IS DISTINCT FROM old.vat_allocation_number))) EXECUTE FUNCTION follow_allocation_number();
CREATE TRIGGER submit_on_issue_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (new.issued_at IS NOT NULL) AND (new.document_type = ANY (ARRAY['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'DEBIT_MEMO'::text, 'CREDIT_MEMO'::text])))) EXECUTE FUNCTION submit_on_issue();
CREATE TRIGGER submit_on_issue_when_final AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'SALES'::text) AND (old.issued_at IS NULL) AND (new.issued_at IS NOT NULL) AND (new.vat_allocation_number IS NULL) AND (new.document_type = ANY (ARRAY['INVOICE'::text, 'INVOICE_RECEIPT'::text, 'DEBIT_MEMO'::text, 'CREDIT_MEMO'::text])))) EXECUTE FUNCTION submit_on_issue();
CREATE TRIGGER touch BEFORE UPDATE ON public.employees FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER mark_employee AFTER INSERT OR DELETE ON public.employees FOR EACH ROW EXECUTE FUNCTION mark_employee();
CREATE TRIGGER touch BEFORE UPDATE ON public.employee_terms FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER void_payslip AFTER UPDATE OF cancelled_at ON public.documents FOR EACH ROW WHEN (((new.kind = 'PAYSLIP'::text) AND (old.cancelled_at IS NULL) AND (new.cancelled_at IS NOT NULL))) EXECUTE FUNCTION follow_document_of_payslip();
CREATE TRIGGER guard_payslip BEFORE UPDATE ON public.payslips FOR EACH ROW EXECUTE FUNCTION guard_payslip();
CREATE CONSTRAINT TRIGGER payslip_adds_up AFTER INSERT OR UPDATE ON public.payslips DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_payslip_adds_up();
CREATE TRIGGER guard_new_lines AFTER INSERT ON public.payslip_lines REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
CREATE TRIGGER guard_changed_lines AFTER UPDATE ON public.payslip_lines REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
CREATE TRIGGER guard_old_lines AFTER DELETE ON public.payslip_lines REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
CREATE TRIGGER clear_turn BEFORE UPDATE OF status ON public.automation_steps FOR EACH ROW WHEN (((new.status <> 'PENDING'::text) AND ((new.waits_until IS NOT NULL) OR (new.turn_at IS NOT NULL)))) EXECUTE FUNCTION clear_turn();
CREATE CONSTRAINT TRIGGER end_steps AFTER UPDATE OF status ON public.automation_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status = 'RUNNING'::text) AND (new.status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text])))) EXECUTE FUNCTION end_steps();
CREATE TRIGGER touch BEFORE UPDATE ON public.automation_secrets FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER at_most_50 BEFORE INSERT ON public.automation_secrets FOR EACH ROW EXECUTE FUNCTION limit_automation_secrets();
CREATE TRIGGER start_next_of_record AFTER UPDATE OF status ON public.automation_runs FOR EACH ROW WHEN (((old.status = 'RUNNING'::text) AND (new.status <> 'RUNNING'::text) AND (new.record_id IS NOT NULL) AND ((new.status <> 'CANCELLED'::text) OR (current_setting('app.stopped_automation'::text, true) IS DISTINCT FROM (new.automation_id)::text)))) EXECUTE FUNCTION start_next_of_record();
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, blocks, edges ON public.automations FOR EACH ROW EXECUTE FUNCTION raise_version();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_sessions FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_turns FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER keep_ended_turns BEFORE UPDATE ON public.companion_turns FOR EACH ROW EXECUTE FUNCTION keep_ended_turns();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_steps FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER keep_ended_steps BEFORE UPDATE OF status, ref, input ON public.companion_steps FOR EACH ROW EXECUTE FUNCTION keep_ended_steps();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_events FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_usage FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER record_end AFTER UPDATE OF status ON public.automation_runs FOR EACH ROW WHEN (((old.status = 'RUNNING'::text) AND (new.status <> 'RUNNING'::text))) EXECUTE FUNCTION record_change('automation_runs');
CREATE TRIGGER record_change AFTER UPDATE OF status ON public.automations FOR EACH ROW WHEN (((current_person() IS NULL) AND (old.status <> new.status))) EXECUTE FUNCTION record_change('automations');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OF status ON public.mail_deliveries FOR EACH ROW EXECUTE FUNCTION record_change('mail');
CREATE TRIGGER record_change AFTER INSERT ON public.outbox FOR EACH ROW EXECUTE FUNCTION record_change('mail');
CREATE TRIGGER record_change AFTER UPDATE ON public.documents FOR EACH ROW WHEN ((current_person() IS NULL)) EXECUTE FUNCTION record_change_of_document();
CREATE TRIGGER record_change AFTER UPDATE ON public.clearances FOR EACH ROW WHEN ((current_person() IS NULL)) EXECUTE FUNCTION record_change_of_document();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON public.expenses FOR EACH ROW WHEN ((current_person() IS NULL)) EXECUTE FUNCTION record_change('expenses');
CREATE TRIGGER record_change AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((current_person() IS NULL)) EXECUTE FUNCTION record_change('orders');
CREATE TRIGGER record_change AFTER UPDATE OF status ON public.scan_batch_files FOR EACH ROW EXECUTE FUNCTION record_change_of_batch();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON public.ingestion_runs FOR EACH ROW EXECUTE FUNCTION record_change('mailbox_runs');
CREATE TRIGGER record_change AFTER UPDATE ON public.mail_connections FOR EACH ROW WHEN ((current_person() IS NULL)) EXECUTE FUNCTION record_change('mailboxes');
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION record_change_of_member();
CREATE TRIGGER record_change AFTER UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION record_change('invitations');
CREATE TRIGGER record_change AFTER INSERT ON public.notifications FOR EACH ROW EXECUTE FUNCTION record_notification();
CREATE TRIGGER touch BEFORE UPDATE ON public.preferences FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.views FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER require_draft_fits BEFORE INSERT OR UPDATE OF given_rate, currency, subtotal_minor, tax_minor, total_minor ON public.documents FOR EACH ROW WHEN (((new.issued_at IS NULL) AND (new.given_rate IS NOT NULL))) EXECUTE FUNCTION require_draft_fits();
CREATE TRIGGER refuse_future_payment BEFORE INSERT OR UPDATE OF paid_at ON public.payments FOR EACH ROW WHEN (((new.source <> 'CREDIT_MEMO'::text) AND (new.paid_at >= ((now() AT TIME ZONE 'UTC'::text))::date))) EXECUTE FUNCTION refuse_future_payment();
CREATE TRIGGER refuse_future_expense_of_new AFTER INSERT ON public.documents FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND (new.issued_at IS NOT NULL) AND (new.issue_date >= ((now() AT TIME ZONE 'UTC'::text))::date))) EXECUTE FUNCTION refuse_future_expense();
CREATE TRIGGER refuse_future_expense_when_final AFTER UPDATE ON public.documents FOR EACH ROW WHEN (((new.kind = 'EXPENSE'::text) AND (old.issued_at IS NULL) AND (new.issued_at IS NOT NULL) AND (new.issue_date >= ((now() AT TIME ZONE 'UTC'::text))::date))) EXECUTE FUNCTION refuse_future_expense();
CREATE TRIGGER touch BEFORE UPDATE ON public.planned_payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER guard_planned_payment BEFORE UPDATE ON public.planned_payments FOR EACH ROW EXECUTE FUNCTION guard_planned_payment();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON public.planned_payments FOR EACH ROW EXECUTE FUNCTION record_change('payments');
CREATE TRIGGER guard_approval_rule BEFORE UPDATE OF require_approval, expense_approval_above_minor ON public.organization_settings FOR EACH ROW WHEN ((old.require_approval AND ((NOT new.require_approval) OR (COALESCE(new.expense_approval_above_minor, (0)::bigint) > COALESCE(old.expense_approval_above_minor, (0)::bigint))))) EXECUTE FUNCTION guard_approval_rule();
CREATE TRIGGER guard_format_of_issued BEFORE INSERT OR UPDATE OF prefix, padding ON public.document_numbering FOR EACH ROW EXECUTE FUNCTION guard_format_of_issued();
CREATE TRIGGER guard_main_currency BEFORE UPDATE OF currency ON public.organizations FOR EACH ROW WHEN ((old.currency <> new.currency)) EXECUTE FUNCTION guard_main_currency();
CREATE TRIGGER refuse_session_before_confirmation BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION refuse_session_before_confirmation();
CREATE TRIGGER keep_former_address AFTER UPDATE OF email ON public.users FOR EACH ROW WHEN ((lower(old.email) <> lower(new.email))) EXECUTE FUNCTION keep_former_address();
CREATE TRIGGER guard_own_record BEFORE UPDATE OF email ON public.customers FOR EACH ROW WHEN ((old.email IS DISTINCT FROM new.email)) EXECUTE FUNCTION guard_own_record();
CREATE TRIGGER guard_own_record BEFORE UPDATE OF email, user_id ON public.employees FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR ((old.user_id IS DISTINCT FROM new.user_id) AND (old.user_id IS NOT NULL)))) EXECUTE FUNCTION guard_own_record();


-- Row security

alter table users enable row level security, force row level security;
alter table sessions enable row level security, force row level security;
alter table organizations enable row level security, force row level security;
alter table memberships enable row level security, force row level security;
alter table api_keys enable row level security, force row level security;
alter table api_key_organizations enable row level security, force row level security;
alter table api_key_calls enable row level security, force row level security;
alter table sign_in_failures enable row level security, force row level security;
alter table audit_log enable row level security, force row level security;
alter table events enable row level security, force row level security;
alter table idempotency_keys enable row level security, force row level security;
alter table rate_buckets enable row level security, force row level security;
alter table job_pressure enable row level security, force row level security;
alter table customers enable row level security, force row level security;
alter table customer_recipients enable row level security, force row level security;
alter table bank_accounts enable row level security, force row level security;
alter table expense_categories enable row level security, force row level security;
alter table worker_heartbeats enable row level security, force row level security;
alter table failed_jobs enable row level security, force row level security;
alter table leases enable row level security, force row level security;
alter table organization_keys enable row level security, force row level security;
alter table secrets_canary enable row level security, force row level security;
alter table secrets_root enable row level security, force row level security;
alter table secrets_rotation enable row level security, force row level security;
alter table mail_deliveries enable row level security, force row level security;
alter table outbox enable row level security, force row level security;
alter table files enable row level security, force row level security;
alter table file_home enable row level security, force row level security;
alter table schedule_marks enable row level security, force row level security;
alter table invitations enable row level security, force row level security;
alter table notifications enable row level security, force row level security;
alter table digests enable row level security, force row level security;
alter table organization_settings enable row level security, force row level security;
alter table document_numbering enable row level security, force row level security;
alter table oauth_clients enable row level security, force row level security;
alter table connected_apps enable row level security, force row level security;
alter table connected_app_organizations enable row level security, force row level security;
alter table oauth_tokens enable row level security, force row level security;
alter table account_links enable row level security, force row level security;
alter table authenticators enable row level security, force row level security;
alter table recovery_codes enable row level security, force row level security;
alter table passkeys enable row level security, force row level security;
alter table passkey_challenges enable row level security, force row level security;
alter table payments enable row level security, force row level security;
alter table documents enable row level security, force row level security;
alter table document_lines enable row level security, force row level security;
alter table allocations enable row level security, force row level security;
alter table document_events enable row level security, force row level security;
alter table exchange_rates enable row level security, force row level security;
alter table sales_by_day enable row level security, force row level security;
alter table sales_by_customer enable row level security, force row level security;
alter table sales_by_customer_day enable row level security, force row level security;
alter table cash_by_day enable row level security, force row level security;
alter table document_mailings enable row level security, force row level security;
alter table document_attachments enable row level security, force row level security;
alter table overdue_marks enable row level security, force row level security;
alter table document_counts enable row level security, force row level security;
alter table automations enable row level security, force row level security;
alter table automation_runs enable row level security, force row level security;
alter table automation_steps enable row level security, force row level security;
alter table automation_deliveries enable row level security, force row level security;
alter table webhook_secrets enable row level security, force row level security;
alter table ledger_kinds enable row level security, force row level security;
alter table automation_graphs enable row level security, force row level security;
alter table mail_counts enable row level security, force row level security;
alter table official_document_types enable row level security, force row level security;
alter table issued_copies enable row level security, force row level security;
alter table default_accounts enable row level security, force row level security;
alter table accounts enable row level security, force row level security;
alter table account_mappings enable row level security, force row level security;
alter table journal_entries enable row level security, force row level security;
alter table journal_entry_lines enable row level security, force row level security;
alter table account_periods enable row level security, force row level security;
alter table expenses enable row level security, force row level security;
alter table expense_splits enable row level security, force row level security;
alter table expense_customers enable row level security, force row level security;
alter table scan_usage enable row level security, force row level security;
alter table expenses_by_vendor enable row level security, force row level security;
alter table suppliers enable row level security, force row level security;
alter table items enable row level security, force row level security;
alter table orders enable row level security, force row level security;
alter table order_lines enable row level security, force row level security;
alter table order_fulfilments enable row level security, force row level security;
alter table order_invoice_lines enable row level security, force row level security;
alter table order_counters enable row level security, force row level security;
alter table stock_levels enable row level security, force row level security;
alter table stock_movements enable row level security, force row level security;
alter table journal_sums enable row level security, force row level security;
alter table journal_results enable row level security, force row level security;
alter table journal_sums_state enable row level security, force row level security;
alter table journal_marks enable row level security, force row level security;
alter table period_locks enable row level security, force row level security;
alter table locked_balances enable row level security, force row level security;
alter table imports enable row level security, force row level security;
alter table scans enable row level security, force row level security;
alter table scanned_documents enable row level security, force row level security;
alter table supplier_aliases enable row level security, force row level security;
alter table scan_batches enable row level security, force row level security;
alter table scan_batch_files enable row level security, force row level security;
alter table mail_connections enable row level security, force row level security;
alter table ingestion_runs enable row level security, force row level security;
alter table mail_messages enable row level security, force row level security;
alter table mail_places enable row level security, force row level security;
alter table mail_documents enable row level security, force row level security;
alter table ingestion_messages enable row level security, force row level security;
alter table mail_connects enable row level security, force row level security;
alter table tax_authority_connections enable row level security, force row level security;
alter table clearances enable row level security, force row level security;
alter table employees enable row level security, force row level security;
alter table employee_terms enable row level security, force row level security;
alter table payslips enable row level security, force row level security;
alter table payslip_lines enable row level security, force row level security;
alter table payslip_consents enable row level security, force row level security;
alter table leave_claims enable row level security, force row level security;
alter table received_einvoices enable row level security, force row level security;
alter table automation_secrets enable row level security, force row level security;
alter table companion_sessions enable row level security, force row level security;
alter table companion_turns enable row level security, force row level security;
alter table companion_messages enable row level security, force row level security;
alter table companion_steps enable row level security, force row level security;
alter table companion_events enable row level security, force row level security;
alter table companion_usage enable row level security, force row level security;
alter table backup_outcomes enable row level security, force row level security;
alter table changes enable row level security, force row level security;
alter table preferences enable row level security, force row level security;
alter table views enable row level security, force row level security;
alter table journal_results_by_day enable row level security, force row level security;
alter table journal_taxes_by_day enable row level security, force row level security;
alter table planned_payments enable row level security, force row level security;
alter table former_addresses enable row level security, force row level security;
alter table graphile_worker._private_known_crontabs enable row level security;
alter table graphile_worker._private_job_queues enable row level security;
alter table graphile_worker._private_tasks enable row level security;
alter table graphile_worker._private_jobs enable row level security;
create policy system on users to current_user using (true) with check (true);
create policy confined on users to kontor_confined using ((id = ( SELECT current_person() AS current_person)));
create policy system on sessions to current_user using (true) with check (true);
create policy confined on sessions to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on organizations to current_user using (true) with check (true);
create policy confined on organizations to kontor_confined using ((id = ( SELECT current_organization() AS current_organization)));
create policy across on organizations for select to kontor_across using ((id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on memberships to current_user using (true) with check (true);
create policy confined on memberships to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on memberships for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on api_keys to current_user using (true) with check (true);
create policy confined on api_keys to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on api_key_organizations to current_user using (true) with check (true);
create policy confined on api_key_organizations to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on api_key_calls to current_user using (true) with check (true);
create policy confined on api_key_calls to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on sign_in_failures to current_user using (true) with check (true);
create policy system on audit_log to current_user using (true) with check (true);
create policy own_organization on audit_log for select to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy system on events to current_user using (true) with check (true);
create policy confined on events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = current_organization()));
create policy across on events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on idempotency_keys to current_user using (true) with check (true);
create policy confined on idempotency_keys to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on rate_buckets to current_user using (true) with check (true);
create policy system on job_pressure to current_user using (true) with check (true);
create policy system on customers to current_user using (true) with check (true);
create policy confined on customers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on customers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on customer_recipients to current_user using (true) with check (true);
create policy confined on customer_recipients to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on customer_recipients for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on bank_accounts to current_user using (true) with check (true);
create policy confined on bank_accounts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on bank_accounts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_categories to current_user using (true) with check (true);
create policy confined on expense_categories to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_categories for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on worker_heartbeats to current_user using (true) with check (true);
create policy system on failed_jobs to current_user using (true) with check (true);
create policy system on leases to current_user using (true) with check (true);
create policy confined on leases to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on leases for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on organization_keys to current_user using (true) with check (true);
create policy system on secrets_canary to current_user using (true) with check (true);
create policy system on secrets_root to current_user using (true) with check (true);
create policy system on secrets_rotation to current_user using (true) with check (true);
create policy system on mail_deliveries to current_user using (true) with check (true);
create policy confined on mail_deliveries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_deliveries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on outbox to current_user using (true) with check (true);
create policy confined on outbox to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on outbox for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on files to current_user using (true) with check (true);
create policy confined on files to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on files for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on file_home to current_user using (true) with check (true);
create policy system on schedule_marks to current_user using (true) with check (true);
create policy colleagues on users for select to kontor_confined, kontor_across using (((EXISTS ( SELECT
   FROM memberships m
  WHERE (m.user_id = users.id))) OR (EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.user_id = users.id)))));
create policy across on audit_log for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on invitations to current_user using (true) with check (true);
create policy confined on invitations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on invitations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on notifications to current_user using (true) with check (true);
create policy confined on notifications to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy to_colleagues on notifications for insert to kontor_confined with check ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy system on digests to current_user using (true) with check (true);
create policy system on organization_settings to current_user using (true) with check (true);
create policy confined on organization_settings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on organization_settings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_numbering to current_user using (true) with check (true);
create policy confined on document_numbering to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_numbering for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on oauth_clients to current_user using (true) with check (true);
create policy system on connected_apps to current_user using (true) with check (true);
create policy confined on connected_apps to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on connected_app_organizations to current_user using (true) with check (true);
create policy confined on connected_app_organizations to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on oauth_tokens to current_user using (true) with check (true);
create policy system on account_links to current_user using (true) with check (true);
create policy system on authenticators to current_user using (true) with check (true);
create policy system on recovery_codes to current_user using (true) with check (true);
create policy system on passkeys to current_user using (true) with check (true);
create policy system on passkey_challenges to current_user using (true) with check (true);
create policy system on payments to current_user using (true) with check (true);
create policy confined on payments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on documents to current_user using (true) with check (true);
create policy confined on documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_lines to current_user using (true) with check (true);
create policy confined on document_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on allocations to current_user using (true) with check (true);
create policy confined on allocations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on allocations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_events to current_user using (true) with check (true);
create policy confined on document_events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on exchange_rates to current_user using (true) with check (true);
create policy readable on exchange_rates for select to kontor_confined, kontor_across using (((( SELECT current_organization() AS current_organization) IS NOT NULL) OR (( SELECT current_person() AS current_person) IS NOT NULL)));
create policy system on sales_by_day to current_user using (true) with check (true);
create policy confined on sales_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on sales_by_customer to current_user using (true) with check (true);
create policy confined on sales_by_customer to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_customer for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on sales_by_customer_day to current_user using (true) with check (true);
create policy confined on sales_by_customer_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_customer_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on cash_by_day to current_user using (true) with check (true);
create policy confined on cash_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on cash_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_mailings to current_user using (true) with check (true);
create policy confined on document_mailings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_mailings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_attachments to current_user using (true) with check (true);
create policy confined on document_attachments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_attachments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on overdue_marks to current_user using (true) with check (true);
create policy confined on overdue_marks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on overdue_marks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_counts to current_user using (true) with check (true);
create policy confined on document_counts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_counts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automations to current_user using (true) with check (true);
create policy confined on automations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_runs to current_user using (true) with check (true);
create policy confined on automation_runs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_runs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_steps to current_user using (true) with check (true);
create policy confined on automation_steps to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_steps for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_deliveries to current_user using (true) with check (true);
create policy confined on automation_deliveries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_deliveries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on webhook_secrets to current_user using (true) with check (true);
create policy confined on webhook_secrets to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on webhook_secrets for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ledger_kinds to current_user using (true) with check (true);
create policy system on automation_graphs to current_user using (true) with check (true);
create policy confined on automation_graphs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_graphs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_counts to current_user using (true) with check (true);
create policy system on official_document_types to current_user using (true) with check (true);
create policy system on issued_copies to current_user using (true) with check (true);
create policy confined on issued_copies to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on issued_copies for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on default_accounts to current_user using (true) with check (true);
create policy system on accounts to current_user using (true) with check (true);
create policy confined on accounts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on accounts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on account_mappings to current_user using (true) with check (true);
create policy confined on account_mappings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on account_mappings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_entries to current_user using (true) with check (true);
create policy confined on journal_entries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_entries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_entry_lines to current_user using (true) with check (true);
create policy confined on journal_entry_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_entry_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on account_periods to current_user using (true) with check (true);
create policy confined on account_periods to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on account_periods for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expenses to current_user using (true) with check (true);
create policy confined on expenses to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expenses for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_splits to current_user using (true) with check (true);
create policy confined on expense_splits to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_splits for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_customers to current_user using (true) with check (true);
create policy confined on expense_customers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_customers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_usage to current_user using (true) with check (true);
create policy confined on scan_usage to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_usage for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expenses_by_vendor to current_user using (true) with check (true);
create policy confined on expenses_by_vendor to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expenses_by_vendor for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on suppliers to current_user using (true) with check (true);
create policy confined on suppliers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on suppliers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on items to current_user using (true) with check (true);
create policy confined on items to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on items for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on orders to current_user using (true) with check (true);
create policy confined on orders to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on orders for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_lines to current_user using (true) with check (true);
create policy confined on order_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_fulfilments to current_user using (true) with check (true);
create policy confined on order_fulfilments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_fulfilments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_invoice_lines to current_user using (true) with check (true);
create policy confined on order_invoice_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_invoice_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_counters to current_user using (true) with check (true);
create policy confined on order_counters to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_counters for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on stock_levels to current_user using (true) with check (true);
create policy confined on stock_levels to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on stock_levels for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on stock_movements to current_user using (true) with check (true);
create policy confined on stock_movements to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on stock_movements for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_sums to current_user using (true) with check (true);
create policy confined on journal_sums to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_sums for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_results to current_user using (true) with check (true);
create policy confined on journal_results to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_results for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_sums_state to current_user using (true) with check (true);
create policy confined on journal_sums_state to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_sums_state for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_marks to current_user using (true) with check (true);
create policy confined on journal_marks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_marks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on period_locks to current_user using (true) with check (true);
create policy confined on period_locks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on period_locks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on locked_balances to current_user using (true) with check (true);
create policy confined on locked_balances to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on locked_balances for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on imports to current_user using (true) with check (true);
create policy confined on imports to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on imports for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scans to current_user using (true) with check (true);
create policy confined on scans to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scans for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scanned_documents to current_user using (true) with check (true);
create policy confined on scanned_documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scanned_documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on supplier_aliases to current_user using (true) with check (true);
create policy confined on supplier_aliases to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on supplier_aliases for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_batches to current_user using (true) with check (true);
create policy confined on scan_batches to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_batches for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_batch_files to current_user using (true) with check (true);
create policy confined on scan_batch_files to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_batch_files for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_connections to current_user using (true) with check (true);
create policy confined on mail_connections to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_connections for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ingestion_runs to current_user using (true) with check (true);
create policy confined on ingestion_runs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on ingestion_runs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_messages to current_user using (true) with check (true);
create policy confined on mail_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_places to current_user using (true) with check (true);
create policy confined on mail_places to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_places for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_documents to current_user using (true) with check (true);
create policy confined on mail_documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ingestion_messages to current_user using (true) with check (true);
create policy confined on ingestion_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on ingestion_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_connects to current_user using (true) with check (true);
create policy confined on mail_connects to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_connects for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on tax_authority_connections to current_user using (true) with check (true);
create policy confined on tax_authority_connections to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on tax_authority_connections for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on clearances to current_user using (true) with check (true);
create policy confined on clearances to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on clearances for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on employees to current_user using (true) with check (true);
create policy confined on employees to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on employees for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on employee_terms to current_user using (true) with check (true);
create policy confined on employee_terms to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on employee_terms for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslips to current_user using (true) with check (true);
create policy confined on payslips to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslips for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslip_lines to current_user using (true) with check (true);
create policy confined on payslip_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslip_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslip_consents to current_user using (true) with check (true);
create policy confined on payslip_consents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslip_consents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on leave_claims to current_user using (true) with check (true);
create policy confined on leave_claims to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on leave_claims for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on received_einvoices to current_user using (true) with check (true);
create policy confined on received_einvoices to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on received_einvoices for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy payroll on employees as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (user_id = ( SELECT current_person() AS current_person)))));
create policy payroll on employee_terms as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id
   FROM employees e
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslips as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id
   FROM employees e
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslip_lines as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (payslip_id IN ( SELECT p.id
   FROM (payslips p
     JOIN employees e ON ((e.id = p.employee_id)))
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslip_consents as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR false));
create policy payroll on leave_claims as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR false));
create policy payroll on files as restrictive for select to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (purpose <> 'payroll'::text)));
create policy payroll on outbox as restrictive for select to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (NOT holds_payroll)));
create policy system on automation_secrets to current_user using (true) with check (true);
create policy confined on automation_secrets to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_secrets for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on companion_sessions to current_user using (true) with check (true);
create policy confined on companion_sessions to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_sessions for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_sessions as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_turns to current_user using (true) with check (true);
create policy confined on companion_turns to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_turns for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_turns as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_messages to current_user using (true) with check (true);
create policy confined on companion_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_messages as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_steps to current_user using (true) with check (true);
create policy confined on companion_steps to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_steps for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_steps as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_events to current_user using (true) with check (true);
create policy confined on companion_events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_events as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_usage to current_user using (true) with check (true);
create policy confined on companion_usage to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_usage for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy used on api_keys for select to kontor_across using ((EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.api_key_id = api_keys.id))));
create policy used on connected_apps for select to kontor_across using ((EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.client_id = connected_apps.client_id))));
create policy system on backup_outcomes to current_user using (true) with check (true);
create policy system on changes to current_user using (true) with check (true);
create policy confined on changes to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on changes for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy confined on preferences to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on preferences to current_user using (true) with check (true);
create policy system on views to current_user using (true) with check (true);
create policy confined on views to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on views for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own_or_shared on views as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR shared OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on journal_results_by_day to current_user using (true) with check (true);
create policy confined on journal_results_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_results_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_taxes_by_day to current_user using (true) with check (true);
create policy confined on journal_taxes_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_taxes_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own_deed on audit_log for insert to kontor_confined with check (((NOT (user_id IS DISTINCT FROM current_person())) AND (NOT (organization_id IS DISTINCT FROM current_organization())) AND ((user_id IS NOT NULL) OR ((source = 'LINK'::text) AND (organization_id IS NOT NULL)))));
create policy system on planned_payments to current_user using (true) with check (true);
create policy confined on planned_payments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on planned_payments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on former_addresses to current_user using (true) with check (true);
create policy confined on former_addresses to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));


-- Grants

grant delete, insert, select, update on sessions to kontor_confined;
grant delete, insert, select, update on organizations to kontor_confined;
grant select on organizations to kontor_across;
grant delete, insert, select on memberships to kontor_confined;
grant select on memberships to kontor_across;
grant delete, insert, select, update on api_keys to kontor_confined;
grant delete, insert, select, update on api_key_organizations to kontor_confined;
grant select on api_key_calls to kontor_confined;
grant insert, select on audit_log to kontor_confined;
grant select on audit_log to kontor_across;
grant insert, select on events to kontor_confined;
grant select on events to kontor_across;
grant delete, insert, select, update on idempotency_keys to kontor_confined;
grant delete, insert, select, update on customers to kontor_confined;
grant select on customers to kontor_across;
grant delete, insert, select, update on customer_recipients to kontor_confined;
grant select on customer_recipients to kontor_across;
grant delete, insert, select, update on bank_accounts to kontor_confined;
grant select on bank_accounts to kontor_across;
grant delete, insert, select, update on expense_categories to kontor_confined;
grant select on expense_categories to kontor_across;
grant delete, insert, select, update on leases to kontor_confined;
grant select on leases to kontor_across;
grant insert, select on mail_deliveries to kontor_confined;
grant select on mail_deliveries to kontor_across;
grant select on outbox to kontor_across;
grant select on outbox to kontor_confined;
grant delete, insert, select on files to kontor_confined;
grant select on files to kontor_across;
grant delete on invitations to kontor_confined;
grant select on notifications to kontor_confined;
grant select on organization_settings to kontor_across;
grant select on organization_settings to kontor_confined;
grant select on document_numbering to kontor_across;
grant select on document_numbering to kontor_confined;
grant select on connected_apps to kontor_confined;
grant select on connected_app_organizations to kontor_confined;
grant select on payments to kontor_across;
grant select on payments to kontor_confined;
grant delete, select on documents to kontor_confined;
grant select on documents to kontor_across;
grant delete, select on document_lines to kontor_confined;
grant select on document_lines to kontor_across;
grant select on allocations to kontor_across;
grant select on allocations to kontor_confined;
grant select on document_events to kontor_across;
grant select on document_events to kontor_confined;
grant select on exchange_rates to kontor_across;
grant select on exchange_rates to kontor_confined;
grant select on sales_by_day to kontor_across;
grant select on sales_by_day to kontor_confined;
grant select on sales_by_customer to kontor_across;
grant select on sales_by_customer to kontor_confined;
grant select on sales_by_customer_day to kontor_across;
grant select on sales_by_customer_day to kontor_confined;
grant select on cash_by_day to kontor_across;
grant select on cash_by_day to kontor_confined;
grant insert, select on document_mailings to kontor_confined;
grant select on document_mailings to kontor_across;
grant insert, select on document_attachments to kontor_confined;
grant select on document_attachments to kontor_across;
grant insert, select on overdue_marks to kontor_confined;
grant select on overdue_marks to kontor_across;
grant select on document_counts to kontor_across;
grant select on document_counts to kontor_confined;
grant delete, insert, select on automations to kontor_confined;
grant select on automations to kontor_across;
grant delete, insert, select, update on automation_runs to kontor_confined;
grant select on automation_runs to kontor_across;
grant delete, insert, select, update on automation_steps to kontor_confined;
grant select on automation_steps to kontor_across;
grant insert, select on automation_deliveries to kontor_confined;
grant select on automation_deliveries to kontor_across;
grant delete, insert, select, update on webhook_secrets to kontor_confined;
grant select on webhook_secrets to kontor_across;
grant select on automation_graphs to kontor_across;
grant select on automation_graphs to kontor_confined;
grant select on issued_copies to kontor_across;
grant select on issued_copies to kontor_confined;
grant select on accounts to kontor_across;
grant select on accounts to kontor_confined;
grant delete, insert, select, update on account_mappings to kontor_confined;
grant select on account_mappings to kontor_across;
grant select on journal_entries to kontor_across;
grant select on journal_entries to kontor_confined;
grant insert, select on journal_entry_lines to kontor_confined;
grant select on journal_entry_lines to kontor_across;
grant select on account_periods to kontor_across;
grant select on account_periods to kontor_confined;
grant delete, insert, select, update on expenses to kontor_confined;
grant select on expenses to kontor_across;
grant delete, insert, select, update on expense_splits to kontor_confined;
grant select on expense_splits to kontor_across;
grant delete, insert, select, update on expense_customers to kontor_confined;
grant select on expense_customers to kontor_across;
grant select on scan_usage to kontor_across;
grant select on scan_usage to kontor_confined;
grant select on expenses_by_vendor to kontor_across;
grant select on expenses_by_vendor to kontor_confined;
grant delete, insert, select, update on suppliers to kontor_confined;
grant select on suppliers to kontor_across;
grant delete, insert, select, update on items to kontor_confined;
grant select on items to kontor_across;
grant delete, insert, select, update on orders to kontor_confined;
grant select on orders to kontor_across;
grant delete, select on order_lines to kontor_confined;
grant select on order_lines to kontor_across;
grant insert, select on order_fulfilments to kontor_confined;
grant select on order_fulfilments to kontor_across;
grant insert, select on order_invoice_lines to kontor_confined;
grant select on order_invoice_lines to kontor_across;
grant select on order_counters to kontor_across;
grant select on order_counters to kontor_confined;
grant select on stock_levels to kontor_across;
grant select on stock_levels to kontor_confined;
grant select on stock_movements to kontor_across;
grant select on stock_movements to kontor_confined;
grant delete, insert, select, update on journal_sums to kontor_confined;
grant select on journal_sums to kontor_across;
grant delete, insert, select, update on journal_results to kontor_confined;
grant select on journal_results to kontor_across;
grant delete, insert, select, update on journal_sums_state to kontor_confined;
grant select on journal_sums_state to kontor_across;
grant delete, select on journal_marks to kontor_confined;
grant select on journal_marks to kontor_across;
grant select on period_locks to kontor_across;
grant select on period_locks to kontor_confined;
grant insert, select on locked_balances to kontor_confined;
grant select on locked_balances to kontor_across;
grant insert, select on imports to kontor_confined;
grant select on imports to kontor_across;
grant insert, select, update on scans to kontor_confined;
grant select on scans to kontor_across;
grant delete, insert, select on scanned_documents to kontor_confined;
grant select on scanned_documents to kontor_across;
grant delete, insert, select, update on supplier_aliases to kontor_confined;
grant select on supplier_aliases to kontor_across;
grant select on scan_batches to kontor_across;
grant select on scan_batches to kontor_confined;
grant select on scan_batch_files to kontor_across;
grant select on scan_batch_files to kontor_confined;
grant delete, insert, select, update on mail_connections to kontor_confined;
grant select on ingestion_runs to kontor_across;
grant select on ingestion_runs to kontor_confined;
grant delete, insert, select, update on mail_messages to kontor_confined;
grant select on mail_messages to kontor_across;
grant delete, insert, select, update on mail_places to kontor_confined;
grant select on mail_places to kontor_across;
grant delete, insert, select, update on mail_documents to kontor_confined;
grant select on mail_documents to kontor_across;
grant insert, select on ingestion_messages to kontor_confined;
grant select on ingestion_messages to kontor_across;
grant delete on mail_connects to kontor_confined;
grant delete, insert, select on tax_authority_connections to kontor_confined;
grant select on tax_authority_connections to kontor_across;
grant insert, select, update on clearances to kontor_confined;
grant select on clearances to kontor_across;
grant delete, insert, select, update on employees to kontor_confined;
grant select on employees to kontor_across;
grant delete, insert, select, update on employee_terms to kontor_confined;
grant select on employee_terms to kontor_across;
grant delete, insert, select on payslips to kontor_confined;
grant select on payslips to kontor_across;
grant delete, insert, select, update on payslip_lines to kontor_confined;
grant select on payslip_lines to kontor_across;
grant insert, select on payslip_consents to kontor_confined;
grant select on payslip_consents to kontor_across;
grant delete, insert, select, update on leave_claims to kontor_confined;
grant select on leave_claims to kontor_across;
grant insert, select on received_einvoices to kontor_confined;
grant select on received_einvoices to kontor_across;
grant delete, insert, select, update on automation_secrets to kontor_confined;
grant select on automation_secrets to kontor_across;
grant delete, insert, select, update on companion_sessions to kontor_confined;
grant select on companion_sessions to kontor_across;
grant delete, insert, select, update on companion_turns to kontor_confined;
grant select on companion_turns to kontor_across;
grant delete, insert, select, update on companion_messages to kontor_confined;
grant select on companion_messages to kontor_across;
grant delete, insert, select, update on companion_steps to kontor_confined;
grant select on companion_steps to kontor_across;
grant delete, insert, select, update on companion_events to kontor_confined;
grant select on companion_events to kontor_across;
grant delete, insert, select, update on companion_usage to kontor_confined;
grant select on companion_usage to kontor_across;
grant select on changes to kontor_across;
grant select on changes to kontor_confined;
grant select on preferences to kontor_confined;
grant delete, insert, select, update on views to kontor_confined;
grant select on views to kontor_across;
grant delete, insert, select, update on journal_results_by_day to kontor_confined;
grant select on journal_results_by_day to kontor_across;
grant delete, insert, select, update on journal_taxes_by_day to kontor_confined;
grant select on journal_taxes_by_day to kontor_across;
grant insert, select on planned_payments to kontor_confined;
grant select on planned_payments to kontor_across;
grant select (id, name, email) on users to kontor_across;
grant select (id, name, email, email_verified_at, disabled_at, created_at, updated_at, locale, digest) on users to kontor_confined;
grant update (name, locale, digest) on users to kontor_confined;
grant update (role) on memberships to kontor_confined;
grant select (id, name, prefix) on api_keys to kontor_across;
grant update (letter, contents, status, attempts, claimed_until, last_reason, message_id, kept) on mail_deliveries to kontor_confined;
grant update (attached_at) on files to kontor_confined;
grant insert (organization_id, id, email, role, invited_by, secret_hash) on invitations to kontor_confined;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations to kontor_across;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations to kontor_confined;
grant update (role, invited_by, secret_hash, expires_at) on invitations to kontor_confined;
grant insert (id, user_id, organization_id, kind, data) on notifications to kontor_confined;
grant update (read_at) on notifications to kontor_confined;
grant insert (organization_id, sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days) on organization_settings to kontor_confined;
grant update (sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days) on organization_settings to kontor_confined;
grant insert (organization_id, document_type, prefix, padding, first_number) on document_numbering to kontor_confined;
grant update (prefix, padding, first_number) on document_numbering to kontor_confined;
grant select (client_id, client_name, created_at) on connected_apps to kontor_across;
grant update (revoked_at) on connected_apps to kontor_confined;
grant insert (organization_id, id, direction, counterparty_id, amount_minor, currency, minor_digits, paid_at, method, source, created_by, withheld_minor, reference, details, bank_account_id, refund_of, exchange_rate, rate_date, kind) on payments to kontor_confined;
grant update (voided_at, void_reason) on payments to kontor_confined;
grant insert (organization_id, id, kind, direction, document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, country_specific_data, generator_version, source_document_id, payment_id, created_by, given_rate, given_rate_date) on documents to kontor_confined;
grant update (document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, receipt_number, in_dispute, vat_allocation_number, country_specific_data, generator_version, revision, sent_at, cancelled_at, link_version, given_rate, given_rate_date) on documents to kontor_confined;
grant insert (organization_id, document_id, "position", id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id) on document_lines to kontor_confined;
grant update ("position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id) on document_lines to kontor_confined;
grant insert (organization_id, id, payment_id, document_id, line_id, amount_minor) on allocations to kontor_confined;
grant update (voided_at) on allocations to kontor_confined;
grant insert (organization_id, id, document_id, type, actor_user_id, payload) on document_events to kontor_confined;
grant update (told_at) on document_mailings to kontor_confined;
grant update (name, description, status, blocks, edges, enabled_at) on automations to kontor_confined;
grant update (outcome, status, latency_ms, reason, answer) on automation_deliveries to kontor_confined;
grant update (original_file_id, original_sha256) on issued_copies to kontor_confined;
grant insert (organization_id, id, code, name, name_he, type, active) on accounts to kontor_confined;
grant update (code, name, name_he, purpose, active) on accounts to kontor_confined;
grant insert (organization_id, id, kind, date, description, reference, reverses_id) on journal_entries to kontor_confined;
grant insert (entered_fields, entered_for, amount_for) on expenses to kontor_confined;
grant update (entered_fields, changed_for, amount_for) on expenses to kontor_confined;
grant insert (organization_id, order_id, id, "position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category) on order_lines to kontor_confined;
grant insert (organization_id, id, item_id, kind, quantity, date, given_cost, reason, reference, source) on stock_movements to kontor_confined;
grant update (summed_up_at) on period_locks to kontor_confined;
grant insert (id, total) on scan_batches to kontor_confined;
grant insert (id, batch_id, "position", attachment_id, expense_id) on scan_batch_files to kontor_confined;
grant update (status, error, duplicate_of_id) on scan_batch_files to kontor_confined;
grant insert (id, connection_id, date_from, date_to, is_continued) on ingestion_runs to kontor_confined;
grant update (status, error_message, claimed_at, last_progress_at, completed_at, lease, lease_until, resumed) on ingestion_runs to kontor_confined;
grant insert (state_hash, provider, name, session_id) on mail_connects to kontor_confined;
grant select (organization_id, state_hash, provider, name, user_id, session_id, expires_at) on mail_connects to kontor_confined;
grant update (tokens, refreshing_until, state_hash, state_until, is_validated, last_validated_at, validation_error, failure_notified_at) on tax_authority_connections to kontor_confined;
grant update (period_start, period_end, is_final, gross_minor, reimbursements_minor, deductions_minor, net_minor, contributions_minor, wage_minor, tables, facts, bases, corrections, inputs, work, warnings, terms_at, computed_at) on payslips to kontor_confined;
grant insert (user_id, value) on preferences to kontor_confined;
grant update (value) on preferences to kontor_confined;
grant update (status, problem) on planned_payments to kontor_confined;
grant execute on function current_person() to kontor_across, kontor_confined;
grant execute on function current_organization() to kontor_across, kontor_confined;
grant execute on function current_organizations() to kontor_across, kontor_confined;
grant execute on function owner_of_organizations(uuid) to kontor_confined;
grant execute on function authorize_request(text,bytea,uuid,text,uuid,member_role,text[]) to kontor_across, kontor_confined;
grant execute on function create_organization(uuid) to kontor_confined;
grant execute on function belongs_to_all(uuid[]) to kontor_confined;
grant execute on function is_registered_organization(text,text) to kontor_across, kontor_confined;
grant execute on function owner_of_events(uuid) to kontor_confined;
grant execute on function remembered_organization(text,bytea,uuid,text,bytea) to kontor_confined;
grant execute on function enqueue(text,jsonb,timestamp with time zone,text) to kontor_confined;
grant execute on function lock_subject(text) to kontor_confined;
grant execute on function owner_of_customers(uuid) to kontor_confined;
grant execute on function owner_of_customer_recipients(uuid) to kontor_confined;
grant execute on function owner_of_bank_accounts(uuid) to kontor_confined;
grant execute on function owner_of_expense_categories(uuid) to kontor_confined;
grant execute on function take_lease(text,text,integer) to kontor_confined;
grant execute on function renew_lease(text,bigint,integer) to kontor_confined;
grant execute on function require_lease(text,bigint) to kontor_confined;
grant execute on function release_lease(text,bigint) to kontor_confined;
grant execute on function take_organization_key(uuid,text,text) to kontor_confined;
grant execute on function add_organization_key(uuid,uuid,bytea,text) to kontor_confined;
grant execute on function owner_of_mail_deliveries(uuid) to kontor_confined;
grant execute on function queue_person_mail(uuid,text,text,text,bytea,text) to kontor_confined;
grant execute on function owner_of_outbox(uuid) to kontor_confined;
grant execute on function owner_of_files(uuid) to kontor_confined;
grant execute on function consume_rate_limit(text,double precision,integer,integer) to kontor_confined;
grant execute on function owner_of_invitations(uuid) to kontor_confined;
grant execute on function accept_invitation(bytea,boolean) to kontor_confined;
grant execute on function organizations_of_connected_app(uuid) to kontor_confined;
grant execute on function current_principal() to kontor_across, kontor_confined;
grant execute on function major_units(bigint,smallint) to kontor_across, kontor_confined;
grant execute on function status_rank(text) to kontor_across, kontor_confined;
grant execute on function owner_of_payments(uuid) to kontor_confined;
grant execute on function owner_of_documents(uuid) to kontor_confined;
grant execute on function owner_of_allocations(uuid) to kontor_confined;
grant execute on function lock_counters(text[]) to kontor_confined;
grant execute on function owner_of_document_events(uuid) to kontor_confined;
grant execute on function rate_on(text,text,date) to kontor_across, kontor_confined;
grant execute on function minor_units(text) to kontor_across, kontor_confined;
grant execute on function convert_minor(numeric,text,text,numeric,numeric) to kontor_across, kontor_confined;
grant execute on function convert_units(numeric,numeric,numeric) to kontor_across, kontor_confined;
grant execute on function journal() to kontor_across, kontor_confined;
grant execute on function owner_of_document_attachments(uuid) to kontor_confined;
grant execute on function search_grams(uuid,text) to kontor_across, kontor_confined;
grant execute on function search_documents(text,text,integer) to kontor_confined;
grant execute on function trigger_types(jsonb) to kontor_across, kontor_confined;
grant execute on function owner_of_automations(uuid) to kontor_confined;
grant execute on function owner_of_automation_runs(uuid) to kontor_confined;
grant execute on function owner_of_automation_steps(uuid) to kontor_confined;
grant execute on function advance_run(uuid,bigint,uuid,jsonb,text,jsonb,boolean) to kontor_confined;
grant execute on function milliseconds_since(timestamp with time zone) to kontor_confined;
grant execute on function new_id() to kontor_confined;
grant execute on function owner_of_automation_deliveries(uuid) to kontor_confined;
grant execute on function owner_of_webhook_secrets(uuid) to kontor_confined;
grant execute on function enter(text,bytea,uuid,text,uuid,member_role,text[]) to kontor_across, kontor_confined;
grant execute on function found_organization(uuid) to kontor_confined;
grant execute on function keeps_books_here(text,text) to kontor_across, kontor_confined;
grant execute on function hold(text) to kontor_confined;
grant execute on function charge_tokens(text,double precision,integer,integer) to kontor_confined;
grant execute on function keep_lease(text,bigint,integer) to kontor_confined;
grant execute on function drop_lease(text,bigint) to kontor_confined;
grant execute on function connected_app_places(uuid) to kontor_confined;
grant execute on function since(timestamp with time zone) to kontor_confined;
grant execute on function all_ledger_kinds() to kontor_across, kontor_confined;
grant execute on function hold_counters(text[]) to kontor_confined;
grant execute on function owner_of_automation_graphs(uuid) to kontor_confined;
grant execute on function require_rights_of_run(uuid,member_role) to kontor_confined;
grant execute on function end_credentials_of_run(uuid) to kontor_confined;
grant execute on function release_graph(uuid) to kontor_confined;
grant execute on function lock_session(uuid,uuid) to kontor_confined;
grant execute on function advance_run(uuid,bigint,uuid,jsonb,text,jsonb,boolean,interval) to kontor_confined;
grant execute on function run_has_job(uuid) to kontor_confined;
grant execute on function open_minor(documents) to kontor_across, kontor_confined;
grant execute on function convert_document(uuid,uuid) to kontor_confined;
grant execute on function country_currency(text) to kontor_across, kontor_confined;
grant execute on function rate_source(text) to kontor_across, kontor_confined;
grant execute on function rate_on(text,text,date,text) to kontor_across, kontor_confined;
grant execute on function owner_of_accounts(uuid) to kontor_confined;
grant execute on function owner_of_journal_entries(uuid) to kontor_confined;
grant execute on function home_minor(numeric,text,text,numeric) to kontor_across, kontor_confined;
grant execute on function journal_lines(date,date) to kontor_across, kontor_confined;
grant execute on function amount_max() to kontor_confined;
grant execute on function published_rate(documents) to kontor_across, kontor_confined;
grant execute on function numbers_given(text) to kontor_confined;
grant execute on function is_receipt_by_law(text,text) to kontor_across, kontor_confined;
grant execute on function apply_freed_credit(uuid) to kontor_confined;
grant execute on function open_credit(documents) to kontor_across, kontor_confined;
grant execute on function tax_code(text) to kontor_across, kontor_confined;
grant execute on function fits_purpose(text,text) to kontor_confined;
grant execute on function unbilled_account(uuid,text,uuid) to kontor_across, kontor_confined;
grant execute on function journal_lines(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function journal_part(date,uuid,date,integer) to kontor_across, kontor_confined;
grant execute on function owner_of_expenses(uuid) to kontor_confined;
grant execute on function search_expenses(text,text,integer) to kontor_confined;
grant execute on function owner_of_documents(uuid,text) to kontor_confined;
grant execute on function owner_of_payments(uuid,text) to kontor_confined;
grant execute on function counterparties_called(text,text) to kontor_confined;
grant execute on function crosses_vendors(uuid,uuid,uuid,uuid[]) to kontor_confined;
grant execute on function journal_of_documents(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function journal_of_expenses(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function journal_of_closed(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function journal_of_payments(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function journal_of_allocations(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function owner_of_suppliers(uuid) to kontor_confined;
grant execute on function registered_organization(text,text) to kontor_across, kontor_confined;
grant execute on function owner_of_items(uuid) to kontor_confined;
grant execute on function search_items(text,text,integer) to kontor_confined;
grant execute on function owner_of_orders(uuid) to kontor_confined;
grant execute on function owner_of_order_fulfilments(uuid) to kontor_confined;
grant execute on function invoiced_quantities(uuid,uuid,boolean) to kontor_confined;
grant execute on function owner_of_stock_movements(uuid) to kontor_confined;
grant execute on function moved_of_order_line(uuid,uuid,text) to kontor_across, kontor_confined;
grant execute on function search_orders(text,text,integer) to kontor_confined;
grant execute on function journal_of_stock(date,uuid,date,uuid) to kontor_across, kontor_confined;
grant execute on function booked_lines(date,uuid,date,uuid) to kontor_confined;
grant execute on function booked_lines(date,date) to kontor_confined;
grant execute on function face_currency(text,text,numeric) to kontor_confined;
grant execute on function results_of(date,uuid,date,uuid) to kontor_confined;
grant execute on function money_moved(date,date) to kontor_confined;
grant execute on function share_of(bigint,numeric,bigint,bigint) to kontor_confined;
grant execute on function journal_version() to kontor_confined;
grant execute on function day_ranges(date[]) to kontor_confined;
grant execute on function journal_stored_upto() to kontor_confined;
grant execute on function accrual_sums(date[],date[]) to kontor_confined;
grant execute on function cash_shares(date[],date[]) to kontor_confined;
grant execute on function cash_sums(date[],date[]) to kontor_confined;
grant execute on function journal_balances(date,date,text) to kontor_confined;
grant execute on function store_journal_sums(integer) to kontor_confined;
grant execute on function changed_allocations(date) to kontor_across, kontor_confined;
grant execute on function open_balances(text,date) to kontor_across, kontor_confined;
grant execute on function open_credits(text,date) to kontor_across, kontor_confined;
grant execute on function owner_of_period_locks(uuid) to kontor_confined;
grant execute on function booked_by_account(date,date) to kontor_across, kontor_confined;
grant execute on function owner_of_imports(uuid) to kontor_confined;
grant execute on function voided_day(timestamp with time zone,timestamp with time zone,date,text) to kontor_across, kontor_confined;
grant execute on function entry_balances(text[],date) to kontor_across, kontor_confined;
grant execute on function bucket_of(date,date) to kontor_confined;
grant execute on function charge_scan(uuid,text,integer) to kontor_confined;
grant execute on function owner_of_scan_batches(uuid) to kontor_confined;
grant execute on function owner_of_scan_batch_files(uuid) to kontor_confined;
grant execute on function enqueue_scan(uuid,timestamp with time zone) to kontor_confined;
grant execute on function owner_of_mail_connections(uuid) to kontor_confined;
grant execute on function owner_of_ingestion_runs(uuid) to kontor_confined;
grant execute on function owner_of_ingestion_messages(uuid) to kontor_confined;
grant execute on function enqueue_poll(uuid,timestamp with time zone) to kontor_confined;
grant execute on function poll_from(uuid,timestamp with time zone) to kontor_confined;
grant execute on function save_auto_scan(uuid,uuid,text,jsonb,jsonb) to kontor_confined;
grant execute on function owner_of_tax_authority_connections(uuid) to kontor_confined;
grant execute on function are_sales_tax_rates(jsonb) to kontor_across, kontor_confined;
grant execute on function owner_of_employees(uuid) to kontor_confined;
grant execute on function owner_of_payslips(uuid) to kontor_confined;
grant execute on function owner_of_payslip_consents(uuid) to kontor_confined;
grant execute on function owner_of_leave_claims(uuid) to kontor_confined;
grant execute on function delete_payslip(uuid) to kontor_confined;
grant execute on function owner_of_received_einvoices(uuid) to kontor_confined;
grant execute on function reads_payroll() to kontor_across, kontor_confined;
grant execute on function reads_own_payroll() to kontor_across, kontor_confined;
grant execute on function payroll_rights(member_role,member_role,text[],text[],boolean) to kontor_across, kontor_confined;
grant execute on function payroll_lines(date,date) to kontor_confined;
grant execute on function month_end(date) to kontor_across, kontor_confined;
grant execute on function month_start(date) to kontor_across, kontor_confined;
grant execute on function payroll_months(date,date) to kontor_confined;
grant execute on function visible_lines(date,uuid,date,uuid) to kontor_confined;
grant execute on function visible_lines(date,date) to kontor_confined;
grant execute on function visible_balances(date,date,text) to kontor_confined;
grant execute on function advance_run(uuid,bigint,jsonb,jsonb,boolean,interval) to kontor_confined;
grant execute on function take_tokens_in_advance(text,double precision,integer,integer,double precision) to kontor_confined;
grant execute on function owner_of_automation_secrets(uuid) to kontor_confined;
grant execute on function cancel_runs(uuid,uuid,text,text) to kontor_confined;
grant execute on function owner_of_companion_session(text,bytea,uuid,text) to kontor_confined;
grant execute on function owner_of_companion_turns(uuid) to kontor_confined;
grant execute on function owner_of_companion_messages(uuid) to kontor_confined;
grant execute on function owner_of_companion_steps(uuid) to kontor_confined;
grant execute on function append_companion_events(uuid,uuid,text[],uuid[],text[],jsonb[]) to kontor_confined;
grant execute on function hold_turn(uuid,uuid) to kontor_confined;
grant execute on function say_in_turn(uuid,uuid,text[]) to kontor_confined;
grant execute on function step_event(companion_steps) to kontor_confined;
grant execute on function begin_step(uuid,uuid,uuid,text,jsonb,text,jsonb,interval) to kontor_confined;
grant execute on function end_step(uuid,uuid,uuid,text,jsonb,text,boolean) to kontor_confined;
grant execute on function begin_confirmed_step(uuid,uuid,uuid) to kontor_confined;
grant execute on function skip_pending_steps(uuid,uuid,uuid,text) to kontor_confined;
grant execute on function end_turn(uuid,text,text,text,jsonb,uuid) to kontor_confined;
grant execute on function enter_turn(uuid) to kontor_confined;
grant execute on function names_in_audit_log(uuid[],text[]) to kontor_confined;
grant execute on function organization_key(uuid,uuid) to kontor_confined;
grant execute on function require_unchanged_books(pg_snapshot) to kontor_confined;
grant execute on function full_transaction_id(xid) to kontor_confined;
grant execute on function search_payments(text,text,integer) to kontor_confined;
grant execute on function owner_of_views(uuid) to kontor_confined;
grant execute on function finish_job(bigint,text,integer,boolean) to kontor_confined;
grant execute on function placed_lines(date,uuid,date,uuid) to kontor_confined;
grant execute on function is_result_line(uuid,text,text) to kontor_confined;
grant execute on function part_of(numeric,numeric,numeric,numeric,boolean) to kontor_confined;
grant execute on function divided_results(result_line[]) to kontor_confined;
grant execute on function tax_shares(uuid,uuid,numeric,bigint,bigint) to kontor_confined;
grant execute on function found_rate(bigint,bigint,numeric[]) to kontor_confined;
grant execute on function bill_rate(uuid,uuid,numeric[]) to kontor_confined;
grant execute on function divided_taxes(result_line[]) to kontor_confined;
grant execute on function grouped_results(result_line[]) to kontor_confined;
grant execute on function grouped_taxes(result_line[]) to kontor_confined;
grant execute on function journal_gaps(date,date) to kontor_confined;
grant execute on function result_lines(date[],date[]) to kontor_confined;
grant execute on function results_by_day(date,date) to kontor_confined;
grant execute on function taxes_by_day(date,date) to kontor_confined;
grant execute on function changed_documents(text,date) to kontor_across, kontor_confined;
grant execute on function untouched_balances(uuid,text,text,date) to kontor_across, kontor_confined;
grant execute on function changed_balances(text,date) to kontor_across, kontor_confined;
grant execute on function aging_buckets(date) to kontor_confined;
grant execute on function aged_sums(text,date) to kontor_confined;
grant execute on function first_aged(text,date,text,integer) to kontor_confined;
grant execute on function aged_of_parties(text,date,text,uuid[]) to kontor_confined;
grant execute on function aged_others(text,date) to kontor_confined;
grant execute on function rights_of_graph(uuid,uuid,uuid[]) to kontor_confined;
grant execute on function authorize_run(uuid,text,uuid,member_role,text[]) to kontor_confined;
grant execute on function owner_of_planned_payments(uuid) to kontor_confined;
grant execute on function summed_up_percent() to kontor_confined;
grant execute on function people_of_claimant(uuid,uuid) to kontor_confined;
