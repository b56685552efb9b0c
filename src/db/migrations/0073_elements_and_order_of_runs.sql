-- Steps of a list are known by their element instead of its position, steps carry warnings, and the events of one record
-- are processed in their order.

-- Which element of a list a step belongs to: the source block and a key of the element (engine/elements.ts); '' without a
-- list. Steps of earlier versions keep their position: '#' and the number.
alter table automation_steps
  add column element_key text not null default '',
  add column warnings jsonb check (jsonb_typeof(warnings) = 'array'),
  add column is_truncated boolean not null default false; -- the output was too large, and is replaced by a marker
update automation_steps set element_key = '#' || element where element >= 0;
update automation_steps set is_truncated = true
where output @> '{"truncated": true}' and jsonb_typeof(output -> 'bytes') = 'number' and output ->> 'message' like 'Not stored: %';
alter table automation_steps
  drop constraint one_step_per_element,
  add constraint one_step_per_element unique (organization_id, run_id, block_id, element_key);

-- Records the progress of a run, for its claimant alone. `held` is the token of the claim. It is 0 for a run that was
-- never claimed: the first write then claims it, and starts its time limit. `ended` is the step that succeeded, if any.
create function advance_run(run uuid, held bigint, ended jsonb, begun jsonb, over boolean, time_limit interval)
  returns table (id uuid, block_id text, element integer, element_key text, attempt integer) language plpgsql as $$
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
    update automation_steps s set status = 'SUCCEEDED', output = ended -> 'output', error = null,
      feature = coalesce(ended ->> 'feature', s.feature), warnings = nullif(ended -> 'warnings', 'null'),
      is_truncated = coalesce((ended ->> 'isTruncated')::boolean, false),
      finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
    where s.id = (ended ->> 'stepId')::uuid and s.run_id = run and s.status = 'RUNNING';
    if not found then
      raise exception 'The step has ended already.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
  end if;
  if begun is null then return; end if;
  return query
  insert into automation_steps as s (id, run_id, block_id, element, element_key, ref, feature, status, input, output, warnings,
    is_truncated, started_at, finished_at, latency_ms)
  select t.id, run, t."blockId", t.element, coalesce(t."elementKey", case when t.element >= 0 then '#' || t.element else '' end),
    t.ref, t.feature, t.status, t.input, t.output, nullif(t.warnings, 'null'), coalesce(t."isTruncated", false),
    case when t.status <> 'SKIPPED' then clock_timestamp() - make_interval(secs => coalesce(t."startedMsAgo", 0) / 1000.0) end,
    case when t.status <> 'RUNNING' then clock_timestamp() - make_interval(secs => coalesce(t."endedMsAgo", 0) / 1000.0) end,
    t."startedMsAgo" - t."endedMsAgo"
  from jsonb_to_recordset(begun) as t (id uuid, "blockId" text, element integer, "elementKey" text, ref text, feature text,
    status text, input jsonb, output jsonb, warnings jsonb, "isTruncated" boolean, "startedMsAgo" integer, "endedMsAgo" integer)
  on conflict on constraint one_step_per_element do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input, element = excluded.element,
    output = excluded.output, warnings = excluded.warnings, is_truncated = excluded.is_truncated, error = null,
    started_at = excluded.started_at, finished_at = excluded.finished_at, latency_ms = excluded.latency_ms,
    attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was interrupted
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.element_key, s.attempt;
end $$;
revoke execute on function advance_run(uuid, bigint, jsonb, jsonb, boolean, interval) from public;
grant execute on function advance_run(uuid, bigint, jsonb, jsonb, boolean, interval) to kontor_confined;

-- For processes of the version before, while this one migrates (FLT-16).
create or replace function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean, time_limit interval)
  returns table (id uuid, block_id text, element integer, attempt integer) language sql as $$
  select a.id, a.block_id, a.element, a.attempt
  from advance_run(run, held, case when ended is not null then jsonb_build_object('stepId', ended, 'output', came_to, 'feature', of_feature) end,
    begun, over, time_limit) a
$$;

-- The order of events. A run waits while an earlier run of its automation for the same record is RUNNING, and the end of
-- that run enqueues it. `place` is the order of the events: changes of one record wait for each other.
alter table automation_runs
  add column record_id text, -- `id` of the payload; null for a test
  add column place bigint generated always as identity;
create index running_of_record on automation_runs (organization_id, automation_id, record_id, place)
  where status = 'RUNNING' and record_id is not null;

create or replace function start_automations() returns trigger language plpgsql as $$
declare
  armed record;
  run uuid;
  record text := left(new.payload ->> 'id', 200);
  waits boolean;
begin
  -- Most events start nothing. Finding that out takes a third of the time of opening the loop.
  if not exists (select from automations a
      where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers)) then
    return null;
  end if;
  for armed in
    select a.id, a.graph_id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    -- The lock: an earlier run that ends at this moment either sees the new one, or is seen as ended.
    perform from automation_runs r where r.organization_id = new.organization_id and r.automation_id = armed.id
      and r.record_id = record and r.status = 'RUNNING' order by r.place desc limit 1 for share;
    waits := found;
    insert into automation_runs (organization_id, id, automation_id, graph_id, trigger_event_id, trigger_type, input, depth, record_id)
    values (new.organization_id, run, armed.id, armed.graph_id, new.id, new.type, new.payload,
      coalesce((new.cause ->> 'depth')::integer, 0) + 1, record);
    if not waits then perform enqueue('run-automation', jsonb_build_object('runId', run)); end if;
  end loop;
  return null;
end $$;

create function start_next_of_record() returns trigger language plpgsql as $$
declare
  following record;
begin
  select r.id, r.token, r.place into following from automation_runs r
  where r.organization_id = new.organization_id and r.automation_id = new.automation_id and r.record_id = new.record_id
    and r.status = 'RUNNING' order by r.place limit 1;
  if following.token = 0 and following.place > new.place then -- not one that has begun
    perform enqueue('run-automation', jsonb_build_object('runId', following.id));
  end if;
  return null;
end $$;
create trigger start_next_of_record after update of status on automation_runs for each row
  when (old.status = 'RUNNING' and new.status <> 'RUNNING' and new.record_id is not null) execute function start_next_of_record();

-- Runs that nobody will continue. A run that waits for an earlier one of its record is not among them.
create or replace function lost_runs() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select queued_job_subjects('run-automation', 'runId'))
    and not exists (select from public.automation_runs earlier
      where earlier.organization_id = r.organization_id and earlier.automation_id = r.automation_id
        and earlier.record_id = r.record_id and earlier.status = 'RUNNING' and earlier.place < r.place);
end $$;
