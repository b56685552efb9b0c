-- Names the keys and apps that the audit log mentions, also after they were deleted.

-- The names of the keys and apps that did something in an organization, and of no others. It runs as the owner, because keys and
-- apps belong to people, and row security hides those of colleagues.
create or replace function names_in_audit_log(keys uuid[], clients text[]) returns table(kind text, id text, name text, prefix text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'API_KEY', k.id::text, k.name, k.prefix from api_keys k
  where k.id = any (keys) and exists (select from audit_log a where a.organization_id = current_organization() and a.api_key_id = k.id)
  union all
  (select distinct on (c.client_id) 'APP', c.client_id, c.client_name, null from connected_apps c
  where c.client_id = any (clients) and exists (select from audit_log a where a.organization_id = current_organization() and a.client_id = c.client_id)
  order by c.client_id, c.created_at desc)
$$;
grant execute on function names_in_audit_log(uuid[], text[]) to kontor_confined;
