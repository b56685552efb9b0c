-- Files that people brought. The bytes are in the file store under storage_key, written whole and synced before the row
-- is: there is no row without its file. What is in the store and has no row is swept after an hour.
create table files (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  file_name       text not null check (file_name <> '' and length(file_name) <= 200 and file_name !~ '[/\\[:cntrl:]]'),
  file_type       text not null check (length(file_type) <= 255), -- told by the bytes
  declared_type   text check (length(declared_type) <= 255),      -- as the sender had it
  file_size       integer not null check (file_size > 0),
  sha256          text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key     text not null check (storage_key <> ''),
  purpose         text not null default 'upload' check (purpose ~ '^[a-z-]+$'),
  created_by      uuid default current_person() references users on delete set null,
  attached_at     timestamptz, -- when something of the organization first used it
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, storage_key)
);
create index on files (id);
create index on files (storage_key); -- the sweep asks for keys of all organizations
create index on files (created_by);
select organization_table('files');
-- What was brought stays as it was brought.
revoke update on files from kontor_confined;
grant update (attached_at) on files to kontor_confined;

-- Where in the store this database keeps what is brought from now on. Made at the first start and in no backup, so a
-- restored copy has another one: it reads what the original kept, and neither sweeps nor removes it.
create table file_home (
  single boolean primary key default true check (single),
  home   text not null check (home ~ '^[0-9a-f]{12}$')
);
select system_table('file_home');
