-- Batches of scans: many attachments of expenses that are read in the background, one job each.

create table scan_batches (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  total integer not null check (total between 1 and 100),
  done integer not null default 0 check (done >= 0),
  failed integer not null default 0 check (failed >= 0),
  completed_at timestamptz,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint scan_batch_counts check (done + failed <= total),
  constraint scan_batch_ends_with_its_last_file check ((done + failed = total) = (completed_at is not null))
);
select organization_table('scan_batches');
revoke insert, update, delete on scan_batches from kontor_confined;
grant insert (id, total) on scan_batches to kontor_confined;
create index on scan_batches (id);
create index on scan_batches (created_by);
create index on scan_batches (organization_id, created_at, id);

-- A file of a batch. It outlives its attachment: it says what happened to it.
create table scan_batch_files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  batch_id uuid not null,
  position integer not null check (position between 0 and 99),
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'COMPLETED', 'FAILED')),
  error text,
  duplicate_of_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, batch_id) references scan_batches on delete cascade,
  constraint scan_batch_files_differ unique (organization_id, batch_id, attachment_id),
  constraint failed_scan_batch_files_say_why check ((status = 'FAILED') = (error is not null)),
  constraint scanned_duplicates_failed check (status = 'FAILED' or duplicate_of_id is null)
);
select organization_table('scan_batch_files');
revoke insert, update, delete on scan_batch_files from kontor_confined;
grant insert (id, batch_id, position, attachment_id, expense_id), update (status, error, duplicate_of_id) on scan_batch_files to kontor_confined;
create index on scan_batch_files (id);
create index on scan_batch_files (created_at) where status = 'WAITING';

-- Counts a file in its batch when it has been read, and ends the batch with its last file. A file is read once.
create function count_scan_batch_file() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.status <> 'WAITING' then
    raise exception 'This file of the batch has been read.' using errcode = 'check_violation', constraint = 'scan_batch_files_are_read_once';
  end if;
  update scan_batches b set done = b.done + (new.status = 'COMPLETED')::integer, failed = b.failed + (new.status = 'FAILED')::integer,
      completed_at = case when b.done + b.failed + 1 = b.total then now() end
    where b.organization_id = new.organization_id and b.id = new.batch_id;
  return null;
end $$;
create trigger count_scan_batch_file after update on scan_batch_files for each row
  when (old.status is distinct from new.status or old.error is distinct from new.error) execute function count_scan_batch_file();

-- Enqueues the job that reads a file. Reading takes seconds, so these jobs come after all others, such as mail.
create function enqueue_scan(of_file uuid, run_at timestamptz default null) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid := current_organization();
begin
  if place is null then
    raise exception 'A scan belongs to an organization.' using errcode = 'insufficient_privilege';
  end if;
  perform graphile_worker.add_job('scan-batch-file', json_build_object('fileId', of_file), run_at => enqueue_scan.run_at,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $$;
revoke execute on function enqueue_scan(uuid, timestamptz) from public;
grant execute on function enqueue_scan(uuid, timestamptz) to kontor_confined;

-- Files that wait although no job will read them, for example because the database failed while an outcome was recorded.
create function lost_scans() returns table (organization_id uuid, id uuid, created_at timestamptz) language plpgsql stable as $$
begin
  return query select f.organization_id, f.id, f.created_at from public.scan_batch_files f
  where f.status = 'WAITING' and f.id::text not in (select queued_job_subjects('scan-batch-file', 'fileId'));
end $$;
create function requeue_lost_scans(most integer) returns bigint language sql as $$
  select count(requeue_job('scan-batch-file', 'fileId', lost.organization_id, lost.id))
  from (select * from lost_scans() s order by s.created_at, s.id limit most) lost
$$;
