-- Runs can be cancelled, one or all of an automation, and are deleted after a while. Automations have a version.

-- Cancels one run, or all runs of the automation that have not ended, and returns how many. The higher token refuses what a
-- worker still writes to them (INV-13): a step that commits at this moment is waited for, any other is rolled back.
create function cancel_runs(automation uuid, only_run uuid, reason text, interrupted text) returns integer language plpgsql as $$
declare
  cancelled uuid[];
begin
  if only_run is null then
    -- Waits for events that are starting a run of it.
    perform from automations a where a.organization_id = current_organization() and a.id = automation for update;
    perform set_config('app.stopped_automation', automation::text, true);
  end if;
  select coalesce(array_agg(running.id), '{}') into cancelled from (
    select r.id from automation_runs r
    where r.organization_id = current_organization() and r.automation_id = automation and r.status = 'RUNNING'
      and (only_run is null or r.id = only_run) order by r.id for no key update) running;
  update automation_runs r set status = 'CANCELLED', error = reason, finished_at = clock_timestamp(), token = r.token + 1
  where r.organization_id = current_organization() and r.id = any (cancelled);
  -- A statement of its own, so that it sees the steps that were recorded while the runs were waited for.
  update automation_steps s set status = case s.status when 'PENDING' then 'SKIPPED' else 'FAILED' end,
    error = case s.status when 'PENDING' then s.error else interrupted end, finished_at = clock_timestamp()
  where s.organization_id = current_organization() and s.run_id = any (cancelled) and s.status in ('PENDING', 'RUNNING');
  return cardinality(cancelled);
end $$;
revoke execute on function cancel_runs(uuid, uuid, text, text) from public;
grant execute on function cancel_runs(uuid, uuid, text, text) to kontor_confined;

-- As before, but not for each of the runs that are cancelled together: none of them starts.
drop trigger start_next_of_record on automation_runs;
create trigger start_next_of_record after update of status on automation_runs for each row
  when (old.status = 'RUNNING' and new.status <> 'RUNNING' and new.record_id is not null
    and (new.status <> 'CANCELLED' or current_setting('app.stopped_automation', true) is distinct from new.automation_id::text))
  execute function start_next_of_record();

-- The list of the runs that failed or were cancelled, and their replay. All others are most of the runs.
create index failed_or_cancelled_runs on automation_runs (organization_id, automation_id, status, started_at desc, id desc)
  where status in ('FAILED', 'CANCELLED');

-- How long ended runs are kept (src/worker/prune.ts). They are found by automation and start, which is indexed already.
alter table organization_settings
  add column automation_runs_kept_days integer not null default 180 check (automation_runs_kept_days between 30 and 3650);
grant insert (automation_runs_kept_days), update (automation_runs_kept_days) on organization_settings to kontor_confined;

-- The version of an automation counts the changes of its name, description and graph, so that nobody overwrites a change that
-- they have not seen. A graph has the version that it was saved as, and the one that replaced it.
alter table automations
  add column version integer not null default 1 check (version >= 1),
  add column saved_at timestamptz, -- since the last change; null before the first one
  add column saved_by_user_id uuid;
alter table automation_graphs
  add column version integer, -- null in graphs that were superseded before there were versions
  add column superseded_version integer;
update automation_graphs set version = 1 where superseded_at is null;

create function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.saved_at := now();
  new.saved_by_user_id := current_person();
  return new;
end $$;
create trigger raise_version before update of name, description, blocks, edges on automations
  for each row execute function raise_version();

create or replace function save_graph() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credential text := nullif(current_setting('app.credential', true), ''); -- kind, id and scopes
  id uuid := split_part(credential, ' ', 2)::uuid;
  is_key boolean := split_part(credential, ' ', 1) = 'API_KEY';
begin
  if nullif(current_setting('app.role_limit', true), '') is not null then
    raise exception 'An automation cannot write the graph of an automation.'
      using errcode = 'check_violation', constraint = 'graph_saved_by_person';
  end if;
  update automation_graphs g set superseded_at = now(), superseded_version = new.version
  where g.organization_id = new.organization_id and g.automation_id = new.id and g.superseded_at is null;
  insert into automation_graphs (organization_id, id, automation_id, blocks, edges, author_user_id, scopes, api_key_id, app_id,
    client_id, credential_status, version)
  values (new.organization_id, new.graph_id, new.id, new.blocks, new.edges, coalesce(current_person(), new.owner_user_id),
    split_part(credential, ' ', 3)::text[], case when is_key then id end, case when not is_key then id end,
    case when not is_key then current_setting('app.client', true) end, case when credential is not null then 'ACTIVE' end, new.version);
  return null;
end $$;
