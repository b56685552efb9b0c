-- Rules that bind managers are weakened by an owner alone: who approves what (and above which amount), the lock of a period,
-- how documents are numbered that were issued before, and the main currency of books with entries. Before, a manager switched the
-- approval of expenses off, approved an own one and switched it on again.

-- The role in which the caller acts here: that of the person, in a run of an automation the lowest of all it acts for.
create function acting_role(place uuid) returns member_role
language plpgsql stable security definer set search_path to 'public', 'pg_temp' as $$
begin
  return (select least(m.role, nullif(current_setting('app.role_limit', true), '')::member_role) from memberships m
    where m.organization_id = place and m.user_id = current_person());
end $$;

-- Nobody acts while a migration, a restore or a job of the product writes.
create function require_acting_owner(place uuid, rule text) returns void
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if current_person() is not null and acting_role(place) is distinct from 'OWNER' then
    raise exception 'An owner changes that.' using errcode = 'check_violation', constraint = rule;
  end if;
end $$;

create function guard_approval_rule() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  perform require_acting_owner(new.organization_id, 'owner_weakens_approval');
  return new;
end $$;
create trigger guard_approval_rule before update of require_approval, expense_approval_above_minor on organization_settings
  for each row when (old.require_approval and (not new.require_approval
    or coalesce(new.expense_approval_above_minor, 0) > coalesce(old.expense_approval_above_minor, 0)))
  execute function guard_approval_rule();

create or replace function guard_period_lock() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
declare
  today date;
begin
  perform hold_period_lock(new.organization_id);
  today := day_of_organization(new.organization_id, now());
  if new.locked_until > today then
    raise exception 'A period is locked until today at most.' using errcode = 'check_violation', constraint = 'lock_not_in_future', detail = today::text;
  end if;
  if tg_op = 'UPDATE' and old.locked_until > coalesce(new.locked_until, '-infinity') then
    perform require_acting_owner(new.organization_id, 'owner_unlocks_period');
  end if;
  return new;
end $$;

create function guard_format_of_issued() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if tg_op = 'INSERT' then
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- the insert becomes an update
    end if;
  elsif (new.prefix, new.padding) = (old.prefix, old.padding) then
    return new;
  end if;
  -- a type without a format of its own has that of its series
  if exists (select from documents d where d.organization_id = new.organization_id and new.document_type in (d.document_type, d.series) and d.sequence is not null) then
    perform require_acting_owner(new.organization_id, 'owner_changes_numbering');
  end if;
  return new;
end $$;
create trigger guard_format_of_issued before insert or update of prefix, padding on document_numbering
  for each row execute function guard_format_of_issued();

create function guard_main_currency() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if exists (select from documents d where d.organization_id = new.id and d.issued_at is not null)
    or exists (select from payments p where p.organization_id = new.id)
    or exists (select from journal_entries e where e.organization_id = new.id)
    -- the amount above which somebody else approves would be one in another currency
    or exists (select from organization_settings s where s.organization_id = new.id and s.require_approval) then
    perform require_acting_owner(new.id, 'owner_changes_currency');
  end if;
  return new;
end $$;
create trigger guard_main_currency before update of currency on organizations
  for each row when (old.currency <> new.currency) execute function guard_main_currency();

revoke execute on function acting_role, require_acting_owner from public;
