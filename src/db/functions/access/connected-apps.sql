-- Guards the tokens of connected apps: a token can be used once, and a connection lasts as long as its newest token.

-- Uses up a code or refresh token, and returns true to one caller only. A second use means that a second party has the token, so
-- the whole connection ends (THR-22), and the audit log says so.
create or replace function consume_oauth_token(token_kind text, token_hash bytea, audit_id uuid) returns boolean language plpgsql as $$
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

-- Extends a connection to the end of its newest token.
create or replace function extend_connected_app() returns trigger language plpgsql as $$
begin
  update connected_apps a set expires_at = least(new.expires_at, a.created_at + interval '1 year')
  where a.id = new.app_id and a.expires_at < least(new.expires_at, a.created_at + interval '1 year');
  return null;
end $$;

-- The names of the organizations that a connected app reaches. Only the caller's own app, and only organizations of which the
-- caller is still a member.
create or replace function organizations_of_connected_app(app uuid) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
    from connected_app_organizations c join organizations o on o.id = c.organization_id
    where c.app_id = app and c.user_id = current_person());
end $$;
grant execute on function organizations_of_connected_app(uuid) to kontor_confined;

create or replace trigger prolong after insert on oauth_tokens
  for each row when (new.app_id is not null) execute function extend_connected_app();
