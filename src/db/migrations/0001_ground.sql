-- The words that every later migration is written in: who is calling, which organization the transaction is confined
-- to, and how a table is put behind row security.

-- Requests run as one of two roles that own nothing and bypass nothing. Roles belong to the cluster, not the database.
do $$
begin
  if not exists (select from pg_roles where rolname = 'kontor_confined') then
    create role kontor_confined nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'kontor_across') then
    create role kontor_across nologin;
  end if;
exception when duplicate_object or unique_violation then null; -- another database of this cluster was faster
end $$;
grant kontor_confined, kontor_across to current_user;
grant usage on schema public to kontor_confined, kontor_across;

create function current_person() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.person', true), '')::uuid $$;

create function current_organization() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.organization', true), '')::uuid $$;

create function current_organizations() returns uuid[] language sql stable parallel safe
  as $$ select coalesce(nullif(current_setting('app.organizations', true), ''), '{}')::uuid[] $$;

-- A row that really changed knows when, by the database's clock.
create function touch() returns trigger language plpgsql as $$
begin
  if new is distinct from old then new.updated_at := now(); end if;
  return new;
end $$;

create function touched(name text) returns void language plpgsql as $$
begin
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'updated_at') then
    execute format('create trigger touch before update on %I for each row execute function touch()', name);
  end if;
end $$;

-- Puts a table of one organization behind row security: a request sees and writes the organization it has entered
-- (kontor_confined), a list without one reads those of the caller (kontor_across). owner_of_<table> tells enter() whose
-- row an id is.
create function organization_table(name text, key text default 'organization_id') returns void language plpgsql as $$
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
  end if;
  perform touched(name);
end $$;

-- The same for a table of one person.
create function person_table(name text, key text default 'user_id') returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_person()))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  perform touched(name);
end $$;

-- A table that only the product itself touches, through functions or its own connections.
create function system_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
end $$;

-- Rows that may be added and never changed (INV-19). Deleting a whole organization takes its rows along.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

create function append_only(name text) returns void language plpgsql as $$
begin
  execute format('revoke update, delete, truncate on %I from kontor_confined, kontor_across', name);
  execute format('create trigger append_only before update or delete on %I for each row execute function refuse_change()', name);
end $$;
