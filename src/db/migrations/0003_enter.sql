-- enter() is the door of every request: one call proves the credential, finds the organization and the caller's role in
-- it, and confines the transaction to both. It never raises; what it does not find it leaves null, and then no row is
-- visible. core/run.ts turns the answer into 401, 403 or 404.
--
-- fitting: the scopes of which a key needs one.
-- place: CALLER a person, no organization      ROW the organization that owns the row (owner_of_<table>)
--        NAMED the organization the caller named  ONLY the caller's only one     ALL every one the caller can reach
--
-- app.service: the address of this service, set for each connection of a process; tokens of apps are for it or for its /mcp.
--
-- Names are qualified instead of setting search_path, and everything is found in one query: each costs every request.
create function enter(
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
    into enter.user_id, key_id, enter.scopes, everywhere, enter.organization_id, enter.role
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id and (k.all_orgs or exists
      (select from public.api_key_organizations o where o.api_key_id = k.id and o.organization_id = target))
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
  elsif source = 'SESSION' then
    select s.user_id, s.id, s.signed_in_at, m.organization_id, m.role
    into enter.user_id, session_id, enter.signed_in_at, enter.organization_id, enter.role
    from public.sessions s join public.users u on u.id = s.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = s.user_id
    where s.secret_hash = credential and s.ends_at > now() and s.last_seen_at > now() - interval '12 hours'
      and u.disabled_at is null;
  elsif source = 'OAUTH' then
    select a.user_id, a.id, a.client_id, t.scopes, false, m.organization_id, m.role
    into enter.user_id, app_id, enter.client_id, enter.scopes, everywhere, enter.organization_id, enter.role
    from public.oauth_tokens t join public.connected_apps a on a.id = t.app_id join public.users u on u.id = a.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = a.user_id and exists
      (select from public.connected_app_organizations o where o.app_id = a.id and o.organization_id = target)
    where t.secret_hash = credential and t.kind = 'AccessToken' and t.expires_at > now()
      and t.audience in (current_setting('app.service', true), current_setting('app.service', true) || '/mcp')
      and a.revoked_at is null and a.expires_at > now() and u.disabled_at is null;
    done := set_config('app.client', enter.client_id, true);
  else
    select u.id, m.organization_id, m.role into enter.user_id, enter.organization_id, enter.role
    from public.users u left join public.memberships m on m.organization_id = target and m.user_id = u.id
    where u.id = person and u.disabled_at is null;
  end if;

  if place = 'ONLY' or place = 'ALL' then
    select coalesce(array_agg(m.organization_id), '{}') into places from public.memberships m
    where m.user_id = enter.user_id and (place = 'ONLY' or m.role >= needed) and (everywhere
      or exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = m.organization_id)
      or exists (select from public.connected_app_organizations o where o.app_id = enter.app_id and o.organization_id = m.organization_id));
    reachable := cardinality(places);
    if place = 'ALL' and (enter.scopes is null or enter.scopes && fitting) then
      done := set_config('app.organizations', places::text, true);
    elsif place = 'ONLY' and reachable = 1 then
      select m.organization_id, m.role into enter.organization_id, enter.role
      from public.memberships m where m.organization_id = places[1] and m.user_id = enter.user_id;
    end if;
  end if;

  -- A credential without the scope confines the transaction to nothing, like a stranger.
  if enter.scopes is not null and not enter.scopes && fitting then return; end if;
  done := set_config('app.person', enter.user_id::text, true);
  if enter.role >= needed then done := set_config('app.organization', enter.organization_id::text, true); end if;
end $$;

-- A new organization does not exist yet, so nobody can have entered it: its founder is let in before the first row.
create function found_organization(id uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organizations o where o.id = found_organization.id) or current_person() is null then
    raise exception 'That organization exists.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.organization', id::text, true);
end $$;

-- Whether the caller belongs to every one of these.
create function belongs_to_all(organizations uuid[]) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return not exists (select from unnest(organizations) as named (id)
    where not exists (select from memberships m where m.organization_id = named.id and m.user_id = current_person()));
end $$;

-- Whether a company with this registration number keeps its books here (customers' inSystem).
create function keeps_books_here(registration_number text, country text) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from organizations o
    where o.registration_number = keeps_books_here.registration_number and o.country = keeps_books_here.country);
end $$;
