-- Guards that a job has an organization or a person, and that its organization is limited to its share of the workers.

-- Adds a job in the transaction of its cause: both commit or neither does. The more jobs of the organization wait, the later its
-- next one is begun.
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

-- Adds a job again that was lost, in the organization it had.
create or replace function requeue_job(job text, field text, place uuid, subject uuid) returns boolean language plpgsql as $$
begin
  perform set_config('app.organization', coalesce(place::text, ''), true);
  perform enqueue(job, jsonb_build_object(field, subject));
  perform set_config('app.organization', '', true);
  return true;
end $$;
