-- Ends everything with which a person's account can still be used after it is disabled or its password changes: sessions, keys,
-- apps and what they started.

-- Ends everything that gives access to an account, and everything that was set up with the account and still runs. It is called
-- when an address is confirmed for the first time, because the account may have been made by another person. Keys and apps end as
-- if revoked. Memberships stay, because an organization needs its owner; the person is told to check them. Returns what was ended.
create or replace function end_access(person uuid, request text, cause text, with_password boolean) returns jsonb language plpgsql as $$
declare
  ended jsonb := '{"everything": true}';
  affected integer;
begin
  perform from users u where u.id = person for no key update;
  delete from sessions s where s.user_id = person;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('sessions', affected);

  with revoked as (
    update api_keys k set revoked_at = now() where k.user_id = person and k.revoked_at is null returning k.id)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), person, 'LINK', request, 'api_keys_revoke', r.id, jsonb_build_object('cause', cause) from revoked r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('apiKeys', affected);

  with revoked as (
    update connected_apps a set revoked_at = now() where a.user_id = person and a.revoked_at is null
    returning a.id, a.client_id)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, client_id, detail)
  select new_id(), person, 'LINK', request, 'users_connected_app_revoke', r.id, r.client_id,
    jsonb_build_object('cause', cause) from revoked r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('connectedApps', affected);

  with removed as (delete from passkeys p where p.user_id = person returning p.id, p.name)
  insert into audit_log (id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), person, 'LINK', request, 'auth.passkey_removed', r.id, jsonb_build_object('name', r.name, 'cause', cause)
  from removed r;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('passkeys', affected);

  with removed as (delete from authenticators a where a.user_id = person returning a.confirmed_at)
  insert into audit_log (id, user_id, source, request_id, operation, detail)
  select new_id(), person, 'LINK', request, 'auth.authenticator_removed', jsonb_build_object('cause', cause)
  from removed r where r.confirmed_at is not null;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('secondFactor', affected > 0);
  delete from recovery_codes c where c.user_id = person;
  delete from passkey_challenges c where c.user_id = person;
  delete from account_links l where l.user_id = person;

  with withdrawn as (
    delete from invitations i where i.invited_by = person and i.accepted_at is null
    returning i.organization_id, i.id, i.email, i.role)
  insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), w.organization_id, person, 'LINK', request, 'users_invitation_delete', w.id,
    jsonb_build_object('invitationId', w.id, 'email', w.email, 'role', w.role, 'cause', cause) from withdrawn w;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('invitations', affected);

  with paused as (
    update automations a set status = 'PAUSED_NO_ACCESS' where a.owner_user_id = person and a.status = 'ENABLED'
    returning a.organization_id, a.id)
  insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id, detail)
  select new_id(), p.organization_id, person, 'LINK', request, 'automation.paused', p.id, jsonb_build_object('cause', cause)
  from paused p;
  get diagnostics affected = row_count;
  ended := ended || jsonb_build_object('automations', affected);
  -- The earlier user of the account may have saved graphs in a session, and other members can start them. A graph without an author
  -- has no rights; saving it again makes its new author responsible for it.
  update automation_graphs g set author_user_id = '00000000-0000-0000-0000-000000000000' where g.author_user_id = person;

  if with_password then
    update users u set password_hash = null where u.id = person and u.password_hash is not null;
    get diagnostics affected = row_count;
  else
    affected := 0;
  end if;
  return ended || jsonb_build_object('password', affected > 0,
    'organizations', (select count(*) from memberships m where m.user_id = person));
end $$;
