-- Adds a job with its envelope: the organization, its share and who caused it.

-- A job committed with its cause: a row of the queue in the same transaction.
create or replace function enqueue(job text, payload jsonb, run_at timestamptz default null::timestamptz, job_key text default null::text)
  returns void
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
grant execute on function enqueue(text, jsonb, timestamptz, text) to kontor_confined;

-- Counts the jobs that wait, for enqueue(). Jobs that are due later do not count: an organization whose runs wait their turn is
-- not busy because of that.
create or replace function count_job_pressure() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('job pressure', 0)) then return; end if; -- another worker is counting
  delete from public.job_pressure;
  insert into public.job_pressure (organization_id, waiting)
  select replace(flag, 'organization:', '')::uuid, count(*)
  from graphile_worker._private_jobs j, jsonb_object_keys(j.flags) flag
  where flag like 'organization:%' and j.run_at <= now() group by 1 having count(*) >= 10;
end $$;
