-- Guards the graphs of automations: a run keeps the graph that it started with.

-- Makes a new graph when blocks and edges are saved, even if they are the same, because the person who saves them becomes the
-- author.
create or replace function replace_graph() returns trigger language plpgsql as $$
begin
  new.graph_id := new_id();
  return new;
end $$;

-- Records the graph with its author and credential: the person and the credential of the transaction (app.person and
-- app.credential, which authorize_request() sets). A graph without a credential has all scopes: it was saved in a session, or by
-- the product itself, which clears app.credential before it saves a graph of its own.
create or replace function save_graph() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credential text := nullif(current_setting('app.credential', true), ''); -- its kind, id and scopes
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

-- Gives a run the current graph of its automation, when it starts and when it is replayed.
create or replace function adopt_graph() returns trigger language plpgsql as $$
begin
  select a.graph_id into new.graph_id from automations a
  where a.organization_id = new.organization_id and a.id = new.automation_id;
  return new;
end $$;

-- Frees the current graph from its credential if that has ended. The owner of the automation does so in a session.
create or replace function release_graph(automation uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(current_setting('app.credential', true), '') <> '' or coalesce(current_setting('app.role_limit', true), '') <> '' then
    raise exception 'Only the owner enables it again, in a session.' using errcode = 'check_violation', constraint = 'credential_valid';
  end if;
  update automation_graphs g set credential_status = 'RELEASED' from automations a
  where a.organization_id = current_organization() and a.id = automation and a.owner_user_id = current_person()
    and g.organization_id = a.organization_id and g.id = a.graph_id and (g.credential_status = 'ENDED'
      or (g.credential_status = 'ACTIVE' and not credential_reaches(g.api_key_id, g.app_id, g.organization_id)));
end $$;
grant execute on function release_graph(uuid) to kontor_confined;

create or replace function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.saved_at := now();
  new.saved_by_user_id := current_person();
  return new;
end $$;

create or replace trigger replace_graph before update of blocks, edges on automations
  for each row execute function replace_graph();
create or replace trigger save_graph after insert or update of blocks, edges on automations
  for each row execute function save_graph();
create or replace trigger adopt_graph before insert on automation_runs
  for each row when (new.graph_id is null) execute function adopt_graph();
create or replace trigger adopt_graph_again before update of status on automation_runs
  for each row when (new.status = 'RUNNING'::text and old.status <> 'RUNNING'::text) execute function adopt_graph();
create or replace trigger raise_version before update of name, description, blocks, edges on automations
  for each row execute function raise_version();
