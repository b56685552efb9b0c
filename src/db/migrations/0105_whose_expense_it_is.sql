-- Nobody approves what is their own. An expense is of everybody in whose interest it was entered, whose change was the last one, and
-- who has set its present amount: in a run of an automation that is its owner, its author and who started it. Before, it was of one
-- person, so a manager approved what they had let an automation of the owner enter, or had raised before somebody corrected the vendor.
alter table expenses
  add entered_for uuid[] not null default '{}',
  add changed_for uuid[] not null default '{}',
  add amount_for  uuid[] not null default '{}';
update expenses e set
  entered_for = (select array_remove(array[d.created_by], null) from documents d where d.organization_id = e.organization_id and d.id = e.id),
  changed_for = array_remove(array[e.changed_by], null),
  amount_for = array_remove(array[e.changed_by], null);
grant insert (entered_for, amount_for), update (changed_for, amount_for) on expenses to kontor_confined;

-- The addresses that people had before: a claimant is known by them too.
create table former_addresses (
  user_id    uuid not null references users on delete cascade,
  email      text not null,
  changed_at timestamptz not null default now(),
  primary key (user_id, email)
);
create index on former_addresses (lower(email));
select person_table('former_addresses');
revoke all on former_addresses from kontor_confined, kontor_across;

create function keep_former_address() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  insert into former_addresses (user_id, email) values (new.id, old.email) on conflict do nothing;
  return null;
end $$;
create trigger keep_former_address after update of email on users
  for each row when (lower(old.email) <> lower(new.email)) execute function keep_former_address();

-- The people that a claimant is: by the account that is linked with an employee, and by an address, also one that they had before.
create function people_of_claimant(place uuid, claimant uuid) returns setof uuid
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  with addresses as (
    select lower(c.email) as email from customers c where c.organization_id = place and c.id = claimant and c.email is not null
    union select lower(e.email) from employees e where e.organization_id = place and e.id = claimant and e.email is not null
  )
  select e.user_id from employees e where e.organization_id = place and e.id = claimant and e.user_id is not null
  union select u.id from users u join addresses a on lower(u.email) = a.email
  union select f.user_id from former_addresses f join addresses a on lower(f.email) = a.email
$$;
revoke execute on function people_of_claimant from public;
grant execute on function people_of_claimant to kontor_confined;

create or replace function note_claimant() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
begin
  new.claimed_by := array(
    select unnest(new.claimed_by)
    union select unnest(old.claimed_by) where tg_op = 'UPDATE'
    union select p from people_of_claimant(new.organization_id, new.claimant_id) p
    order by 1);
  return new;
end $$;

-- Who is known as a claimant by a record does not take that record from themselves: an owner does.
create function guard_own_record() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if current_person() in (select p from people_of_claimant(old.organization_id, old.id) p) then
    perform require_acting_owner(new.organization_id, 'own_record');
  end if;
  return new;
end $$;
create trigger guard_own_record before update of email on customers
  for each row when (old.email is distinct from new.email) execute function guard_own_record();
create trigger guard_own_record before update of email, user_id on employees
  for each row when (old.email is distinct from new.email or old.user_id is distinct from new.user_id and old.user_id is not null)
  execute function guard_own_record();
