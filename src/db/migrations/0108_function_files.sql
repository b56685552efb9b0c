-- The files of src/db/functions that were applied to this database. A start applies those whose checksum differs.
create table function_files (
  name       text primary key,
  checksum   text not null,
  -- The version of Kontor that applied it: an older one does not replace it.
  version    text not null,
  applied_at timestamptz not null default now()
);
select system_table('function_files');
