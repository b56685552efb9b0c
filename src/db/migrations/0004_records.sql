-- What the runner keeps of every change: the audit trail, events, remembered answers, rate buckets; and the door to the
-- job queue.

create table audit_log (
  id              uuid not null,
  organization_id uuid, -- null for what a person does outside any organization; no reference, the trail outlives it
  user_id         uuid, -- null for what the product did by itself
  source          text not null,
  api_key_id      uuid,
  session_id      uuid,
  run_id          text,
  turn_id         text,
  request_id      text not null,
  operation       text not null,
  object_id       text,
  detail          jsonb,
  created_at      timestamptz not null default now(), -- the database's clock
  constraint somebody_did_it check (user_id is not null or source = 'SYSTEM')
);
create index on audit_log (organization_id, created_at desc, id desc) where organization_id is not null;
create index on audit_log (user_id, created_at desc, id desc) where organization_id is null;
select system_table('audit_log');
create policy own_organization on audit_log for select to kontor_confined using (organization_id = (select current_organization()));
create policy own_deed on audit_log for insert to kontor_confined
  with check (user_id = (select current_person()) and organization_id is not distinct from (select current_organization()));
grant select, insert on audit_log to kontor_confined;
select append_only('audit_log');

create table events (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  type            text not null,
  payload         jsonb not null,
  cause           jsonb not null, -- which request, person, key, run or turn made it happen
  created_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
select organization_table('events');
select append_only('events');

create table idempotency_keys (
  user_id         uuid not null default current_person() references users on delete cascade,
  principal       text not null, -- one credential cannot read another's remembered answer (IDEM-2)
  organization_id uuid references organizations on delete cascade,
  key             text not null,
  fingerprint     bytea not null,
  status          integer, -- null while the operation runs
  body            text,
  sealed          boolean not null default false,
  locked_until    timestamptz,
  created_at      timestamptz not null default now(),
  -- in this order, because `is not distinct from` an organization finds nothing by an index
  unique nulls not distinct (principal, key, organization_id)
);
create index on idempotency_keys (created_at); -- pruning
create index on idempotency_keys (user_id);
create index on idempotency_keys (organization_id);
select person_table('idempotency_keys');

-- The organization where a request is remembered: a retry of what deleted its row finds its answer there. enter() checks
-- the caller's membership of it like any other.
create function remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea)
  returns uuid language plpgsql stable security definer as $$
begin
  return (select k.organization_id from public.idempotency_keys k
    where k.principal = coalesce(remembered_organization.principal, 'user:' || coalesce(person,
        (select s.user_id from public.sessions s where s.secret_hash = credential)))
      and k.key = remembered_organization.key and k.fingerprint = remembered_organization.fingerprint
    limit 1);
end $$;

-- GCRA: tat is the theoretical arrival time. Unlogged: a crash forgives everybody, and nothing else is lost.
create unlogged table rate_buckets (
  key text primary key,
  tat timestamptz not null
);
create index on rate_buckets (tat); -- pruning
select system_table('rate_buckets');

-- Takes up to `wanted` tokens of a bucket that gains `per_second` and holds at most `burst`. A clock that was set back
-- blocks nobody for longer than an empty bucket takes to fill.
create function take_tokens(bucket text, per_second double precision, burst integer, wanted integer,
  out granted integer, out remaining integer, out retry_after double precision)
  language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

-- How much work each organization has waiting, counted by the workers every few seconds. Whoever floods the queue gets
-- a later place in it; whoever has little waiting goes first.
create unlogged table job_pressure (
  organization_id uuid primary key,
  waiting         integer not null
);
select system_table('job_pressure');

-- A job committed with its cause: a row of the queue in the same transaction.
create function enqueue(job text, payload jsonb, run_at timestamptz default null, job_key text default null) returns void
  language plpgsql security definer as $$
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
end $$;

-- The keeper of one subject at a time within an organization, until the transaction ends: two requests that both want
-- to be the default, the last or the first wait for each other.
create function hold(subject text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(current_organization()::text || ':' || subject, 0));
end $$;

-- Functions are executable by everybody unless said otherwise; these change things no request may.
revoke execute on function organization_table, person_table, system_table, append_only, touched from public;
