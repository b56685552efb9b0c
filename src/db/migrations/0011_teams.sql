-- Who works together: members and their roles, invitations, what people are told, and how an organization is set up.

-- What a person chooses for themselves.
alter table users
  add column locale text not null default 'en' check (locale in ('en', 'he')),
  add column digest text not null default 'NONE' check (digest in ('NONE', 'DAILY', 'WEEKLY'));
create index on users (id) where digest <> 'NONE'; -- the few whom the digest is for

-- A request reads no password hash, not even its own person's, and changes what people choose for themselves alone.
revoke select, insert, update, delete on users from kontor_confined;
grant select (id, name, email, email_verified_at, disabled_at, locale, digest, created_at, updated_at) on users to kontor_confined;
grant select (id, name, email) on users to kontor_across;
grant update (name, locale, digest) on users to kontor_confined;

-- Within an organization one sees who belongs to it and whoever has left a trace in it: the subqueries are confined too.
create policy colleagues on users for select to kontor_confined, kontor_across
  using (exists (select from memberships m where m.user_id = users.id) or exists (select from audit_log a where a.user_id = users.id));

-- The audit trail of all one's organizations, and how it is looked through.
create policy across on audit_log for select to kontor_across using (organization_id = any ((select current_organizations())::uuid[]));
grant select on audit_log to kontor_across;
create index on audit_log (organization_id, user_id, created_at desc, id desc) where organization_id is not null;
create index on audit_log (organization_id, object_id, created_at desc, id desc) where organization_id is not null;

-- As before, but two owners who leave at the same moment wait for each other: each alone would find the other still there.
create or replace function require_owner() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid;
begin
  if tg_table_name = 'organizations' then
    place := new.id;
  elsif old.role = 'OWNER' then
    place := old.organization_id;
  else
    return null;
  end if;
  perform from organizations where id = place for no key update;
  if found and not exists (select from memberships where organization_id = place and role = 'OWNER') then
    raise exception 'An organization always has an owner.' using errcode = 'check_violation', constraint = 'organization_has_owner';
  end if;
  return null;
end $$;

-- Nobody gives a role above their own, or takes one from somebody above them. For requests alone: whoever founds an
-- organization or accepts an invitation has no role in it yet, and what the product does by itself is nobody's.
create function require_reach() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reach member_role;
begin
  select m.role into reach from memberships m where m.organization_id = current_organization() and m.user_id = current_person();
  if (tg_op <> 'INSERT' and old.role > reach) or (tg_op <> 'DELETE' and new.role > reach) then
    raise exception 'That role is out of reach.' using errcode = 'check_violation', constraint = 'role_within_reach';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger role_within_reach before insert or update or delete on memberships for each row
  when (current_person() is not null) execute function require_reach();
revoke update on memberships from kontor_confined;
grant update (role) on memberships to kontor_confined;

create table invitations (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  email           text not null check (email <> ''),
  role            member_role not null,
  invited_by      uuid references users on delete set null,
  secret_hash     bytea not null unique check (octet_length(secret_hash) = 32),
  expires_at      timestamptz not null default now() + interval '7 days',
  accepted_at     timestamptz,
  accepted_by     uuid references users on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index one_invitation_per_address on invitations (organization_id, lower(email)) where accepted_at is null;
create index on invitations (organization_id, created_at desc, id desc);
create index on invitations (invited_by);
create index on invitations (accepted_by);
create index on invitations (expires_at); -- pruning
select organization_table('invitations');
-- A token is compared and never read back; whether it was accepted is for accept_invitation() to say.
revoke select, insert, update on invitations from kontor_confined, kontor_across;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations
  to kontor_confined, kontor_across;
grant insert (organization_id, id, email, role, invited_by, secret_hash) on invitations to kontor_confined;
grant update (role, invited_by, secret_hash, expires_at) on invitations to kontor_confined;
create trigger role_within_reach before insert or update of role on invitations for each row
  when (current_person() is not null) execute function require_reach();

-- Lets the signed-in person in with the token of an invitation to their own address, and confines the transaction to the
-- organization they now belong to. Nobody is made here who does not exist (THR-08). An invitation is worth what its sender
-- may still give.
create function accept_invitation(token bytea, verified_only boolean, out outcome text, out organization uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person users;
  invitation invitations;
  belongs boolean;
begin
  select * into person from users u where u.id = current_person();
  select * into invitation from invitations i where i.secret_hash = token for update;
  outcome := case
    when invitation.id is null or person.id is null then 'UNKNOWN'
    when lower(invitation.email) <> lower(person.email) then 'OTHER_ADDRESS'
    when verified_only and person.email_verified_at is null then 'NOT_VERIFIED'
    when invitation.accepted_at is not null then 'ACCEPTED'
    when invitation.expires_at <= now() then 'EXPIRED'
    when not exists (select from memberships m where m.organization_id = invitation.organization_id
      and m.user_id = invitation.invited_by and m.role >= greatest(invitation.role, 'MANAGER')) then 'WITHDRAWN'
    else 'ACCEPTED' end;
  if outcome <> 'ACCEPTED' then return; end if;
  belongs := exists (select from memberships m where m.organization_id = invitation.organization_id and m.user_id = person.id);
  if invitation.accepted_at is not null and not belongs then
    outcome := 'USED'; -- whoever was removed since does not come back by the same door
    return;
  end if;
  if invitation.accepted_at is null then
    outcome := case when belongs then 'ACCEPTED' else 'JOINED' end;
    update invitations i set accepted_at = now(), accepted_by = person.id
    where i.organization_id = invitation.organization_id and i.id = invitation.id;
    insert into memberships (organization_id, user_id, role) values (invitation.organization_id, person.id, invitation.role)
    on conflict do nothing;
  end if;
  organization := invitation.organization_id;
  perform set_config('app.organization', organization::text, true);
end $$;

create table notifications (
  id              uuid primary key,
  user_id         uuid not null references users on delete cascade,
  organization_id uuid, -- null for what concerns a person alone
  kind            text not null check (kind <> ''),
  data            jsonb not null,
  read_at         timestamptz,
  digested_at     timestamptz,
  created_at      timestamptz not null default now(),
  -- whoever leaves an organization is told nothing of it any more, and what they were told goes too
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index on notifications (user_id, created_at desc, id desc);
create index on notifications (user_id) where read_at is null;
create index on notifications (organization_id, user_id);
create index on notifications (created_at); -- pruning
select person_table('notifications');
revoke insert, update, delete on notifications from kontor_confined;
grant insert (id, user_id, organization_id, kind, data) on notifications to kontor_confined;
grant update (read_at) on notifications to kontor_confined;
create policy to_colleagues on notifications for insert to kontor_confined with check (organization_id = (select current_organization()));

-- Who was sent a digest, or had nothing to be sent, on which day of theirs.
create table digests (
  user_id    uuid not null references users on delete cascade,
  day        date not null,
  created_at timestamptz not null default now(),
  primary key (user_id, day)
);
create index on digests (created_at); -- pruning
select system_table('digests');

create table organization_settings (
  organization_id              uuid primary key default current_organization() references organizations on delete cascade,
  sender_name                  text check (sender_name <> ''),
  default_tax_rate             numeric(7, 4) check (default_tax_rate between 0 and 100),
  require_approval             boolean not null default false,
  expense_approval_above_minor bigint check (expense_approval_above_minor >= 0),
  logo_file_id                 uuid,
  language                     text not null default 'en' check (language in ('en', 'he')),
  digest                       boolean not null default true,
  plan                         text not null default 'FREE',
  updated_at                   timestamptz not null default now(),
  foreign key (organization_id, logo_file_id) references files (organization_id, id) on delete set null (logo_file_id)
);
create index on organization_settings (organization_id, logo_file_id);
select organization_table('organization_settings');
revoke insert, update, delete on organization_settings from kontor_confined; -- nobody gives themselves a plan
grant insert (organization_id, sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest),
  update (sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest)
  on organization_settings to kontor_confined;

-- How documents of a type are numbered; next_number is moved on by what numbers them.
create table document_numbering (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  document_type   text not null check (document_type <> ''),
  prefix          text not null default '' check (length(prefix) <= 20),
  padding         integer not null default 0 check (padding between 0 and 12),
  next_number     bigint not null default 1 check (next_number >= 1),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, document_type)
);
select organization_table('document_numbering');
