-- Apps of others that people have connected (OAuth 2.1): who may ask, what a person agreed to, and the tokens that came of
-- it. Tokens, codes and client secrets are kept as SHA-256 alone (SEC-1, class B).

create table oauth_clients (
  id          text primary key check (length(id) between 1 and 2048), -- made here, or the address of the client's own document
  metadata    jsonb not null,
  secret_hash bytea unique check (octet_length(secret_hash) = 32),
  fetched_at  timestamptz, -- of a document
  fresh_until timestamptz,
  created_at  timestamptz not null default now(),
  check ((fetched_at is null) = (fresh_until is null))
);
create index on oauth_clients (created_at); -- pruning
select system_table('oauth_clients');

-- What a person agreed to: this app, these scopes, these organizations. It ends with the last of its tokens, after a year
-- at the latest, or when it is revoked.
create table connected_apps (
  id           uuid primary key,
  user_id      uuid not null default current_person() references users on delete cascade,
  client_id    text not null references oauth_clients,
  client_name  text not null check (length(client_name) between 1 and 200), -- as it was shown to the person
  client_uri   text,
  scopes       text[] not null check (cardinality(scopes) between 1 and 50),
  resources    text[] not null check (cardinality(resources) between 1 and 10),
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz not null,
  revoked_at   timestamptz
);
create index on connected_apps (user_id, created_at);
create index on connected_apps (client_id);
create index on connected_apps (expires_at); -- pruning
select person_table('connected_apps');
-- A request takes its own consent back and nothing else; agreeing is a page's business.
revoke insert, update, delete on connected_apps from kontor_confined;
grant update (revoked_at) on connected_apps to kontor_confined;

create table connected_app_organizations (
  app_id          uuid not null references connected_apps on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null default current_person(),
  primary key (app_id, organization_id),
  -- an app reaches an organization only while its person belongs to it
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index on connected_app_organizations (organization_id, user_id);
select person_table('connected_app_organizations');
revoke insert, update, delete on connected_app_organizations from kontor_confined;

create table oauth_tokens (
  kind        text not null check (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken', 'Interaction')),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  app_id      uuid references connected_apps on delete cascade, -- null while the person is still being asked
  payload     jsonb not null,
  scopes      text[],
  audience    text,
  consumed_at timestamptz,
  expires_at  timestamptz not null,
  created_at  timestamptz not null default now(),
  primary key (secret_hash, kind),
  check ((kind = 'Interaction') = (app_id is null)),
  check ((kind = 'AccessToken') = (scopes is not null and audience is not null))
);
create index on oauth_tokens (app_id);
create index on oauth_tokens (expires_at); -- pruning
select system_table('oauth_tokens');

-- Uses a code or refresh token up: one caller alone is told true. A second use means that somebody else has it, so the
-- whole connection ends (THR-22), and the trail says so.
create function consume_oauth_token(token_kind text, token_hash bytea, audit_id uuid) returns boolean language plpgsql as $$
declare
  app connected_apps;
begin
  update oauth_tokens t set consumed_at = now() where t.kind = token_kind and t.secret_hash = token_hash and t.consumed_at is null;
  if found then return true; end if;
  update connected_apps a set revoked_at = now() from oauth_tokens t
  where t.kind = token_kind and t.secret_hash = token_hash and a.id = t.app_id and a.revoked_at is null returning a.* into app;
  if found then
    insert into audit_log (id, user_id, source, request_id, operation, object_id, client_id)
    values (audit_id, app.user_id, 'SYSTEM', '', 'oauth.reused', app.id, app.client_id);
  end if;
  return false;
end $$;
revoke execute on function consume_oauth_token from public;

-- A connection lives as long as its last token.
create function prolong_connected_app() returns trigger language plpgsql as $$
begin
  update connected_apps a set expires_at = least(new.expires_at, a.created_at + interval '1 year')
  where a.id = new.app_id and a.expires_at < least(new.expires_at, a.created_at + interval '1 year');
  return null;
end $$;
create trigger prolong after insert on oauth_tokens for each row when (new.app_id is not null)
  execute function prolong_connected_app();

-- The organizations of a connected app by name: the caller's own app, and only where they still belong.
create function connected_app_places(app uuid) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
    from connected_app_organizations c join organizations o on o.id = c.organization_id
    where c.app_id = app and c.user_id = current_person());
end $$;

alter table audit_log add column client_id text; -- the app that did it in the person's name

-- Whose Idempotency-Keys these are, when the caller brings no key of its own: an app's with one person, or the person's.
create function current_principal() returns text language sql stable as $$
  select coalesce('app:' || nullif(current_setting('app.client', true), '') || ' ', 'user:') || current_person()
$$;

create or replace function remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea)
  returns uuid language plpgsql stable security definer as $$
begin
  return (select k.organization_id from public.idempotency_keys k
    where k.principal = coalesce(remembered_organization.principal,
        (select 'app:' || a.client_id || ' ' || a.user_id from public.oauth_tokens t
         join public.connected_apps a on a.id = t.app_id where t.secret_hash = credential and t.kind = 'AccessToken'),
        'user:' || coalesce(person, (select s.user_id from public.sessions s where s.secret_hash = credential)))
      and k.key = remembered_organization.key and k.fingerprint = remembered_organization.fingerprint
    limit 1);
end $$;
