-- Guards the turns of the companion: a turn has one holder, and does not change after its end.

-- The organization of a session that a caller names. The id is unique only among the sessions of one person, so the credential is
-- looked up first, as in authorize_request().
create or replace function owner_of_companion_session(source text, credential bytea, person uuid, session text) returns uuid
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
grant execute on function owner_of_companion_session(text, bytea, uuid, text) to kontor_confined;

create or replace function keep_ended_turns() returns trigger language plpgsql as $$
begin
  if old.status <> 'RUNNING' then
    raise exception 'This turn has ended.' using errcode = 'check_violation', constraint = 'turn_has_ended';
  end if;
  return new;
end $$;

-- Locks the turn for a write of the job that holds it, and returns its session. A turn that was cancelled, or taken over by another
-- job, refuses further writes.
create or replace function hold_turn(turn uuid, holder uuid) returns uuid language plpgsql as $$
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
grant execute on function hold_turn(uuid, uuid) to kontor_confined;

create or replace function say_in_turn(turn uuid, holder uuid, deltas text[]) returns void language plpgsql as $$
begin
  perform append_companion_events(hold_turn(turn, holder), turn, array_fill('token'::text, array[cardinality(deltas)]),
    array_fill(null::uuid, array[cardinality(deltas)]), deltas, array_fill(null::jsonb, array[cardinality(deltas)]));
end $$;
grant execute on function say_in_turn(uuid, uuid, text[]) to kontor_confined;

-- Confines a transaction of a job to the person of a turn of its organization, and returns that person. A request already has a
-- person.
create or replace function enter_turn(turn uuid) returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
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
grant execute on function enter_turn(uuid) to kontor_confined;

-- Ends a turn: its text becomes a message, its running step has failed, and the next turn of the session begins. After a turn that
-- did not succeed, no step waits for consent any more, because it would be unclear what a later yes answers.
create or replace function end_turn(turn uuid, ended text, reason text, interrupted text, remembered jsonb, message uuid) returns void
  language plpgsql as $$
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
grant execute on function end_turn(uuid, text, text, text, jsonb, uuid) to kontor_confined;

-- Turns without a job that should have one, because the database failed while a job ended.
create or replace function lost_turns() returns table(organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select t.organization_id, t.id, t.started_at from public.companion_turns t
  where t.status = 'RUNNING' and t.started_at < now() - interval '30 seconds'
    and t.id::text not in (select queued_job_subjects('run-turn', 'turnId'))
    and not exists (select from public.companion_turns earlier where earlier.organization_id = t.organization_id
      and earlier.session_key = t.session_key and earlier.status = 'RUNNING' and earlier.number < t.number);
end $$;

create or replace function requeue_lost_turns(most integer) returns bigint language sql as $$
  select count(requeue_job('run-turn', 'turnId', lost.organization_id, lost.id))
  from (select * from lost_turns() t order by t.started_at, t.id limit most) lost
$$;

-- Adds events at the end of a session. The session is locked until the transaction ends, so that its events are seen in their
-- order.
create or replace function append_companion_events(session uuid, turn uuid, kinds text[], steps uuid[], deltas text[], datas jsonb[])
  returns void
  language plpgsql as $$
declare
  last bigint;
begin
  update companion_sessions s set last_seq = s.last_seq + cardinality(kinds), last_activity_at = clock_timestamp()
  where s.organization_id = current_organization() and s.key = session returning s.last_seq - cardinality(kinds) into last;
  if last is null then return; end if; -- the session was deleted
  insert into companion_events (session_key, seq, turn_id, kind, step_id, delta, data)
  select session, last + n, turn, kinds[n], steps[n], deltas[n], datas[n] from generate_subscripts(kinds, 1) n;
  perform pg_notify('companion', session::text);
end $$;
grant execute on function append_companion_events(uuid, uuid, text[], uuid[], text[], jsonb[]) to kontor_confined;

create or replace trigger keep_ended_turns before update on companion_turns for each row execute function keep_ended_turns();
