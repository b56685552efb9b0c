-- A run of an automation spent most of its time in the database. Each of these is executed for every step or run.

-- The rights are taken from a value: `select … from rights_of_graph(…)` stores the row and reads it back.
create or replace function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text,
  out author_user_id uuid) language plpgsql security definer as $$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  started_at_depth integer;
  rights record;
  payroll text;
  done text;
begin
  select r.organization_id, r.graph_id, r.depth into home, graph, started_at_depth from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  rights := public.rights_of_graph(home, graph);
  author_user_id := rights.author_user_id;
  scopes := rights.scopes;
  key_id := rights.key_id;
  app_id := rights.app_id;
  client_id := rights.client_id;
  if rights.role is null then return; end if;
  user_id := rights.owner_user_id;
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

create or replace function require_rights_of_run(run uuid, needed member_role) returns void
language plpgsql stable security definer as $$
declare
  home uuid;
  graph uuid;
  rights record;
begin
  select r.organization_id, r.graph_id into home, graph from public.automation_runs r where r.id = run;
  if home is not null then
    rights := public.rights_of_graph(home, graph);
    if rights.role >= needed then return; end if;
  end if;
  raise exception 'The run no longer has the right to do this.' using errcode = 'check_violation', constraint = 'rights_of_run';
end $$;

-- Inserts the row itself instead of calling add_change(), whose settings and rights it has already.
create or replace function record_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  if new.organization_id is not null then
    insert into changes (organization_id, resource, object_id, change)
    values (new.organization_id, tg_argv[0], new.id, case tg_op when 'INSERT' then 'created' else 'updated' end);
  end if;
  return null;
end $$;

-- The run that a step refers to is in the same organization, and refers to it.
alter table automation_steps drop constraint automation_steps_organization_id_fkey;
