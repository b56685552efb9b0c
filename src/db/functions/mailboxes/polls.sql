-- Polls mailboxes when they are due, and counts what each poll finds.

-- Refuses changes of a run that has ended.
create or replace function keep_ended_ingestion_runs() returns trigger language plpgsql as $$
begin
  if old.completed_at is not null then
    raise exception 'This run has ended.' using errcode = 'check_violation', constraint = 'ingestion_run_has_ended';
  end if;
  return new;
end $$;

-- Counts the messages of a run. A run that has ended accepts none.
create or replace function count_ingestion_messages() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ingestion_runs r set emails_scanned = r.emails_scanned + n.scanned, emails_detected = r.emails_detected + n.detected,
    expenses_created = r.expenses_created + n.created, last_progress_at = now(), resumed = 0
  from (select m.organization_id, m.run_id, count(*)::integer as scanned, (count(*) filter (where m.is_detected))::integer as detected,
      (count(*) filter (where m.outcome = 'CREATED'))::integer as created
    from added m group by m.organization_id, m.run_id) n
  where r.organization_id = n.organization_id and r.id = n.run_id;
  return null;
end $$;

-- Enqueues the job of a run. It allows many attempts, because a poll continues after every crash of its worker as long as it reads
-- at least one message between two crashes. The run itself counts how often it was resumed without a message, and ends in ERROR;
-- with the 25 attempts of the queue it could stay RUNNING forever.
create or replace function enqueue_poll(of_run uuid, run_at timestamptz default null::timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid;
begin
  select r.organization_id into place from ingestion_runs r where r.id = of_run
    and (current_organization() is null or r.organization_id = current_organization());
  if place is null then return; end if;
  perform graphile_worker.add_job('poll-mailbox', json_build_object('runId', of_run), run_at => enqueue_poll.run_at, max_attempts => 10000,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $$;
grant execute on function enqueue_poll(uuid, timestamptz) to kontor_confined;

-- Runs that have not ended and have no job, because the database failed while the job was recorded, or a lease ran out.
create or replace function lost_polls() returns table(organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.ingestion_runs r
  where r.completed_at is null and r.id::text not in (select queued_job_subjects('poll-mailbox', 'runId'));
end $$;

-- Enqueues lost polls again. A job of an earlier version without attempts left never runs, so its run counts as lost too.
create or replace function requeue_lost_polls(most integer) returns bigint language sql as $$
  select count(enqueue_poll(lost.id)) from (select * from lost_polls() p order by p.started_at, p.id limit most) lost
$$;

-- The moment from which a poll without dates reads: the last poll, or the oldest message that is to be tried again.
create or replace function poll_from(of_connection uuid, until timestamptz) returns timestamptz language sql stable as $$
  select least(coalesce(c.last_polled_at, until - interval '30 days'), until,
    (select min(m.received_at) from mail_messages m where m.organization_id = c.organization_id and m.connection_id = c.id and m.is_retried))
  from mail_connections c where c.id = of_connection
$$;
grant execute on function poll_from(uuid, timestamptz) to kontor_confined;

-- Starts the automatic polls that are due by the clock of their organizations. Of several missed periods one is polled.
create or replace function start_due_polls(most integer) returns bigint language sql as $$
  with due as (
    select c.organization_id, c.id, c.created_by, (now() at time zone o.timezone)::date as today
    from mail_connections c join organizations o on o.id = c.organization_id
    where c.auto_poll_enabled and c.enabled and c.deleted_at is null and c.attention is null
      and (c.next_poll_on is null or c.next_poll_on <= (now() at time zone o.timezone)::date)
      and (c.retry_at is null or c.retry_at <= now())
      and not exists (select from ingestion_runs r where r.organization_id = c.organization_id and r.connection_id = c.id and r.completed_at is null)
    order by c.organization_id, c.id limit most
    for update of c skip locked
  ), moved as (
    update mail_connections c set next_poll_on = due.today + c.poll_interval_days from due
    where c.organization_id = due.organization_id and c.id = due.id
  ), begun as (
    insert into ingestion_runs (organization_id, id, connection_id, date_from, date_to, is_automatic, is_continued, created_by)
    select due.organization_id, new_id(), due.id, poll_from(due.id, now()), now(), true, true, due.created_by from due returning organization_id, id
  )
  select count(requeue_job('poll-mailbox', 'runId', begun.organization_id, begun.id)) from begun
$$;

create or replace trigger keep_ended_ingestion_runs before update of status, completed_at, emails_scanned, lease on ingestion_runs
  for each row execute function keep_ended_ingestion_runs();
create or replace trigger count_ingestion_messages after insert on ingestion_messages referencing new table as added
  for each statement execute function count_ingestion_messages();
