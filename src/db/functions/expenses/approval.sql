-- Guards the approval of expenses: where another person has to approve, nobody approves an expense in their own interest.

-- Notes which person a claimant is. An employee who is linked with an account is that person, whatever e-mail address the employee
-- has.
create or replace function note_claimant() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.claimed_by := array(
    select unnest(new.claimed_by)
    union select unnest(old.claimed_by) where tg_op = 'UPDATE'
    union select p from people_of_claimant(new.organization_id, new.claimant_id) p
    order by 1);
  return new;
end $$;

-- The people that a claimant is: by the account that is linked with the employee, and by a present or earlier address.
create or replace function people_of_claimant(place uuid, claimant uuid) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  with addresses as (
    select lower(c.email) as email from customers c where c.organization_id = place and c.id = claimant and c.email is not null
    union select lower(e.email) from employees e where e.organization_id = place and e.id = claimant and e.email is not null
  )
  select e.user_id from employees e where e.organization_id = place and e.id = claimant and e.user_id is not null
  union select u.id from users u join addresses a on lower(u.email) = a.email
  union select f.user_id from former_addresses f join addresses a on lower(f.email) = a.email
$$;
grant execute on function people_of_claimant(uuid, uuid) to kontor_confined;

create or replace function guard_approval() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id and d.status = 'APPROVED') then
    raise exception 'Nobody approves a claim of their own.' using errcode = 'check_violation', constraint = 'own_claim';
  end if;
  return null;
end $$;

-- Refuses a change of address or account on the record of a claimant by the claimant, because it would hide that a claim is their
-- own. An owner can make it.
create or replace function guard_own_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_person() in (select p from people_of_claimant(old.organization_id, old.id) p) then
    perform require_acting_owner(new.organization_id, 'own_record');
  end if;
  return new;
end $$;

create or replace trigger note_claimant before insert or update of claimant_id, claimed_by on expenses
  for each row execute function note_claimant();
create constraint trigger guard_approval after update of reviewed_by, reviewed_at on expenses deferrable initially deferred
  for each row when (new.reviewed_by = any (new.claimed_by)) execute function guard_approval();
create or replace trigger guard_own_record before update of email on customers
  for each row when (old.email is distinct from new.email) execute function guard_own_record();
create or replace trigger guard_own_record before update of email, user_id on employees
  for each row when (old.email is distinct from new.email or old.user_id is distinct from new.user_id and old.user_id is not null) execute function guard_own_record();
