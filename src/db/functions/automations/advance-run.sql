-- Guards the steps of a run: only the worker that holds the run records them, and a succeeded step is never repeated.

-- Called by processes of the version before, while this version migrates (FLT-16).
create or replace function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean)
  returns table(id uuid, block_id text, element integer, attempt integer)
  language sql as $$
  select * from advance_run(run, held, ended, came_to, of_feature, begun, over, null)
$$;
grant execute on function advance_run(uuid, bigint, uuid, jsonb, text, jsonb, boolean) to kontor_confined;

create or replace function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean, time_limit interval)
  returns table(id uuid, block_id text, element integer, attempt integer)
  language sql as $$
  select a.id, a.block_id, a.element, a.attempt
  from advance_run(run, held, case when ended is not null then jsonb_build_object('stepId', ended, 'output', came_to, 'feature', of_feature) end,
    begun, over, time_limit) a
$$;
grant execute on function advance_run(uuid, bigint, uuid, jsonb, text, jsonb, boolean, interval) to kontor_confined;

-- Records the progress of a run. Only its claimant can: `held` is the token of the claim. It is 0 for a run that was never claimed:
-- the first write then claims it, and starts its time limit. `ended` is the step that succeeded, if any.
create or replace function advance_run(run uuid, held bigint, ended jsonb, begun jsonb, over boolean, time_limit interval)
  returns table(id uuid, block_id text, element integer, element_key text, attempt integer)
  language plpgsql as $$
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
    attempt = case s.status when 'RUNNING' then s.attempt + 1 -- the step was interrupted
      when 'FAILED' then 1 else s.attempt end -- the run is replayed
  returning s.id, s.block_id, s.element, s.element_key, s.attempt;
end $$;
grant execute on function advance_run(uuid, bigint, jsonb, jsonb, boolean, interval) to kontor_confined;

-- The milliseconds since a moment.
create or replace function milliseconds_since(moment timestamptz) returns integer language sql as $$
  select least(extract(epoch from clock_timestamp() - moment) * 1000, 2147483647)::integer
$$;
grant execute on function milliseconds_since(timestamptz) to kontor_confined;

-- Refuses changes of a step that succeeded (INV-13).
create or replace function refuse_change_of_succeeded_step() returns trigger language plpgsql as $$
begin
  raise exception 'A step that succeeded is not taken again.' using errcode = 'check_violation', constraint = 'succeeded_step_stays';
end $$;

-- Ends the PENDING and RUNNING steps of a run that ends. After a replay with another graph there can be steps that are not executed
-- any more, because their block was removed or their element is no longer in the list. Nearly every run that succeeds has no open
-- or failed steps, and takes one query.
create or replace function end_steps() returns trigger language plpgsql as $$
begin
  if not exists (select from automation_steps s
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING', 'FAILED'))
  then return null; end if;
  update automation_steps s set status = 'FAILED', finished_at = now(),
    error = coalesce(s.error || ' ', '') || case when new.status = 'SUCCEEDED'
      then 'The step was not tried again: it is no longer part of the graph.' else coalesce(new.error, 'The run ended before the step.') end
  where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING');
  if new.status = 'SUCCEEDED' then
    -- The block still exists, so the element is gone: with the element the run would not have succeeded.
    update automation_steps s set status = 'SKIPPED', error = coalesce(s.error || ' ', '') || 'The step was not tried again: its element is no longer in the list.'
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status = 'FAILED'
      and exists (select from automation_graphs g, jsonb_array_elements(g.blocks) block
        where g.organization_id = new.organization_id and g.id = new.graph_id and block ->> 'id' = s.block_id);
  end if;
  return null;
end $$;

-- Removes the waiting time of a step that starts, and the turn of a step that has ended. A trigger does it, because processes of
-- the version before also write steps (FLT-16).
create or replace function clear_turn() returns trigger language plpgsql as $$
begin
  new.waits_until := null;
  if new.status <> 'RUNNING' then
    new.turn_at := null;
    new.turn_tokens := null;
  end if;
  return new;
end $$;

create or replace trigger succeeded_step_stays before update on automation_steps
  for each row when (old.status = 'SUCCEEDED'::text) execute function refuse_change_of_succeeded_step();
create or replace trigger clear_turn before update of status on automation_steps
  for each row when (new.status <> 'PENDING'::text and (new.waits_until is not null or new.turn_at is not null)) execute function clear_turn();
-- It fires at the commit, because the step that ends with its run is recorded after the run. A cancellation ends the steps of its
-- run itself.
create constraint trigger end_steps after update of status on automation_runs deferrable initially deferred
  for each row when (old.status = 'RUNNING'::text and (new.status = any (array['SUCCEEDED'::text, 'FAILED'::text]))) execute function end_steps();
