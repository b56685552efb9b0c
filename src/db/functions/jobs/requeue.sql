-- Finds jobs of workers that ended, and enqueues them again.

-- Gives back the jobs of workers that have fallen silent. Returns how many workers that were.
create or replace function requeue_abandoned_jobs(silence interval) returns integer language plpgsql as $$
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

-- The queue counts how often a job was begun. After 25 workers have died in it, it is never begun again, but stayed in the queue,
-- so the jobs that look for lost work took the mail, scan, run, turn or clearance for queued: it stayed unfinished for ever.
create or replace function queued_job_subjects(job text, field text) returns setof text language plpgsql stable as $$
begin
  return query select coalesce(j.payload ->> field, j.payload #>> array['$order', 'payload', field], '')
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = job and (j.is_available or j.locked_at is not null);
end $$;

-- Orders a job again, where it was ordered first.
create or replace function requeue_job(job text, field text, place uuid, subject uuid) returns boolean language plpgsql as $$
begin
  perform set_config('app.organization', coalesce(place::text, ''), true);
  perform enqueue(job, jsonb_build_object(field, subject));
  perform set_config('app.organization', '', true);
  return true;
end $$;
