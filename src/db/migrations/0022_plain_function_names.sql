-- Gives SQL functions outside the ledger plain names. A function keeps its identity when it is renamed, so triggers,
-- policies, defaults and grants keep working.
--
-- Processes of the version before this one run on while this migrates (FLT-16), so these old names stay for one version as
-- functions that only call the new one. The next migration that drops them may do so in any order:
--   enter                 -> authorize_request
--   found_organization    -> create_organization
--   keeps_books_here      -> is_registered_organization
--   forgive_sign_in       -> subtract_sign_in_failure
--   welcome_sign_in       -> record_sign_in_success
--   hold                  -> lock_subject
--   charge_tokens         -> consume_rate_limit
--   revive_jobs           -> requeue_abandoned_jobs
--   ordered_for           -> queued_job_subjects
--   order_again           -> requeue_job
--   order_lost_mail       -> requeue_lost_mail
--   order_lost_runs       -> requeue_lost_runs
--   keep_lease            -> renew_lease
--   drop_lease            -> release_lease
--   reaches_keys_of       -> may_use_keys_of
--   connected_app_places  -> organizations_of_connected_app
--   since                 -> milliseconds_since
--
-- Trigger functions, and the one that only migrations call, are called by no process and have no old name:
--   touch -> set_updated_at, touched -> add_updated_at_trigger, require_reach -> refuse_role_above_own,
--   prolong_connected_app -> extend_connected_app, keep_succeeded_step -> refuse_change_of_succeeded_step

alter function touch() rename to set_updated_at;
alter function touched(text) rename to add_updated_at_trigger;
alter function require_reach() rename to refuse_role_above_own;
alter function prolong_connected_app() rename to extend_connected_app;
alter function keep_succeeded_step() rename to refuse_change_of_succeeded_step;
alter function enter(text, bytea, uuid, text, uuid, member_role, text[]) rename to authorize_request;
alter function found_organization(uuid) rename to create_organization;
alter function keeps_books_here(text, text) rename to is_registered_organization;
alter function forgive_sign_in(text, integer) rename to subtract_sign_in_failure;
alter function welcome_sign_in(text, text, integer) rename to record_sign_in_success;
alter function hold(text) rename to lock_subject;
alter function charge_tokens(text, double precision, integer, integer) rename to consume_rate_limit;
alter function revive_jobs(interval) rename to requeue_abandoned_jobs;
alter function ordered_for(text, text) rename to queued_job_subjects;
alter function order_again(text, text, uuid, uuid) rename to requeue_job;
alter function order_lost_mail(integer) rename to requeue_lost_mail;
alter function order_lost_runs(integer) rename to requeue_lost_runs;
alter function keep_lease(text, bigint, integer) rename to renew_lease;
alter function drop_lease(text, bigint) rename to release_lease;
alter function reaches_keys_of(uuid) rename to may_use_keys_of;
alter function connected_app_places(uuid) rename to organizations_of_connected_app;
alter function since(timestamptz) rename to milliseconds_since;

-- Functions whose text names a renamed one, or themselves. Nothing else in them changes.

-- The trigger that keeps updated_at of a table, if it has that column.
create or replace function add_updated_at_trigger(name text) returns void language plpgsql as $$
begin
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'updated_at') then
    execute format('create trigger touch before update on %I for each row execute function set_updated_at()', name);
  end if;
end $$;

-- Puts a table of one organization behind row security: a request sees and writes the rows of its organization
-- (kontor_confined), a list without one reads those of the caller (kontor_across). owner_of_<table> tells
-- authorize_request() the organization of a row.
create or replace function organization_table(name text, key text default 'organization_id') returns void language plpgsql as $$
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
  end if;
  perform add_updated_at_trigger(name);
end $$;

-- The same for a table of one person.
create or replace function person_table(name text, key text default 'user_id') returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_person()))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  perform add_updated_at_trigger(name);
end $$;

-- Authorizes a request: one call checks the credential, finds the organization and the caller's role in it, and confines
-- the transaction to both. It never raises. What it does not find is null, and then no row is visible;
-- core/run/authorize.ts turns the answer into 401, 403 or 404.
--
-- fitting: the scopes of which a key needs one.
-- place: CALLER a person, no organization      ROW the organization that owns the row (owner_of_<table>)
--        NAMED the organization the caller named  ONLY the caller's only one     ALL every one the caller can reach
--
-- app.service: the address of this service, set for each connection of a process; tokens of apps are for it or its /mcp.
--
-- Names are qualified instead of setting search_path, and everything is found in one query: each costs every request.
create or replace function authorize_request(
  source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text
) language plpgsql security definer as $$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[];
  done text;
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs, m.organization_id, m.role
    into user_id, key_id, scopes, everywhere, organization_id, role
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id and (k.all_orgs or exists
      (select from public.api_key_organizations o where o.api_key_id = k.id and o.organization_id = target))
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
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
  done := set_config('app.person', user_id::text, true);
  if role >= needed then done := set_config('app.organization', organization_id::text, true); end if;
end $$;

-- The first statement when an organization is created: confines the transaction to an id that no organization has yet, so
-- that its creator can insert the rows.
create or replace function create_organization(id uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organizations o where o.id = create_organization.id) or current_person() is null then
    raise exception 'That organization exists.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.organization', id::text, true);
end $$;

-- Whether an organization with this registration number uses this installation (inSystem of a customer).
create or replace function is_registered_organization(registration_number text, country text) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from organizations o
    where o.registration_number = is_registered_organization.registration_number and o.country = is_registered_organization.country);
end $$;

-- A right password: the account has no failures any more, the address has one less.
create or replace function record_sign_in_success(account text, address text, per_address integer) returns void language sql as $$
  delete from sign_in_failures where subject = account;
  select subtract_sign_in_failure(address, per_address);
$$;

-- Deliveries that are queued and forgotten: no worker is sending them and no job for them is in the queue.
create or replace function lost_mail() returns table (organization_id uuid, id uuid, created_at timestamptz) language plpgsql stable as $$
begin
  return query select d.organization_id, d.id, d.created_at from public.mail_deliveries d
  where d.status = 'QUEUED' and coalesce(d.claimed_until < now(), true) and d.id::text not in (select queued_job_subjects('send-mail', 'deliveryId'));
end $$;

-- Enqueues them again, the oldest first, and returns how many. Each attempt is counted, so this comes to an end.
create or replace function requeue_lost_mail(most integer) returns bigint language sql as $$
  select count(requeue_job('send-mail', 'deliveryId', lost.organization_id, lost.id))
  from (select * from lost_mail() m order by m.created_at, m.id limit most) lost
$$;

-- Runs that are under way and have no job in the queue.
create or replace function lost_runs() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select queued_job_subjects('run-automation', 'runId'));
end $$;

-- Enqueues them again, the oldest first, and returns how many.
create or replace function requeue_lost_runs(most integer) returns bigint language sql as $$
  select count(requeue_job('run-automation', 'runId', lost.organization_id, lost.id))
  from (select * from lost_runs() r order by r.started_at, r.id limit most) lost
$$;

-- The organization's current key, counting one use of it; nothing if there is none yet. The row stays locked until the
-- transaction ends, so a key is not retired between sealing a value and storing it.
create or replace function take_organization_key(organization uuid, for_table text, for_column text,
  out id uuid, out wrapped bytea, out kek_id text, out uses bigint)
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

-- A first key for the organization, unless another transaction added one first.
create or replace function add_organization_key(organization uuid, id uuid, wrapped bytea, kek_id text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  insert into organization_keys (organization_id, id, wrapped, kek_id)
  values (organization, add_organization_key.id, add_organization_key.wrapped, add_organization_key.kek_id)
  on conflict (organization_id) where retired_at is null do nothing;
end $$;

-- One key of the organization, current or retired, to open what it sealed.
create or replace function organization_key(organization uuid, key uuid, out wrapped bytea, out kek_id text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not may_use_keys_of(organization) then return; end if;
  select k.wrapped, k.kek_id into organization_key.wrapped, organization_key.kek_id
  from organization_keys k where k.organization_id = organization and k.id = key;
end $$;

-- Records the progress of a run, in the transaction of what caused it: the step that ended (`ended`, if any), the steps
-- that begin or are skipped (`begun`), and whether the run is over. Only the worker that claimed the run last may do so,
-- and no other can claim it before this transaction ends (INV-13). Returns the steps that begin: with the id they had, if
-- they were tried before.
create or replace function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean)
  returns table (id uuid, block_id text, element integer, attempt integer) language plpgsql as $$
begin
  if over then
    update automation_runs r set status = 'SUCCEEDED', finished_at = now()
    where r.id = run and r.token = held and r.status = 'RUNNING';
  else
    perform from automation_runs r where r.id = run and r.token = held and r.status = 'RUNNING' for share;
  end if;
  if not found then
    if exists (select from automation_runs r where r.id = run) then
      raise exception 'Somebody else carries on this run now.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
    raise exception 'A step deletes its own run.' using errcode = 'check_violation', constraint = 'own_run';
  end if;
  if ended is not null then
    update automation_steps s set status = 'SUCCEEDED', output = came_to, error = null,
      feature = coalesce(of_feature, s.feature), finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
    where s.id = ended and s.run_id = run and s.status = 'RUNNING';
    if not found then
      raise exception 'The step is over already.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
  end if;
  if begun is null then return; end if;
  return query
  insert into automation_steps as s (id, run_id, block_id, element, ref, feature, status, input, output, started_at, finished_at)
  select t.id, run, t."blockId", t.element, t.ref, t.feature, t.status, t.input, t.output,
    case when t.status <> 'SKIPPED' then now() end, case when t.status <> 'RUNNING' then now() end
  from jsonb_to_recordset(begun) as t (id uuid, "blockId" text, element integer, ref text, feature text,
    status text, input jsonb, output jsonb)
  on conflict on constraint one_step_per_element do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input,
    output = excluded.output, error = null, started_at = excluded.started_at, finished_at = excluded.finished_at,
    latency_ms = null, attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was broken off
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.attempt;
end $$;

-- The old names, for processes of the version before this one. Each has the signature, volatility, security and grants of
-- the function that it calls.

create function enter(
  source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text
) language sql security definer as $$
  select * from public.authorize_request(source, credential, person, place, target, needed, fitting)
$$;

create function found_organization(id uuid) returns void language sql security definer set search_path = public, pg_temp
  as $$ select create_organization(id) $$;

create function keeps_books_here(registration_number text, country text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$ select is_registered_organization(registration_number, country) $$;

create function forgive_sign_in(attempted text, allowed integer) returns void language sql
  as $$ select subtract_sign_in_failure(attempted, allowed) $$;

create function welcome_sign_in(account text, address text, per_address integer) returns void language sql
  as $$ select record_sign_in_success(account, address, per_address) $$;

create function hold(subject text) returns void language sql as $$ select lock_subject(subject) $$;

create function charge_tokens(bucket text, per_second double precision, burst integer, wanted integer)
  returns double precision language sql security definer set search_path = public, pg_temp
  as $$ select consume_rate_limit(bucket, per_second, burst, wanted) $$;

create function revive_jobs(silence interval) returns integer language sql as $$ select requeue_abandoned_jobs(silence) $$;

create function ordered_for(job text, field text) returns setof text language sql stable
  as $$ select queued_job_subjects(job, field) $$;

create function order_again(job text, field text, place uuid, subject uuid) returns boolean language sql
  as $$ select requeue_job(job, field, place, subject) $$;

create function order_lost_mail(most integer) returns bigint language sql as $$ select requeue_lost_mail(most) $$;

create function order_lost_runs(most integer) returns bigint language sql as $$ select requeue_lost_runs(most) $$;

create function keep_lease(named text, held bigint, seconds integer) returns boolean language sql
  as $$ select renew_lease(named, held, seconds) $$;

create function drop_lease(named text, held bigint) returns void language sql as $$ select release_lease(named, held) $$;

create function reaches_keys_of(organization uuid) returns boolean language sql stable
  as $$ select may_use_keys_of(organization) $$;

create function connected_app_places(app uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp
  as $$ select organizations_of_connected_app(app) $$;

create function since(moment timestamptz) returns integer language sql volatile as $$ select milliseconds_since(moment) $$;

revoke execute on function ordered_for, order_again, order_lost_mail, order_lost_runs, reaches_keys_of from public;
