-- Guards that a job ends once, by the worker that holds it, in the transaction of its effect.

-- Ends a job inside the transaction of its effect: both commit or neither does. Raises when the job is no longer this
-- worker's: it was taken for dead and somebody else has the job now (the attempt is the fencing token).
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

-- Jobs without attempts left may be begun again. They stay the same job, so that the work knows that it was interrupted, and how
-- often; each kind of work has its own limit. A job is removed if another one has the same payload: graphile-worker takes the
-- attempts from a job whose key is enqueued again while it runs, and the worker that ran it may have died.
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
