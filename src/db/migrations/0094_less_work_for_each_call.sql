-- Executed for every call: the authorization, and what a write records.

-- The key's second query was planned for every call, though hardly any key needs it. Each statement of a function is prepared
-- anew in every transaction, so there are fewer of them: the settings are made in one expression.
create or replace function authorize_request(source text, credential bytea, person uuid, place text, target uuid,
  needed member_role, fitting text[],
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text)
language plpgsql security definer as $$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[];
  done text;
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs, m.organization_id, m.role,
      set_config('app.credential', 'API_KEY ' || k.id || ' ' || k.scopes::text, true)
    into user_id, key_id, scopes, everywhere, organization_id, role, done
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
    -- Most keys reach all organizations of their person, and need no second query. A subquery in the condition itself would
    -- be planned for every call.
    if not everywhere then
      if not exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = target) then
        organization_id := null;
        role := null;
      end if;
    end if;
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
  done := concat(set_config('app.person', user_id::text, true),
    set_config('app.payroll', coalesce(public.payroll_rights(role, needed, scopes, fitting, place = 'ALL'), ''), true),
    case when role >= needed then set_config('app.organization', organization_id::text, true) end);
end $$;

-- What only an event that starts something needs is found out after that.
create or replace function start_automations() returns trigger language plpgsql as $$
declare
  armed record;
  run uuid;
  record text;
  is_waiting boolean;
begin
  -- Most events start nothing. Finding that out takes a third of the time of opening the loop.
  if not exists (select from automations a
      where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers)) then
    return null;
  end if;
  record := left(new.payload ->> 'id', 200);
  for armed in
    select a.id, a.graph_id from automations a
    where a.organization_id = new.organization_id and a.status = 'ENABLED' and new.type = any (a.triggers) order by a.id
    for key share
  loop
    run := new_id();
    -- The lock: an earlier run that ends at this moment either sees the new one, or is seen as ended.
    perform from automation_runs r where r.organization_id = new.organization_id and r.automation_id = armed.id
      and r.record_id = record and r.status = 'RUNNING' order by r.place desc limit 1 for share;
    is_waiting := found;
    insert into automation_runs (organization_id, id, automation_id, graph_id, trigger_event_id, trigger_type, input, depth, record_id, waits)
    values (new.organization_id, run, armed.id, armed.graph_id, new.id, new.type, new.payload,
      coalesce((new.cause ->> 'depth')::integer, 0) + 1, record, is_waiting);
    if not is_waiting then perform enqueue('run-automation', jsonb_build_object('runId', run)); end if;
  end loop;
  return null;
end $$;

-- A subselect in a policy is evaluated once for many rows. One row is inserted at a time, and for that the function alone
-- takes less. The tables are locked in the order in which requests write to them.
alter policy confined on events with check (organization_id = current_organization());

-- For the audit log, one policy says what two said before: people write what they did, in the organization of the
-- transaction or in none; and the holder of a link writes what they did in the organization of the link.
drop policy deed_by_link on audit_log;
drop policy own_deed on audit_log;
create policy own_deed on audit_log for insert to kontor_confined with check (
  user_id is not distinct from current_person() and organization_id is not distinct from current_organization()
  and (user_id is not null or source = 'LINK' and organization_id is not null));
