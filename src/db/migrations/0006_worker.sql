-- Work for later: who is alive to do it, how its end commits with its effect, what failed for good, and whose turn it is.

create table worker_heartbeats (
  pool_id    text primary key, -- the name under which graphile-worker locks jobs
  process    text not null,
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now()
);
select system_table('worker_heartbeats');

-- Jobs that gave up, kept for people to look at.
create table failed_jobs (
  id              uuid primary key,
  organization_id uuid references organizations on delete cascade,
  job             text not null,
  payload         jsonb not null,
  attempts        integer not null,
  error           text not null,
  created_at      timestamptz not null default now()
);
create index on failed_jobs (organization_id);
create index on failed_jobs (created_at);
create index on failed_jobs (job); -- counting
select system_table('failed_jobs');

-- Counts what waits, for enqueue() (0004_records.sql).
create function count_job_pressure() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('job pressure', 0)) then return; end if; -- another worker is counting
  delete from public.job_pressure;
  insert into public.job_pressure (organization_id, waiting)
  select replace(flag, 'organization:', '')::uuid, count(*)
  from graphile_worker._private_jobs j, jsonb_object_keys(j.flags) flag
  where flag like 'organization:%' group by 1 having count(*) >= 10;
end $$;

-- Ends a job inside the transaction of its effect: both commit or neither does. Raises when the job is no longer this
-- worker's: it was taken for dead and somebody else has the job now (the attempt is the fencing token).
create function finish_job(job_id bigint, pool_id text, attempt integer) returns void
  language plpgsql security definer as $$
declare
  queue integer;
begin
  delete from graphile_worker._private_jobs j
  where j.id = job_id and j.locked_by = pool_id and j.attempts = attempt returning j.job_queue_id into queue;
  if not found then
    raise exception 'Somebody else has this job now.' using errcode = 'check_violation', constraint = 'job_superseded';
  end if;
  if queue is not null then
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null where q.id = queue and q.locked_by = pool_id;
  end if;
end $$;

-- Gives back the jobs of workers that have fallen silent. Returns how many workers that were.
create function revive_jobs(silence interval) returns integer language plpgsql as $$
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
end $$;

-- What the orders of a job that are in the queue name, for finding out what nobody will take care of: an order that was
-- lost or given up, as when the database fails again and again.
create function ordered_for(job text, field text) returns setof text language plpgsql stable as $$
begin
  return query select coalesce(j.payload ->> field, j.payload #>> array['$order', 'payload', field], '')
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = job;
end $$;

-- Orders a job again, where it was ordered first.
create function order_again(job text, field text, place uuid, subject uuid) returns boolean language plpgsql as $$
begin
  perform set_config('app.organization', coalesce(place::text, ''), true);
  perform enqueue(job, jsonb_build_object(field, subject));
  perform set_config('app.organization', '', true);
  return true;
end $$;
revoke execute on function ordered_for, order_again from public;

-- Leases for work that is longer than a job: whoever holds the newest token may write.
create table leases (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  subject         text not null,
  token           bigint not null,
  holder          text not null,
  expires_at      timestamptz not null,
  primary key (organization_id, subject)
);
select organization_table('leases');

-- Takes a free or expired lease; the new token, or null when somebody else holds it.
create function take_lease(named text, by text, seconds integer) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  insert into leases as l (subject, token, holder, expires_at) values (named, 1, by, now() + make_interval(secs => seconds))
  on conflict (organization_id, subject) do update
    set token = l.token + 1, holder = by, expires_at = now() + make_interval(secs => seconds)
    where l.expires_at <= now()
  returning l.token into taken;
  return taken;
end $$;

-- Keeps a lease; false when a newer token exists or it ran out.
create function keep_lease(named text, held bigint, seconds integer) returns boolean language plpgsql as $$
begin
  update leases set expires_at = now() + make_interval(secs => seconds)
  where subject = named and token = held and expires_at > now();
  return found;
end $$;

-- Raises unless this token is the newest: called in the transaction of every write that the lease protects.
create function require_lease(named text, held bigint) returns void language plpgsql as $$
begin
  perform from leases where subject = named and token = held for share;
  if not found then raise exception 'The lease on % was lost.', named using errcode = 'object_not_in_prerequisite_state'; end if;
end $$;

create function drop_lease(named text, held bigint) returns void language plpgsql as $$
begin
  update leases set expires_at = now() where subject = named and token = held;
end $$;
