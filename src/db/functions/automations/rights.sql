-- Guards that a run has only rights that its people and its credential have.

-- The rights of a graph, in one query. A graph that was saved in a session has no credential, so the condition stands in front:
-- `null and f()` would call f.
create or replace function rights_of_graph(place uuid, graph uuid, starters uuid[] default '{}'::uuid[], out owner_user_id uuid, out author_user_id uuid, out role member_role, out scopes text[], out key_id uuid, out app_id uuid, out client_id text, out problem text)
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
grant execute on function rights_of_graph(uuid, uuid, uuid[]) to kontor_confined;

-- `user_id` is the person who started the run, or else the owner; `author_user_id` is another one of the three, if there is one
create or replace function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text, out author_user_id uuid, out acting_for uuid[])
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
  -- rows that belong to a person are reached only if all three are that person
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
  -- the pay of the owner is hidden if the author is another person
  done := set_config('app.payroll', case when payroll = 'own' and author_user_id <> user_id then '' else payroll end, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $$;
grant execute on function authorize_run(uuid, text, uuid, member_role, text[]) to kontor_confined;

-- Whether a key or connected app is valid and reaches the organization.
create or replace function credential_reaches(key uuid, app uuid, place uuid) returns boolean language plpgsql stable security definer as $$
declare
  everywhere boolean;
begin
  if key is not null then
    select k.all_orgs into everywhere from public.api_keys k
    where k.id = key and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    return everywhere is not null and (everywhere or exists
      (select from public.api_key_organizations o where o.api_key_id = key and o.organization_id = place));
  end if;
  return exists (select from public.connected_apps c where c.id = app and c.revoked_at is null and c.expires_at > now())
    and exists (select from public.connected_app_organizations o where o.app_id = app and o.organization_id = place);
end $$;

-- Refuses a step that reaches the outside, or reads with a filter, if the rights of the run have ended since it was claimed.
create or replace function require_rights_of_run(run uuid, needed member_role) returns void language plpgsql stable security definer as $$
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
grant execute on function require_rights_of_run(uuid, member_role) to kontor_confined;

-- Ends the graphs whose credential is no longer valid: of one key or app, or of all. Pauses their automations, and notifies
-- managers and owners once for each credential and organization, with a list. Returns how many were paused.
create or replace function end_credentials(key uuid default null::uuid, app uuid default null::uuid) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paused bigint;
begin
  with ended as (
    update automation_graphs g set credential_status = 'ENDED'
    where g.credential_status = 'ACTIVE' and (key is null or g.api_key_id = key) and (app is null or g.app_id = app)
      and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)
    returning g.organization_id, g.id, g.api_key_id, g.app_id, g.client_id),
  stopped as (
    update automations a set status = 'PAUSED_NO_ACCESS' from ended e
    where a.organization_id = e.organization_id and a.graph_id = e.id and a.status = 'ENABLED'
    returning a.organization_id, a.id, a.name, a.owner_user_id, e.api_key_id, e.app_id, e.client_id),
  told as (
    insert into notifications (id, user_id, organization_id, kind, data)
    select new_id(), m.user_id, m.organization_id, 'AUTOMATIONS_PAUSED', jsonb_build_object('by', null, 'organization', o.name,
      'credential', case when s.api_key_id is null then 'APP' else 'API_KEY' end,
      'credentialName', coalesce((select k.name from api_keys k where k.id = s.api_key_id),
        (select c.client_name from connected_apps c where c.id = s.app_id)),
      'automations', jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id))
    from stopped s join organizations o on o.id = s.organization_id
    join memberships m on m.organization_id = s.organization_id and (m.role >= 'MANAGER' or m.user_id = s.owner_user_id)
    group by m.user_id, m.organization_id, o.name, s.api_key_id, s.app_id, s.client_id)
  select count(*) into paused from stopped;
  return paused;
end $$;

-- Does the same for the credential of a run, if that has ended.
create or replace function end_credentials_of_run(run uuid) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  graph automation_graphs;
begin
  select g.* into graph from automation_runs r join automation_graphs g on g.organization_id = r.organization_id and g.id = r.graph_id
  where r.id = run and r.organization_id = current_organization() and g.credential_status = 'ACTIVE'
    and not credential_reaches(g.api_key_id, g.app_id, g.organization_id);
  return case when found then end_credentials(graph.api_key_id, graph.app_id) else 0 end;
end $$;
grant execute on function end_credentials_of_run(uuid) to kontor_confined;

create or replace function end_credentials_of_row() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'api_keys' then
    perform end_credentials(key => old.id);
  elsif tg_table_name = 'api_key_organizations' then
    perform end_credentials(key => old.api_key_id);
  elsif tg_table_name = 'connected_apps' then
    perform end_credentials(app => old.id);
  else
    perform end_credentials(app => old.app_id);
  end if;
  return null;
end $$;

-- Refuses to enable an automation whose graph depends on a credential that is no longer valid.
create or replace function require_valid_credential() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from automation_graphs g where g.organization_id = new.organization_id and g.id = new.graph_id
      and (g.credential_status = 'ENDED' or (g.credential_status = 'ACTIVE'
        and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)))) then
    raise exception 'The credential of the graph has ended.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  return null;
end $$;

create or replace trigger end_credentials after update of revoked_at, expires_at on api_keys
  for each row when (new.revoked_at is distinct from old.revoked_at or new.expires_at is distinct from old.expires_at) execute function end_credentials_of_row();
create or replace trigger end_credentials_of_deleted after delete on api_keys
  for each row execute function end_credentials_of_row();
create or replace trigger end_credentials after delete on api_key_organizations
  for each row execute function end_credentials_of_row();
create or replace trigger end_credentials after update of revoked_at, expires_at on connected_apps
  for each row when (new.revoked_at is distinct from old.revoked_at or new.expires_at < old.expires_at) execute function end_credentials_of_row();
create or replace trigger end_credentials_of_deleted after delete on connected_apps
  for each row execute function end_credentials_of_row();
create or replace trigger end_credentials after delete on connected_app_organizations
  for each row execute function end_credentials_of_row();
create or replace trigger require_valid_credential after update of status on automations
  for each row when (new.status = 'ENABLED'::text and old.status <> 'ENABLED'::text) execute function require_valid_credential();
