-- Guards the steps of a turn: an effect needs the consent of the person, and happens once.

-- Refuses changes of a step that has ended, and a step that goes back to PENDING, so that it is executed once.
create or replace function keep_ended_steps() returns trigger language plpgsql as $$
begin
  -- The outside effect of an interrupted step is recorded when it is known.
  if (old.status in ('SUCCEEDED', 'FAILED', 'SKIPPED') and not old.interrupted) or (old.status <> 'PENDING' and new.status = 'PENDING') then
    raise exception 'This step has ended.' using errcode = 'check_violation', constraint = 'step_has_ended';
  end if;
  if (new.ref, new.input) is distinct from (old.ref, old.input) then
    raise exception 'A step keeps its call.' using errcode = 'check_violation', constraint = 'step_keeps_its_call';
  end if;
  return new;
end $$;

-- The event of the stream about a step. Results can be long, so they are read with the turn; what a step is going to do is told at
-- once.
create or replace function step_event(s companion_steps) returns jsonb language sql stable as $$
  select jsonb_build_object('id', s.id, 'kind', s.kind, 'ref', s.ref, 'parentId', s.parent_id, 'order', s."order", 'status', s.status,
    'error', s.error, 'output', case when s.status = 'PENDING' then s.output end)
$$;
grant execute on function step_event(companion_steps) to kontor_confined;

create or replace function begin_step(turn uuid, holder uuid, step uuid, tool text, given jsonb, begun text, shown jsonb, expires interval)
  returns void
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
grant execute on function begin_step(uuid, uuid, uuid, text, jsonb, text, jsonb, interval) to kontor_confined;

-- Records the end of a step. In a write it is the last statement of the transaction, so the effect and the step commit together, or
-- neither does if the turn is over. `settles` says that the effect has already happened outside, so it is recorded even if the turn
-- is over.
create or replace function end_step(turn uuid, holder uuid, step uuid, ended text, result jsonb, reason text, settles boolean) returns void
  language plpgsql as $$
declare
  changed companion_steps;
begin
  if not settles then perform hold_turn(turn, holder); end if;
  update companion_steps s set status = ended, output = result, error = reason, finished_at = clock_timestamp(), interrupted = false
  where s.organization_id = current_organization() and s.id = step returning * into changed;
  if changed.id is null then return; end if; -- the session was deleted
  perform append_companion_events(changed.session_key, turn, '{step}', array[step], array[null::text], array[step_event(changed)]);
end $$;
grant execute on function end_step(uuid, uuid, uuid, text, jsonb, text, boolean) to kontor_confined;

-- Begins a step that waited for the consent of the person; false if it does not wait any more. Only this function lets a PENDING
-- step run.
create or replace function begin_confirmed_step(turn uuid, holder uuid, step uuid) returns boolean language plpgsql as $$
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
grant execute on function begin_confirmed_step(uuid, uuid, uuid) to kontor_confined;

-- Ends the steps of a session that wait for consent, except one.
create or replace function skip_pending_steps(turn uuid, session uuid, except_step uuid, reason text) returns void language plpgsql as $$
declare
  skipped companion_steps;
begin
  for skipped in update companion_steps s set status = 'SKIPPED', error = reason, finished_at = clock_timestamp()
    where s.organization_id = current_organization() and s.session_key = session and s.status = 'PENDING' and s.id is distinct from except_step
    returning s.* loop
    perform append_companion_events(session, turn, '{step}', array[skipped.id], array[null::text], array[step_event(skipped)]);
  end loop;
end $$;
grant execute on function skip_pending_steps(uuid, uuid, uuid, text) to kontor_confined;

-- Ends questions that were not answered in time.
create or replace function expire_pending_steps(most integer) returns bigint language plpgsql as $$
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

create or replace trigger keep_ended_steps before update of status, ref, input on companion_steps
  for each row execute function keep_ended_steps();
