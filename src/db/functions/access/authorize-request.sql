-- Guards every call: reads the credential, the role and the scopes again each time, so that a right that was taken away has no
-- effect on the next request.

-- Every statement of a function is prepared again in each transaction, so this one has few: all settings are made in one
-- expression, and the second query of a key is made only for a key that needs it.
create or replace function authorize_request(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text)
  returns record
  language plpgsql security definer as $$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all organizations of the person
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
    -- Most keys reach all organizations of their person, and need no second query. A subquery in the condition itself would be
    -- planned for every call.
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

  -- A credential without the scope confines the transaction to no organization, as for an unknown caller.
  if scopes is not null and not scopes && fitting then return; end if;
  done := concat(set_config('app.person', user_id::text, true),
    set_config('app.payroll', coalesce(public.payroll_rights(role, needed, scopes, fitting, place = 'ALL'), ''), true),
    case when role >= needed then set_config('app.organization', organization_id::text, true) end);
end $$;
grant execute on function authorize_request(text, bytea, uuid, text, uuid, member_role, text[]) to kontor_across, kontor_confined;

-- The organization in which a request is remembered, so that the retry of a request that deleted its own row finds the answer.
-- authorize_request() checks afterwards that the caller belongs to it.
create or replace function remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea) returns uuid
  language plpgsql stable security definer as $$
begin
  return (select k.organization_id from public.idempotency_keys k
    where k.principal = coalesce(remembered_organization.principal,
        (select 'app:' || a.client_id || ' ' || a.user_id from public.oauth_tokens t
         join public.connected_apps a on a.id = t.app_id where t.secret_hash = credential and t.kind = 'AccessToken'),
        'user:' || coalesce(person, (select s.user_id from public.sessions s where s.secret_hash = credential)))
      and k.key = remembered_organization.key and k.fingerprint = remembered_organization.fingerprint
    limit 1);
end $$;
grant execute on function remembered_organization(text, bytea, uuid, text, bytea) to kontor_confined;

-- Whether the caller is a member of all these organizations.
create or replace function belongs_to_all(organizations uuid[]) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return not exists (select from unnest(organizations) as named (id)
    where not exists (select from memberships m where m.organization_id = named.id and m.user_id = current_person()));
end $$;
grant execute on function belongs_to_all(uuid[]) to kontor_confined;

-- Whether an organization with this registration number is on this installation (inSystem of a customer).
create or replace function is_registered_organization(registration_number text, country text) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from organizations o
    where o.registration_number = is_registered_organization.registration_number and o.country = is_registered_organization.country);
end $$;
grant execute on function is_registered_organization(text, text) to kontor_across, kontor_confined;
