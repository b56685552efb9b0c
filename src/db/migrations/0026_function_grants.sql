-- Nobody but the owner may execute a function unless it is granted. PostgreSQL lets everybody execute a new function, so the
-- roles of requests could call functions that only the product itself calls. From here on a migration that creates a function
-- for requests grants it: to kontor_confined, and to kontor_across if it reads without the rights of the owner.

alter default privileges revoke execute on functions from public;

do $$
declare
  -- Called by the product's own connections, or by functions that run as the owner.
  internal constant text[] := array[
    'count_job_pressure', 'requeue_abandoned_jobs', 'revive_jobs', 'take_tokens', 'count_sign_in', 'count_sign_in_failure',
    'record_sign_in_success', 'welcome_sign_in', 'subtract_sign_in_failure', 'forgive_sign_in', 'sign_in_wait',
    'schedule_period', 'schedule_event_id', 'zone_offset', 'amounts_match', 'document_event_hash', 'printed_rate',
    'refuse_frozen', 'refuse_frozen_change', 'sales_sort'];
  f record;
begin
  for f in
    select p.oid::regprocedure as name,
      p.prorettype <> 'trigger'::regtype and p.proname <> all (internal) as for_requests,
      p.provolatile <> 'v' and not p.prosecdef or p.proname in ('authorize_request', 'enter') as for_reading
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, coalesce(to_regnamespace('graphile_worker'), 'public'::regnamespace))
      and pg_has_role(p.proowner, 'usage')
      and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke execute on routine %s from public', f.name);
    if f.for_requests and f.name::text not like 'graphile_worker.%' then
      execute format('grant execute on routine %s to kontor_confined', f.name);
      if f.for_reading then execute format('grant execute on routine %s to kontor_across', f.name); end if;
    end if;
  end loop;
end $$;

-- Requests name owner_of_<table>() when they are authorized, so a new table grants it.
create or replace function organization_table(name text, key text default 'organization_id') returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_organization()))', name, key);
  execute format('create policy across on %I for select to kontor_across using (%I = any ((select current_organizations())::uuid[]))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  execute format('grant select on %I to kontor_across', name);
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'id' and c.data_type = 'uuid') then
    execute format('create function %I(row_id uuid) returns uuid language plpgsql stable security definer as
      $f$ begin return (select t.%I from public.%I t where t.id = row_id); end $f$', 'owner_of_' || name, key, name);
    execute format('grant execute on function %I(uuid) to kontor_confined', 'owner_of_' || name);
  end if;
  perform add_updated_at_trigger(name);
end $$;

-- It tells only whether a company keeps its books here, and lists of customers of all organizations ask it.
grant execute on function is_registered_organization(text, text), keeps_books_here(text, text) to kontor_across;

-- A temporary function or type could take the place of one that a function of the owner uses, and run with its rights.
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;
