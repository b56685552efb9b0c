-- The rights of a graph in one query instead of four. A graph that was saved in a session has no credential, so nothing is
-- looked up for it: `null and f()` calls f.
create or replace function rights_of_graph(place uuid, graph uuid, out owner_user_id uuid, out author_user_id uuid, out role member_role,
  out scopes text[], out key_id uuid, out app_id uuid, out client_id text, out problem text)
language plpgsql stable security definer as $$
#variable_conflict use_column
declare
  credential text;
  of_author public.member_role;
begin
  select a.owner_user_id, g.author_user_id, m.role, g.scopes, g.api_key_id, g.app_id, g.client_id, g.credential_status,
    case when g.author_user_id = a.owner_user_id then m.role else (select n.role from public.memberships n
      join public.users w on w.id = n.user_id where n.organization_id = place and n.user_id = g.author_user_id and w.disabled_at is null) end
  into owner_user_id, author_user_id, role, scopes, key_id, app_id, client_id, credential, of_author
  from public.automation_graphs g
  join public.automations a on a.organization_id = place and a.id = g.automation_id
  left join (public.memberships m join public.users u on u.id = m.user_id and u.disabled_at is null)
    on m.organization_id = place and m.user_id = a.owner_user_id
  where g.organization_id = place and g.id = graph;
  if role is null then
    problem := 'OWNER';
  elsif of_author is null then
    problem := 'AUTHOR';
  elsif credential = 'ENDED' then
    problem := 'CREDENTIAL';
  elsif credential = 'ACTIVE' then
    if not public.credential_reaches(key_id, app_id, place) then problem := 'CREDENTIAL'; end if;
  end if;
  role := case when problem is null then least(role, of_author) end;
end $$;
