-- Whose account it is, and how much one person may do with it: what ends when the address of an account is proven, a check
-- that a session still exists when something is made with it, and limits of mail and organizations per person.
--
-- The limits hold where the program sets them on its connections (app.mail_per_person, app.mail_per_recipient,
-- app.organizations_max), which it does in strict mode. Processes of the version before set none (FLT-16).

-- Locks the account until the transaction ends, and tells whether the session is still there. Whoever ends sessions locks
-- the account first, so nothing can be made with a session that ends at the same time.
create function lock_session(person uuid, session uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.id = person for no key update;
  return exists (select from sessions s join users u on u.id = s.user_id
    where s.id = session and s.user_id = person and s.ends_at > now() and u.disabled_at is null);
end $$;
revoke execute on function lock_session from public;
grant execute on function lock_session to kontor_confined;

-- Ends everything that gives access to an account, and what was set up with it and still acts: for an address that is
-- proven for the first time, by somebody who may not be the one who made the account. Keys and apps end as if revoked.
-- Returns what was ended. Memberships stay: an organization needs its owner; the person is told to check them.
create function end_access(person uuid, request text, cause text, with_password boolean) returns jsonb
  language plpgsql as $$
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
  -- Whoever used the account may have saved graphs in a session, and other members can start them. They have no rights
  -- without an author; saving a graph again makes it the owner's.
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
revoke execute on function end_access from public;

-- As before, with the message that tells a person what was ended.
create or replace function queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if template not in ('password-reset', 'verify-email', 'email-changed', 'new-sign-in', 'invitation', 'notification-digest',
    'access-ended') then
    raise exception 'Kontor writes no % to people.', template using errcode = 'insufficient_privilege';
  end if;
  insert into mail_deliveries (organization_id, id, "to", subject, template, letter, status, last_reason)
  values (null, queue_person_mail.id, queue_person_mail."to", queue_person_mail.subject, queue_person_mail.template,
    queue_person_mail.letter, case when queue_person_mail.letter is null then 'FAILED' else 'QUEUED' end, reason)
  on conflict do nothing;
  if found and queue_person_mail.letter is not null then
    perform graphile_worker.add_job('send-mail', json_build_object('deliveryId', queue_person_mail.id));
  end if;
end $$;

-- Messages of the last day, by the hour: of a person, and to a mailbox from anybody in any organization.
create table mail_counts (
  subject  text not null check (length(subject) between 1 and 1000), -- person:<id> or mailbox:<address>
  hour     timestamptz not null,
  messages integer not null check (messages > 0),
  primary key (subject, hour)
);
create index on mail_counts (hour); -- pruning
select system_table('mail_counts');

-- The mailbox that an address leads to, as far as its spelling tells: capitals and what follows a plus sign make no
-- difference, and at Gmail no dots either. For counting only.
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    else name || '@' || domain end
  from (select coalesce(nullif(split_part(split_part(lower(address), '@', 1), '+', 1), ''), split_part(lower(address), '@', 1)) as name,
    split_part(lower(address), '@', 2) as domain) parts
$$;
revoke execute on function mailbox_of from public;

-- Counts one message, exactly under concurrency, and returns 0; or the seconds until the next one is allowed. An hour counts
-- until its last message is a day old, so there are never more than `allowed` messages within 24 hours.
create function count_message(counted text, allowed integer) returns integer language plpgsql as $$
declare
  sent integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('mail:' || counted, 0));
  select coalesce(sum(c.messages), 0) into sent from mail_counts c
  where c.subject = counted and c.hour > now() - interval '25 hours';
  if sent >= allowed then
    return (select greatest(1, ceil(extract(epoch from min(h.hour) + interval '25 hours' - now()))) from (
        select c.hour, sum(c.messages) over (order by c.hour) as gone from mail_counts c
        where c.subject = counted and c.hour > now() - interval '25 hours') h
      where h.gone > sent - allowed);
  end if;
  insert into mail_counts as m (subject, hour, messages) values (counted, date_trunc('hour', now()), 1)
  on conflict (subject, hour) do update set messages = m.messages + 1;
  return 0;
end $$;
revoke execute on function count_message from public;

-- Counts a message of Kontor itself that a person caused and another may get: the confirmation of an address.
create function count_message_to(address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allowed integer := nullif(current_setting('app.mail_per_recipient', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  wait := count_message('mailbox:' || mailbox_of(address), allowed);
  if wait > 0 then
    raise exception 'The recipient has got too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_recipient', detail = wait;
  end if;
end $$;
revoke execute on function count_message_to from public;

-- Counts a message that a person sends to somebody else, or refuses it: from an account whose address is not confirmed,
-- over the limit of the person, or over that of the recipient.
create function count_message_of(person uuid, address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allowed integer := nullif(current_setting('app.mail_per_person', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  if not exists (select from users u where u.id = person and u.email_verified_at is not null) then
    raise exception 'The address of the sender is not confirmed.'
      using errcode = 'check_violation', constraint = 'email_unconfirmed';
  end if;
  wait := count_message('person:' || person, allowed);
  if wait > 0 then
    raise exception 'The person has sent too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_person', detail = wait;
  end if;
  perform count_message_to(address);
end $$;
revoke execute on function count_message_of from public;

-- Every message of an organization is counted when it is queued, whatever queues it. Jobs act for no person.
create function count_queued_mail() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_message_of(current_person(), new."to");
  return null;
end $$;
revoke execute on function count_queued_mail from public;
create trigger count_queued_mail after insert on mail_deliveries for each row
  when (new.organization_id is not null and new.status = 'QUEUED' and current_person() is not null)
  execute function count_queued_mail();

-- The same for mail that an automation sends itself, as mail of its owner. A further attempt is the same message.
create function count_automation_mail() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if nullif(current_setting('app.mail_per_person', true), '') is null then return null; end if;
  if exists (select from automation_deliveries d where d.organization_id = new.organization_id and d.step_id = new.step_id
      and d.kind = new.kind and d.target = new.target and d.id <> new.id) then
    return null;
  end if;
  perform count_message_of(a.owner_user_id, new.target)
  from automation_steps s
  join automation_runs r on r.organization_id = s.organization_id and r.id = s.run_id
  join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
  where s.organization_id = new.organization_id and s.id = new.step_id;
  return null;
end $$;
revoke execute on function count_automation_mail from public;
create trigger count_automation_mail after insert on automation_deliveries for each row when (new.kind = 'EMAIL')
  execute function count_automation_mail();

-- Who created an organization; null for those from before. Together with the organizations that a person owns they count
-- towards the limit, so giving ownership away does not make room for more.
alter table organizations add column created_by uuid references users on delete set null;
alter table organizations alter column created_by set default current_person();
create index on organizations (created_by);

-- As before, with the limit. The account is locked, so that two requests at once do not both take the last place.
create or replace function create_organization(id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  most integer := nullif(current_setting('app.organizations_max', true), '');
begin
  if exists (select from organizations o where o.id = create_organization.id) or current_person() is null then
    raise exception 'That organization exists.' using errcode = 'insufficient_privilege';
  end if;
  if most is not null then
    perform from users u where u.id = current_person() for no key update;
    if (select count(*) from (select m.organization_id from memberships m where m.user_id = current_person() and m.role = 'OWNER'
        union select o.id from organizations o where o.created_by = current_person()) mine) >= most then
      raise exception 'A person has at most % organizations.', most
        using errcode = 'check_violation', constraint = 'organizations_max';
    end if;
  end if;
  perform set_config('app.organization', id::text, true);
end $$;
