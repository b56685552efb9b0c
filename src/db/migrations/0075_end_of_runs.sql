-- The end of a run: no step stays unfinished, and the next run of the record starts exactly once.

-- A run that ends leaves no PENDING or RUNNING step, whoever ends it. After a replay with another graph there can be steps
-- that nobody executes any more: their block was removed, or their element is no longer in the list.
create function end_steps() returns trigger language plpgsql as $$
begin
  update automation_steps s set status = 'FAILED', finished_at = now(),
    error = coalesce(s.error || ' ', '') || case when new.status = 'SUCCEEDED'
      then 'The step was not tried again: it is no longer part of the graph.' else coalesce(new.error, 'The run ended before the step.') end
  where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING');
  if new.status = 'SUCCEEDED' then
    -- The block is still there, so its element is not: the run would not have succeeded without it.
    update automation_steps s set status = 'SKIPPED', error = coalesce(s.error || ' ', '') || 'The step was not tried again: its element is no longer in the list.'
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status = 'FAILED'
      and exists (select from automation_graphs g, jsonb_array_elements(g.blocks) block
        where g.organization_id = new.organization_id and g.id = new.graph_id and block ->> 'id' = s.block_id);
  end if;
  return null;
end $$;
-- At the commit, because the step that ends with its run is recorded after it. The cancellation of a run ends its steps itself.
create constraint trigger end_steps after update of status on automation_runs deferrable initially deferred for each row
  when (old.status = 'RUNNING' and new.status in ('SUCCEEDED', 'FAILED')) execute function end_steps();

-- Whether the run was not given a job with its event, because an earlier run of its record was RUNNING.
alter table automation_runs add column waits boolean not null default false;

create or replace function start_automations() returns trigger language plpgsql as $$
declare
  armed record;
  run uuid;
  record text := left(new.payload ->> 'id', 200);
  is_waiting boolean;
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
    is_waiting := found;
    insert into automation_runs (organization_id, id, automation_id, graph_id, trigger_event_id, trigger_type, input, depth, record_id, waits)
    values (new.organization_id, run, armed.id, armed.graph_id, new.id, new.type, new.payload,
      coalesce((new.cause ->> 'depth')::integer, 0) + 1, record, is_waiting);
    if not is_waiting then perform enqueue('run-automation', jsonb_build_object('runId', run)); end if;
  end loop;
  return null;
end $$;

-- Starts the run that waited for this one. Two runs of a record can end at the same time, if one of them is replayed: the lock
-- makes the second one see the end of the first.
create or replace function start_next_of_record() returns trigger language plpgsql as $$
declare
  following record;
begin
  if not exists (select from automation_runs r where r.organization_id = new.organization_id
      and r.automation_id = new.automation_id and r.record_id = new.record_id and r.status = 'RUNNING') then
    return null; -- an event that adds one at this moment holds a lock on this run, or sees its end
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.automation_id::text || ':' || new.record_id, 0));
  select r.id, r.token, r.place, r.waits into following from automation_runs r
  where r.organization_id = new.organization_id and r.automation_id = new.automation_id and r.record_id = new.record_id
    and r.status = 'RUNNING' order by r.place limit 1;
  -- It has not begun, and waited for this run. If this run was replayed, its first end has started the other already.
  if following.waits and following.token = 0 and following.place > new.place
      and (new.token <= 1 or not run_has_job(following.id)) then
    perform enqueue('run-automation', jsonb_build_object('runId', following.id));
  end if;
  return null;
end $$;

-- Runs that nobody will continue. A run that waits for an earlier one of its record is not among them.
create or replace function lost_runs() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select queued_job_subjects('run-automation', 'runId'))
    and not (r.waits and r.token = 0 and exists (select from public.automation_runs earlier
      where earlier.organization_id = r.organization_id and earlier.automation_id = r.automation_id
        and earlier.record_id = r.record_id and earlier.status = 'RUNNING' and earlier.place < r.place));
end $$;
