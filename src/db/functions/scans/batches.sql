-- Counts the files of a batch of scans, and finds files whose job was lost.

-- Counts a file in its batch when it has been read, and ends the batch with its last file. A file is read once.
create or replace function count_scan_batch_file() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.status <> 'WAITING' then
    raise exception 'This file of the batch has been read.' using errcode = 'check_violation', constraint = 'scan_batch_files_are_read_once';
  end if;
  update scan_batches b set done = b.done + (new.status = 'COMPLETED')::integer, failed = b.failed + (new.status = 'FAILED')::integer,
      completed_at = case when b.done + b.failed + 1 = b.total then now() end
    where b.organization_id = new.organization_id and b.id = new.batch_id;
  return null;
end $$;

-- Enqueues the job that reads a file. Reading takes seconds, so these jobs come after all others, such as mail.
create or replace function enqueue_scan(of_file uuid, run_at timestamptz default null::timestamptz) returns void
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
grant execute on function enqueue_scan(uuid, timestamptz) to kontor_confined;

-- Waiting files without a job, for example because the database failed while an outcome was recorded.
create or replace function lost_scans() returns table(organization_id uuid, id uuid, created_at timestamptz) language plpgsql stable as $$
begin
  return query select f.organization_id, f.id, f.created_at from public.scan_batch_files f
  where f.status = 'WAITING' and f.id::text not in (select queued_job_subjects('scan-batch-file', 'fileId'));
end $$;

create or replace function requeue_lost_scans(most integer) returns bigint language sql as $$
  select count(requeue_job('scan-batch-file', 'fileId', lost.organization_id, lost.id))
  from (select * from lost_scans() s order by s.created_at, s.id limit most) lost
$$;

create or replace trigger count_scan_batch_file after update on scan_batch_files
  for each row when (old.status is distinct from new.status or old.error is distinct from new.error) execute function count_scan_batch_file();
