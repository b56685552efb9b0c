-- Automations: graphs that run when something happens. The graph is kept as its editor sent it, whole: its ids are the
-- client's own, it is replaced whole, and steps that were taken outlive it.

create function trigger_types(blocks jsonb) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct block ->> 'ref') filter (where block ->> 'ref' is not null), '{}')
  from jsonb_array_elements(blocks) block where block ->> 'kind' = 'TRIGGER'
$$;

create table automations (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  owner_user_id   uuid not null default current_person() references users on delete cascade, -- whose rights it has
  name            text not null check (length(name) between 1 and 200),
  description     text check (length(description) <= 2000),
  status          text not null default 'DRAFT' check (status in ('DRAFT', 'ENABLED', 'PAUSED', 'PAUSED_NO_ACCESS')),
  blocks          jsonb not null check (jsonb_typeof(blocks) = 'array' and jsonb_array_length(blocks) <= 100),
  edges           jsonb not null check (jsonb_typeof(edges) = 'array' and jsonb_array_length(edges) <= 300),
  triggers        text[] generated always as (trigger_types(blocks)) stored, -- the events it starts on
  enabled_at      timestamptz, -- when it was armed last
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint automation_has_trigger check (jsonb_path_exists(blocks, '$[*] ? (@.kind == "TRIGGER")')),
  constraint armed_at_some_time check (status <> 'ENABLED' or enabled_at is not null)
);
create index on automations (id);
create index on automations (owner_user_id);
create index on automations (organization_id, created_at desc, id desc);
create index armed_automations on automations (organization_id) where status = 'ENABLED'; -- few in each organization
create index armed_automations_by_trigger on automations using gin (triggers) where status = 'ENABLED'; -- the clock asks
select organization_table('automations');

-- A run is written with the event that starts it, and is the order to carry it out (INV-10, INV-11).
create table automation_runs (
  organization_id  uuid not null default current_organization() references organizations on delete cascade,
  id               uuid not null,
  automation_id    uuid not null,
  trigger_event_id uuid, -- null for a run that somebody tried by hand
  trigger_type     text,
  input            jsonb not null,
  status           text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  error            text,
  depth            integer not null, -- how many events lie between a person and this run
  token            bigint not null default 0, -- whoever claimed the run last may write (INV-13)
  deadline         timestamptz, -- from the first claim on
  started_at       timestamptz not null default now(),
  finished_at      timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, automation_id) references automations on delete cascade,
  foreign key (organization_id, trigger_event_id) references events,
  constraint one_run_per_event unique (organization_id, automation_id, trigger_event_id),
  constraint triggered_or_tried check ((trigger_event_id is null) = (trigger_type is null)),
  constraint ended_at_some_time check ((status = 'RUNNING') = (finished_at is null))
);
create index on automation_runs (organization_id, automation_id, started_at desc, id desc);
create index on automation_runs (organization_id, trigger_event_id);
create index on automation_runs (id);
select organization_table('automation_runs');

create table automation_steps (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  run_id          uuid not null,
  block_id        text not null, -- as the client chose it; the block may be gone from the graph
  element         integer not null default -1 check (element >= -1), -- which one of a list, -1 where there is none
  ref             text, -- what was carried out
  feature         text, -- whose data the step holds, for who may read it
  status          text not null check (status in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED')),
  attempt         integer not null default 1 check (attempt >= 1),
  input           jsonb,
  output          jsonb,
  error           text,
  latency_ms      integer,
  started_at      timestamptz,
  finished_at     timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references automation_runs on delete cascade,
  constraint one_step_per_element unique (organization_id, run_id, block_id, element)
);
create index on automation_steps (id);
select organization_table('automation_steps');

-- What a step did stays done (INV-13).
create function keep_succeeded_step() returns trigger language plpgsql as $$
begin
  raise exception 'A step that succeeded is not taken again.' using errcode = 'check_violation', constraint = 'succeeded_step_stays';
end $$;
create trigger succeeded_step_stays before update on automation_steps
  for each row when (old.status = 'SUCCEEDED') execute function keep_succeeded_step();

-- Writes down how far a run has come, in the transaction of what brought it there: how a step ended (`ended`, if any),
-- which steps begin or are passed over (`begun`), whether the run is over. Only for whoever claimed it last, and nobody
-- claims it before this transaction ends (INV-13). Answers the step that begins: with the id it had, if it was tried before.
create function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean)
  returns table (id uuid, block_id text, element integer, attempt integer) language plpgsql as $$
begin
  if over then
    update automation_runs r set status = 'SUCCEEDED', finished_at = now()
    where r.id = run and r.token = held and r.status = 'RUNNING';
  else
    perform from automation_runs r where r.id = run and r.token = held and r.status = 'RUNNING' for share;
  end if;
  if not found then
    if exists (select from automation_runs r where r.id = run) then
      raise exception 'Somebody else carries on this run now.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
    raise exception 'A step deletes its own run.' using errcode = 'check_violation', constraint = 'own_run';
  end if;
  if ended is not null then
    update automation_steps s set status = 'SUCCEEDED', output = came_to, error = null,
      feature = coalesce(of_feature, s.feature), finished_at = clock_timestamp(), latency_ms = since(s.started_at)
    where s.id = ended and s.run_id = run and s.status = 'RUNNING';
    if not found then
      raise exception 'The step is over already.' using errcode = 'check_violation', constraint = 'run_lost';
    end if;
  end if;
  if begun is null then return; end if;
  return query
  insert into automation_steps as s (id, run_id, block_id, element, ref, feature, status, input, output, started_at, finished_at)
  select t.id, run, t."blockId", t.element, t.ref, t.feature, t.status, t.input, t.output,
    case when t.status <> 'SKIPPED' then now() end, case when t.status <> 'RUNNING' then now() end
  from jsonb_to_recordset(begun) as t (id uuid, "blockId" text, element integer, ref text, feature text,
    status text, input jsonb, output jsonb)
  on conflict on constraint one_step_per_element do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input,
    output = excluded.output, error = null, started_at = excluded.started_at, finished_at = excluded.finished_at,
    latency_ms = null, attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was broken off
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.attempt;
end $$;

-- The milliseconds since then.
create function since(moment timestamptz) returns integer language sql volatile as $$
  select least(extract(epoch from clock_timestamp() - moment) * 1000, 2147483647)::integer
$$;

-- An id as the application makes them (UUID version 7), for rows that the database makes by itself.
create function new_id() returns uuid language sql volatile as $$
  select encode(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 112), 'hex')::uuid
  from (select overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6) as bytes) h
$$;

-- Starts a run for each automation that is armed for an event, in the event's own transaction, whoever writes the event:
-- an operation, a job or the clock. One that is being deleted is waited for, as its run would be anyway, and then not there.
create function start_automations() returns trigger language plpgsql as $$
declare
  armed uuid;
  run uuid;
begin
  for armed in
    select a.id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    insert into automation_runs (organization_id, id, automation_id, trigger_event_id, trigger_type, input, depth)
    values (new.organization_id, run, armed, new.id, new.type, new.payload, coalesce((new.cause ->> 'depth')::integer, 0) + 1);
    perform enqueue('run-automation', jsonb_build_object('runId', run));
  end loop;
  return null;
end $$;
create trigger start_automations after insert on events for each row execute function start_automations();

-- Runs that nobody will carry on.
create function lost_runs() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.automation_runs r
  where r.status = 'RUNNING' and r.id::text not in (select ordered_for('run-automation', 'runId'));
end $$;

-- Orders them again, the oldest first; how many there were.
create function order_lost_runs(most integer) returns bigint language sql as $$
  select count(order_again('run-automation', 'runId', lost.organization_id, lost.id))
  from (select * from lost_runs() r order by r.started_at, r.id limit most) lost
$$;
revoke execute on function lost_runs, order_lost_runs from public;
create index running_automations on automation_runs (organization_id, id) where status = 'RUNNING';
