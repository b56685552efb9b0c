-- A poll goes on after every crash of its worker, as long as it reads at least one message between two of them: the run counts how
-- often it was resumed without one, and ends in ERROR. The queue counted crashes too, and after 25 of them never ran the job again:
-- the run stayed RUNNING for ever.
create or replace function enqueue_poll(of_run uuid, run_at timestamptz default null) returns void
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  place uuid;
begin
  select r.organization_id into place from ingestion_runs r where r.id = of_run
    and (current_organization() is null or r.organization_id = current_organization());
  if place is null then return; end if;
  perform graphile_worker.add_job('poll-mailbox', json_build_object('runId', of_run), run_at => enqueue_poll.run_at, max_attempts => 10000,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $$;

-- Polls are enqueued in one way. A job from before that has no attempt left never runs, so its run is lost too.
create or replace function requeue_lost_polls(most integer) returns bigint language plpgsql as $$
begin
  delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
  where t.id = j.task_id and t.identifier = 'poll-mailbox' and j.locked_at is null and j.attempts >= j.max_attempts;
  return (select count(enqueue_poll(lost.id)) from (select * from lost_polls() p order by p.started_at, p.id limit most) lost);
end $$;
