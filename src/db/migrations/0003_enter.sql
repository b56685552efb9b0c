-- enter() is the door of every request: one call proves the credential, finds the organization and the caller's role in
-- it, and confines the transaction to both. It never raises; what it does not find it leaves null, and then no row is
-- visible. core/run.ts turns the answer into 401, 403 or 404.
--
-- place: CALLER a person, no organization      ROW the organization that owns the row (owner_of_<table>)
--        NAMED the organization the caller named  ONLY the caller's only one     ALL every one the caller can reach
create function enter(
  source text, credential bytea, person uuid, place text, target uuid, needed member_role,
  out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz,
  out organization_id uuid, out role member_role, out reachable integer
) language plpgsql security definer set search_path = public as $$
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[] := '{}';
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs into user_id, key_id, scopes, everywhere
    from api_keys k join users u on u.id = k.user_id
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
  elsif source = 'SESSION' then
    select s.user_id, s.id, s.signed_in_at into user_id, session_id, signed_in_at
    from sessions s join users u on u.id = s.user_id
    where s.secret_hash = credential and s.ends_at > now() and s.last_seen_at > now() - interval '12 hours'
      and u.disabled_at is null;
  else
    select u.id into user_id from users u where u.id = person and u.disabled_at is null;
  end if;

  if user_id is not null and place in ('ROW', 'NAMED') then
    select m.role into role from memberships m
    where m.organization_id = target and m.user_id = enter.user_id
      and (everywhere or exists (select from api_key_organizations o where o.api_key_id = key_id and o.organization_id = target));
    if found then organization_id := target; end if;
  elsif user_id is not null and place in ('ONLY', 'ALL') then
    select coalesce(array_agg(m.organization_id), '{}') into places from memberships m
    where m.user_id = enter.user_id and (place = 'ONLY' or m.role >= needed)
      and (everywhere or exists (select from api_key_organizations o where o.api_key_id = key_id and o.organization_id = m.organization_id));
    reachable := cardinality(places);
    if place = 'ONLY' and reachable = 1 then
      organization_id := places[1];
      select m.role into role from memberships m where m.organization_id = places[1] and m.user_id = enter.user_id;
    end if;
  end if;

  perform set_config('app.person', coalesce(user_id::text, ''), true),
          set_config('app.organization', case when role >= needed then organization_id::text else '' end, true);
  if place = 'ALL' then perform set_config('app.organizations', places::text, true); end if;
end $$;

-- A new organization does not exist yet, so nobody can have entered it: its founder is let in before the first row.
create function found_organization(id uuid) returns void language plpgsql security definer set search_path = public as $$
begin
  if exists (select from organizations o where o.id = found_organization.id) or current_person() is null then
    raise exception 'That organization exists.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.organization', id::text, true);
end $$;

-- Whether the caller belongs to every one of these.
create function belongs_to_all(organizations uuid[]) returns boolean
  language plpgsql stable security definer set search_path = public as $$
begin
  return not exists (select from unnest(organizations) as named (id)
    where not exists (select from memberships m where m.organization_id = named.id and m.user_id = current_person()));
end $$;

-- Whether a company with this registration number keeps its books here (customers' inSystem).
create function keeps_books_here(registration_number text, country text) returns boolean
  language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select from organizations o
    where o.registration_number = keeps_books_here.registration_number and o.country = keeps_books_here.country);
end $$;
