-- How the last backup that succeeded and the last one that failed ended, for metrics and notifications.
create table backup_outcomes (
  outcome       text primary key check (outcome in ('GOOD', 'FAILED')),
  ended_at      timestamptz not null,
  bytes         bigint check (bytes >= 0),
  -- Files that rows refer to and the store did not have; null if it was not asked or did not answer.
  missing_files bigint check (missing_files >= 0),
  reason        text,
  notified_at   timestamptz
);
select system_table('backup_outcomes');
