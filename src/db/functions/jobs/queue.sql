-- All functions that use the private tables of graphile-worker: how a job ends, is taken from a worker that died, is tried again and
-- is counted.

-- Ends a job in the transaction of its effect, so that both commit or neither does. It raises an error if another worker has the
-- job by now, because this one was taken for dead. The number of the attempt is the fencing token. A job whose key is enqueued
-- again while it runs loses its key, and its attempts become its maximum.
create or replace function finish_job(job_id bigint, pool_id text, attempt integer, had_key boolean default false) returns void
  language plpgsql security definer as $$
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
end $$;
grant execute on function finish_job(bigint, text, integer, boolean) to kontor_confined;

-- Unlocks the jobs of workers that have sent no heartbeat for this long. Returns the number of these workers.
create or replace function requeue_abandoned_jobs(silence interval) returns integer language plpgsql as $$
declare
  silent text[];
begin
  select coalesce(array_agg(distinct j.locked_by), '{}') into silent from graphile_worker._private_jobs j
  where j.locked_by is not null and j.locked_at < now() - silence
    and not exists (select from public.worker_heartbeats h where h.pool_id = j.locked_by and h.seen_at > now() - silence);
  -- As graphile_worker.force_unlock_workers does it, except that a job which a frozen worker still holds in a transaction is left
  -- for the next time, so that nothing waits for that worker. The ids come as an array: PostgreSQL would join a table that was empty
  -- when it was last counted with itself row by row.
  update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = any (array(
    select j.id from graphile_worker._private_jobs j where j.locked_by = any (silent) for update skip locked));
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null where id = any (array(
    select q.id from graphile_worker._private_job_queues q where q.locked_by = any (silent) for update skip locked));
  delete from public.worker_heartbeats h where h.seen_at < now() - interval '1 day';
  return cardinality(silent);
end $$;

-- The subjects of the jobs of this name that a worker runs or will run. A job without attempts left is not one of them: it is never
-- begun again, so its mail, scan, run, turn or clearance has to be enqueued once more.
create or replace function queued_job_subjects(job text, field text) returns setof text language plpgsql stable as $$
begin
  return query select coalesce(j.payload ->> field, j.payload #>> array['$order', 'payload', field], '')
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = job and (j.is_available or j.locked_at is not null);
end $$;

-- Lets the jobs of this name that have no attempts left be begun again. They stay the same jobs, so that the work knows that it was
-- interrupted, and how often; each kind of work has its own limit. A job is removed if another one has the same payload:
-- graphile-worker takes the attempts from a job whose key is enqueued again while it runs, and the worker that ran it may have died.
create or replace function allow_more_attempts(job text) returns void language plpgsql as $$
declare
  task integer := (select t.id from graphile_worker._private_tasks t where t.identifier = job);
begin
  delete from graphile_worker._private_jobs j where j.task_id = task and not j.is_available and j.locked_at is null
    and exists (select from graphile_worker._private_jobs other
      where other.task_id = task and (other.is_available or other.locked_at is not null)
        and coalesce(other.payload #> '{$order,payload}', other.payload)::jsonb = coalesce(j.payload #> '{$order,payload}', j.payload)::jsonb);
  update graphile_worker._private_jobs j set max_attempts = least(j.max_attempts + 25, 32767) -- a smallint
  where j.task_id = task and not j.is_available and j.locked_at is null;
end $$;

-- Counts the waiting jobs of each organization, for enqueue(). Jobs that are due later do not count: an organization whose runs wait
-- for their turn is not busy because of that.
create or replace function count_job_pressure() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('job pressure', 0)) then return; end if; -- another worker is counting
  delete from public.job_pressure;
  insert into public.job_pressure (organization_id, waiting)
  select replace(flag, 'organization:', '')::uuid, count(*)
  from graphile_worker._private_jobs j, jsonb_object_keys(j.flags) flag
  where flag like 'organization:%' and j.run_at <= now() group by 1 having count(*) >= 10;
end $$;
