-- Mailboxes that receipts are read from: connections, runs over them, and what became of each message.

create table mail_connections (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  provider text not null check (provider in ('GMAIL', 'OUTLOOK', 'IMAP', 'POP3')),
  enabled boolean not null default true,
  host text check (length(host) between 1 and 253),
  port integer check (port between 1 and 65535),
  use_tls boolean not null default true,
  username text check (length(username) between 1 and 320),
  password bytea,
  tokens bytea, -- of the provider's sign-in: access and refresh token
  token_expires_at timestamptz,
  folder_or_label text check (length(folder_or_label) between 1 and 500),
  subject_filter text check (length(subject_filter) between 1 and 500),
  sender_whitelist text[] not null default '{}' check (cardinality(sender_whitelist) <= 200),
  auto_poll_enabled boolean not null default false,
  poll_interval_days integer not null default 1 check (poll_interval_days between 1 and 365),
  next_poll_on date, -- the organization's day of the next automatic poll; null: as soon as possible
  retry_at timestamptz, -- no automatic poll before, after a failure
  failures integer not null default 0 check (failures >= 0), -- in a row
  last_polled_at timestamptz,
  attention text, -- what a person has to do before it can be polled again
  auto_scan_automation_id uuid,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz, -- its runs and expenses stay
  primary key (organization_id, id),
  foreign key (organization_id, auto_scan_automation_id) references automations on delete set null (auto_scan_automation_id),
  constraint deleted_mail_connections_have_no_secrets check (deleted_at is null or (password is null and tokens is null)),
  constraint mail_tokens_are_of_a_provider check (tokens is null or provider in ('GMAIL', 'OUTLOOK'))
);
select organization_table('mail_connections');
select secret_column('mail_connections', 'password', worker_only => false);
select secret_column('mail_connections', 'tokens', worker_only => false);
revoke select on mail_connections from kontor_across;
create index on mail_connections (id);
create index on mail_connections (created_by);
create index on mail_connections (organization_id, auto_scan_automation_id);
create index on mail_connections (organization_id, created_at, id);
create index on mail_connections (next_poll_on) where auto_poll_enabled and enabled and deleted_at is null;

-- A stored password or token is used with the server and account that it was given for, and with no other (THR-19).
create function keep_mail_secrets_at_their_server() returns trigger language plpgsql as $$
begin
  if (new.provider, new.host, new.port, new.use_tls, new.username) is distinct from (old.provider, old.host, old.port, old.use_tls, old.username) then
    if new.password is not distinct from old.password then new.password := null; end if;
    if new.tokens is not distinct from old.tokens then
      new.tokens := null;
      new.token_expires_at := null;
    end if;
  end if;
  -- Another mailbox or folder: nothing of it was read, and its places mean other messages.
  if (new.provider, new.host, new.port, new.username, new.folder_or_label) is distinct from
     (old.provider, old.host, old.port, old.username, old.folder_or_label) then
    new.last_polled_at := null;
    delete from mail_places p where p.organization_id = new.organization_id and p.connection_id = new.id;
  end if;
  return new;
end $$;
create trigger keep_mail_secrets_at_their_server before update on mail_connections for each row
  execute function keep_mail_secrets_at_their_server();

-- A poll of a mailbox. One job works on it at a time: the one that holds the lease.
create table ingestion_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  connection_id uuid not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'RUNNING', 'DONE', 'ERROR', 'MANUAL_STOP')),
  date_from timestamptz not null,
  date_to timestamptz not null,
  emails_scanned integer not null default 0,
  emails_detected integer not null default 0,
  expenses_created integer not null default 0,
  error_message text,
  started_at timestamptz not null default now(),
  claimed_at timestamptz,
  last_progress_at timestamptz,
  completed_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  resumed integer not null default 0, -- without progress in between
  is_automatic boolean not null default false,
  is_continued boolean not null default false, -- it goes on from the last poll, and no dates were given
  created_by uuid default current_person() references users on delete set null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, connection_id) references mail_connections on delete cascade,
  constraint ingestion_window check (date_from <= date_to),
  constraint ended_ingestion_runs check ((status in ('DONE', 'ERROR', 'MANUAL_STOP')) = (completed_at is not null)),
  constraint running_ingestion_runs_have_a_lease check (status <> 'RUNNING' or (lease is not null and lease_until is not null)),
  constraint failed_ingestion_runs_say_why check ((status = 'ERROR') = (error_message is not null))
);
select organization_table('ingestion_runs');
revoke insert, update, delete on ingestion_runs from kontor_confined;
grant insert (id, connection_id, date_from, date_to, is_continued),
  update (status, error_message, claimed_at, last_progress_at, completed_at, lease, lease_until, resumed) on ingestion_runs to kontor_confined;
create index on ingestion_runs (id);
create index on ingestion_runs (created_by);
create index on ingestion_runs (organization_id, started_at, id);
create index on ingestion_runs (organization_id, connection_id, started_at);
create index on ingestion_runs (started_at) where completed_at is null;

-- A run that has ended stays as it is.
create function keep_ended_ingestion_runs() returns trigger language plpgsql as $$
begin
  if old.completed_at is not null then
    raise exception 'This run has ended.' using errcode = 'check_violation', constraint = 'ingestion_run_has_ended';
  end if;
  return new;
end $$;
create trigger keep_ended_ingestion_runs before update of status, completed_at, emails_scanned, lease on ingestion_runs for each row
  execute function keep_ended_ingestion_runs();

-- A message of the organization, whichever mailbox it was read from. Its key is made of Message-ID and content, so the
-- same message in another folder, connection or after a move is known (INV-16).
create table mail_messages (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  key text not null check (length(key) between 1 and 100),
  message_id text check (length(message_id) <= 1000),
  subject text check (length(subject) <= 1000),
  outcome text not null check (outcome in ('CREATED', 'DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DROPPED_NO_DATA', 'FAILED')),
  reason text check (length(reason) <= 2000),
  is_detected boolean not null,
  expense_id uuid,
  connection_id uuid not null,
  received_at timestamptz,
  is_retried boolean not null default false, -- the next poll tries it again
  attempts integer not null default 1 check (attempts >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, key),
  foreign key (organization_id, connection_id) references mail_connections on delete cascade,
  foreign key (organization_id, expense_id) references expenses on delete set null (expense_id),
  constraint mail_failures_are_retried check (not is_retried or outcome = 'FAILED')
);
select organization_table('mail_messages');
create index on mail_messages (organization_id, expense_id);
create index on mail_messages (organization_id, connection_id);
create index on mail_messages (organization_id, connection_id, received_at) where is_retried;

-- Where a message was seen. Saves fetching it again, and identifies nothing.
create table mail_places (
  organization_id uuid not null default current_organization(),
  connection_id uuid not null,
  folder text not null,
  place text not null check (length(place) <= 1000),
  key text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, connection_id, folder, place),
  foreign key (organization_id, connection_id) references mail_connections on delete cascade,
  foreign key (organization_id, key) references mail_messages on delete cascade
);
select organization_table('mail_places');
create index on mail_places (organization_id, key);

-- A document that came by mail. Each makes one expense, whichever messages bring it (INV-16).
create table mail_documents (
  organization_id uuid not null default current_organization(),
  hash text not null check (length(hash) between 1 and 200),
  message_key text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, hash),
  foreign key (organization_id, message_key) references mail_messages on delete cascade deferrable initially deferred
);
select organization_table('mail_documents');
create index on mail_documents (organization_id, message_key);

-- What became of a message in a run.
create table ingestion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  run_id uuid not null,
  folder text not null,
  place text not null check (length(place) <= 1000),
  message_id text not null check (length(message_id) <= 1000),
  subject text check (length(subject) <= 1000),
  outcome text not null check (outcome in ('CREATED', 'DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DROPPED_NO_DATA', 'FAILED')),
  reason text check (length(reason) <= 2000),
  is_detected boolean not null,
  expense_id uuid,
  processed_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references ingestion_runs on delete cascade,
  foreign key (organization_id, expense_id) references expenses on delete set null (expense_id),
  constraint one_outcome_per_message unique (organization_id, run_id, folder, place),
  constraint created_messages_are_detected check (outcome <> 'CREATED' or is_detected)
);
select organization_table('ingestion_messages');
revoke insert, update, delete on ingestion_messages from kontor_confined;
grant insert on ingestion_messages to kontor_confined;
create index on ingestion_messages (organization_id, run_id, id);
create index on ingestion_messages (organization_id, expense_id);
create index on ingestion_messages (id);

-- Counts the messages of a run. A run that has ended takes none.
create function count_ingestion_messages() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ingestion_runs r set emails_scanned = r.emails_scanned + n.scanned, emails_detected = r.emails_detected + n.detected,
    expenses_created = r.expenses_created + n.created, last_progress_at = now(), resumed = 0
  from (select m.organization_id, m.run_id, count(*)::integer as scanned, (count(*) filter (where m.is_detected))::integer as detected,
      (count(*) filter (where m.outcome = 'CREATED'))::integer as created
    from added m group by m.organization_id, m.run_id) n
  where r.organization_id = n.organization_id and r.id = n.run_id;
  return null;
end $$;
create trigger count_ingestion_messages after insert on ingestion_messages referencing new table as added for each statement
  execute function count_ingestion_messages();

-- Enqueues the job of a run. Reading takes long, so these jobs come after all others, as those of scans.
create function enqueue_poll(of_run uuid, run_at timestamptz default null) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place uuid;
begin
  select r.organization_id into place from ingestion_runs r where r.id = of_run
    and (current_organization() is null or r.organization_id = current_organization());
  if place is null then return; end if;
  perform graphile_worker.add_job('poll-mailbox', json_build_object('runId', of_run), run_at => enqueue_poll.run_at,
    priority => 10 + coalesce((select least(p.waiting / 10, 30000) from job_pressure p where p.organization_id = place), 0),
    flags => array['organization:' || place]);
end $$;
revoke execute on function enqueue_poll(uuid, timestamptz) from public;
grant execute on function enqueue_poll(uuid, timestamptz) to kontor_confined;

-- Runs that are not at an end although no job works on them: the database failed while the job was recorded, or a lease ran out.
create function lost_polls() returns table (organization_id uuid, id uuid, started_at timestamptz) language plpgsql stable as $$
begin
  return query select r.organization_id, r.id, r.started_at from public.ingestion_runs r
  where r.completed_at is null and r.id::text not in (select queued_job_subjects('poll-mailbox', 'runId'));
end $$;
create function requeue_lost_polls(most integer) returns bigint language sql as $$
  select count(requeue_job('poll-mailbox', 'runId', lost.organization_id, lost.id))
  from (select * from lost_polls() p order by p.started_at, p.id limit most) lost
$$;

-- From when on a poll without dates reads: since the last one, or since the oldest message that is to be tried again.
create function poll_from(of_connection uuid, until timestamptz) returns timestamptz language sql stable as $$
  select least(coalesce(c.last_polled_at, until - interval '30 days'), until,
    (select min(m.received_at) from mail_messages m where m.organization_id = c.organization_id and m.connection_id = c.id and m.is_retried))
  from mail_connections c where c.id = of_connection
$$;
grant execute on function poll_from(uuid, timestamptz) to kontor_confined;

-- Starts the automatic polls that are due by the clock of their organizations. A missed period is caught up once.
create function start_due_polls(most integer) returns bigint language sql as $$
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

-- Writes the automation of an auto-scan: a schedule that polls this connection, and nothing else. Its graph does not depend
-- on the credential that asked for it, because it can do nothing but that.
create function save_auto_scan(of_connection uuid, automation uuid, label text, new_blocks jsonb, new_edges jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credential text := current_setting('app.credential', true);
  place uuid := current_organization();
begin
  if not exists (select from mail_connections c where c.organization_id = place and c.id = of_connection and c.deleted_at is null)
    or jsonb_array_length(new_blocks) <> 2 or new_blocks #>> '{0,kind}' <> 'TRIGGER' or new_blocks #>> '{0,ref}' not like 'schedule.%'
    or new_blocks #>> '{1,kind}' <> 'ACTION' or new_blocks #>> '{1,ref}' <> 'expenses_email_poll'
    or new_blocks #>> '{1,config,input,connectionId}' is distinct from of_connection::text
    or new_blocks #>> '{1,config,input,organizationId}' is distinct from place::text then
    raise exception 'An auto-scan polls its own connection.' using errcode = 'check_violation', constraint = 'auto_scan_polls_its_connection';
  end if;
  perform set_config('app.credential', '', true);
  update automations a set blocks = new_blocks, edges = new_edges where a.organization_id = place and a.id = automation;
  if not found then
    insert into automations (organization_id, id, name, blocks, edges) values (place, automation, label, new_blocks, new_edges);
  end if;
  perform set_config('app.credential', coalesce(credential, ''), true);
  update mail_connections c set auto_scan_automation_id = automation where c.organization_id = place and c.id = of_connection;
end $$;
revoke execute on function save_auto_scan(uuid, uuid, text, jsonb, jsonb) from public;
grant execute on function save_auto_scan(uuid, uuid, text, jsonb, jsonb) to kontor_confined;
