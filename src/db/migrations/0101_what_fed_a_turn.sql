-- What a turn of the companion says holds the data of the tools that it used, and of the turns before that it was given. Whoever
-- may not use those tools now (an app with fewer scopes, a person with a lower role) does not read it either. Tools that answer
-- by the rights of their caller, such as the search, also need the rights that the turn had.
alter table companion_turns
  add fed_by     text[] not null default '{}', -- names of operations
  add fed_role   member_role,
  add fed_scopes text[]; -- null: a person without a credential of limited scopes

-- Turns of earlier versions: what their steps and those before in the session called, with unknown rights.
alter table companion_turns disable trigger keep_ended_turns;
update companion_turns t set fed_role = 'OWNER', fed_by = coalesce((select array_agg(distinct s.ref order by s.ref)
  from companion_steps s join companion_turns e on e.organization_id = s.organization_id and e.id in (s.turn_id, s.executed_by_turn_id)
  where e.organization_id = t.organization_id and e.session_key = t.session_key and e.number <= t.number and s.ref is not null), '{}');
alter table companion_turns enable trigger keep_ended_turns;
