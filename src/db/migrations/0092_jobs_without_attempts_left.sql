-- The queue counts how often a job was begun. After 25 workers have died in it, it is never begun again, but stayed in the queue,
-- so the jobs that look for lost work took the mail, scan, run, turn or clearance for queued: it stayed unfinished for ever.
create or replace function queued_job_subjects(job text, field text) returns setof text language plpgsql stable as $$
begin
  return query select coalesce(j.payload ->> field, j.payload #>> array['$order', 'payload', field], '')
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = job and (j.is_available or j.locked_at is not null);
end $$;

-- Jobs without attempts left may be begun again. They stay the same job, so that the work knows that it was interrupted, and how
-- often; each kind of work has its own limit. A job is removed if another one has the same payload: graphile-worker takes the
-- attempts from a job whose key is enqueued again while it runs, and the worker that ran it may have died.
create function allow_more_attempts(job text) returns void language plpgsql as $$
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

create or replace function requeue_lost_polls(most integer) returns bigint language sql as $$
  select count(enqueue_poll(lost.id)) from (select * from lost_polls() p order by p.started_at, p.id limit most) lost
$$;
