-- Who tests or replays an automation chooses what it works on, so a run acts for that person as well: with the lowest role of
-- the owner, the author and everybody who started it, under the rules that nobody approves what is their own, and in the name
-- of the one who started it last. Before, a MANAGER approved a claim of their own by testing an automation of the owner.
alter table automation_runs add started_by uuid[] not null default '{}'; -- the last one last; empty: an event started it

drop function rights_of_graph(uuid, uuid);
create function rights_of_graph(place uuid, graph uuid, starters uuid[] default '{}', out owner_user_id uuid, out author_user_id uuid, out role member_role, out scopes text[], out key_id uuid, out app_id uuid, out client_id text, out problem text)
returns record
language plpgsql stable security definer as $$
#variable_conflict use_column
declare
  credential text;
  of_author public.member_role;
  found bigint;
begin
  select a.owner_user_id, g.author_user_id, m.role, g.scopes, g.api_key_id, g.app_id, g.client_id, g.credential_status,
    case when g.author_user_id = a.owner_user_id then m.role else (select n.role from public.memberships n
      join public.users w on w.id = n.user_id where n.organization_id = place and n.user_id = g.author_user_id and w.disabled_at is null) end
  into owner_user_id, author_user_id, role, scopes, key_id, app_id, client_id, credential, of_author
  from public.automation_graphs g
  join public.automations a on a.organization_id = place and a.id = g.automation_id
  left join (public.memberships m join public.users u on u.id = m.user_id and u.disabled_at is null)
    on m.organization_id = place and m.user_id = a.owner_user_id
  where g.organization_id = place and g.id = graph;
  if role is null then
    problem := 'OWNER';
  elsif of_author is null then
    problem := 'AUTHOR';
  elsif credential = 'ENDED' then
    problem := 'CREDENTIAL';
  elsif credential = 'ACTIVE' then
    if not public.credential_reaches(key_id, app_id, place) then problem := 'CREDENTIAL'; end if;
  end if;
  if problem is null and starters <> '{}' then
    select least(of_author, min(m.role)), count(*) into of_author, found
    from public.memberships m join public.users u on u.id = m.user_id and u.disabled_at is null
    where m.organization_id = place and m.user_id = any (starters);
    if found < cardinality(starters) then problem := 'STARTER'; end if;
  end if;
  role := case when problem is null then least(role, of_author) end;
end $$;

drop function authorize_run(uuid, text, uuid, member_role, text[]);
-- `user_id` is who started the run, or else the owner; `author_user_id` is another one of the three, if there is one
create function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamp with time zone, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text, out author_user_id uuid, out acting_for uuid[])
returns record
language plpgsql security definer as $$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  started_at_depth integer;
  starters uuid[];
  rights record;
  payroll text;
  done text;
begin
  select r.organization_id, r.graph_id, r.depth, r.started_by into home, graph, started_at_depth, starters from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  rights := public.rights_of_graph(home, graph, starters);
  author_user_id := rights.author_user_id;
  scopes := rights.scopes;
  key_id := rights.key_id;
  app_id := rights.app_id;
  client_id := rights.client_id;
  if rights.role is null then return; end if;
  acting_for := starters || author_user_id || rights.owner_user_id;
  user_id := coalesce(starters[cardinality(starters)], rights.owner_user_id);
  -- what is a person's own takes that all three are that person
  if author_user_id = user_id then author_user_id := rights.owner_user_id; end if;
  if target = home or place in ('ONLY', 'ALL') then
    organization_id := home;
    role := rights.role;
    reachable := 1;
  end if;
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.role_limit', rights.role::text, true);
  done := set_config('app.run_depth', started_at_depth::text, true);
  payroll := coalesce(public.payroll_rights(role, needed, scopes, fitting, false), '');
  -- what is the owner's own is not that of another author
  done := set_config('app.payroll', case when payroll = 'own' and author_user_id <> user_id then '' else payroll end, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $$;

create or replace function require_rights_of_run(run uuid, needed member_role)
returns void
language plpgsql stable security definer as $$
declare
  home uuid;
  graph uuid;
  starters uuid[];
  rights record;
begin
  select r.organization_id, r.graph_id, r.started_by into home, graph, starters from public.automation_runs r where r.id = run;
  if home is not null then
    rights := public.rights_of_graph(home, graph, starters);
    if rights.role >= needed then return; end if;
  end if;
  raise exception 'The run no longer has the right to do this.' using errcode = 'check_violation', constraint = 'rights_of_run';
end $$;

revoke execute on function rights_of_graph, authorize_run from public;
grant execute on function rights_of_graph, authorize_run to kontor_confined;
