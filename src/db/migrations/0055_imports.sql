-- Imports: customers, suppliers, items and opening balances that were read from a file. The rows of a file are written in one
-- transaction with this row, so an import is complete or absent.

create table imports (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('CUSTOMERS', 'SUPPLIERS', 'ITEMS', 'OPENING_BALANCES')),
  file_name text not null check (file_name <> ''),
  file_size bigint not null check (file_size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  row_count integer not null,
  created_count integer not null check (created_count >= 0),
  updated_count integer not null check (updated_count >= 0),
  unchanged_count integer not null check (unchanged_count >= 0),
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint every_row_counts_once check (row_count = created_count + updated_count + unchanged_count)
);
select organization_table('imports');
revoke update, delete on imports from kontor_confined;
create index on imports (id);
create index on imports (created_by);
create index on imports (organization_id, created_at, id);

-- The import that added a counterparty, which then has no customer.created event of its own.
alter table customers add column import_id uuid;
alter table customers add constraint customer_import foreign key (organization_id, import_id) references imports;
create index on customers (organization_id, import_id) where import_id is not null;
