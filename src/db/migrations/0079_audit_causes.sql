-- The audit log can be read by what caused an entry: the source, key, app, automation, run or turn.

-- All but the first hold only the entries that have such a cause, so the entries of people cost one index more. They are
-- created before the column is added, so that the log can be read meanwhile.
create index on audit_log (organization_id, source, created_at desc, id desc) where organization_id is not null;
create index on audit_log (organization_id, api_key_id, created_at desc, id desc) where organization_id is not null and api_key_id is not null;
create index on audit_log (organization_id, client_id, created_at desc, id desc) where organization_id is not null and client_id is not null;
create index on audit_log (organization_id, run_id, created_at desc, id desc) where organization_id is not null and run_id is not null;
create index on audit_log (organization_id, turn_id, created_at desc, id desc) where organization_id is not null and turn_id is not null;

-- Kept in the entry, because runs are deleted after a while. Entries of earlier versions are not filled in, since they never
-- change; they have their run_id.
alter table audit_log add column automation_id uuid;
create index on audit_log (organization_id, automation_id, created_at desc, id desc) where organization_id is not null and automation_id is not null;

-- The names of the keys and apps that did something in an organization, and of no others. They belong to persons, so that row
-- security hides those of colleagues.
create function names_in_audit_log(keys uuid[], clients text[]) returns table (kind text, id text, name text, prefix text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'API_KEY', k.id::text, k.name, k.prefix from api_keys k
  where k.id = any (keys) and exists (select from audit_log a where a.organization_id = current_organization() and a.api_key_id = k.id)
  union all
  (select distinct on (c.client_id) 'APP', c.client_id, c.client_name, null from connected_apps c
  where c.client_id = any (clients) and exists (select from audit_log a where a.organization_id = current_organization() and a.client_id = c.client_id)
  order by c.client_id, c.created_at desc)
$$;
revoke execute on function names_in_audit_log(uuid[], text[]) from public;
grant execute on function names_in_audit_log(uuid[], text[]) to kontor_confined;

-- The same for all organizations of a person at once: a role that reads these columns alone.
create policy used on api_keys for select to kontor_across using (exists (select from audit_log a where a.api_key_id = api_keys.id));
grant select (id, name, prefix) on api_keys to kontor_across;
create policy used on connected_apps for select to kontor_across using (exists (select from audit_log a where a.client_id = connected_apps.client_id));
grant select (client_id, client_name, created_at) on connected_apps to kontor_across;
