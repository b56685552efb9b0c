-- Guards that an event starts each automation once, in the transaction of the event, and that the events of one record are
-- processed in their order.

-- Starts the automations that wait for an event. Most events start none, so that is checked first.
create or replace function start_automations() returns trigger language plpgsql as $$
declare
  armed record;
  run uuid;
  record text;
  is_waiting boolean;
begin
  -- This check takes a third of the time of opening the loop.
  if not exists (select from automations a
      where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers)) then
    return null;
  end if;
  record := left(new.payload ->> 'id', 200);
  for armed in
    select a.id, a.graph_id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    -- This lock makes sure that an earlier run which ends at this moment either sees the new run, or is seen as ended.
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

-- Starts the run that waited for the one that ends. Two runs of a record can end at the same time if one of them is replayed: the
-- lock makes the second one see the end of the first.
create or replace function start_next_of_record() returns trigger language plpgsql as $$
declare
  following record;
begin
  if not exists (select from automation_runs r where r.organization_id = new.organization_id
      and r.automation_id = new.automation_id and r.record_id = new.record_id and r.status = 'RUNNING') then
    return null; -- an event that adds a run at this moment holds a lock on this run, or sees its end
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.automation_id::text || ':' || new.record_id, 0));
  select r.id, r.token, r.place, r.waits into following from automation_runs r
  where r.organization_id = new.organization_id and r.automation_id = new.automation_id and r.record_id = new.record_id
    and r.status = 'RUNNING' order by r.place limit 1;
  -- It has not begun, and waited for this run. If this run was replayed, its first end has already started the other one.
  if following.waits and following.token = 0 and following.place > new.place
      and (new.token <= 1 or not run_has_job(following.id)) then
    perform enqueue('run-automation', jsonb_build_object('runId', following.id));
  end if;
  return null;
end $$;

-- Whether a job exists that executes this run, now or later.
create or replace function run_has_job(run uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from automation_runs r
    where r.id = run and r.organization_id = current_organization()
      and r.id::text in (select queued_job_subjects('run-automation', 'runId')));
end $$;
grant execute on function run_has_job(uuid) to kontor_confined;

-- Runs without a job that should have one. A run that waits for an earlier run of its record is not among them.
create or replace function lost_runs() returns table(organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select queued_job_subjects('run-automation', 'runId'))
    and not (r.waits and r.token = 0 and exists (select from public.automation_runs earlier
      where earlier.organization_id = r.organization_id and earlier.automation_id = r.automation_id
        and earlier.record_id = r.record_id and earlier.status = 'RUNNING' and earlier.place < r.place));
end $$;

-- Enqueues lost runs again, the oldest first, and returns how many.
create or replace function requeue_lost_runs(most integer) returns bigint language sql as $$
  select count(requeue_job('run-automation', 'runId', lost.organization_id, lost.id))
  from (select * from lost_runs() r order by r.started_at, r.id limit most) lost
$$;

-- Cancels one run, or all runs of the automation that have not ended, and returns how many. The higher token refuses later writes
-- of a worker to them (INV-13): a step that is committing is waited for, any other is rolled back.
create or replace function cancel_runs(automation uuid, only_run uuid, reason text, interrupted text) returns integer language plpgsql as $$
declare
  cancelled uuid[];
begin
  if only_run is null then
    -- Waits for events that are starting a run of this automation.
    perform from automations a where a.organization_id = current_organization() and a.id = automation for update;
    perform set_config('app.stopped_automation', automation::text, true);
  end if;
  select coalesce(array_agg(running.id), '{}') into cancelled from (
    select r.id from automation_runs r
    where r.organization_id = current_organization() and r.automation_id = automation and r.status = 'RUNNING'
      and (only_run is null or r.id = only_run) order by r.id for no key update) running;
  update automation_runs r set status = 'CANCELLED', error = reason, finished_at = clock_timestamp(), token = r.token + 1
  where r.organization_id = current_organization() and r.id = any (cancelled);
  -- This is a separate statement, so that it sees steps that were recorded while it waited for the runs.
  update automation_steps s set status = case s.status when 'PENDING' then 'SKIPPED' else 'FAILED' end,
    error = case s.status when 'PENDING' then s.error else interrupted end, finished_at = clock_timestamp()
  where s.organization_id = current_organization() and s.run_id = any (cancelled) and s.status in ('PENDING', 'RUNNING');
  return cardinality(cancelled);
end $$;
grant execute on function cancel_runs(uuid, uuid, text, text) to kontor_confined;

create or replace trigger start_automations after insert on events for each row execute function start_automations();
create or replace trigger start_next_of_record after update of status on automation_runs
  for each row when (old.status = 'RUNNING'::text and new.status <> 'RUNNING'::text and new.record_id is not null and (new.status <> 'CANCELLED'::text or current_setting('app.stopped_automation'::text, true) is distinct from new.automation_id::text)) execute function start_next_of_record();
