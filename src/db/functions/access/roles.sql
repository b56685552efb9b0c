-- Guards that a member cannot give a role above their own, and that only owners weaken the rules for managers.

-- Refuses to give or take a role above that of the caller. The run of an automation has at most the role of the author of its
-- graph. The operations of members have the same rule and say which role is too high; this trigger also covers code that does not
-- ask.
create or replace function refuse_role_above_own() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  reach member_role;
begin
  select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) into reach
  from memberships m where m.organization_id = current_organization() and m.user_id = current_person();
  if (tg_op <> 'INSERT' and old.role > reach) or (tg_op <> 'DELETE' and new.role > reach) then
    raise exception 'That role is out of reach.' using errcode = 'check_violation', constraint = 'role_within_reach';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- The role in which the caller acts in an organization: the role of the person, or in the run of an automation the lowest role of
-- all people that it acts for.
create or replace function acting_role(place uuid) returns member_role
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) from memberships m
    where m.organization_id = place and m.user_id = current_person());
end $$;

-- Refuses callers below OWNER. A migration, a restore or a job of the product has no caller and is not refused.
create or replace function require_acting_owner(place uuid, rule text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_person() is not null and acting_role(place) is distinct from 'OWNER' then
    raise exception 'An owner changes that.' using errcode = 'check_violation', constraint = rule;
  end if;
end $$;

create or replace function guard_approval_rule() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_acting_owner(new.organization_id, 'owner_weakens_approval');
  return new;
end $$;

create or replace function guard_main_currency() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = new.id and d.issued_at is not null)
    or exists (select from payments p where p.organization_id = new.id)
    or exists (select from journal_entries e where e.organization_id = new.id)
    -- the amount above which another person approves would then be in another currency
    or exists (select from organization_settings s where s.organization_id = new.id and s.require_approval) then
    perform require_acting_owner(new.id, 'owner_changes_currency');
  end if;
  return new;
end $$;

create or replace trigger role_within_reach before insert or delete or update on memberships
  for each row when (current_person() is not null) execute function refuse_role_above_own();
create or replace trigger role_within_reach before insert or update of role on invitations
  for each row when (current_person() is not null) execute function refuse_role_above_own();
create or replace trigger guard_approval_rule before update of require_approval, expense_approval_above_minor on organization_settings
  for each row when (old.require_approval and (not new.require_approval or coalesce(new.expense_approval_above_minor, 0::bigint) > coalesce(old.expense_approval_above_minor, 0::bigint))) execute function guard_approval_rule();
create or replace trigger guard_main_currency before update of currency on organizations
  for each row when (old.currency <> new.currency) execute function guard_main_currency();
