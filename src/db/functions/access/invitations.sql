-- Guards that an invitation is accepted once, and by the person with the invited address.

-- Makes the signed-in person a member by the token of an invitation to their own address, and confines the transaction to that
-- organization. It makes no account (THR-08). The role is limited to what the sender of the invitation may still give.
create or replace function accept_invitation(token bytea, verified_only boolean, out outcome text, out organization uuid) returns record
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
    outcome := 'USED'; -- a member who was removed since cannot come back with the same invitation
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
grant execute on function accept_invitation(bytea, boolean) to kontor_confined;
