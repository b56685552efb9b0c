-- If the key of a job is enqueued again while it runs, the job loses its key, and graphile-worker sets its attempts to the most,
-- so that it is not tried again. The worker that runs it may still end it: until now it could not, and the job stayed in the
-- queue, was counted as waiting, and hid that a job of the same subject was lost.
drop function finish_job(bigint, text, integer);
create function finish_job(job_id bigint, pool_id text, attempt integer, had_key boolean default false) returns void
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
revoke execute on function finish_job(bigint, text, integer, boolean) from public;
grant execute on function finish_job(bigint, text, integer, boolean) to kontor_confined;

-- The jobs that were left behind, if there is a queue yet. One that is not locked and has no attempt left never runs.
do $$ begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs where key is null and locked_at is null and attempts >= max_attempts
      and last_error = 'Somebody else has this job now.';
  end if;
end $$;
