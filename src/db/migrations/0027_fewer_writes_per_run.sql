-- A run writes less: a step that works only in the database is recorded once, together with its effect, and the first
-- such write also claims the run.

-- Records the progress of a run, for its claimant alone. `held` is the token of the claim. It is 0 for a run that was
-- never claimed: the first write then claims it, and starts its time limit.
create function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean, time_limit interval)
  returns table (id uuid, block_id text, element integer, attempt integer) language plpgsql as $$
begin
  if over then
    update automation_runs r set status = 'SUCCEEDED', finished_at = clock_timestamp(), token = greatest(held, 1)
    where r.id = run and r.token = held and r.status = 'RUNNING';
  elsif held = 0 then
    update automation_runs r set token = 1, deadline = now() + time_limit
    where r.id = run and r.token = 0 and r.status = 'RUNNING';
  else
    perform from automation_runs r where r.id = run and r.token = held and r.status = 'RUNNING' for share;
  end if;
  if not found then
    if exists (select from automation_runs r where r.id = run) then
      raise exception 'Another worker has claimed this run.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
    raise exception 'A step deletes its own run.' using errcode = 'check_violation', constraint = 'own_run';
  end if;
  if ended is not null then
    update automation_steps s set status = 'SUCCEEDED', output = came_to, error = null,
      feature = coalesce(of_feature, s.feature), finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
    where s.id = ended and s.run_id = run and s.status = 'RUNNING';
    if not found then
      raise exception 'The step has ended already.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
  end if;
  if begun is null then return; end if;
  return query
  insert into automation_steps as s (id, run_id, block_id, element, ref, feature, status, input, output, started_at, finished_at, latency_ms)
  select t.id, run, t."blockId", t.element, t.ref, t.feature, t.status, t.input, t.output,
    case when t.status <> 'SKIPPED' then clock_timestamp() - make_interval(secs => coalesce(t."startedMsAgo", 0) / 1000.0) end,
    case when t.status <> 'RUNNING' then clock_timestamp() - make_interval(secs => coalesce(t."endedMsAgo", 0) / 1000.0) end,
    t."startedMsAgo" - t."endedMsAgo"
  from jsonb_to_recordset(begun) as t (id uuid, "blockId" text, element integer, ref text, feature text,
    status text, input jsonb, output jsonb, "startedMsAgo" integer, "endedMsAgo" integer)
  on conflict on constraint one_step_per_element do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input,
    output = excluded.output, error = null, started_at = excluded.started_at, finished_at = excluded.finished_at,
    latency_ms = excluded.latency_ms, attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was interrupted
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.attempt;
end $$;

-- For processes of the version before, while this one migrates (FLT-16). They never pass 0.
create or replace function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean)
  returns table (id uuid, block_id text, element integer, attempt integer) language sql as $$
  select * from advance_run(run, held, ended, came_to, of_feature, begun, over, null)
$$;

-- Whether a job exists that executes this run of the organization, now or later.
create function run_has_job(run uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from automation_runs r
    where r.id = run and r.organization_id = current_organization()
      and r.id::text in (select queued_job_subjects('run-automation', 'runId')));
end $$;

revoke execute on function advance_run(uuid, bigint, uuid, jsonb, text, jsonb, boolean, interval), run_has_job(uuid) from public;
grant execute on function advance_run(uuid, bigint, uuid, jsonb, text, jsonb, boolean, interval), run_has_job(uuid) to kontor_confined;
