-- How a person wants the app to look and behave. One row per person; a person without a row has the defaults.
create table preferences (
  user_id uuid primary key references users (id) on delete cascade,
  value jsonb not null default '{}' check (jsonb_typeof(value) = 'object'),
  updated_at timestamptz not null default now(),
  constraint preferences_within_64_kib check (octet_length(value::text) <= 65536)
);
alter table preferences enable row level security, force row level security;
create policy confined on preferences to kontor_confined using (user_id = (select current_person()));
do $$ begin execute format('create policy system on preferences to %I using (true) with check (true)', current_user); end $$;
grant select, insert (user_id, value), update (value) on preferences to kontor_confined;
select add_updated_at_trigger('preferences');

-- A list with its search, filters and order, under a name: of one person, or shared with the organization.
create table views (
  organization_id uuid not null default current_organization() references organizations (id) on delete cascade,
  id uuid primary key,
  user_id uuid not null default current_person() references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  screen text not null check (screen ~ '^[a-z][a-z0-9/-]{0,59}$'),
  search text not null default '' check (length(search) <= 4000),
  shared boolean not null default false,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on views (organization_id, screen, position, created_at, id);
create index on views (organization_id, user_id);
create index on views (user_id);
select organization_table('views');

-- Nobody reads the views that colleagues saved for themselves. The owner of the tables has the role too.
do $$ begin
  execute format('create policy own_or_shared on views as restrictive to kontor_confined, kontor_across
    using ((select current_user = %L) or shared or user_id = (select current_person()))', current_user);
end $$;
