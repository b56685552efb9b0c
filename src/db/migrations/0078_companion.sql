-- Conversations with the companion. A session belongs to one person in one organization, and nobody else reads it: each table
-- has the policy `own` besides the one of its organization.

create function own_table(name text) returns void language plpgsql as $$
begin
  perform organization_table(name);
  -- The owner of the tables has both roles too.
  execute format('create policy own on %I as restrictive to kontor_confined, kontor_across using ((select current_user = %L) or user_id = (select current_person()))',
    name, current_user);
end $$;
revoke execute on function own_table(text) from public;

create table companion_sessions (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  key uuid not null, -- the session in references; its id was chosen by the client
  user_id uuid not null default current_person() references users on delete cascade,
  id text not null check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  title text not null check (length(title) between 1 and 200),
  icon text check (length(icon) between 1 and 100),
  archived boolean not null default false,
  last_seq bigint not null default 0, -- of its events
  last_index integer not null default 0, -- of its messages
  memory jsonb, -- what the assistant knows of the turns before
  last_activity_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, key),
  constraint one_session_per_id unique (user_id, id)
);
select own_table('companion_sessions');
create index on companion_sessions (user_id);
create index on companion_sessions (organization_id, user_id, last_activity_at desc, key);

-- The organization of a session that a caller names. Its id is unique among those of the person alone, so the credential is
-- looked up first, in the way of authorize_request().
create function owner_of_companion_session(source text, credential bytea, person uuid, session text) returns uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  caller uuid;
begin
  if source = 'API_KEY' then select k.user_id into caller from api_keys k where k.secret_hash = credential;
  elsif source = 'SESSION' then select s.user_id into caller from sessions s where s.secret_hash = credential;
  elsif source = 'OAUTH' then
    select a.user_id into caller from oauth_tokens t join connected_apps a on a.id = t.app_id
    where t.secret_hash = credential and t.kind = 'AccessToken';
  else caller := person; end if;
  return (select c.organization_id from companion_sessions c where c.user_id = caller and c.id = session);
end $$;
revoke execute on function owner_of_companion_session(text, bytea, uuid, text) from public;
grant execute on function owner_of_companion_session(text, bytea, uuid, text) to kontor_confined;

-- A turn: a message of the person and all that is done about it. `credential_hash` is that of the credential that the message came
-- with: the calls of the turn have its rights and no others. It is removed when the turn ends.
create table companion_turns (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person() references users on delete cascade,
  number integer not null, -- turns of a session run in this order
  source text not null check (source in ('SESSION', 'API_KEY', 'OAUTH')),
  credential_hash bytea,
  confirms_step_id uuid, -- the button was pressed for this step
  status text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  lease uuid, -- of the job that works on it; null while it waits
  held_until timestamptz, -- the job renews it; afterwards another one may end the turn
  error text check (length(error) <= 2000),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, session_key) references companion_sessions on delete cascade,
  constraint one_turn_per_number unique (organization_id, session_key, number),
  constraint held_turns check ((lease is null) = (held_until is null)),
  constraint ended_turns check ((status = 'RUNNING') = (finished_at is null)),
  constraint failed_turns_say_why check (status <> 'FAILED' or error is not null),
  constraint ended_turns_have_no_credential check (status = 'RUNNING' or credential_hash is null)
);
select own_table('companion_turns');
create index on companion_turns (id);
create index on companion_turns (user_id);
create index running_turns on companion_turns (started_at) where status = 'RUNNING';

create function keep_ended_turns() returns trigger language plpgsql as $$
begin
  if old.status <> 'RUNNING' then
    raise exception 'This turn has ended.' using errcode = 'check_violation', constraint = 'turn_has_ended';
  end if;
  return new;
end $$;
create trigger keep_ended_turns before update on companion_turns for each row execute function keep_ended_turns();

create table companion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person() references users on delete cascade,
  turn_id uuid,
  role text not null check (role in ('user', 'assistant')),
  index integer not null,
  text text,
  attachments jsonb check (attachments is null or jsonb_typeof(attachments) = 'array'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, session_key) references companion_sessions on delete cascade,
  foreign key (organization_id, turn_id) references companion_turns on delete cascade,
  constraint one_message_per_index unique (organization_id, session_key, index)
);
select own_table('companion_messages');
create index on companion_messages (user_id);
create index on companion_messages (organization_id, turn_id);

-- What a turn did: a call of a tool. PENDING: it waits for the person's word, and `output` is what will happen.
create table companion_steps (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  turn_id uuid not null,
  executed_by_turn_id uuid, -- the turn of the person's word
  user_id uuid not null default current_person() references users on delete cascade,
  kind text not null check (kind in ('TOOL', 'AGENT', 'WORKFLOW', 'TEXT')),
  ref text,
  parent_id uuid,
  "order" integer not null,
  input jsonb,
  output jsonb,
  status text not null check (status in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED')),
  error text check (length(error) <= 2000),
  expires_at timestamptz,
  interrupted boolean not null default false, -- the turn ended while it was being executed
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, session_key) references companion_sessions on delete cascade,
  foreign key (organization_id, turn_id) references companion_turns on delete cascade,
  foreign key (organization_id, executed_by_turn_id) references companion_turns on delete cascade,
  constraint pending_steps_expire check (status <> 'PENDING' or expires_at is not null),
  constraint ended_steps check ((status in ('SUCCEEDED', 'FAILED', 'SKIPPED')) = (finished_at is not null))
);
select own_table('companion_steps');
create index on companion_steps (user_id);
create index on companion_steps (organization_id, session_key, created_at desc, id desc);
create index on companion_steps (organization_id, turn_id);
create index on companion_steps (organization_id, executed_by_turn_id) where executed_by_turn_id is not null;
create index pending_steps on companion_steps (expires_at) where status = 'PENDING';

-- A step is executed once: what has ended stays as it is, and no step goes back to PENDING.
create function keep_ended_steps() returns trigger language plpgsql as $$
begin
  -- What an interrupted step did outside the database is recorded when it is known.
  if (old.status in ('SUCCEEDED', 'FAILED', 'SKIPPED') and not old.interrupted) or (old.status <> 'PENDING' and new.status = 'PENDING') then
    raise exception 'This step has ended.' using errcode = 'check_violation', constraint = 'step_has_ended';
  end if;
  if (new.ref, new.input) is distinct from (old.ref, old.input) then
    raise exception 'A step keeps its call.' using errcode = 'check_violation', constraint = 'step_keeps_its_call';
  end if;
  return new;
end $$;
create trigger keep_ended_steps before update of status, ref, input on companion_steps for each row execute function keep_ended_steps();

-- Everything that happens in a session, in order: what the stream sends. The text of a turn is the sum of its tokens.
create table companion_events (
  organization_id uuid not null default current_organization(),
  session_key uuid not null,
  seq bigint not null,
  user_id uuid not null default current_person() references users on delete cascade,
  turn_id uuid not null,
  kind text not null check (kind in ('token', 'step', 'turn')),
  step_id uuid,
  delta text,
  data jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, session_key, seq),
  foreign key (organization_id, session_key) references companion_sessions on delete cascade,
  foreign key (organization_id, turn_id) references companion_turns on delete cascade,
  constraint tokens_have_text check ((kind = 'token') = (delta is not null))
);
select own_table('companion_events');
create index on companion_events (user_id);
create index on companion_events (organization_id, turn_id, seq);

-- How much of the language model an organization has used on a day.
create table companion_usage (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  day date not null,
  input_tokens bigint not null default 0 check (input_tokens >= 0),
  output_tokens bigint not null default 0 check (output_tokens >= 0),
  cost_micros bigint not null default 0 check (cost_micros >= 0), -- millionths of the currency of the prices in the settings
  updated_at timestamptz not null default now(),
  primary key (organization_id, day)
);
select organization_table('companion_usage');

-- Adds events at the end of a session. The session is locked until the transaction ends, so that they are seen in their order.
create function append_companion_events(session uuid, turn uuid, kinds text[], steps uuid[], deltas text[], datas jsonb[]) returns void
language plpgsql as $$
declare
  last bigint;
begin
  update companion_sessions s set last_seq = s.last_seq + cardinality(kinds), last_activity_at = clock_timestamp()
  where s.organization_id = current_organization() and s.key = session returning s.last_seq - cardinality(kinds) into last;
  if last is null then return; end if; -- it was deleted
  insert into companion_events (session_key, seq, turn_id, kind, step_id, delta, data)
  select session, last + n, turn, kinds[n], steps[n], deltas[n], datas[n] from generate_subscripts(kinds, 1) n;
  perform pg_notify('companion', session::text);
end $$;
revoke execute on function append_companion_events(uuid, uuid, text[], uuid[], text[], jsonb[]) from public;
grant execute on function append_companion_events(uuid, uuid, text[], uuid[], text[], jsonb[]) to kontor_confined;

-- Locks the turn for a write of the job that holds it, and returns its session. A cancelled turn, or one that another job has
-- taken over, accepts nothing more.
create function hold_turn(turn uuid, holder uuid) returns uuid language plpgsql as $$
declare
  session uuid;
begin
  select t.session_key into session from companion_turns t
  where t.organization_id = current_organization() and t.id = turn and t.status = 'RUNNING' and t.lease = holder for no key update;
  if session is null then
    raise exception 'This turn has ended.' using errcode = 'check_violation', constraint = 'turn_has_ended';
  end if;
  return session;
end $$;
revoke execute on function hold_turn(uuid, uuid) from public;
grant execute on function hold_turn(uuid, uuid) to kontor_confined;

create function say_in_turn(turn uuid, holder uuid, deltas text[]) returns void language plpgsql as $$
begin
  perform append_companion_events(hold_turn(turn, holder), turn, array_fill('token'::text, array[cardinality(deltas)]),
    array_fill(null::uuid, array[cardinality(deltas)]), deltas, array_fill(null::jsonb, array[cardinality(deltas)]));
end $$;
revoke execute on function say_in_turn(uuid, uuid, text[]) from public;
grant execute on function say_in_turn(uuid, uuid, text[]) to kontor_confined;

-- What the stream tells of a step. Results can be long, so they are read with the turn; what will happen is told at once.
create function step_event(s companion_steps) returns jsonb language sql stable as $$
  select jsonb_build_object('id', s.id, 'kind', s.kind, 'ref', s.ref, 'parentId', s.parent_id, 'order', s."order", 'status', s.status,
    'error', s.error, 'output', case when s.status = 'PENDING' then s.output end)
$$;
revoke execute on function step_event(companion_steps) from public;
grant execute on function step_event(companion_steps) to kontor_confined;

create function begin_step(turn uuid, holder uuid, step uuid, tool text, given jsonb, begun text, shown jsonb, expires interval) returns void
language plpgsql as $$
declare
  session uuid := hold_turn(turn, holder);
  added companion_steps;
begin
  insert into companion_steps (id, session_key, turn_id, kind, ref, "order", input, output, status, expires_at)
  select step, session, turn, 'TOOL', tool, coalesce(max(s."order"), 0) + 1, given, shown, begun, now() + expires
  from companion_steps s where s.organization_id = current_organization() and s.turn_id = turn
  returning * into added;
  perform append_companion_events(session, turn, '{step}', array[step], array[null::text], array[step_event(added)]);
end $$;
revoke execute on function begin_step(uuid, uuid, uuid, text, jsonb, text, jsonb, interval) from public;
grant execute on function begin_step(uuid, uuid, uuid, text, jsonb, text, jsonb, interval) to kontor_confined;

-- Records how a step ended. Of a write it is the last statement of its transaction, so the effect and the step commit together, or
-- neither does if the turn is over. `settles`: the effect has happened already, outside, so it is recorded even then.
create function end_step(turn uuid, holder uuid, step uuid, ended text, result jsonb, reason text, settles boolean) returns void language plpgsql as $$
declare
  changed companion_steps;
begin
  if not settles then perform hold_turn(turn, holder); end if;
  update companion_steps s set status = ended, output = result, error = reason, finished_at = clock_timestamp(), interrupted = false
  where s.organization_id = current_organization() and s.id = step returning * into changed;
  if changed.id is null then return; end if; -- the session was deleted
  perform append_companion_events(changed.session_key, turn, '{step}', array[step], array[null::text], array[step_event(changed)]);
end $$;
revoke execute on function end_step(uuid, uuid, uuid, text, jsonb, text, boolean) from public;
grant execute on function end_step(uuid, uuid, uuid, text, jsonb, text, boolean) to kontor_confined;

-- Begins a step that waited for the person's word; false if it does not wait any more. Nothing else lets a PENDING step run.
create function begin_confirmed_step(turn uuid, holder uuid, step uuid) returns boolean language plpgsql as $$
declare
  session uuid := hold_turn(turn, holder);
  changed companion_steps;
begin
  update companion_steps s set status = 'RUNNING', executed_by_turn_id = turn
  where s.organization_id = current_organization() and s.id = step and s.session_key = session and s.status = 'PENDING' and s.expires_at > now()
  returning * into changed;
  if changed.id is null then return false; end if;
  perform append_companion_events(session, turn, '{step}', array[step], array[null::text], array[step_event(changed)]);
  return true;
end $$;
revoke execute on function begin_confirmed_step(uuid, uuid, uuid) from public;
grant execute on function begin_confirmed_step(uuid, uuid, uuid) to kontor_confined;

-- Ends what waits for the person's word in a session, except one step.
create function skip_pending_steps(turn uuid, session uuid, except_step uuid, reason text) returns void language plpgsql as $$
declare
  skipped companion_steps;
begin
  for skipped in update companion_steps s set status = 'SKIPPED', error = reason, finished_at = clock_timestamp()
    where s.organization_id = current_organization() and s.session_key = session and s.status = 'PENDING' and s.id is distinct from except_step
    returning s.* loop
    perform append_companion_events(session, turn, '{step}', array[skipped.id], array[null::text], array[step_event(skipped)]);
  end loop;
end $$;
revoke execute on function skip_pending_steps(uuid, uuid, uuid, text) from public;
grant execute on function skip_pending_steps(uuid, uuid, uuid, text) to kontor_confined;

-- Ends a turn: what it said becomes a message, what it was doing has failed, and the next turn of the session begins. Unless it
-- succeeded, nothing waits for the person's word any more: nobody can be sure what a later yes would answer.
create function end_turn(turn uuid, ended text, reason text, interrupted text, remembered jsonb, message uuid) returns void language plpgsql as $$
declare
  session uuid;
  said text;
  at_index integer;
  failed companion_steps;
  next uuid;
begin
  update companion_turns t set status = ended, error = reason, finished_at = clock_timestamp(), credential_hash = null
  where t.organization_id = current_organization() and t.id = turn returning t.session_key into session;
  if ended <> 'SUCCEEDED' then perform skip_pending_steps(turn, session, null, 'The turn ended without an answer.'); end if;
  for failed in update companion_steps s set status = 'FAILED', error = end_turn.interrupted, finished_at = clock_timestamp(), interrupted = true
    where s.organization_id = current_organization() and (s.turn_id = turn or s.executed_by_turn_id = turn) and s.status = 'RUNNING'
    returning s.* loop
    perform append_companion_events(session, turn, '{step}', array[failed.id], array[null::text], array[step_event(failed)]);
  end loop;
  select string_agg(e.delta, '' order by e.seq) into said from companion_events e
  where e.organization_id = current_organization() and e.turn_id = turn and e.kind = 'token';
  update companion_sessions s set last_index = s.last_index + (said is not null)::integer, memory = coalesce(remembered, s.memory)
  where s.organization_id = current_organization() and s.key = session returning s.last_index into at_index;
  if said is not null then
    insert into companion_messages (id, session_key, turn_id, role, index, text) values (message, session, turn, 'assistant', at_index, said);
  end if;
  perform append_companion_events(session, turn, '{turn}', array[null::uuid], array[null::text],
    array[jsonb_build_object('turnRunId', turn, 'status', ended, 'error', reason)]);
  select t.id into next from companion_turns t where t.organization_id = current_organization() and t.session_key = session
    and t.status = 'RUNNING' and t.lease is null order by t.number limit 1;
  if next is not null then perform enqueue('run-turn', jsonb_build_object('turnId', next), job_key => 'turn:' || next); end if;
end $$;
revoke execute on function end_turn(uuid, text, text, text, jsonb, uuid) from public;
grant execute on function end_turn(uuid, text, text, text, jsonb, uuid) to kontor_confined;

-- Confines a transaction of a job to the person of a turn of its organization, and says who that is. A request has a person already.
create function enter_turn(turn uuid) returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person uuid;
  done text;
begin
  if current_person() is not null then return current_person(); end if;
  select t.user_id into person from companion_turns t where t.organization_id = current_organization() and t.id = turn;
  done := set_config('app.person', coalesce(person::text, ''), true);
  done := set_config('app.payroll', '', true);
  return person;
end $$;
revoke execute on function enter_turn(uuid) from public;
grant execute on function enter_turn(uuid) to kontor_confined;

-- Turns without a job that should have one: the database failed while a job was being ended.
create function lost_turns() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select t.organization_id, t.id, t.started_at from public.companion_turns t
  where t.status = 'RUNNING' and t.started_at < now() - interval '30 seconds'
    and t.id::text not in (select queued_job_subjects('run-turn', 'turnId'))
    and not exists (select from public.companion_turns earlier where earlier.organization_id = t.organization_id
      and earlier.session_key = t.session_key and earlier.status = 'RUNNING' and earlier.number < t.number);
end $$;
revoke execute on function lost_turns() from public;

create function requeue_lost_turns(most integer) returns bigint language sql as $$
  select count(requeue_job('run-turn', 'turnId', lost.organization_id, lost.id))
  from (select * from lost_turns() t order by t.started_at, t.id limit most) lost
$$;
revoke execute on function requeue_lost_turns(integer) from public;

-- Ends questions that nobody answered within their time.
create function expire_pending_steps(most integer) returns bigint language plpgsql as $$
declare
  expired companion_steps;
  ended bigint := 0;
begin
  for expired in update companion_steps s set status = 'SKIPPED', error = 'Nobody answered within an hour.', finished_at = clock_timestamp()
    where (s.organization_id, s.id) in (select p.organization_id, p.id from companion_steps p
      where p.status = 'PENDING' and p.expires_at <= now() order by p.expires_at limit most for update skip locked) returning s.* loop
    perform set_config('app.organization', expired.organization_id::text, true), set_config('app.person', expired.user_id::text, true);
    perform append_companion_events(expired.session_key, expired.turn_id, '{step}', array[expired.id], array[null::text], array[step_event(expired)]);
    ended := ended + 1;
  end loop;
  perform set_config('app.organization', '', true), set_config('app.person', '', true);
  return ended;
end $$;
revoke execute on function expire_pending_steps(integer) from public;
