-- Lets a person create an organization with its first owner in one transaction, because requests may not write members of an
-- organization that they are not in.

-- The first statement when an organization is created: confines the transaction to an id that no organization has yet, so that its
-- creator can insert the rows. The account is locked, so that two requests at the same time do not both use the last organization
-- that the account may have.
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
grant execute on function create_organization(uuid) to kontor_confined;
