-- What the run of an automation may do (THR-07). Each save of a graph is a row of its own: who saved it, with which
-- credential and scopes. A run keeps the graph it started with. It acts as the owner of the automation, with the lower of
-- the current roles of owner and author, within the scopes of the graph, while the credential of the graph is valid.
--
-- Processes of the version before this one run on while this migrates (FLT-16). They write automations.blocks and .edges
-- and know nothing of graphs, so triggers make the graphs. Their steps come in through authorize_request() and still have
-- all rights of the owner, until these processes have ended.

create table automation_graphs (
  organization_id   uuid not null default current_organization() references organizations on delete cascade,
  id                uuid not null,
  automation_id     uuid not null,
  blocks            jsonb not null,
  edges             jsonb not null,
  author_user_id    uuid not null, -- no reference: an author who is gone leaves a graph without rights
  scopes            text[], -- null: all of them, the graph was saved in a session or by the product itself
  api_key_id        uuid, -- the credential it was saved with; no reference: one that is gone is no longer valid
  app_id            uuid,
  client_id         text,
  -- ACTIVE: the graph depends on its credential. ENDED: the credential ended, and the graph has no rights. RELEASED: the
  -- owner enabled it since, in a session; it keeps its author and scopes and no longer depends on the credential.
  credential_status text check (credential_status in ('ACTIVE', 'ENDED', 'RELEASED')),
  created_at        timestamptz not null default now(),
  superseded_at     timestamptz, -- when the automation got another graph
  primary key (organization_id, id),
  foreign key (organization_id, automation_id) references automations on delete cascade,
  constraint one_credential_of_graph check (num_nonnulls(api_key_id, client_id) = case when credential_status is null then 0 else 1 end
    and (scopes is null) = (credential_status is null) and (app_id is null or client_id is not null))
);
create index on automation_graphs (organization_id, automation_id);
create index on automation_graphs (api_key_id) where credential_status = 'ACTIVE';
create index on automation_graphs (app_id) where credential_status = 'ACTIVE';
create index on automation_graphs (superseded_at); -- pruning
select organization_table('automation_graphs');
-- Triggers and functions write it. A request reads it.
revoke insert, update, delete on automation_graphs from kontor_confined;

-- The graph of every automation, as far as the audit log still knows who saved it last and with which credential;
-- otherwise its owner, with all scopes.
alter table automations add column graph_id uuid not null default new_id();
insert into automation_graphs (organization_id, id, automation_id, blocks, edges, author_user_id, scopes, api_key_id, app_id,
  client_id, credential_status)
select a.organization_id, a.graph_id, a.id, a.blocks, a.edges, coalesce(saved.user_id, a.owner_user_id),
  case when saved.api_key_id is not null then coalesce(k.scopes, '{}') when saved.client_id is not null then coalesce(c.scopes, '{}') end,
  saved.api_key_id, case when saved.api_key_id is null then c.id end, case when saved.api_key_id is null then saved.client_id end,
  case when coalesce(saved.api_key_id::text, saved.client_id) is not null then 'ACTIVE' end
from automations a
left join lateral (
  select l.user_id, l.api_key_id, l.client_id from audit_log l
  where l.organization_id = a.organization_id and l.object_id = a.id::text
    and (l.operation = 'automations_create' or (l.operation = 'automations_update' and l.detail -> 'fields' ? 'blocks'))
  order by l.created_at desc, l.id desc limit 1) saved on true
left join api_keys k on k.id = saved.api_key_id
left join lateral (
  select c.id, c.scopes from connected_apps c where c.client_id = saved.client_id and c.user_id = saved.user_id
  order by c.created_at desc limit 1) c on true;

alter table automation_runs add column graph_id uuid; -- null for runs that ended before this version
update automation_runs r set graph_id = a.graph_id from automations a
where a.organization_id = r.organization_id and a.id = r.automation_id and r.status = 'RUNNING';

-- Deferred: automations and graphs refer to each other, and are written and deleted together.
create index on automations (organization_id, graph_id);
create index on automation_runs (organization_id, graph_id);
alter table automations add constraint current_graph foreign key (organization_id, graph_id) references automation_graphs
  deferrable initially deferred;
alter table automation_runs add constraint graph_of_run foreign key (organization_id, graph_id) references automation_graphs
  deferrable initially deferred;

-- A request changes what a person may change. The owner and the graph of an automation are not among it.
revoke update on automations from kontor_confined;
grant update (name, description, status, blocks, edges, enabled_at) on automations to kontor_confined;

-- Saving blocks and edges makes a new graph, also if they are the same: whoever saves it vouches for it.
create function replace_graph() returns trigger language plpgsql as $$
begin
  new.graph_id := new_id();
  return new;
end $$;
create trigger replace_graph before update of blocks, edges on automations for each row execute function replace_graph();

-- Records the graph with its author and credential: the person and the credential of the transaction (app.person and
-- app.credential, which authorize_request() sets). Without a credential the graph has all scopes: it was saved in a
-- session, or by the product itself, whose code clears app.credential before it saves a graph of its own.
create function save_graph() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credential text := nullif(current_setting('app.credential', true), ''); -- kind, id and scopes
  id uuid := split_part(credential, ' ', 2)::uuid;
  is_key boolean := split_part(credential, ' ', 1) = 'API_KEY';
begin
  if nullif(current_setting('app.role_limit', true), '') is not null then
    raise exception 'An automation cannot write the graph of an automation.'
      using errcode = 'check_violation', constraint = 'graph_saved_by_person';
  end if;
  update automation_graphs g set superseded_at = now()
  where g.organization_id = new.organization_id and g.automation_id = new.id and g.superseded_at is null;
  insert into automation_graphs (organization_id, id, automation_id, blocks, edges, author_user_id, scopes, api_key_id, app_id,
    client_id, credential_status)
  values (new.organization_id, new.graph_id, new.id, new.blocks, new.edges, coalesce(current_person(), new.owner_user_id),
    split_part(credential, ' ', 3)::text[], case when is_key then id end, case when not is_key then id end,
    case when not is_key then current_setting('app.client', true) end, case when credential is not null then 'ACTIVE' end);
  return null;
end $$;
create trigger save_graph after insert or update of blocks, edges on automations for each row execute function save_graph();

-- A run has the current graph of its automation, when it starts and when it is replayed.
create function adopt_graph() returns trigger language plpgsql as $$
begin
  select a.graph_id into new.graph_id from automations a
  where a.organization_id = new.organization_id and a.id = new.automation_id;
  return new;
end $$;
create trigger adopt_graph before insert on automation_runs for each row when (new.graph_id is null)
  execute function adopt_graph();
create trigger adopt_graph_again before update of status on automation_runs for each row
  when (new.status = 'RUNNING' and old.status <> 'RUNNING') execute function adopt_graph();

-- As before, with the graph, which spares the trigger above a query.
create or replace function start_automations() returns trigger language plpgsql as $$
declare
  armed record;
  run uuid;
begin
  for armed in
    select a.id, a.graph_id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    insert into automation_runs (organization_id, id, automation_id, graph_id, trigger_event_id, trigger_type, input, depth)
    values (new.organization_id, run, armed.id, armed.graph_id, new.id, new.type, new.payload,
      coalesce((new.cause ->> 'depth')::integer, 0) + 1);
    perform enqueue('run-automation', jsonb_build_object('runId', run));
  end loop;
  return null;
end $$;

-- Whether a key or a connected app is valid and reaches the organization.
create function credential_reaches(key uuid, app uuid, place uuid) returns boolean
  language plpgsql stable security definer as $$
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

-- What a graph may do now. The role is null if it may do nothing, and `problem` says why: its OWNER or AUTHOR does not
-- belong to the organization or has a disabled account, or its CREDENTIAL is no longer valid.
--
-- Every step calls this, so names are qualified instead of setting search_path, and rows are found one by one: PostgreSQL
-- would plan a join of all of them anew at each call.
create function rights_of_graph(
  place uuid, graph uuid, out owner_user_id uuid, out author_user_id uuid, out role member_role, out scopes text[],
  out key_id uuid, out app_id uuid, out client_id text, out problem text
) language plpgsql stable security definer as $$
#variable_conflict use_column
declare
  automation uuid;
  credential text;
  of_author member_role;
begin
  select g.automation_id, g.author_user_id, g.scopes, g.api_key_id, g.app_id, g.client_id, g.credential_status
  into automation, author_user_id, scopes, key_id, app_id, client_id, credential
  from public.automation_graphs g where g.organization_id = place and g.id = graph;
  select a.owner_user_id into owner_user_id from public.automations a where a.organization_id = place and a.id = automation;
  select m.role into role from public.memberships m join public.users u on u.id = m.user_id
  where m.organization_id = place and m.user_id = rights_of_graph.owner_user_id and u.disabled_at is null;
  of_author := role;
  if author_user_id <> owner_user_id then
    select m.role into of_author from public.memberships m join public.users u on u.id = m.user_id
    where m.organization_id = place and m.user_id = rights_of_graph.author_user_id and u.disabled_at is null;
  end if;
  problem := case when role is null then 'OWNER' when of_author is null then 'AUTHOR' when credential = 'ENDED' then 'CREDENTIAL' end;
  if problem is null and credential = 'ACTIVE' and not public.credential_reaches(key_id, app_id, place) then
    problem := 'CREDENTIAL';
  end if;
  role := case when problem is null then least(role, of_author) end;
end $$;

-- Authorizes a step of a run, as authorize_request() authorizes a request: finds the rights of the run by its graph, and
-- confines the transaction to the owner, to the organization of the run and to its role (app.role_limit). The account of
-- the owner (place CALLER) is open to graphs that the owner saved.
create function authorize_run(
  run uuid, place text, target uuid, needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text,
  out author_user_id uuid
) language plpgsql security definer as $$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  lowest member_role;
  done text;
begin
  select r.organization_id, r.graph_id into home, graph from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  select x.owner_user_id, x.author_user_id, x.role, x.scopes, x.key_id, x.app_id, x.client_id
  into user_id, author_user_id, lowest, scopes, key_id, app_id, client_id from public.rights_of_graph(home, graph) x;
  if lowest is null then
    user_id := null;
    return;
  end if;
  if target = home or place in ('ONLY', 'ALL') then
    organization_id := home;
    role := lowest;
    reachable := 1;
  end if;
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.role_limit', lowest::text, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $$;

-- Refuses a step that reaches the outside, or reads by a filter, if the rights of the run have ended since it was claimed.
create function require_rights_of_run(run uuid, needed member_role) returns void language plpgsql stable security definer as $$
begin
  if not exists (select from public.automation_runs r, public.rights_of_graph(r.organization_id, r.graph_id) x
      where r.id = run and x.role >= needed) then
    raise exception 'The run no longer has the right to do this.' using errcode = 'check_violation', constraint = 'rights_of_run';
  end if;
end $$;

-- As before, but the run of an automation has at most the role of the author of its graph.
create or replace function refuse_role_above_own() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reach member_role;
begin
  select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) into reach
  from memberships m where m.organization_id = current_organization() and m.user_id = current_person();
  if (tg_op <> 'INSERT' and old.role > reach) or (tg_op <> 'DELETE' and new.role > reach) then
    raise exception 'That role is out of reach.' using errcode = 'check_violation', constraint = 'role_within_reach';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- Ends the graphs whose credential is no longer valid: of one key or app, or of all. Pauses their automations, and
-- notifies managers and owners once for each credential and organization, with a list. Returns how many it paused.
create function end_credentials(key uuid default null, app uuid default null) returns bigint
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

-- The same for the credential of a run, if that has ended.
create function end_credentials_of_run(run uuid) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  graph automation_graphs;
begin
  select g.* into graph from automation_runs r join automation_graphs g on g.organization_id = r.organization_id and g.id = r.graph_id
  where r.id = run and r.organization_id = current_organization() and g.credential_status = 'ACTIVE'
    and not credential_reaches(g.api_key_id, g.app_id, g.organization_id);
  return case when found then end_credentials(graph.api_key_id, graph.app_id) else 0 end;
end $$;

create function end_credentials_of_row() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger end_credentials after update of revoked_at, expires_at on api_keys for each row
  when ((new.revoked_at, new.expires_at) is distinct from (old.revoked_at, old.expires_at)) execute function end_credentials_of_row();
create trigger end_credentials_of_deleted after delete on api_keys for each row execute function end_credentials_of_row();
create trigger end_credentials after delete on api_key_organizations for each row execute function end_credentials_of_row();
create trigger end_credentials after update of revoked_at, expires_at on connected_apps for each row
  when (new.revoked_at is distinct from old.revoked_at or new.expires_at < old.expires_at) execute function end_credentials_of_row();
create trigger end_credentials_of_deleted after delete on connected_apps for each row execute function end_credentials_of_row();
create trigger end_credentials after delete on connected_app_organizations for each row execute function end_credentials_of_row();

-- The owner, in a session, lets the current graph go on without its credential, if that has ended.
create function release_graph(automation uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(current_setting('app.credential', true), '') <> '' or coalesce(current_setting('app.role_limit', true), '') <> '' then
    raise exception 'Only the owner enables it again, in a session.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  update automation_graphs g set credential_status = 'RELEASED' from automations a
  where a.organization_id = current_organization() and a.id = automation and a.owner_user_id = current_person()
    and g.organization_id = a.organization_id and g.id = a.graph_id and (g.credential_status = 'ENDED'
      or (g.credential_status = 'ACTIVE' and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)));
end $$;

-- An automation whose graph depends on a credential that is no longer valid cannot be enabled.
create function require_valid_credential() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from automation_graphs g where g.organization_id = new.organization_id and g.id = new.graph_id
      and (g.credential_status = 'ENDED' or (g.credential_status = 'ACTIVE'
        and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)))) then
    raise exception 'The credential of the graph has ended.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  return null;
end $$;
create trigger require_valid_credential after update of status on automations for each row
  when (new.status = 'ENABLED' and old.status <> 'ENABLED') execute function require_valid_credential();

revoke execute on function credential_reaches, rights_of_graph, authorize_run, require_rights_of_run, end_credentials,
  end_credentials_of_run, release_graph from public;
grant execute on function rights_of_graph, authorize_run, require_rights_of_run, end_credentials_of_run, release_graph
  to kontor_confined;

-- As before. It also tells the transaction which credential it comes with (app.credential), for graphs that it saves.
create or replace function authorize_request(
  source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text
) language plpgsql security definer as $$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[];
  done text;
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs, m.organization_id, m.role
    into user_id, key_id, scopes, everywhere, organization_id, role
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id and (k.all_orgs or exists
      (select from public.api_key_organizations o where o.api_key_id = k.id and o.organization_id = target))
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
    done := set_config('app.credential', 'API_KEY ' || key_id || ' ' || scopes::text, true);
  elsif source = 'SESSION' then
    select s.user_id, s.id, s.signed_in_at, m.organization_id, m.role
    into user_id, session_id, signed_in_at, organization_id, role
    from public.sessions s join public.users u on u.id = s.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = s.user_id
    where s.secret_hash = credential and s.ends_at > now() and s.last_seen_at > now() - interval '12 hours'
      and u.disabled_at is null;
  elsif source = 'OAUTH' then
    select a.user_id, a.id, a.client_id, t.scopes, false, m.organization_id, m.role
    into user_id, app_id, client_id, scopes, everywhere, organization_id, role
    from public.oauth_tokens t join public.connected_apps a on a.id = t.app_id join public.users u on u.id = a.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = a.user_id and exists
      (select from public.connected_app_organizations o where o.app_id = a.id and o.organization_id = target)
    where t.secret_hash = credential and t.kind = 'AccessToken' and t.expires_at > now()
      and t.audience in (current_setting('app.service', true), current_setting('app.service', true) || '/mcp')
      and a.revoked_at is null and a.expires_at > now() and u.disabled_at is null;
    done := set_config('app.client', client_id, true);
    done := set_config('app.credential', 'OAUTH ' || app_id || ' ' || scopes::text, true);
  else
    select u.id, m.organization_id, m.role into user_id, organization_id, role
    from public.users u left join public.memberships m on m.organization_id = target and m.user_id = u.id
    where u.id = person and u.disabled_at is null;
  end if;

  if place = 'ONLY' or place = 'ALL' then
    select coalesce(array_agg(m.organization_id), '{}') into places from public.memberships m
    where m.user_id = authorize_request.user_id and (place = 'ONLY' or m.role >= needed) and (everywhere
      or exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = m.organization_id)
      or exists (select from public.connected_app_organizations o where o.app_id = authorize_request.app_id and o.organization_id = m.organization_id));
    reachable := cardinality(places);
    if place = 'ALL' and (scopes is null or scopes && fitting) then
      done := set_config('app.organizations', places::text, true);
    elsif place = 'ONLY' and reachable = 1 then
      select m.organization_id, m.role into organization_id, role
      from public.memberships m where m.organization_id = places[1] and m.user_id = authorize_request.user_id;
    end if;
  end if;

  -- A credential without the scope confines the transaction to nothing, as for an unknown caller.
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.person', user_id::text, true);
  if role >= needed then done := set_config('app.organization', organization_id::text, true); end if;
end $$;
